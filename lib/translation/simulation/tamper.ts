import { readArchive } from "../workbook/archive.ts";
import { EVAL } from "../workbook/columns.ts";
import {
  readSheets,
  type Sheet,
  type SheetContent,
  writeSheets,
} from "../workbook/sheet_adapter.ts";

/** Which score is changed, and by how many points. */
export interface ScoreChange {
  readonly itemId: number;
  readonly by: number;
}

/**
 * A rated workbook as it is after somebody opened it in a spreadsheet, changed an item's first score
 * (`da_1`) and saved it: sound in everything but its hashes.
 *
 * Throws RangeError where there is no such item or its score is no number.
 */
export async function withScoreChanged(
  bytes: Uint8Array,
  { itemId, by }: ScoreChange,
): Promise<Uint8Array> {
  const sheets = (await readSheets(readArchive(bytes))).map(contentOf);
  return await writeSheets(sheets.map((sheet) => {
    if (sheet.name !== EVAL) return sheet;
    const at = (heading: string) => sheet.columns.findIndex((column) => column.heading === heading);
    const place = sheet.rows.findIndex((row) => row[at("item_id")] === itemId);
    const score = sheet.rows[place]?.[at("da_1")];
    if (typeof score !== "number") {
      throw new RangeError(`Cannot change da_1 of item ${itemId}: there is no such score.`);
    }
    const rows = sheet.rows.with(place, sheet.rows[place]!.with(at("da_1"), score + by));
    return { ...sheet, rows };
  }));
}

/** The sheet as its writer takes it: the first row are headings. */
function contentOf({ name, rows: [headings, ...rows] }: Sheet): SheetContent {
  const columns = (headings?.cells ?? []).map(({ value }) => ({ heading: `${value}`, width: 14 }));
  return {
    name,
    columns,
    rows: rows.map(({ cells }) =>
      columns.map((_, index) => cells.find(({ column }) => column === index + 1)?.value)
    ),
    isProtected: false,
  };
}
