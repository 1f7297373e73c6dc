import ExcelJS from "exceljs";
import { Unzip, UnzipInflate, type Zippable, zipSync } from "fflate";

/** A non-empty cell: a value, or unreadable content (`fault`, e.g. "a formula"). */
export interface SheetCell {
  /** Column number from 1, as in Excel. */
  readonly column: number;
  /** Address, e.g. `C7`. */
  readonly address: string;
  readonly value: string | number | undefined;
  readonly fault: string | undefined;
  /** Number format that changes the appearance, e.g. `0%` for 0.5. */
  readonly format: string | undefined;
}

/** A sheet's non-empty rows, numbered from 1 as in Excel. */
export interface Sheet {
  readonly name: string;
  /** Parts hidden in a spreadsheet: `rows 4, 7`, `columns C`, `the sheet itself`. */
  readonly hidden: readonly string[];
  readonly rows: readonly { readonly number: number; readonly cells: readonly SheetCell[] }[];
}

/** A heading and the column's width in characters. */
interface Column {
  readonly heading: string;
  readonly width: number;
  /** True if the sheet may lack the column. */
  readonly isOptional?: true;
}

/** A sheet to write: text and numbers keep their types; undefined is an empty cell. */
export interface SheetContent {
  readonly name: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly (string | number | undefined)[])[];
  /** True if Excel should warn before edits; there is no password. */
  readonly isProtected: boolean;
}

/** Sheet elements not read: ranges can name 17 billion cells, and links carry no text. */
const IGNORED_NODES = "hyperlinks mergeCells dataValidations conditionalFormatting autoFilter " +
  "rowBreaks drawing picture legacyDrawing tableParts extLst";

/**
 * Parts that contain cells; exceljs is given no others.
 * Without a sheet's relations it looks for no notes, drawings or tables, so that a note cannot
 * break a workbook.
 */
const NEEDED_PART =
  /^(_rels\/\.rels|xl\/(workbook\.xml|sharedStrings\.xml|styles\.xml|_rels\/workbook\.xml\.rels|worksheets\/sheet\d+\.xml))$/;

/** Maximum number of XML tags in all sheets. An empty row takes 350 bytes of memory. */
export const MAX_TAGS = 500_000;

/**
 * Reads the cells of all sheets.
 * Throws SyntaxError for a file that is no workbook, RangeError for one larger than any workbook of
 * ratings; the messages continue "Cannot open FILE:".
 */
export async function readSheets(bytes: Uint8Array): Promise<Sheet[]> {
  const parts = readArchive(bytes);
  if (!parts.has("xl/workbook.xml")) throw new SyntaxError("it is no XLSX workbook");
  const needed = new Map([...parts].filter(([name]) => NEEDED_PART.test(name)));
  needed.set("xl/workbook.xml", withoutNamedRanges(needed.get("xl/workbook.xml")!));
  let tags = 0;
  for (const part of needed.values()) {
    for (let at = part.indexOf(0x3c); at >= 0; at = part.indexOf(0x3c, at + 1)) tags++;
  }
  if (tags > MAX_TAGS) {
    throw new RangeError("it has more rows and cells than a workbook of ratings can have");
  }
  const workbook = new ExcelJS.Workbook();
  try {
    const { buffer } = zipArchive(needed, 0);
    await workbook.xlsx.load(buffer as ArrayBuffer, { ignoreNodes: IGNORED_NODES.split(" ") });
    return workbook.worksheets.map(sheetOf);
  } catch {
    throw new SyntaxError(
      "its sheets cannot be read: it is damaged, or written in an unusual way; saving it anew in " +
        "Excel or LibreOffice may help",
    );
  }
}

