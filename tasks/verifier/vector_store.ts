import { dirname } from "node:path";
import { sha256Hex } from "../../lib/files/checksum.ts";
import { splitLines } from "../../lib/files/lines.ts";
import type { Vector, VectorStore } from "../../lib/factuality/training/case_vectors.ts";

/** Whatever a number is computed by: a change in it makes the stored vectors those of another. */
const CODE = ["features", "wordnet", "claims"].map((room) => `lib/factuality/${room}`);

/** A digest of the code of the features. */
export function featureCodeDigest(): string {
  return sha256Hex(CODE.flatMap(sources).map((path) => Deno.readTextFileSync(path)).join("\n"));
}

function sources(folder: string): string[] {
  const entries = [...Deno.readDirSync(folder)].sort((a, b) => (a.name < b.name ? -1 : 1));
  return entries.flatMap(({ name, isDirectory }) => {
    if (isDirectory) return sources(`${folder}/${name}`);
    return name.endsWith(".ts") && !name.endsWith("_test.ts") ? [`${folder}/${name}`] : [];
  });
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
