import type { CsvValue } from "../../files/csv.ts";
import { inertText } from "../../files/inert_text.ts";

/** Texts are others' words: on one line, and none that a spreadsheet would run. */
export function inertRow<Row extends Readonly<Record<string, CsvValue>>>(row: Row) {
  const cells = Object.entries(row).map(([column, value]) =>
    [column, typeof value === "string" ? inertText(value) : value] as const
  );
  return Object.fromEntries(cells) as { readonly [Column in keyof Row]: CsvValue };
}