/** Writes sheets as an XLSX workbook. The same content gives the same bytes. */
export async function writeSheets(sheets: readonly SheetContent[]): Promise<Uint8Array> {
  const workbook = new ExcelJS.Workbook();
  workbook.created = workbook.modified = new Date("2000-01-01T00:00:00Z");
  for (const { name, columns, rows, isProtected } of sheets) {
    const sheet = workbook.addWorksheet(name, { views: [{ state: "frozen", ySplit: 1 }] });
    sheet.columns = columns.map(({ heading, width }) => ({ header: heading, width }));
    sheet.getRow(1).font = { bold: true };
    for (const row of rows) {
      sheet.addRow(row.map((value) => typeof value === "string" ? escaped(value) : value));
    }
    if (isProtected) await sheet.protect("", { formatColumns: true, formatRows: true });
  }
  const stored = await workbook.xlsx.writeBuffer({ zip: { compression: "STORE" } } as object);
  return zipArchive(readArchive(new Uint8Array(stored), Infinity), 6);
}

/** Escapes text like `_x0041_`, which would be read as `A` (ECMA-376, 22.9.2.19, ST_Xstring). */
const escaped = (text: string) => text.replace(/_(?=x[0-9a-f]{4}_)/gi, "_x005F_");

/**
 * Removes named ranges, which are expanded cell by cell on reading.
 * For a whole column that is slow.
 */
function withoutNamedRanges(part: Uint8Array): Uint8Array {
  const names = /<(\w+:)?definedNames[\s\S]*<\/(\w+:)?definedNames>/;
  return new TextEncoder().encode(new TextDecoder().decode(part).replace(names, ""));
}

function sheetOf(worksheet: ExcelJS.Worksheet): Sheet {
  const rows: { number: number; cells: SheetCell[] }[] = [];
  const hiddenRows: number[] = [];
  worksheet.eachRow((row, number) => {
    const cells: SheetCell[] = [];
    row.eachCell(({ address, value, numFmt = "General" }, column) => {
      const text = textOf(value);
      const fault = text === undefined ? faultOf(value) : undefined;
      const isPlain = typeof text !== "number" || /^(general|@)$/i.test(numFmt) ||
        numFmt === "0" && Number.isInteger(text);
      cells.push({ column, address, value: text, fault, format: isPlain ? undefined : numFmt });
    });
    rows.push({ number, cells });
    if (row.hidden) hiddenRows.push(number);
  });
  const columns = (worksheet.columns ?? []).filter(({ hidden }) => hidden)
    .map(({ letter }) => letter);
  const hidden = [
    ...worksheet.state === "visible" ? [] : ["the sheet itself"],
    ...hiddenRows.length > 0 ? [`rows ${hiddenRows.join(", ")}`] : [],
    ...columns.length > 0 ? [`columns ${columns.join(", ")}`] : [],
  ];
  return { name: worksheet.name, hidden, rows };
}

