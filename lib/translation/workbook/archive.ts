import { Unzip, UnzipInflate, type Zippable, zipSync } from "fflate";

const MOST_PARTS = 1000;

/** Most bytes inflated: 300 sentences × 12 are 2 MB, and take several times that in memory. */
const MAX_INFLATED_BYTES = 40_000_000;

/** Deflate grows at most 1,032-fold: no step inflates to more than about 4 MB. */
const STEP = 4096;

/** The parts of a ZIP archive by name, inflated. */
export type ArchiveParts = ReadonlyMap<string, Uint8Array>;

/**
 * Inflates a ZIP archive step by step under a cap, so that a file made to exhaust memory or time is
 * turned away, whatever sizes it declares. That texts are what they were is for their rows' hashes
 * to say. Throws SyntaxError for a damaged or encrypted archive, RangeError for one over the cap;
 * both messages go on from "Cannot open FILE:".
 */
export function readArchive(bytes: Uint8Array, maxBytes = MAX_INFLATED_BYTES): ArchiveParts {
  const begins = (...first: readonly number[]) => first.every((byte, at) => bytes[at] === byte);
  // An OLE compound file: Excel's old format, and an .xlsx encrypted with a password.
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) {
    throw new SyntaxError(
      "it has a password or is an old .xls; save it as .xlsx without a password",
    );
  }
  if (!begins(0x50, 0x4b)) {
    throw new SyntaxError(
      "it is no XLSX workbook, whatever its name; of a CSV or TSV deno task rate prepare makes one",
    );
  }
  const parts = new Map<string, Uint8Array[]>();
  let [total, ended] = [0, 0];
  const unzip = new Unzip((file) => {
    if (file.name.endsWith("/")) return;
    const name = file.name.toLowerCase();
    if ([...parts.keys()].some((other) => other.toLowerCase() === name)) {
      throw new SyntaxError(`it has two parts named ${file.name}`);
    }
    const chunks: Uint8Array[] = [];
    parts.set(file.name, chunks);
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      chunks.push(chunk);
      total += chunk.length;
      if (isLast) ended++;
      if (total <= maxBytes && parts.size <= MOST_PARTS) return;
      throw new RangeError(
        `its content is over ${maxBytes / 1_000_000} MB, more than a workbook of ratings can have`,
      );
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  const damaged = new SyntaxError("it is damaged, cut off or encrypted");
  try {
    for (let at = 0; at < bytes.length; at += STEP) {
      unzip.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length);
    }
  } catch (error) {
    throw error instanceof SyntaxError || error instanceof RangeError ? error : damaged;
  }
  if (ended < parts.size || parts.size === 0) throw damaged;
  return new Map([...parts].map(([name, chunks]) => [name, joined(chunks)]));
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** The parts as a ZIP archive that is the same whenever and wherever it is made. */
export function zipArchive(parts: ArchiveParts, level: 0 | 6): Uint8Array {
  // ZIP stamps are local times without a zone: this one is written alike in every zone.
  const mtime = new Date(2000, 0, 1);
  const zippable: Zippable = {};
  for (const [name, part] of parts) zippable[name] = [part, { mtime, level }];
  return zipSync(zippable);
}
