import { z } from "zod";
import { type CsvAppender, openCsvAppender } from "../../files/csv_appender.ts";
import { readWhole } from "../../files/whole_table.ts";
import { SCORE_STATUSES } from "./panel/panel_scores.ts";

export const REPETITION_COLUMNS = [
  ...["country", "errors", "repetition", "component", "status", "score"] as const,
  "settings_sha256" as const,
];
export type RepetitionColumn = typeof REPETITION_COLUMNS[number];

const ROW = z.object({
  /** The text: a country's, with so many planted errors. */
  country: z.string().min(1),
  errors: z.coerce.number().int().min(0),
  /** From 1; the seed of whatever is drawn. */
  repetition: z.coerce.number().int().min(1),
  component: z.string().min(1),
  status: z.enum(SCORE_STATUSES),
  /** 0–100; empty where there is none. */
  score: z.union([z.literal(""), z.coerce.number().min(0).max(100)]),
  settings_sha256: z.string(),
}).refine((row) => (row.status === "scored") === (row.score !== ""), {
  message: "status and score contradict one another",
});

/** One component's score of one text, one of several times. */
export type RepetitionRow = Readonly<z.infer<typeof ROW>>;

export type RepetitionTable = CsvAppender<RepetitionColumn, RepetitionRow>;

export const parseRepetitionRow = (record: unknown): RepetitionRow => ROW.parse(record);

/** The table, made where it is missing. */
export function openRepetitionRows(path: string): RepetitionTable {
  return openCsvAppender(path, REPETITION_COLUMNS, parseRepetitionRow);
}

/** All rows. @throws {SyntaxError} naming the first damaged line. */
export function readRepetitionRows(path: string): readonly RepetitionRow[] {
  const maker = "deno task robustness --only repetitions";
  return readWhole(path, REPETITION_COLUMNS, parseRepetitionRow, maker);
}
