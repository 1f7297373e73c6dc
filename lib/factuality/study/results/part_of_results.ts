/** What stands where a table is not there. */
export function notMeasured(file: string, task: string): string {
  return `_Not measured: \`data/factuality/${file}\` is not there. Run \`${task}\`._`;
}

/** The text of a table that is there. */
export function whereMeasured<Row>(
  rows: readonly Row[],
  { file, task }: { readonly file: string; readonly task: string },
  write: (rows: readonly Row[]) => string,
): string {
  return rows.length === 0 ? notMeasured(file, task) : write(rows);
}
