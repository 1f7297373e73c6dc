import { extname } from "node:path";
import { parse } from "csv-parse/sync";
import { shownPath } from "../../files/atomic.ts";
import { readArchive } from "../workbook/archive.ts";
import { readSheets, type Sheet, type SheetCell } from "../workbook/sheets.ts";

/** A table as it stands in a file, cells not trimmed; line 1 is the heading. */
export interface Table {
  readonly headings: readonly string[];
  readonly lines: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

/**
 * The table of a `.csv`, `.tsv` (both UTF-8) or `.xlsx` (its first sheet). Throws SyntaxError
 * naming the file and what is wrong in it, RangeError for another kind of file, and NotFound if
 * there is none.
 */
export async function readTable(path: string, quotes: boolean): Promise<Table> {
  const [bytes, file, kind] = [await readBytes(path), shownPath(path), extname(path).toLowerCase()];
  if (kind === ".xlsx") return await xlsxTable(bytes, file);
  if (kind !== ".csv" && kind !== ".tsv") {
    throw new RangeError(`Cannot read ${file}: it is no .csv, .tsv or .xlsx.`);
  }
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return parseTable(text, file, { delimiter: kind === ".csv" ? "," : "\t", quotes });
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new SyntaxError(`Cannot read ${file}: it is not in UTF-8. Save it so.`);
  }
}

/**
 * Reads a table from text; lines without any text are left out. `quotes` is false for files such as
 * WMT's, where a quotation mark is text and a field cannot hold a tab or a line break. Throws
 * SyntaxError naming file and line for a stray quotation mark, another number of cells than there
 * are headings, and a file without headings.
 */
export function parseTable(
  text: string,
  file: string,
  { delimiter, quotes }: { readonly delimiter: "," | "\t"; readonly quotes: boolean },
): Table {
  const hint = quotes && text.includes('"')
    ? ' If quotation marks are part of the text here, read it with "quotes: false".'
    : "";
  const fail = (reason: string) => new SyntaxError(`Cannot read ${file}: ${reason}.${hint}`);
  let rows: Table["lines"];
  try {
    rows = quotes ? quotedRows(text, delimiter) : plainRows(text, delimiter);
  } catch (error) {
    throw fail((error as Error).message);
  }
  const [heading, ...lines] = rows;
  if (heading === undefined) throw new SyntaxError(`Cannot read ${file}: it has no headings.`);
  const headings = heading.cells.map((cell) => cell.trim());
  const faults = lines.filter(({ cells }) => cells.length !== headings.length).map((row) =>
    `line ${row.line} has ${row.cells.length} cells, the heading has ${headings.length}`
  );
  if (faults.length > 0) throw fail(inOneLine(faults));
  return { headings, lines };
}

function quotedRows(text: string, delimiter: string): Table["lines"] {
  const rows: { line: number; cells: string[] }[] = [];
  parse(text, {
    delimiter,
    bom: true,
    relax_column_count: true,
    record_delimiter: ["\r\n", "\n", "\r"],
    skip_empty_lines: true,
    on_record: (cells: string[], { lines }: { lines: number }) => {
      // The parser counts to the end of a row; line breaks within its cells go back to the start.
      rows.push({ line: lines - cells.join("").split(/\r\n|\n|\r/).length + 1, cells });
    },
  });
  return rows;
}

function plainRows(text: string, delimiter: string): Table["lines"] {
  return text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/)
    .map((line, index) => ({ line: index + 1, cells: line.split(delimiter) }))
    .filter(({ cells }) => cells.length > 1 || cells[0] !== "");
}

/** The first sheet's table; a cell without text or number, or under no heading, is a fault. */
async function xlsxTable(bytes: Uint8Array, file: string): Promise<Table> {
  let sheets: readonly Sheet[];
  try {
    sheets = await readSheets(readArchive(bytes));
  } catch (error) {
    const hint = error instanceof RangeError ? " A CSV or TSV may be larger." : "";
    throw new SyntaxError(`Cannot read ${file}: ${(error as Error).message}.${hint}`);
  }
  const [heading, ...rows] = sheets[0]?.rows ?? [];
  if (heading === undefined) throw new SyntaxError(`Cannot read ${file}: it has no headings.`);
  const width = Math.max(...heading.cells.map(({ column }) => column));
  const faults = [heading, ...rows].flatMap((row) => row.cells)
    .flatMap(({ address, column, fault }) => [
      ...fault === undefined ? [] : [`cell ${address} holds ${fault}`],
      ...column > width ? [`cell ${address} stands under no heading`] : [],
    ]);
  if (faults.length > 0) throw new SyntaxError(`Cannot read ${file}: ${inOneLine(faults)}.`);
  const texts = (cells: readonly SheetCell[]) => {
    const row: string[] = Array(width).fill("");
    for (const { column, value } of cells) row[column - 1] = String(value ?? "");
    return row;
  };
  return {
    headings: texts(heading.cells).map((text) => text.trim()),
    lines: rows.map((row) => ({ line: row.number, cells: texts(row.cells) })),
  };
}

/** A file's bytes. Throws NotFound that names the file if there is none. */
export async function readBytes(path: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readBytesIfThere(path);
  if (bytes !== undefined) return bytes;
  throw new Deno.errors.NotFound(`Cannot read ${shownPath(path)}: it is not there.`);
}

/** A file's bytes, or undefined where there is none. */
export async function readBytesIfThere(path: string) {
  try {
    return await Deno.readFile(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

/** Sentences on what is wrong, as the end of a message: one in the same line, up to ten one a line. */
export function faultLines(faults: readonly string[]): string {
  if (faults.length === 1) return ` ${faults[0]}`;
  const rest = faults.length - 10;
  const lines = [...faults.slice(0, 10), ...rest > 0 ? [`… and ${rest} more`] : []];
  return lines.map((line) => `\n  ${line}`).join("");
}

/** What is wrong within one sentence, by semicolons: twenty faults, then their number. */
export function inOneLine(faults: readonly string[]): string {
  const rest = faults.length - 20;
  return faults.slice(0, 20).join("; ") + (rest > 0 ? `; and ${rest} more` : "");
}
