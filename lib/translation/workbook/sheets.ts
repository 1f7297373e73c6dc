import ExcelJS from "exceljs";
import type { RatingWorkbook } from "../types.ts";
import { type ArchiveParts, readArchive, zipArchive } from "./archive.ts";

/** A cell that holds something. `value` is undefined where the cell holds what it must not. */
export interface SheetCell {
  /** From 1, as in Excel. */
  readonly column: number;
  /** E.g. `C7`. */
  readonly address: string;
  readonly value: string | number | undefined;
  /** Why there is no value, e.g. "a formula". */
  readonly fault: string | undefined;
}

/** A row that holds something; `number` counts from 1, as in Excel. */
interface SheetRow {
  readonly number: number;
  readonly cells: readonly SheetCell[];
}

/** A sheet as it stands in the file, whatever its layout. */
export interface Sheet {
  readonly name: string;
  readonly rows: readonly SheetRow[];
}

/** A sheet to write: text stays text, numbers stay numbers, undefined leaves the cell empty. */
export interface SheetContent {
  readonly name: string;
  readonly columns: readonly { readonly heading: string; readonly width: number }[];
  readonly rows: readonly (readonly (string | number | undefined)[])[];
  /** Excel warns who edits a protected sheet; no password stands in the way. */
  readonly isProtected: boolean;
}

/**
 * What a sheet may hold besides cells, and what is not read of it. Ranges in it can name 17 billion
 * cells each; a link takes nothing from the text of its cell, and spreadsheet programs make one of
 * every address that they meet.
 */
const IGNORED_NODES = [
  "hyperlinks",
  "mergeCells",
  "dataValidations",
  "conditionalFormatting",
  "autoFilter",
  "rowBreaks",
  "drawing",
  "picture",
  "legacyDrawing",
  "tableParts",
  "extLst",
];

/**
 * The parts that cells are read from; exceljs sees no other. Without a sheet's relations it looks for
 * no notes, drawings or tables, and a note in a cell is no reason to refuse a workbook.
 */
const NEEDED_PART =
  /^(_rels\/\.rels|xl\/(workbook\.xml|sharedStrings\.xml|styles\.xml|_rels\/workbook\.xml\.rels|worksheets\/sheet\d+\.xml))$/;

/**
 * Most XML tags that the sheets may have together: about 1,400 sentences with twelve translations.
 * An empty row takes twelve bytes in the file and 350 in memory, so that the size alone is no guard.
 */
const MOST_TAGS = 500_000;
const EPOCH = new Date("2000-01-01T00:00:00Z");

/**
 * The cells of all sheets of a workbook in the inflated parts of its archive.
 *
 * Throws SyntaxError where they are no workbook, RangeError where they hold more than a workbook of
 * ratings can; the messages go on from "Cannot open FILE:".
 */
export async function readSheets(parts: ArchiveParts): Promise<Sheet[]> {
  if (!parts.has("xl/workbook.xml")) throw new SyntaxError("it is no XLSX workbook");
  const needed = neededParts(parts);
  refuseCrowded(needed);
  const workbook = new ExcelJS.Workbook();
  try {
    const bytes = zipArchive(needed, 0);
    await workbook.xlsx.load(bytes.buffer as ArrayBuffer, { ignoreNodes: IGNORED_NODES });
    return workbook.worksheets.map(sheetOf);
  } catch {
    throw new SyntaxError(
      "its sheets cannot be read: it is damaged, or written in an unusual way; saving it anew in " +
        "Excel or LibreOffice may help",
    );
  }
}

/** The sheets as an XLSX workbook; the same content gives the same bytes. */
export async function writeSheets(sheets: readonly SheetContent[]): Promise<Uint8Array> {
  const workbook = new ExcelJS.Workbook();
  workbook.created = EPOCH;
  workbook.modified = EPOCH;
  for (const sheet of sheets) await addSheet(workbook, sheet);
  const stored = await workbook.xlsx.writeBuffer({ zip: { compression: "STORE" } } as object);
  return zipArchive(readArchive(new Uint8Array(stored), Infinity), 6);
}

async function addSheet(workbook: ExcelJS.Workbook, content: SheetContent): Promise<void> {
  const sheet = workbook.addWorksheet(content.name, { views: [{ state: "frozen", ySplit: 1 }] });
  sheet.columns = content.columns.map(({ heading, width }) => ({ header: heading, width }));
  sheet.getRow(1).font = { bold: true };
  for (const row of content.rows) {
    sheet.addRow(row.map((value) => typeof value === "string" ? escaped(value) : value));
  }
  if (content.isProtected) await sheet.protect("", { formatColumns: true, formatRows: true });
}

