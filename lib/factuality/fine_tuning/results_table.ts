import { z } from "zod";
import { formatCsv } from "../../files/csv.ts";
import { readWhole } from "../../files/whole_table.ts";

const COLUMNS = [
  ...["model", "set", "labels", "metric", "n", "clusters"] as const,
  ...["estimate", "low", "high", "note"] as const,
];

const FIGURE = z.union([z.literal(""), z.coerce.number()]);

const ROW = z.object({
  model: z.string().min(1),
  set: z.string().min(1),
  /** How labels were read; empty for what has none, such as a time. */
  labels: z.enum(["three-way", "binary", ""]),
  /** With its unit where it is no share: `seconds`. */
  metric: z.string().min(1),
  n: z.coerce.number().int(),
  /** Countries or responses that the claims are of; 0 where they play no part. */
  clusters: z.coerce.number().int(),
  /** Empty where it cannot be had; `note` says why. */
  estimate: FIGURE,
  /** 95 % by cluster; empty where there is no interval. */
  low: FIGURE,
  high: FIGURE,
  note: z.string(),
});

/** One figure of one network on one set. */
export type FineTuningResult = Readonly<z.infer<typeof ROW>>;

/** The table as CSV. */
export function formatFineTuningResults(rows: readonly FineTuningResult[]): string {
  return formatCsv(COLUMNS, rows);
}

/** The table. @throws {SyntaxError} naming the first damaged line. */
export function readFineTuningResults(path: string): readonly FineTuningResult[] {
  return readWhole(path, COLUMNS, (record) => ROW.parse(record), "deno task finetune");
}
