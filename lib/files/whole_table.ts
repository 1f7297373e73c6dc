import { type ParseRow, readCsv } from "./csv.ts";

/**
 * The rows of a table that a notebook or task made whole: one damaged line and it must be made anew.
 * @param maker the notebook or command that writes it, for the error.
 * @throws SyntaxError naming the first damaged line, and Deno.errors.NotFound without the file.
 */
export function readWhole<Column extends string, Row>(
  path: string,
  columns: readonly Column[],
  parseRow: ParseRow<Column, Row>,
  maker: string,
): readonly Row[] {
  const { rows, damaged } = readCsv(path, columns, parseRow);
  const [first] = damaged;
  if (first === undefined) return rows;
  throw new SyntaxError(
    `Cannot read ${path}: line ${first.line} is damaged (${first.reason}), ${damaged.length} such ` +
      `in all. Run ${maker} again, or restore the committed file.`,
  );
}