function textOf(value: ExcelJS.CellValue): string | number | undefined {
  if (typeof value === "string" || Number.isFinite(value)) return value as string | number;
  if (typeof value !== "object" || value === null || !("richText" in value)) return undefined;
  return value.richText.map(({ text }) => text).join("");
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

/**
 * Columns of a sentence's context: position in its document (`2/5`) and neighbours, one per line.
 */
export const CONTEXT = ["document_place", "context_before", "context_after"] as const;

/** Returns the columns of `inputs` for N translations. `document` and context are optional. */
export function inputsColumns(n: number): Column[] {
  return [
    ...headed({ item_id: 8 }),
    { heading: "document", width: 10, isOptional: true },
    ...CONTEXT.map((heading) => ({ heading, width: 10, isOptional: true as const })),
    ...headed({ source: 50 }),
    ...numbered("t", n, 50),
    ...headed({ row_input_hash: 14 }),
  ];
}

/** Returns the columns of `eval` for N translations, in order. */
export function evalColumns(n: number): Column[] {
  return [
    ...headed({ item_id: 8, run_id: 14 }),
    { heading: "rater", width: 12, isOptional: true },
    { heading: "batch", width: 8, isOptional: true },
    ...headed({ display_map_json: 14 }),
    ...numbered("bucket_", n, 10),
    ...numbered("da_", n, 7),
    ...headed({ comment: 40, started_at: 25, committed_at: 25, edit_count: 11 }),
    ...headed({ active_seconds: 14, highlight_seconds: 17 }),
    { heading: "idle_seconds", width: 14, isOptional: true },
    ...headed({ config_sha256: 14, key_sha256: 14, row_input_hash: 14, row_eval_hash: 14 }),
  ];
}

const headed = (widths: Readonly<Record<string, number>>): Column[] =>
  Object.entries(widths).map(([heading, width]) => ({ heading, width }));

function numbered(prefix: string, n: number, width: number): Column[] {
  return Array.from({ length: n }, (_, index) => ({ heading: `${prefix}${index + 1}`, width }));
}

/**
 * A workbook's fault, worded for the rater.
 * Locations are as in Excel, undefined for the whole file.
 */
export interface Problem {
  readonly sheet: string | undefined;
  readonly row: number | undefined;
  /** The column's heading, e.g. `t7`. */
  readonly column: string | undefined;
  readonly message: string;
}

/** Returns a problem of the whole file. */
export function fileProblem(message: string): Problem {
  return { sheet: undefined, row: undefined, column: undefined, message };
}

/** Formats a problem in one line: `eval, row 3, da_1: …`. */
export function problemLine({ sheet, row, column, message }: Problem): string {
  const place = [sheet, row && `row ${row}`, column].filter((part) => part !== undefined);
  return [...place.length > 0 ? [place.join(", ")] : [], message].join(": ");
}

/** A row by heading. It is faulty if a cell holds neither text nor a number. */
export interface SheetRow {
  readonly number: number;
  readonly cells: ReadonlyMap<string, string | number>;
  readonly isFaulty: boolean;
}

/** A sheet read by its headings. */
export interface SheetTable {
  readonly sheet: string;
  /** True if each column is present exactly once. Only then can whole rows be hashed. */
  readonly isComplete: boolean;
  /** Headings present exactly once. */
  readonly headings: ReadonlySet<string>;
  readonly rows: readonly SheetRow[];
  readonly problems: readonly Problem[];
}

/** Reads a sheet by its headings and lists all faulty headings and cells. */
export function tableOf({ name: sheet, rows: all }: Sheet, columns: readonly Column[]): SheetTable {
  const problems: Problem[] = [];
  const wanted = new Set(columns.map(({ heading }) => heading));
  const needed = new Set(columns.filter((it) => !it.isOptional).map(({ heading }) => heading));
  // Headings by column number if known and unique; undefined for a refused column.
  const headings = new Map<number, string | undefined>();
  const seen = new Set<string>();
  for (const { column, value, address } of all.find(({ number }) => number === 1)?.cells ?? []) {
    const heading = String(value ?? "");
    const refuse = (message: string) =>
      void problems.push({ sheet, row: 1, column: heading, message });
    if (!wanted.has(heading)) {
      refuse(`Cell ${address} has a heading that does not belong here; delete the column.`);
    } else if (seen.has(heading)) {
      refuse(`The heading ${heading} is there twice; delete one of the columns.`);
    }
    headings.set(column, wanted.has(heading) && !seen.has(heading) ? heading : undefined);
    seen.add(heading);
  }
  for (const heading of needed.difference(seen)) {
    problems.push({ sheet, row: 1, column: heading, message: `The column ${heading} is missing.` });
  }
  const rows = all.filter(({ number }) => number !== 1).map((row): SheetRow => {
    const cells = new Map<string, string | number>();
    const before = problems.length;
    for (const cell of row.cells) {
      const heading = headings.get(cell.column);
      // Cells of a refused column are not reported one by one.
      if (heading === undefined && headings.has(cell.column)) continue;
      const message = cellFault(cell, heading);
      if (message !== undefined) {
        problems.push({ sheet, row: row.number, column: heading, message });
      } else if (cell.value !== undefined && cell.value !== "") cells.set(heading!, cell.value);
    }
    return { number: row.number, cells, isFaulty: problems.length > before };
  }).filter(({ cells, isFaulty }) => cells.size > 0 || isFaulty);
  const known = new Set([...headings.values()].filter((heading) => heading !== undefined));
  const isComplete = needed.isSubsetOf(known);
  return { sheet, isComplete, headings: known, rows, problems };
}

/** Repair of a cell that holds neither text nor a number. */
export const REPAIR = "copy it and paste it over itself as values only";

function cellFault({ address, fault }: SheetCell, heading: string | undefined): string | undefined {
  if (heading === undefined) {
    return `Cell ${address} stands outside the columns of the sheet; delete it (a remark can be made in the comment, on the rating page).`;
  }
  if (fault === undefined) return undefined;
  return `Cell ${address} holds ${fault}; it must hold plain text or a number: ${REPAIR}.`;
}

const MAX_PARTS = 1000;

/**
 * Maximum inflated size in bytes.
 * 300 sentences × 12 take 2 MB, and several times that in memory.
 */
const MAX_INFLATED_BYTES = 40_000_000;

/** Step of inflation in bytes. Deflate expands at most 1,032-fold, so about 4 MB. */
const STEP = 4096;

/** Inflated parts of a ZIP archive by name. */
type ArchiveParts = ReadonlyMap<string, Uint8Array>;

/**
 * Inflates a ZIP archive in steps under a size limit.
 * Declared sizes are not trusted. This refuses files made to exhaust memory or time. Integrity of
 * the texts is checked by row hashes. Throws SyntaxError for a damaged or encrypted archive,
 * RangeError above the limit; messages continue "Cannot open FILE:".
 */
export function readArchive(bytes: Uint8Array, maxBytes = MAX_INFLATED_BYTES): ArchiveParts {
  const begins = (...first: readonly number[]) => first.every((byte, at) => bytes[at] === byte);
  // An OLE compound file: Excel's old format, and an .xlsx encrypted with a password.
  if (begins(0xd0, 0xcf, 0x11, 0xe0)) {
    throw new SyntaxError(
      "it has a password or is an old .xls; save it as .xlsx without a password",
    );
  }
  if (!begins(0x50, 0x4b)) {
    throw new SyntaxError(
      "it is no XLSX workbook, whatever its name; of a CSV or TSV deno task rate prepare makes one",
    );
  }
  const parts = new Map<string, Uint8Array[]>();
  let [total, ended] = [0, 0];
  const unzip = new Unzip((file) => {
    if (file.name.endsWith("/")) return;
    const name = file.name.toLowerCase();
    if ([...parts.keys()].some((other) => other.toLowerCase() === name)) {
      throw new SyntaxError(`it has two parts named ${file.name}`);
    }
    const chunks: Uint8Array[] = [];
    parts.set(file.name, chunks);
    file.ondata = (error, chunk, isLast) => {
      if (error) throw error;
      chunks.push(chunk);
      total += chunk.length;
      if (isLast) ended++;
      if (total <= maxBytes && parts.size <= MAX_PARTS) return;
      throw new RangeError(
        `its content is over ${maxBytes / 1_000_000} MB, more than a workbook of ratings can have`,
      );
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  const damaged = new SyntaxError("it is damaged, cut off or encrypted");
  try {
    for (let at = 0; at < bytes.length; at += STEP) {
      unzip.push(bytes.subarray(at, at + STEP), at + STEP >= bytes.length);
    }
  } catch (error) {
    throw error instanceof SyntaxError || error instanceof RangeError ? error : damaged;
  }
  if (ended < parts.size || parts.size === 0) throw damaged;
  return new Map([...parts].map(([name, chunks]) => [name, joined(chunks)]));
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** Packs parts as a ZIP archive. The bytes are the same at any time and place. */
export function zipArchive(parts: ArchiveParts, level: 0 | 6): Uint8Array {
  // ZIP stamps are local times without a zone: this one is written alike in every zone.
  const mtime = new Date(2000, 0, 1);
  const zippable: Zippable = {};
  for (const [name, part] of parts) zippable[name] = [part, { mtime, level }];
  return zipSync(zippable);
}
