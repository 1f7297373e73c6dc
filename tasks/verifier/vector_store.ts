import { dirname } from "node:path";
import { sha256Hex } from "../../lib/files/checksum.ts";
import { splitLines } from "../../lib/files/lines.ts";
import type { Vector, VectorStore } from "../../lib/factuality/training/case_vectors.ts";

const ROOM = "lib/factuality";

/** Whatever a number is computed by: a change in it makes the stored vectors those of another. */
const CODE = [
  "features",
  "wordnet",
  "claims/english.ts",
  "claims/sentences.ts",
  "claims/text_blocks.ts",
];

/** A digest of the code of the features. */
export function featureCodeDigest(): string {
  const paths = CODE.flatMap((name) => sources(`${ROOM}/${name}`));
  return sha256Hex(paths.map((path) => Deno.readTextFileSync(path)).join("\n"));
}

/** A file itself, or every source file in a folder that is no test. */
function sources(path: string): string[] {
  if (path.endsWith(".ts")) return path.endsWith("_test.ts") ? [] : [path];
  const names = [...Deno.readDirSync(path)].map(({ name }) => name).sort();
  return names.flatMap((name) => sources(`${path}/${name}`));
}

/** Vectors in a file of one line each, appended as they come: a run that was ended goes on. */
export function openVectorStore(path: string): VectorStore & Disposable {
  Deno.mkdirSync(dirname(path), { recursive: true });
  const known = readStore(path);
  const file = Deno.openSync(path, { append: true, create: true });
  const write = (line: string) => file.writeSync(new TextEncoder().encode(line));
  // Ends a line that a killed run left cut; an empty one is passed over.
  write("\n");
  return {
    has: (key) => known.has(key),
    get: (key) => known.get(key),
    add(key, vector) {
      known.set(key, vector);
      write(`${key} ${vector?.join(" ") ?? "none"} .\n`);
    },
    [Symbol.dispose]: () => file.close(),
  };
}

/** Only whole lines: each ends in a full stop of its own. */
function readStore(path: string): Map<string, Vector> {
  const known = new Map<string, Vector>();
  for (const { bytes } of splitLines(existingBytes(path))) {
    const [key, ...rest] = new TextDecoder().decode(bytes).trim().split(" ");
    if (rest.pop() !== ".") continue;
    known.set(key!, rest[0] === "none" ? undefined : rest.map(Number));
  }
  return known;
}

function existingBytes(path: string): Uint8Array {
  try {
    return Deno.readFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return new Uint8Array();
    throw error;
  }
}
