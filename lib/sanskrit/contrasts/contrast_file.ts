import { writeTextAtomic } from "../../files/atomic.ts";
import { readJsonLines } from "../../files/jsonl.ts";
import { type ContrastRecord, parseContrastRecord } from "./contrast_record.ts";

/** Writes a contrast set, one record a line, whole or not at all. */
export function writeContrasts(path: string, records: readonly ContrastRecord[]): void {
  writeTextAtomic(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
}

/**
 * The records of a contrast set.
 * @throws {SyntaxError} naming the first damaged line; Deno.errors.NotFound without the file.
 */
export function readContrasts(path: string): readonly ContrastRecord[] {
  const { rows, damaged } = readJsonLines(path, parseContrastRecord);
  const [first] = damaged;
  if (first === undefined) return rows;
  throw new SyntaxError(
    `Cannot read ${path}: line ${first.line} is damaged (${first.reason}), ${damaged.length} such ` +
      "in all. Run 22_sanskrit_generation again, or restore the committed file.",
  );
}
