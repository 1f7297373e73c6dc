/** Faults that are shown at most; the rest is counted. */
const MOST_SHOWN = 10;

/**
 * Sentences on what is wrong, as the end of a message: a single one in the same line, several one a
 * line, of more than ten the first ten and how many more.
 */
export function faultLines(faults: readonly string[]): string {
  if (faults.length === 1) return ` ${faults[0]}`;
  const rest = faults.length - MOST_SHOWN;
  const lines = [...faults.slice(0, MOST_SHOWN), ...rest > 0 ? [`… and ${rest} more`] : []];
  return lines.map((line) => `\n  ${line}`).join("");
}
