const SIGNS: Readonly<Record<string, string>> = {
  "-LRB-": "(",
  "-RRB-": ")",
  "-LSB-": "[",
  "-RSB-": "]",
  "-COLON-": ":",
};

/** A text of FEVER's with its brackets: "Colombiana -LRB- film -RRB-" has them as words. */
export function feverText(text: string): string {
  return text.replace(/-(?:LRB|RRB|LSB|RSB|COLON)-/gu, (mark) => SIGNS[mark]!);
}

/** The title of a page that FEVER calls "Colombiana_-LRB-film-RRB-": "Colombiana (film)". */
export function feverTitle(page: string): string {
  return feverText(page).replaceAll("_", " ");
}
