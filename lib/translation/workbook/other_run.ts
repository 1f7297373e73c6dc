import { configHash } from "../hashes.ts";
import type { RunConfig } from "../run_config.ts";
import { EVAL, INPUTS } from "./columns.ts";
import { fileProblem, type Problem } from "./read_result.ts";
import type { Sheet } from "./sheet_adapter.ts";
import type { Table } from "./table.ts";

/**
 * FR-2: what to say of a workbook that was made for another number of translations, throughout and in
 * both sheets. Its columns are in order, so that advice on each of them would destroy it.
 */
export function otherNumber(sheets: readonly Sheet[], n: number): Problem | undefined {
  const found = numbered(sheets, INPUTS, "t");
  if (found === n || found === 0) return undefined;
  if (["bucket_", "da_"].some((prefix) => numbered(sheets, EVAL, prefix) !== found)) {
    return undefined;
  }
  const message = `This file has ${found} translations a sentence, this page is for ${n}: it ` +
    "belongs to another page (run configuration).";
  return fileProblem(message);
}

/** How many columns a sheet has from PREFIX1 to PREFIXn; 0 where some are missing or doubled. */
function numbered(sheets: readonly Sheet[], name: string, prefix: string): number {
  const headings = sheets.find((sheet) => sheet.name === name)?.rows
    .find(({ number }) => number === 1)?.cells.map(({ value }) => String(value)) ?? [];
  const columns = headings.filter((heading) =>
    heading.startsWith(prefix) && /^[1-9]\d*$/.test(heading.slice(prefix.length))
  );
  const wanted = columns.map((_, index) => `${prefix}${index + 1}`);
  return wanted.every((heading) => columns.includes(heading)) ? columns.length : 0;
}

/** FR-2: what to say of a workbook whose rows all agree that it belongs to another configuration. */
export function otherConfiguration({ rows }: Table, config: RunConfig): Problem | undefined {
  const column = "config_sha256";
  const first = rows[0]?.cells.get(column);
  if (first === undefined || first === configHash(config)) return undefined;
  if (rows.some(({ cells }) => cells.get(column) !== first)) return undefined;
  const message =
    "This file belongs to another page: it was made under another run configuration " +
    "(config_sha256 differs; labels and languages count too). Open it with that one.";
  return fileProblem(message);
}
