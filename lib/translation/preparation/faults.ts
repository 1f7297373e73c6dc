/** Most faults of a list; the rest is counted. */
const MOST_LINES = 10;

/**
 * Sentences on what is wrong, as the end of a message: a single one in the same line, several one a
 * line, of more than ten the first ten and how many more.
 */
export function faultLines(faults: readonly string[]): string {
  if (faults.length === 1) return ` ${faults[0]}`;
  const rest = faults.length - MOST_LINES;
  const lines = [...faults.slice(0, MOST_LINES), ...rest > 0 ? [`… and ${rest} more`] : []];
  return lines.map((line) => `\n  ${line}`).join("");
}

/** Most faults of one line. */
const MOST_IN_ONE_LINE = 20;

/** What is wrong within one sentence, by semicolons: the first twenty and how many more. */
export function inOneLine(faults: readonly string[]): string {
  const rest = faults.length - MOST_IN_ONE_LINE;
  const shown = faults.slice(0, MOST_IN_ONE_LINE).join("; ");
  return rest > 0 ? `${shown}; and ${rest} more` : shown;
}
