import { parse } from "csv-parse/sync";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { readInput, shownPath } from "../../files/atomic.ts";
import { delimiterOf, readInputText } from "../../files/csv.ts";
import { readSheets, REPAIR, type Sheet, type SheetCell } from "../workbook/sheets.ts";

/** An unreadable cell, empty in the table. It is harmless unless its column is used. */
interface CellFault {
  readonly heading: string;
  readonly line: number;
  /** The cell's address: `D3`, or `line 3` in formats without addresses. */
  readonly at: string;
  /** The part of the file: ` of sheet X`, or empty. */
  readonly part: string;
  /** The cell's content, with the repair. */
  readonly holds: string;
  /** Kind of fault, which groups messages, and the content of several such cells. */
  readonly kind: string;
  readonly hold: string;
}

/**
 * A table read from a file; cells are not trimmed.
 * The heading is line 1 unless a title precedes it.
 */
export interface OutputsTable {
  readonly headings: readonly string[];
  readonly lines: readonly { readonly line: number; readonly cells: readonly string[] }[];
  readonly faults: readonly CellFault[];
  /** Description of how the file was read, for the researcher: `text separated by semicolons`. */
  readonly described: string;
}

/** Form of a table; missing settings are inferred from the text. */
export interface TextForm {
  readonly delimiter?: keyof typeof DELIMITERS | undefined;
  /** False if quotation marks are text, as in WMT's files. No cell then holds a line break. */
  readonly quotes?: boolean | undefined;
  /** Name of a workbook's sheet; the first sheet by default. */
  readonly sheet?: string | undefined;
  /** Recognises the row of headings, which may follow a title. The default is the first row. */
  readonly isHeading?: ((cells: readonly string[]) => boolean) | undefined;
}

const DELIMITERS = { ",": "commas", ";": "semicolons", "\t": "tabs" } as const;

/**
 * Reads a table from a file or folder.
 * Formats: `.csv`, `.tsv` or `.txt` in UTF-8 or UTF-16 with byte order mark, `.jsonl` with an
 * object per line, `.xlsx` (first sheet by default), or a folder of texts read line by line. A text
 * file named .xlsx is read as text. Throws SyntaxError naming the file and the fault, RangeError
 * for another kind of file, and NotFound.
 */
export async function readTable(path: string, form: TextForm = {}): Promise<OutputsTable> {
  const file = shownPath(path);
  if (existsSync(path) && statSync(path).isDirectory()) return folderTable(path, file);
  if (!/\.(csv|tsv|txt|jsonl|ndjson|xlsx)$/i.test(path)) {
    throw new RangeError(
      `Cannot read ${file}: it is no .csv, .tsv, .jsonl or .xlsx, and no folder of texts.`,
    );
  }
  const bytes = readBytes(path);
  // A ZIP archive, or Excel's container of an encrypted one.
  const isWorkbook = ["504b", "d0cf"].includes(bytes.subarray(0, 2).toHex());
  if (isWorkbook) return sheetTable(sheetOf(await sheetsIn(bytes, file), file, form), file, form);
  if (form.sheet !== undefined) {
    throw new SyntaxError(`Cannot read ${file}: it is no workbook and has no sheet ${form.sheet}.`);
  }
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
  if (/json(l)?$/i.test(path)) return jsonTable(text, file);
  const table = parseTable(text, file, form);
  if (!/x$/i.test(path)) return table;
  return { ...table, described: `${table.described}, although its name ends in .xlsx` };
}

/** Returns the requested sheet. Throws SyntaxError listing the sheets that exist. */
function sheetOf(sheets: readonly Sheet[], file: string, { sheet: wanted }: TextForm): Sheet {
  const sheet = wanted === undefined ? sheets[0] : sheets.find(({ name }) => name === wanted);
  if (sheet) return sheet;
  const names = sheets.map(({ name }) => name).join(", ");
  throw new SyntaxError(`Cannot read ${file}: it has no sheet ${wanted}, only ${names}.`);
}

/** Tests whether a number is too large to be exact. Spreadsheets and JSON round it silently. */
const isTooLarge = (value: unknown) =>
  typeof value === "number" && Math.abs(value) > Number.MAX_SAFE_INTEGER;
