import { escapeXml } from "../../figures/fonts.ts";
import { readArchive } from "../workbook/archive.ts";
import { nameAsWord } from "./name_as_word.ts";

/**
 * Which of the names stand, as words and in any case, in any part of an XLSX file or in a part's
 * name: the file is inflated first, since compression hides what a search of its bytes would miss.
 *
 * Throws SyntaxError or RangeError for a file that is no sound archive.
 */
export function namesWithin(bytes: Uint8Array, names: readonly string[]): string[] {
  const texts = [...readArchive(bytes)]
    .map(([name, part]) => `${name}\n${new TextDecoder().decode(part)}`);
  return names.filter((name) =>
    [name, escapeXml(name)].some((form) => texts.some((text) => nameAsWord(form).test(text)))
  );
}
