import { strFromU8, strToU8 } from "fflate";
import { readArchive, zipArchive } from "../archive.ts";

export const INPUTS_PART = "xl/worksheets/sheet1.xml";
export const EVAL_PART = "xl/worksheets/sheet2.xml";
export const STRINGS_PART = "xl/sharedStrings.xml";
export const BOOK_PART = "xl/workbook.xml";
export const STYLES_PART = "xl/styles.xml";

/** The workbook with one part's XML rewritten, in a sound archive; undefined leaves the part out. */
export function edited(
  bytes: Uint8Array,
  part: string,
  rewrite: (xml: string) => string | undefined,
): Uint8Array {
  const parts = new Map(readArchive(bytes));
  const xml = rewrite(strFromU8(parts.get(part)!));
  if (xml === undefined) parts.delete(part);
  else parts.set(part, strToU8(xml));
  return zipArchive(parts, 6);
}

/** The workbook with the content of one cell replaced, e.g. `C2` by `t="b"><v>1</v>`. */
export function withCell(
  bytes: Uint8Array,
  part: string,
  address: string,
  content: string,
): Uint8Array {
  return edited(bytes, part, (xml) => {
    const cell = new RegExp(`<c r="${address}"[^>]*>.*?</c>`, "s");
    const row = new RegExp(`(<row r="${address.replace(/\D/g, "")}".*?)(</row>)`, "s");
    const written = `<c r="${address}" ${content}</c>`;
    return cell.test(xml)
      ? xml.replace(cell, () => written)
      : xml.replace(row, (_, begin, end) => begin + written + end);
  });
}