const TOO_LARGE = "above 2^53, whose last digits are lost: write it as text";

/**
 * Reads a table of JSON objects, one per line, with keys as headings.
 * A nested object, for example translations by system, contributes its keys. Throws SyntaxError for
 * a line that is not an object.
 */
function jsonTable(text: string, file: string): OutputsTable {
  const faults: CellFault[] = [];
  const headings = new Set<string>();
  const rows = text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/).flatMap((line, index) => {
    if (line.trim() === "") return [];
    let record: unknown;
    try {
      record = JSON.parse(line);
    } catch (error) {
      const reason = (error as Error).message;
      throw new SyntaxError(`Cannot read ${file}: line ${index + 1} is no JSON. ${reason}`);
    }
    if (typeof record !== "object" || record === null || Array.isArray(record)) {
      throw new SyntaxError(`Cannot read ${file}: line ${index + 1} is no JSON object.`);
    }
    const cells = new Map<string, string>();
    const put = (heading: string, value: unknown) => {
      headings.add(heading);
      const at = { heading, line: index + 1, at: `line ${index + 1}`, part: ` (${heading})` };
      const what = isTooLarge(value)
        ? { kind: "large", holds: `a number ${TOO_LARGE}`, hold: `numbers ${TOO_LARGE}` }
        : typeof value === "object" && value !== null
        ? { kind: "list", holds: "a list or an object", hold: "lists or objects" }
        : undefined;
      if (what) faults.push({ ...at, ...what });
      cells.set(heading, what || value === null ? "" : String(value));
    };
    for (const [key, value] of Object.entries(record)) {
      const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
      if (!isRecord) put(key, value);
      else for (const [name, text] of Object.entries(value)) put(name, text);
    }
    return [{ line: index + 1, cells }];
  });
  if (rows.length === 0) throw new SyntaxError(`Cannot read ${file}: it has no lines.`);
  const names = [...headings];
  const lines = rows.map(({ line, cells }) => {
    return { line, cells: names.map((name) => cells.get(name) ?? "") };
  });
  return { headings: names, lines, faults, described: "JSON, an object a line" };
}

/** Names of files in a folder that hold no system's translations. */
const [SOURCES, DOCUMENTS] = [/^(source|src)s?\.txt$/i, /^doc(ument)?s?\.(txt|docs)$/i];

/**
 * Reads a folder with a text per system and a line per segment.
 * `source.txt` and, optionally, `documents.txt` (the last field of a line with tabs, as in
 * mt-metrics-eval) stand with the systems' `.txt` files, whose names are the systems'. Throws
 * SyntaxError if the numbers of lines differ.
 */
function folderTable(path: string, folder: string): OutputsTable {
  const names = [...Deno.readDirSync(path)].map(({ name }) => name)
    .filter((name) => /\.txt$/i.test(name) || DOCUMENTS.test(name)).sort();
  const source = names.find((name) => SOURCES.test(name));
  if (source === undefined) {
    throw new SyntaxError(
      `Cannot read the folder ${folder}: it has no source.txt with a line per sentence. Next to it belong ` +
        "a text for each system and, if there are documents, documents.txt, with as many lines.",
    );
  }
  const documents = names.find((name) => DOCUMENTS.test(name));
  const systems = names.filter((name) => name !== source && name !== documents);
  const linesOf = (name: string) =>
    readInputText(join(path, name), (why) => `Cannot read ${join(folder, name)}: ${why}.`)
      .replace(/(\r\n|\n|\r)$/, "").split(/\r\n|\n|\r/);
  const texts = new Map(names.map((name) => [name, linesOf(name)]));
  const n = texts.get(source)!.length;
  const uneven = names.filter((name) => texts.get(name)!.length !== n)
    .map((name) => `${name} has ${texts.get(name)!.length} lines, ${source} has ${n}`);
  if (uneven.length > 0) throw new SyntaxError(`Cannot read ${folder}: ${joinFaults(uneven)}.`);
  const columns = [...documents === undefined ? [] : [documents], source, ...systems];
  const headings = columns.map((name) =>
    name === source ? "source" : name === documents ? "document" : name.replace(/\.txt$/i, "")
  );
  return {
    headings,
    lines: Array.from({ length: n }, (_, index) => ({
      line: index + 1,
      cells: columns.map((name) => {
        const text = texts.get(name)![index]!;
        return name === documents ? text.split("\t").at(-1)! : text;
      }),
    })),
    faults: [],
    described: `a folder of ${columns.length} texts, line by line`,
  };
}

