import { z } from "zod";
import { type CsvAppender, openCsvAppender } from "../../files/csv_appender.ts";
import { readWhole } from "../../files/whole_table.ts";
import { SCORE_STATUSES } from "./panel/panel_scores.ts";

export const ORDER_COLUMNS = [
  ...["country", "errors_a", "errors_b", "first", "component", "run", "temperature"] as const,
  ...["status", "winner", "score_a", "score_b", "settings_sha256"] as const,
];
export type OrderColumn = typeof ORDER_COLUMNS[number];

const SCORE = z.union([z.literal(""), z.coerce.number().min(0).max(100)]);

const ROW = z.object({
  country: z.string().min(1),
  /** Planted errors of the two texts; `a` has fewer. */
  errors_a: z.coerce.number().int().min(0),
  errors_b: z.coerce.number().int().min(1),
  /** Which of them was shown, or scored, first. */
  first: z.enum(["a", "b"]),
  component: z.string().min(1),
  /** 0: the first; others are repetitions. Of a model that draws its words it is the seed. */
  run: z.coerce.number().int().min(0),
  temperature: z.coerce.number().min(0),
  status: z.enum(SCORE_STATUSES),
  /** The place of the better text as the component saw them; empty where there is no answer. */
  winner: z.enum(["first", "second", "tie", ""]),
  /** 0–100, of components that score one text at a time; empty for those that compare. */
  score_a: SCORE,
  score_b: SCORE,
  settings_sha256: z.string(),
}).refine((row) => (row.status === "scored") === (row.winner !== ""), {
  message: "status and winner contradict one another",
}).refine((row) => row.errors_a < row.errors_b, { message: "a does not have fewer errors" });

/** What one component said of two texts in one order. */
export type OrderRow = Readonly<z.infer<typeof ROW>>;

export type OrderTable = CsvAppender<OrderColumn, OrderRow>;

const MAKER = "deno task robustness --only orders";

export const parseOrderRow = (record: unknown): OrderRow => ROW.parse(record);

/** The table, made where it is missing. */
export function openOrderRows(path: string): OrderTable {
  return openCsvAppender(path, ORDER_COLUMNS, parseOrderRow);
}

/** All rows. @throws {SyntaxError} naming the first damaged line. */
export function readOrderRows(path: string): readonly OrderRow[] {
  return readWhole(path, ORDER_COLUMNS, parseOrderRow, MAKER);
}

/** What a row answers: two rows with the same key say the same thing twice. */
export function orderKey(
  row: Omit<OrderRow, "status" | "winner" | "score_a" | "score_b">,
): string {
  const { country, errors_a, errors_b, first, component, run, temperature } = row;
  return JSON.stringify([country, errors_a, errors_b, first, component, run, temperature]);
}
