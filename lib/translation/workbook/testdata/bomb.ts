import { Zip, ZipDeflate } from "fflate";

const MEGABYTE = new Uint8Array(1_000_000);

/** A ZIP archive, about 300 kB, whose one sheet inflates to so many megabytes of zero bytes. */
export function bomb(megabytes: number): Uint8Array<ArrayBuffer> {
  const chunks: Uint8Array[] = [];
  const zip = new Zip((_, chunk) => chunks.push(chunk));
  const sheet = new ZipDeflate("xl/worksheets/sheet1.xml", { level: 1 });
  zip.add(sheet);
  for (let done = 1; done <= megabytes; done++) sheet.push(MEGABYTE, done === megabytes);
  zip.end();
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** The archive with a field of its first directory entry overwritten; offsets as in APPNOTE 4.3.12. */
export function withDirectoryField(
  bytes: Uint8Array,
  offset: number,
  value: number,
  width: 2 | 4,
): Uint8Array<ArrayBuffer> {
  const changed = bytes.slice();
  const view = new DataView(changed.buffer);
  let entry = 0;
  while (view.getUint32(entry, true) !== 0x02014b50) entry++;
  if (width === 2) view.setUint16(entry + offset, value, true);
  else view.setUint32(entry + offset, value, true);
  return changed;
}
