/**
 * Text that no spreadsheet takes for a formula: what begins, be it after white space, with = + - @
 * or their full-width forms, or with a tab or a line break, gets an apostrophe in front (OWASP, CSV
 * Injection). Line breaks become spaces and other control characters but the tab are left out, for
 * one line is one row. Only for CSV: in a workbook, text cells are text, and a changed text would no
 * longer match its hash. Numbers are never to go through here.
 */
export function inertText(text: string): string {
  // First, so that nothing dangerous comes to the front by it.
  const printable = text.replace(/(?![\t\r\n])\p{Cc}/gu, "").toWellFormed();
  const guarded = /^(?:[\t\r\n]|\s*[=+\-@＝＋－＠])/.test(printable) ? `'${printable}` : printable;
  return guarded.replace(/\r\n?|\n/g, " ");
}
