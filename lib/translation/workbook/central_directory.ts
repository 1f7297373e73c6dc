/** What a ZIP archive's central directory says of one of its files. */
export interface DirectoryEntry {
  readonly name: string;
  readonly flags: number;
  /** 0: stored, 8: deflate. */
  readonly method: number;
  readonly crc32: number;
  /** Bytes in the archive, and bytes once inflated as far as the directory may be believed. */
  readonly compressedSize: number;
  readonly declaredSize: number;
  /** Where the file's local header begins. */
  readonly headerOffset: number;
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
/** How an OLE compound file begins: Excel's old format, and an .xlsx encrypted with a password. */
const COMPOUND_FILE = 0xd0cf11e0;
const END_LENGTH = 22;
const ENTRY_LENGTH = 46;
const LONGEST_COMMENT = 0xffff;
const MOST_ENTRIES = 1000;

/**
 * Reads the central directory of a ZIP archive (PKWARE APPNOTE 6.3.10, sections 4.3.12 and 4.3.16)
 * without inflating anything.
 *
 * Throws SyntaxError where the bytes are no whole ZIP archive, or more than a workbook needs.
 */
export function readCentralDirectory(bytes: Uint8Array): DirectoryEntry[] {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOfDirectory(bytes, view);
  const count = view.getUint16(end + 10, true);
  if (count > MOST_ENTRIES) {
    throw new SyntaxError(`it holds ${count} parts, where a workbook has about ten`);
  }
  const entries: DirectoryEntry[] = [];
  let offset = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    const entry = entryAt(view, bytes, offset, end);
    entries.push(entry.entry);
    offset = entry.next;
  }
  return entries;
}

function endOfDirectory(bytes: Uint8Array, view: DataView): number {
  if (bytes.length >= 4 && view.getUint32(0) === COMPOUND_FILE) {
    throw new SyntaxError(
      "it has a password or is an old .xls; save it as .xlsx without a password",
    );
  }
  if (bytes.length < 4 || bytes[0] !== 0x50 || bytes[1] !== 0x4b) {
    throw new SyntaxError("it is no XLSX workbook (no ZIP archive)");
  }
  const lowest = Math.max(0, bytes.length - END_LENGTH - LONGEST_COMMENT);
  for (let offset = bytes.length - END_LENGTH; offset >= lowest; offset--) {
    if (view.getUint32(offset, true) === END_OF_DIRECTORY) return offset;
  }
  throw new SyntaxError("it is cut off: the end of the file is missing");
}

function entryAt(view: DataView, bytes: Uint8Array, offset: number, end: number) {
  if (offset + ENTRY_LENGTH > end || view.getUint32(offset, true) !== DIRECTORY_ENTRY) {
    throw new SyntaxError("it is damaged: its table of contents cannot be read");
  }
  const nameEnd = offset + ENTRY_LENGTH + view.getUint16(offset + 28, true);
  const next = nameEnd + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
  if (next > end) throw new SyntaxError("it is damaged: its table of contents is cut off");
  const entry: DirectoryEntry = {
    name: new TextDecoder().decode(bytes.subarray(offset + ENTRY_LENGTH, nameEnd)),
    flags: view.getUint16(offset + 8, true),
    method: view.getUint16(offset + 10, true),
    crc32: view.getUint32(offset + 16, true),
    compressedSize: view.getUint32(offset + 20, true),
    declaredSize: view.getUint32(offset + 24, true),
    headerOffset: view.getUint32(offset + 42, true),
  };
  return { entry, next };
}
