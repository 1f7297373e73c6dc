import ExcelJS from "exceljs";
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
export interface SheetRow {
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