/** Without this the text `_x0041_` comes back as `A` (ECMA-376, 22.9.2.19, ST_Xstring). */
function escaped(text: string): string {
  return text.replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_");
}

function neededParts(parts: ArchiveParts): ArchiveParts {
  const needed = [...parts].filter(([name]) => NEEDED_PART.test(name));
  return new Map(
    needed.map(([name, part]) =>
      name === "xl/workbook.xml" ? [name, withoutNames(part)] : [name, part]
    ),
  );
}

function refuseCrowded(parts: ArchiveParts): void {
  let tags = 0;
  for (const part of parts.values()) {
    for (let at = part.indexOf(0x3c); at >= 0; at = part.indexOf(0x3c, at + 1)) tags++;
  }
  if (tags > MOST_TAGS) {
    throw new RangeError("it has more rows and cells than a workbook of ratings can have");
  }
}

/** Named ranges are listed cell by cell when they are read, which a whole column makes slow. */
function withoutNames(part: Uint8Array): Uint8Array {
  const xml = new TextDecoder().decode(part);
  return new TextEncoder().encode(
    xml.replace(/<(\w+:)?definedNames[\s\S]*<\/(\w+:)?definedNames>/, ""),
  );
}

function sheetOf(worksheet: ExcelJS.Worksheet): Sheet {
  const rows: SheetRow[] = [];
  worksheet.eachRow((row, number) => {
    const cells: SheetCell[] = [];
    row.eachCell((cell, column) => {
      cells.push({ column, address: cell.address, ...contentOf(cell.value) });
    });
    rows.push({ number, cells });
  });
  return { name: worksheet.name, rows };
}

function contentOf(value: ExcelJS.CellValue): Pick<SheetCell, "value" | "fault"> {
  if (typeof value === "string" || Number.isFinite(value)) {
    return { value: value as string | number, fault: undefined };
  }
  if (typeof value === "object" && value !== null && "richText" in value) {
    return { value: value.richText.map(({ text }) => text).join(""), fault: undefined };
  }
  return { value: undefined, fault: faultOf(value) };
}

function faultOf(value: ExcelJS.CellValue): string {
  if (typeof value === "boolean") return "a true/false value";
  if (value instanceof Date) return "a date (or a number shown as one: give it the format General)";
  if (typeof value === "object" && value !== null) {
    if ("formula" in value || "sharedFormula" in value) return "a formula";
    if ("error" in value) return "an error value";
  }
  return "neither text nor a number";
}

/** Names of the two sheets. */
export const INPUTS = "inputs";
export const EVAL = "eval";

/** Headings of a sheet, and how wide Excel shows the columns (in characters). */
interface Column {
  readonly heading: string;
  readonly width: number;
}

/** The columns of `inputs` for N translations, in order. */
export function inputsColumns(n: number): Column[] {
  return [
    { heading: "item_id", width: 8 },
    { heading: "source", width: 50 },
    ...numbered("t", n, 50),
    { heading: "row_input_hash", width: 14 },
  ];
}

/** The columns of `eval` for N translations, in order. */
export function evalColumns(n: number): Column[] {
  return [
    { heading: "item_id", width: 8 },
    { heading: "run_id", width: 14 },
    { heading: "display_map_json", width: 14 },
    ...numbered("bucket_", n, 10),
    ...numbered("da_", n, 7),
    { heading: "comment", width: 40 },
    { heading: "started_at", width: 25 },
    { heading: "committed_at", width: 25 },
    { heading: "edit_count", width: 11 },
    { heading: "active_seconds", width: 14 },
    { heading: "highlight_seconds", width: 17 },
    { heading: "config_sha256", width: 14 },
    { heading: "key_sha256", width: 14 },
    { heading: "row_input_hash", width: 14 },
    { heading: "row_eval_hash", width: 14 },
  ];
}

function numbered(prefix: string, n: number, width: number): Column[] {
  return Array.from({ length: n }, (_, index) => ({ heading: `${prefix}${index + 1}`, width }));
}

/** Something wrong with a workbook, for the person who opened it. */
export interface Problem {
  /** A sheet's name; undefined for the file as a whole. */
  readonly sheet: string | undefined;
  /** As Excel counts: 1 is the heading. */
  readonly row: number | undefined;
  /** A column's heading, e.g. `t7`. */
  readonly column: string | undefined;
  /** A sentence: what is wrong and what to do. */
  readonly message: string;
}

