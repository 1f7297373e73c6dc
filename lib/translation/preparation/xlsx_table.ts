import { readArchive } from "../workbook/archive.ts";
import { readSheets, type Sheet, type SheetCell } from "../workbook/sheet_adapter.ts";
import { inOneLine } from "./faults.ts";
import type { Table } from "./table.ts";

/**
 * The table on the first sheet of an XLSX workbook: headings in its first row that holds anything,
 * rows without anything left out. Numbers are taken as text.
 *
 * Throws SyntaxError naming the file and every cell that holds no text or number, such as a formula,
 * or that stands under no heading; and for a file that is no workbook.
 */
export async function xlsxTable(bytes: Uint8Array, file: string): Promise<Table> {
  const [heading, ...rows] = (await firstSheet(bytes, file)).rows;
  if (heading === undefined) throw new SyntaxError(`Cannot read ${file}: it has no headings.`);
  const width = Math.max(...heading.cells.map(({ column }) => column));
  const cells = [heading, ...rows].flatMap((row) => row.cells);
  const faults = cells.flatMap(({ address, column, fault }) => [
    ...fault === undefined ? [] : [`cell ${address} holds ${fault}`],
    ...column > width ? [`cell ${address} stands under no heading`] : [],
  ]);
  if (faults.length > 0) throw new SyntaxError(`Cannot read ${file}: ${inOneLine(faults)}.`);
  return {
    headings: textsOf(heading.cells, width).map((text) => text.trim()),
    lines: rows.map((row) => ({ line: row.number, cells: textsOf(row.cells, width) })),
  };
}

async function firstSheet(bytes: Uint8Array, file: string): Promise<Sheet> {
  try {
    const [sheet] = await readSheets(readArchive(bytes));
    return sheet ?? { name: "", rows: [] };
  } catch (error) {
    const hint = error instanceof RangeError ? " A CSV or TSV may be larger." : "";
    throw new SyntaxError(`Cannot read ${file}: ${(error as Error).message}.${hint}`);
  }
}

function textsOf(cells: readonly SheetCell[], width: number): string[] {
  const texts: string[] = Array(width).fill("");
  for (const { column, value } of cells) texts[column - 1] = String(value ?? "");
  return texts;
}
