import { parse } from "csv-parse/sync";
import { damageReason } from "./damage_reason.ts";
import { decodeLine, escapeLine, hasControl, type Line } from "./lines.ts";

/** A line that was looked at: a row, or damage. */
export type CheckedLine<Row> =
  | { readonly kind: "row"; readonly row: Row }
  | { readonly kind: "damaged"; readonly text: string; readonly reason: string };

/** Makes a row of as many fields as there are columns, or throws. */
export type LineCheck<Row> = (fields: readonly string[]) => Row;

/** Lines that are parsed in one go: csv-parse takes ten times longer for a line alone. */
const BATCH_LINES = 256;

/** Checks every line by itself: a quote that never closes cannot swallow the lines after it. */
export function checkLines<Row>(
  lines: readonly Line[],
  width: number,
  check: LineCheck<Row>,
): readonly CheckedLine<Row>[] {
  const checked: CheckedLine<Row>[] = [];
  for (let start = 0; start < lines.length; start += BATCH_LINES) {
    const batch = lines.slice(start, start + BATCH_LINES);
    const fields = splitBatch(batch);
    checked.push(...batch.map((line, index) => checkLine(line, fields?.[index], width, check)));
  }
  return checked;
}

/**
 * The fields of sound lines, or nothing where one of them may be damaged. A record takes a line
 * or more, so as many records as lines means that each record is one line.
 */
function splitBatch(batch: readonly Line[]): readonly string[][] | undefined {
  const texts = batch.map((line) => decodeLine(line.bytes));
  if (texts.includes(undefined)) return undefined;
  try {
    const records = parseRecords(texts.join("\n"));
    return records.length === batch.length ? records : undefined;
  } catch {
    return undefined;
  }
}

function parseRecords(text: string): string[][] {
  return parse(text, { relax_column_count: true, record_delimiter: "\n" });
}

function checkLine<Row>(
  line: Line,
  known: readonly string[] | undefined,
  width: number,
  check: LineCheck<Row>,
): CheckedLine<Row> {
  try {
    if (line.bytes.length === 0) throw new SyntaxError("an empty line");
    const fields = known ?? splitLine(line.bytes);
    if (fields.some(hasControl)) throw new SyntaxError("a control character");
    if (fields.length !== width) {
      throw new SyntaxError(`${fields.length} fields, expected ${width}`);
    }
    const row = check(fields);
    if (!line.terminated && isOpenEnded(fields, check)) {
      throw new SyntaxError(
        "no line end, so it may be cut short; if it is whole, add the line end",
      );
    }
    return { kind: "row", row };
  } catch (error) {
    return { kind: "damaged", text: escapeLine(line.bytes), reason: damageReason(error) };
  }
}

function splitLine(bytes: Uint8Array): readonly string[] {
  const text = decodeLine(bytes);
  if (text === undefined) throw new SyntaxError("broken UTF-8");
  const [fields, ...more] = parseRecords(text);
  if (fields === undefined || more.length > 0) throw new SyntaxError("no single record");
  return fields;
}

/** Whether a longer last field would pass, too: then this one may be the beginning of it. */
function isOpenEnded<Row>(fields: readonly string[], check: LineCheck<Row>): boolean {
  return ["0", "a"].some((longer) => {
    try {
      check([...fields.slice(0, -1), `${fields.at(-1)}${longer}`]);
      return true;
    } catch {
      return false;
    }
  });
}
