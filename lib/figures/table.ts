/** Value of a table cell; a missing one is shown as a dash, never as 0. */
export type TableCell = string | number | undefined;

const escapeCell = (cell: TableCell) =>
  cell === undefined ? "–" : String(cell).replaceAll("|", "\\|").replaceAll("\n", " ");

/**
 * Formats a GitHub Markdown table. Columns of numbers are right-aligned. @throws RangeError for a
 * row with a different number of cells than columns.
 */
export function markdownTable(
  columns: readonly string[],
  rows: readonly (readonly TableCell[])[],
): string {
  for (const [index, row] of rows.entries()) {
    if (row.length !== columns.length) {
      throw new RangeError(
        `Cannot set a table: row ${index + 1} has ${row.length} cells, expected ${columns.length}.`,
      );
    }
  }
  const isNumeric = (column: number) =>
    rows.length > 0 &&
    rows.every((row) =>
      row[column] === undefined || /^[-+−]?[\d.]+( ?%)?( |$)/.test(String(row[column]))
    );
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [
    line(columns.map(escapeCell)),
    line(columns.map((_, column) => (isNumeric(column) ? "---:" : "---"))),
    ...rows.map((row) => line(row.map(escapeCell))),
  ].join("\n");
}

/** Counts each value, most frequent first, ties in alphabetical order. */
export function tally(
  values: Iterable<string>,
): readonly (readonly [value: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1));
}
