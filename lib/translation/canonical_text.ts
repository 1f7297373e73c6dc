/** The longest text that a cell of an XLSX workbook holds, in UTF-16 code units. */
export const MAX_CELL_LENGTH = 32_767;

/**
 * A text as it can be written to a workbook and read back unchanged: line ends are LF, control
 * characters (but tab and LF) and the non-characters U+FFFE and U+FFFF are left out, and a lone
 * surrogate becomes U+FFFD. Everything else stays, composed or not: no Unicode normalisation.
 * Idempotent. What is hashed and what is written must both have gone through here.
 */
export function canonicalText(text: string): string {
  return text
    .replace(/\r\n?/g, "\n")
    // deno-lint-ignore no-control-regex
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff]/g, "")
    .toWellFormed();
}
