import { extname } from "node:path";
import { shownPath } from "../../files/shown_path.ts";
import { type Layout, LONG_FORM, outputsFrom } from "./outputs.ts";
import { readBytes } from "./read_bytes.ts";
import { type SystemOutputs, systemOutputs } from "./system_outputs.ts";
import { parseTable, type Table } from "./table.ts";
import { xlsxTable } from "./xlsx_table.ts";

/** How to read a researcher's file. */
export interface OutputsFileOptions {
  /** The long form with its usual headings unless told. */
  readonly layout?: Layout;
  /** Systems that take no part. */
  readonly exclude?: readonly string[];
  /** In a CSV or TSV, whether fields may stand in quotation marks; true unless told. */
  readonly quotes?: boolean;
}

/**
 * Reads systems' outputs from a `.csv`, `.tsv` (both UTF-8) or `.xlsx` (its first sheet).
 *
 * Throws SyntaxError naming the file and every fault in it, RangeError for another kind of file, and
 * NotFound if there is none.
 */
export async function readOutputs(
  path: string,
  { layout = LONG_FORM, exclude = [], quotes = true }: OutputsFileOptions = {},
): Promise<SystemOutputs> {
  const file = shownPath(path);
  const table = await tableOf(path, file, quotes);
  return systemOutputs(outputsFrom(table, layout, file), file, exclude);
}

async function tableOf(path: string, file: string, quotes: boolean): Promise<Table> {
  const bytes = await readBytes(path);
  const kind = extname(path).toLowerCase();
  if (kind === ".xlsx") return await xlsxTable(bytes, file);
  if (kind === ".csv") return parseTable(utf8(bytes, file), file, { delimiter: ",", quotes });
  if (kind === ".tsv") return parseTable(utf8(bytes, file), file, { delimiter: "\t", quotes });
  throw new RangeError(`Cannot read ${file}: it is no .csv, .tsv or .xlsx.`);
}

function utf8(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new SyntaxError(`Cannot read ${file}: it is not in UTF-8. Save it so.`);
  }
}