/** Number of rows in which headings are searched. A title may precede them. */
const HEADING_ROWS = 20;

/** Blanks the lines above the headings, so that line numbers stay the same. */
function withoutTitle(text: string, { isHeading, delimiter }: TextForm): readonly [string, number] {
  if (!isHeading) return [text, 0];
  const lines = text.split(/(?<=\r\n|\n|\r(?!\n))/).slice(0, HEADING_ROWS);
  const at = lines.findIndex((line) =>
    isHeading(
      line.trim().split(delimiter ?? delimiterOf(line)).map((cell) =>
        cell.trim().replace(/^\ufeff|^"|"$/g, "")
      ),
    )
  );
  if (at <= 0 || lines.slice(0, at).join("").trim() === "") return [text, 0];
  return ["\n".repeat(at) + text.slice(lines.slice(0, at).join("").length), at];
}

/** Reports headings that are not in the first line. */
const belowTitle = (row: number) => `, headings in line ${row}, what stands above is not read`;

/**
 * Reads a table from text, ignoring blank lines.
 * The delimiter is the one that splits the heading into most cells. Quotation marks are text if
 * they cannot be quoting, or if, in tab-separated text, some cells are quoted needlessly and others
 * are not.
 *
 * Throws SyntaxError naming file and line for a stray quotation mark or a wrong number of cells,
 * and for a file without headings.
 */
export function parseTable(whole: string, file: string, form: TextForm = {}): OutputsTable {
  const [text, above] = withoutTitle(whole, form);
  const table = parsedTable(text, file, form);
  if (above === 0) return table;
  return { ...table, described: table.described + belowTitle(above + 1) };
}

function parsedTable(text: string, file: string, form: TextForm): OutputsTable {
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
): OutputsTable {
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
        // The parser reports the row's last line; the row's own line breaks are subtracted.
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
  if (faults.length > 0) throw fail(joinFaults(faults));
  if (quotes === undefined && delimiter === "\t" && seen.needless && seen.bare) {
    throw fail("some cells are in quotation marks needlessly, and others have none");
  }
  const marks = text.includes('"') && quotes === false ? ", quotation marks as text" : "";
  const described = `text separated by ${DELIMITERS[delimiter]}${marks}`;
  return { headings, lines, faults: [], described };
}

/** Reads the sheets of an XLSX file, at least one. Throws SyntaxError naming file and fault. */
export async function sheetsIn(bytes: Uint8Array, file: string): Promise<readonly Sheet[]> {
  try {
    return await readSheets(bytes);
  } catch (error) {
    const hint = error instanceof RangeError ? " A CSV or TSV may be larger." : "";
    throw new SyntaxError(`Cannot read ${file}: ${(error as Error).message}.${hint}`);
  }
}

/**
 * Returns a sheet's table.
 * A number in a custom format is a fault, since the file says 0.5 where a person sees 50 %. Hidden
 * rows and columns are read and reported. Throws SyntaxError for a cell without heading and for an
 * unreadable heading.
 */
