import { Inflate, type Zippable, zipSync } from "fflate";

/** What a ZIP archive's central directory says of one of its files: as far as it may be believed. */
type DirectoryEntry = ReturnType<typeof readCentralDirectory>[number];

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_HEADER = 0x04034b50;
const [END_LENGTH, ENTRY_LENGTH, LOCAL_HEADER_LENGTH] = [22, 46, 30];
/** How an OLE compound file begins: Excel's old format, and an .xlsx encrypted with a password. */
const COMPOUND_FILE = 0xd0cf11e0;
const LONGEST_COMMENT = 0xffff;
const MOST_ENTRIES = 1000;
const [STORED, DEFLATED] = [0, 8];

/** Most bytes inflated: 300 sentences × 12 are 2 MB, and take several times that in memory. */
const MAX_INFLATED_BYTES = 40_000_000;

/** Deflate grows at most 1,032-fold: no step inflates to more than about 4 MB. */
const STEP = 4096;

const viewOf = (bytes: Uint8Array) =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/**
 * Reads the central directory of a ZIP archive (PKWARE APPNOTE 6.3.10, sections 4.3.12 and 4.3.16)
 * without inflating anything. Throws SyntaxError where there is no whole one, or too much of it.
 */
function readCentralDirectory(bytes: Uint8Array) {
  const view = viewOf(bytes);
  const end = endOfDirectory(bytes, view);
  const count = view.getUint16(end + 10, true);
  if (count > MOST_ENTRIES) {
    throw new SyntaxError(`it holds ${count} parts, where a workbook has about ten`);
  }
  let offset = view.getUint32(end + 16, true);
  return Array.from({ length: count }, () => {
    if (offset + ENTRY_LENGTH > end || view.getUint32(offset, true) !== DIRECTORY_ENTRY) {
      throw new SyntaxError("it is damaged: its table of contents cannot be read");
    }
    const nameEnd = offset + ENTRY_LENGTH + view.getUint16(offset + 28, true);
    const next = nameEnd + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
    if (next > end) throw new SyntaxError("it is damaged: its table of contents is cut off");
    const at = offset;
    offset = next;
    return {
      name: new TextDecoder().decode(bytes.subarray(at + ENTRY_LENGTH, nameEnd)),
      flags: view.getUint16(at + 8, true),
      method: view.getUint16(at + 10, true),
      crc32: view.getUint32(at + 16, true),
      compressedSize: view.getUint32(at + 20, true),
      declaredSize: view.getUint32(at + 24, true),
      headerOffset: view.getUint32(at + 42, true),
    };
  });
}

function endOfDirectory(bytes: Uint8Array, view: DataView): number {
  if (bytes.length >= 4 && view.getUint32(0) === COMPOUND_FILE) {
    throw new SyntaxError(
      "it has a password or is an old .xls; save it as .xlsx without a password",
    );
  }
  if (bytes.length < 4 || bytes[0] !== 0x50 || bytes[1] !== 0x4b) {
    throw new SyntaxError(
      "it is no XLSX workbook, whatever its name; of a CSV or TSV deno task rate prepare makes one",
    );
  }
  const lowest = Math.max(0, bytes.length - END_LENGTH - LONGEST_COMMENT);
  for (let offset = bytes.length - END_LENGTH; offset >= lowest; offset--) {
    if (view.getUint32(offset, true) === END_OF_DIRECTORY) return offset;
  }
  throw new SyntaxError("it is cut off: the end of the file is missing");
}

/** CRC-32 of the bytes (ISO-HDLC, as in ZIP and PNG), an unsigned 32-bit number. */
export function crc32(bytes: Uint8Array): number {
  let remainder = 0xffffffff;
  for (const byte of bytes) remainder = TABLE[(remainder ^ byte) & 0xff]! ^ remainder >>> 8;
  return ~remainder >>> 0;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) {
    remainder = remainder & 1 ? 0xedb88320 ^ remainder >>> 1 : remainder >>> 1;
  }
  return remainder;
});

/** The parts of a ZIP archive by name, inflated. */
export type ArchiveParts = ReadonlyMap<string, Uint8Array>;

/**
 * Inflates a ZIP archive under a cap, so that a file made to exhaust memory is turned away; each
 * part must have the size and the checksum that the directory gives, and a name of its own. Throws
 * SyntaxError for a damaged or encrypted archive, RangeError for one over the cap; both messages go
 * on from "Cannot open FILE:".
 */
export function readArchive(bytes: Uint8Array, maxBytes = MAX_INFLATED_BYTES): ArchiveParts {
  const entries = readCentralDirectory(bytes);
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
  if (total > maxBytes) {
    throw new RangeError(
      `its content is over ${maxBytes / 1_000_000} MB, more than a workbook of ratings can have`,
    );
  }
  return new Map(
    entries.filter(({ name }) => !name.endsWith("/"))
      .map((entry) => [entry.name, inflated(bytes, entry)]),
  );
}

/** The parts as a ZIP archive that is the same whenever and wherever it is made. */
export function zipArchive(parts: ArchiveParts, level: 0 | 6): Uint8Array {
  // ZIP stamps are local times without a zone: this one is written alike in every zone.
  const mtime = new Date(2000, 0, 1);
  const zippable: Zippable = {};
  for (const [name, part] of parts) zippable[name] = [part, { mtime, level }];
  return zipSync(zippable);
}

/** Nothing is taken from the local header but the place where the data begin. */
function inflated(bytes: Uint8Array, entry: DirectoryEntry): Uint8Array {
  const { headerOffset, compressedSize, declaredSize, name } = entry;
  const damaged = () =>
    new SyntaxError(`it is damaged or cut off: its part ${name} cannot be read`);
  const view = viewOf(bytes);
  const header = headerOffset + LOCAL_HEADER_LENGTH;
  if (header > bytes.length || view.getUint32(headerOffset, true) !== LOCAL_HEADER) throw damaged();
  const start = header + view.getUint16(headerOffset + 26, true) +
    view.getUint16(headerOffset + 28, true);
  if (start + compressedSize > bytes.length) throw damaged();
  const data = bytes.subarray(start, start + compressedSize);
  let part: Uint8Array;
  try {
    part = entry.method === STORED ? data.slice() : inflate(data, entry);
  } catch (error) {
    throw error instanceof RangeError ? error : damaged();
  }
  if (part.length !== declaredSize || crc32(part) !== entry.crc32) throw damaged();
  return part;
}

function inflate(data: Uint8Array, { name, declaredSize }: DirectoryEntry): Uint8Array {
  const part = new Uint8Array(declaredSize);
  let length = 0;
  const stream = new Inflate((chunk) => {
    if (length + chunk.length > declaredSize) {
      throw new RangeError(`its part ${name} is larger than the file says it is`);
    }
    part.set(chunk, length);
    length += chunk.length;
  });
  for (let offset = 0; offset < data.length; offset += STEP) {
    stream.push(data.subarray(offset, offset + STEP), offset + STEP >= data.length);
  }
  return part.subarray(0, length);
}
