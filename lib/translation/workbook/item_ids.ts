import type { Problem } from "./read_result.ts";
import type { Table, TableRow } from "./table.ts";

/** The rows of a sheet by item_id, in the sheet's order; rows with a bad item_id are problems. */
export function rowsByItem(table: Table, problems: Problem[]): Map<number, TableRow> {
  const rows = new Map<number, TableRow>();
  if (!table.headings.has("item_id")) return rows;
  for (const row of table.rows) {
    const id = row.cells.get("item_id");
    const message = idFault(id, rows);
    if (message === undefined) rows.set(id as number, row);
    else problems.push({ sheet: table.sheet, row: row.number, column: "item_id", message });
  }
  return rows;
}

/** Notes items that only one of the two sheets has. */
export function compareItems(
  [one, rows]: readonly [Table, ReadonlyMap<number, TableRow>],
  [other, otherRows]: readonly [Table, ReadonlyMap<number, TableRow>],
  problems: Problem[],
): void {
  if (!one.headings.has("item_id") || !other.headings.has("item_id")) return;
  for (const [id, row] of rows) {
    if (otherRows.has(id)) continue;
    const message = `Item ${id} is missing from the sheet ${other.sheet}.`;
    problems.push({ sheet: one.sheet, row: row.number, column: "item_id", message });
  }
}

function idFault(
  id: string | number | undefined,
  rows: ReadonlyMap<number, TableRow>,
): string | undefined {
  if (id === undefined) return "The item_id is missing.";
  if (typeof id === "string") return "The item_id is text; it must be a whole number from 1.";
  if (!Number.isSafeInteger(id) || id < 1) return `The item_id ${id} is no whole number from 1.`;
  const earlier = rows.get(id);
  return earlier && `The item_id ${id} stands in row ${earlier.number} already.`;
}