export function sheetTable(
  { name, rows: all, hidden }: Sheet,
  file: string,
  { isHeading }: TextForm = {},
): OutputsTable {
  const headingIndex = all.slice(0, HEADING_ROWS).findIndex(({ cells }) =>
    isHeading?.(cells.map(({ value }) => String(value ?? "").trim()))
  );
  const [heading, ...rows] = all.slice(Math.max(headingIndex, 0));
  if (heading === undefined) throw new SyntaxError(`Cannot read ${file}: it has no headings.`);
  const width = Math.max(...heading.cells.map(({ column }) => column));
  const faultOf = ({ value, fault, format }: SheetCell) => {
    const asText = "as text, the way it is to be read";
    if (fault) {
      return { kind: fault, holds: `${fault}: ${REPAIR}`, hold: `${fault}: ${REPAIR_MANY}` };
    }
    if (isTooLarge(value)) {
      return { kind: "large", holds: `a number ${TOO_LARGE}`, hold: `numbers ${TOO_LARGE}` };
    }
    if (!format) return undefined;
    const holds = `${value} shown as ${format}: write it ${asText}`;
    return { kind: "format", holds, hold: `numbers such as ${holds}` };
  };
  const headingOf = (column: number) =>
    String(heading.cells.find((cell) => cell.column === column)?.value ?? "").trim();
  const faultsOf = (line: number, cells: readonly SheetCell[]) =>
    cells.flatMap((cell): CellFault[] => {
      const what = faultOf(cell);
      const at = { heading: headingOf(cell.column), line, at: cell.address };
      return what ? [{ ...at, part: ` of sheet ${name}`, ...what }] : [];
    });
  const loose = rows.flatMap(({ cells }) => cells).filter(({ column }) => column > width);
  const refused = [
    ...cellFaults(faultsOf(heading.number, heading.cells)),
    ...loose.length === 0
      ? []
      : [`${cellsAt(loose.map(({ address }) => address))} under no heading`],
  ];
  if (refused.length > 0) throw new SyntaxError(`Cannot read ${file}: ${joinFaults(refused)}.`);
  const texts = (cells: readonly SheetCell[]) => {
    const row: string[] = Array(width).fill("");
    for (const { column, value } of cells) row[column - 1] = String(value ?? "");
    return row;
  };
  const headings = texts(heading.cells).map((text) => text.trim());
  return {
    headings,
    lines: rows.map((row) => ({ line: row.number, cells: texts(row.cells) })),
    faults: rows.flatMap(({ number, cells }) => faultsOf(number, cells)),
    described: `sheet ${name} of a workbook` +
      (headingIndex > 0 ? belowTitle(heading.number) : "") +
      hidden.map((what) => `; hidden, and read: ${what}`).join(""),
  };
}

/** Number of addresses named in a message; further ones are counted. */
const MAX_ADDRESSES = 5;

/** Names cells in a message: `cell D3 stands`, `cells D3, D4 and 7 more stand`. */
function cellsAt(at: readonly string[], verb: readonly [string, string] = ["stands", "stand"]) {
  const noun = at[0]!.startsWith("line ") ? "" : at.length === 1 ? "cell " : "cells ";
  const unnamed = at.length - MAX_ADDRESSES;
  const more = unnamed > 0 ? ` and ${unnamed} more` : "";
  return `${noun}${at.slice(0, MAX_ADDRESSES).join(", ")}${more} ${verb[at.length === 1 ? 0 : 1]}`;
}

/** Describes faults in sentences, one per kind, with the repair. */
export const cellFaults = (faults: readonly CellFault[]): readonly string[] =>
  [...Map.groupBy(faults, ({ kind, part }) => `${kind}${part}`).values()].map((group) => {
    const [{ part, holds, hold }] = group as [CellFault];
    const cells = cellsAt(group.map(({ at }) => at), [
      `${part.trim()} holds`,
      `${part.trim()} hold`,
    ]);
    return `${cells} ${group.length === 1 ? holds : hold}`;
  });

/** The repair for several cells. */
const REPAIR_MANY = REPAIR.replace(
  "it and paste it over itself",
  "them and paste them over themselves",
);

/** Reads a file's bytes. Throws RangeError naming a file that cannot be read. */
export const readBytes = (path: string): Uint8Array<ArrayBuffer> =>
  readInput(path, (why) => `Cannot read ${shownPath(path)}: ${why}.`);

/**
 * Formats faults for the end of a message.
 * One fault is in the same line, several are up to ten lines.
 */
export function listFaults(faults: readonly string[]): string {
  if (faults.length === 1) return ` ${faults[0]}`;
  const others = faults.length - 10;
  const lines = [...faults.slice(0, 10), ...others > 0 ? [`… and ${others} more`] : []];
  return lines.map((line) => `\n  ${line}`).join("");
}

/** Joins faults with semicolons: up to twenty, then the number of the others. */
export function joinFaults(faults: readonly string[]): string {
  const others = faults.length - 20;
  return faults.slice(0, 20).join("; ") + (others > 0 ? `; and ${others} more` : "");
}