/** A problem of the file as a whole. */
export function fileProblem(message: string): Problem {
  return { sheet: undefined, row: undefined, column: undefined, message };
}

/** A file that was read: either all of it is sound, or every reason why it is not. */
export type ReadResult =
  | { readonly kind: "workbook"; readonly workbook: RatingWorkbook }
  | { readonly kind: "refused"; readonly problems: readonly Problem[] };

/** A row under the headings of its sheet. */
export interface TableRow {
  /** As Excel counts: 2 is the first under the headings. */
  readonly number: number;
  readonly cells: ReadonlyMap<string, string | number>;
  /** Whether a cell held something that is neither text nor a number. */
  readonly isFaulty: boolean;
}

/** A sheet read by its headings. */
export interface Table {
  readonly sheet: string;
  /** Whether each column is there once, so that whole rows can be hashed. */
  readonly isComplete: boolean;
  /** Headings that stand there exactly once. */
  readonly headings: ReadonlySet<string>;
  readonly rows: readonly TableRow[];
  readonly problems: readonly Problem[];
}

/** Reads a sheet by its headings and lists every heading and cell that is not as it must be. */
export function tableOf(sheet: Sheet, columns: readonly Column[]): Table {
  const headingRow = sheet.rows.find(({ number }) => number === 1);
  const read = headingsOf(sheet.name, headingRow, columns);
  const { headings } = read;
  const problems = [...read.problems];
  const rows: TableRow[] = [];
  for (const row of sheet.rows) {
    if (row.number === 1) continue;
    const { row: found, problems: faults } = rowOf(row, read, sheet.name);
    problems.push(...faults);
    if (found.cells.size > 0 || found.isFaulty) rows.push(found);
  }
  const known = new Set(headings.values());
  return {
    sheet: sheet.name,
    isComplete: columns.every(({ heading }) => known.has(heading)),
    headings: known,
    rows,
    problems,
  };
}

interface Headings {
  /** Heading by column number; only those that are known and stand there once. */
  readonly headings: ReadonlyMap<number, string>;
  /** Columns whose heading is a problem already: their cells need not be 300 more. */
  readonly refused: ReadonlySet<number>;
  readonly problems: readonly Problem[];
}

function headingsOf(
  sheet: string,
  row: SheetRow | undefined,
  columns: readonly Column[],
): Headings {
  const wanted = new Set(columns.map(({ heading }) => heading));
  const headings = new Map<number, string>();
  const refused = new Set<number>();
  const seen = new Set<string>();
  const problems: Problem[] = [];
  for (const { column, value, address } of row?.cells ?? []) {
    const heading = String(value ?? "");
    const fault = !wanted.has(heading)
      ? `Cell ${address} has a heading that does not belong here; delete the column.`
      : seen.has(heading)
      ? `The heading ${heading} is there twice; delete one of the columns.`
      : undefined;
    if (fault !== undefined) {
      problems.push({ sheet, row: 1, column: heading, message: fault });
      refused.add(column);
    } else headings.set(column, heading);
    seen.add(heading);
  }
  for (const heading of wanted) {
    if (seen.has(heading)) continue;
    problems.push({ sheet, row: 1, column: heading, message: `The column ${heading} is missing.` });
  }
  return { headings, refused, problems };
}

function rowOf(row: SheetRow, { headings, refused }: Headings, sheet: string) {
  const cells = new Map<string, string | number>();
  const problems: Problem[] = [];
  for (const cell of row.cells) {
    if (refused.has(cell.column)) continue;
    const heading = headings.get(cell.column);
    const message = cellFault(cell, heading);
    if (message !== undefined) problems.push({ sheet, row: row.number, column: heading, message });
    else if (cell.value !== undefined && cell.value !== "") cells.set(heading!, cell.value);
  }
  return { row: { number: row.number, cells, isFaulty: problems.length > 0 }, problems };
}

function cellFault({ address, fault }: SheetCell, heading: string | undefined): string | undefined {
  if (heading === undefined) {
    return `Cell ${address} stands outside the columns of the sheet; delete it (a remark can be made in the comment, on the rating page).`;
  }
  if (fault === undefined) return undefined;
  return `Cell ${address} holds ${fault}; it must hold plain text or a number.`;
}
