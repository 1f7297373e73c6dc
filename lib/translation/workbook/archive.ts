import { Inflate, type Zippable, zipSync } from "fflate";
import { type DirectoryEntry, readCentralDirectory } from "./central_directory.ts";
import { crc32 } from "./crc32.ts";

/** The parts of a ZIP archive by name, inflated. */
export type ArchiveParts = ReadonlyMap<string, Uint8Array>;

/**
 * Most bytes that the parts of a workbook may have together once inflated. 300 sentences with
 * twelve translations of 200 characters are 2 MB; the library that reads the parts afterwards takes
 * several times their size, so that more would not stay under 300 MB of memory.
 */
const MAX_INFLATED_BYTES = 40_000_000;

const LOCAL_HEADER = 0x04034b50;
const LOCAL_HEADER_LENGTH = 30;
const [STORED, DEFLATED] = [0, 8];
/** Deflate grows at most 1,032-fold: no step inflates to more than about 4 MB. */
const STEP = 4096;

/**
 * Inflates a ZIP archive under a cap, so that a file made to exhaust memory is turned away. Each
 * part must have the size and the checksum that the directory gives, and a name of its own; nothing
 * is taken from local headers but the place where the data begin.
 *
 * Throws SyntaxError for a damaged or encrypted archive, RangeError for one over the cap; both
 * messages go on from "Cannot open FILE:".
 */
export function readArchive(bytes: Uint8Array, maxBytes = MAX_INFLATED_BYTES): ArchiveParts {
  const entries = readCentralDirectory(bytes);
  refuseUnfit(entries, maxBytes);
  const parts = new Map<string, Uint8Array>();
  for (const entry of entries) {
    if (!entry.name.endsWith("/")) parts.set(entry.name, inflated(bytes, entry));
  }
  return parts;
}

/** The parts as a ZIP archive that is the same whenever and wherever it is made. */
export function zipArchive(parts: ArchiveParts, level: 0 | 6): Uint8Array {
  // ZIP stamps are local times without a zone: this one is written alike in every zone.
  const mtime = new Date(2000, 0, 1);
  const zippable: Zippable = {};
  for (const [name, part] of parts) zippable[name] = [part, { mtime, level }];
  return zipSync(zippable);
}

function refuseUnfit(entries: readonly DirectoryEntry[], maxBytes: number): void {
  const names = new Set<string>();
  let total = 0;
  for (const { name, flags, method, declaredSize } of entries) {
    if (flags & 1) throw new SyntaxError("it is encrypted; save it without a password");
    if (method !== STORED && method !== DEFLATED) {
      throw new SyntaxError(`its part ${name} is compressed in a way that workbooks are not`);
    }
    if (names.has(name.toLowerCase())) throw new SyntaxError(`it has two parts named ${name}`);
    names.add(name.toLowerCase());
    total += declaredSize;
  }
  if (total > maxBytes) throw tooLarge(maxBytes);
}

function inflated(bytes: Uint8Array, entry: DirectoryEntry): Uint8Array {
  const data = compressedData(bytes, entry);
  const part = entry.method === STORED ? data.slice() : inflate(data, entry);
  if (part.length !== entry.declaredSize || crc32(part) !== entry.crc32) throw damaged(entry.name);
  return part;
}

function compressedData(bytes: Uint8Array, entry: DirectoryEntry): Uint8Array {
  const { headerOffset, compressedSize, name } = entry;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (
    headerOffset + LOCAL_HEADER_LENGTH > bytes.length ||
    view.getUint32(headerOffset, true) !== LOCAL_HEADER
  ) throw damaged(name);
  const start = headerOffset + LOCAL_HEADER_LENGTH + view.getUint16(headerOffset + 26, true) +
    view.getUint16(headerOffset + 28, true);
  if (start + compressedSize > bytes.length) throw damaged(name);
  return bytes.subarray(start, start + compressedSize);
}

function inflate(data: Uint8Array, { name, declaredSize }: DirectoryEntry): Uint8Array {
  const part = new Uint8Array(declaredSize);
  let length = 0;
  const stream = new Inflate((chunk) => {
    if (length + chunk.length > declaredSize) throw lying(name);
    part.set(chunk, length);
    length += chunk.length;
  });
  try {
    for (let offset = 0; offset < data.length; offset += STEP) {
      stream.push(data.subarray(offset, offset + STEP), offset + STEP >= data.length);
    }
  } catch (error) {
    throw error instanceof RangeError ? error : damaged(name);
  }
  return part.subarray(0, length);
}

function tooLarge(maxBytes: number): RangeError {
  return new RangeError(
    `its content is over ${maxBytes / 1_000_000} MB, more than a workbook of ratings can have`,
  );
}

function lying(name: string): RangeError {
  return new RangeError(`its part ${name} is larger than the file says it is`);
}

function damaged(name: string): SyntaxError {
  return new SyntaxError(`it is damaged or cut off: its part ${name} cannot be read`);
}
