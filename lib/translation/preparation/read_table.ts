import { parse } from "csv-parse/sync";
import { readInput, shownPath } from "../../files/atomic.ts";
import { delimiterOf } from "../../files/csv.ts";
import { readSheets, REPAIR, type Sheet, type SheetCell } from "../workbook/sheets.ts";

/** A table as it stands in a file, cells not trimmed; line 1 is the heading. */
export interface Table {
  readonly headings: readonly string[];
  readonly lines: readonly { readonly line: number; readonly cells: readonly string[] }[];
  /** Cells of a sheet that hold what cannot be read, and are empty here: no harm where nothing reads them. */
  readonly faults: readonly { readonly heading: string; readonly words: string }[];
  /** What was read, and how, for the person who wrote it: `text separated by semicolons`. */
  readonly described: string;
}

/** How a text is a table; what is left out is told by the text itself. */
export interface TextForm {
  readonly delimiter?: keyof typeof DELIMITERS | undefined;
  /** False for files such as WMT's: a quotation mark is text, and no cell holds a line break. */
  readonly quotes?: boolean | undefined;
}

const DELIMITERS = { ",": "commas", ";": "semicolons", "\t": "tabs" } as const;

/**
 * The table of a `.csv`, `.tsv` or `.txt` (UTF-8, or UTF-16 with its mark) or `.xlsx` (its first
 * sheet); a text that is named .xlsx is read as what it is. Throws SyntaxError naming the file and
 * what is wrong in it, RangeError for another kind of file, and NotFound if there is none.
 */
export async function readTable(path: string, form: TextForm = {}): Promise<Table> {
  const [bytes, file] = [readBytes(path), shownPath(path)];
  if (!/\.(csv|tsv|txt|xlsx)$/i.test(path)) {
    throw new RangeError(`Cannot read ${file}: it is no .csv, .tsv or .xlsx.`);
  }
  // A ZIP archive, or what Excel makes of one with a password.
  const isWorkbook = ["504b", "d0cf"].includes(bytes.subarray(0, 2).toHex());
  if (isWorkbook) return sheetTable((await sheetsIn(bytes, file))[0]!, file);
  let text: string;
  try {
    const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
    text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    const what = /x$/i.test(path) ? "no XLSX workbook, and not text" : "not";
    throw new SyntaxError(
      `Cannot read ${file}: it is ${what} in UTF-8. Save it as “CSV UTF-8”, or as .xlsx.`,
    );
  }
  const table = parseTable(text, file, form);
  if (!/x$/i.test(path)) return table;
  return { ...table, described: `${table.described}, although its name ends in .xlsx` };
}

/**
 * Reads a table from text; lines without any text are left out. The delimiter is the one that cuts
 * the heading into most cells. Quotation marks are text where they cannot be read as quoting, and
 * between tabs where cells stand in them that need not while others stand without.
 *
 * Throws SyntaxError naming file and line for a stray quotation mark, another number of cells than
 * there are headings, and a file without headings.
 */
export function parseTable(text: string, file: string, form: TextForm = {}): Table {
  const { delimiter = delimiterOf(text.replace(/^(\s*[\r\n])+/, "")), quotes } = form;
  try {
    return tableOf(text, file, delimiter, quotes);
  } catch (error) {
    if (quotes !== undefined) throw error;
    try {
      return tableOf(text, file, delimiter, false);
    } catch {
      throw error;
    }
  }
}

function tableOf(
  text: string,
  file: string,
  delimiter: keyof typeof DELIMITERS,
  quotes?: boolean,
): Table {
  const hint = quotes !== false && text.includes('"')
    ? ' If quotation marks are part of the text here, read it with "quotes: false".'
    : "";
  const fail = (reason: string) => new SyntaxError(`Cannot read ${file}: ${reason}.${hint}`);
  const rows: { line: number; cells: string[] }[] = [];
  const seen = { needless: false, bare: false };
  try {
    parse(text, {
      delimiter,
      bom: true,
      quote: quotes === false ? null : '"',
      relax_column_count: true,
      record_delimiter: ["\r\n", "\n", "\r"],
      skip_empty_lines: true,
      cast: (cell, { quoting }) => {
        if (quoting) seen.needless ||= !/["\t\r\n]/.test(cell);
        else seen.bare ||= cell !== "" && Number.isNaN(Number(cell));
        return cell;
      },
      on_record: (cells: string[], { lines }: { lines: number }) => {
        if (cells.every((cell) => cell.trim() === "")) return;
        // The parser counts to the end of a row; line breaks within its cells go back to the start.
        rows.push({ line: lines - cells.join("").split(/\r\n|\n|\r/).length + 1, cells });
      },
    });
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
  if (quotes === undefined && delimiter === "\t" && seen.needless && seen.bare) {
    throw fail("some cells stand in quotation marks that need not, and others without");
  }
  const marks = text.includes('"') && quotes === false ? ", quotation marks as text" : "";
  const described = `text separated by ${DELIMITERS[delimiter]}${marks}`;
  return { headings, lines, faults: [], described };
}

/** The sheets of an XLSX file, at least one. Throws SyntaxError naming it and what is wrong. */
export async function sheetsIn(bytes: Uint8Array, file: string): Promise<readonly Sheet[]> {
  try {
    return await readSheets(bytes);
  } catch (error) {
    const hint = error instanceof RangeError ? " A CSV or TSV may be larger." : "";
    throw new SyntaxError(`Cannot read ${file}: ${(error as Error).message}.${hint}`);
  }
}

/**
 * A sheet's table; throws SyntaxError for a cell under no heading, and for a heading that is none. A
 * number in a format of its own is a fault: the file says 0.5 where its writer sees 50 %.
 */
export function sheetTable({ name, rows: [heading, ...rows] }: Sheet, file: string): Table {
  if (heading === undefined) throw new SyntaxError(`Cannot read ${file}: it has no headings.`);
  const width = Math.max(...heading.cells.map(({ column }) => column));
  const faultsOf = (cells: readonly SheetCell[]) =>
    cells.flatMap(({ address, column, value, fault, format }) => {
      const what = fault ? `${fault}: ${REPAIR}` : format &&
        `${value} shown as ${format}: write it as text, the way it is to be read`;
      return what ? [{ column, words: `cell ${address} of sheet ${name} holds ${what}` }] : [];
    });
  const refused = [
    ...faultsOf(heading.cells).map(({ words }) => words),
    ...rows.flatMap(({ cells }) => cells).filter(({ column }) => column > width)
      .map(({ address }) => `cell ${address} stands under no heading`),
  ];
  if (refused.length > 0) throw new SyntaxError(`Cannot read ${file}: ${inOneLine(refused)}.`);
  const texts = (cells: readonly SheetCell[]) => {
    const row: string[] = Array(width).fill("");
    for (const { column, value } of cells) row[column - 1] = String(value ?? "");
    return row;
  };
  const headings = texts(heading.cells).map((text) => text.trim());
  return {
    headings,
    lines: rows.map((row) => ({ line: row.number, cells: texts(row.cells) })),
    faults: rows.flatMap(({ cells }) => faultsOf(cells))
      .map(({ column, words }) => ({ heading: headings[column - 1]!, words })),
    described: `sheet ${name} of a workbook`,
  };
}

/** A file's bytes. Throws RangeError that names the file if it cannot be read. */
export const readBytes = (path: string): Uint8Array<ArrayBuffer> =>
  readInput(path, (why) => `Cannot read ${shownPath(path)}: ${why}.`);

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
