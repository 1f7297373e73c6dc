import { z } from "zod";
import { readWhole } from "../../../files/whole_table.ts";

/** A row a metric: ours against Python's on random tables; milliseconds for 100 tables. */
export const METRIC_AGREEMENT_COLUMNS = [
  ...["metric", "reference", "version", "tables", "compared", "largest_difference"],
  ...["degenerate", "degenerate_cases", "note", "ours_ms", "theirs_ms", "ratio"],
] as const;

const COUNT = z.coerce.number().int().min(0);
const MEASURE = z.coerce.number().min(0);
const ROW = z.object({
  ...{ metric: z.string(), reference: z.string(), version: z.string() },
  ...{ tables: COUNT, compared: COUNT, largest_difference: MEASURE },
  ...{ degenerate: COUNT, degenerate_cases: z.string(), note: z.string() },
  ...{ ours_ms: MEASURE, theirs_ms: MEASURE, ratio: MEASURE },
});

/** One metric's agreement. */
export type MetricAgreementRow = Readonly<z.infer<typeof ROW>>;

/** The table. @throws {SyntaxError} naming the first damaged line. */
export function readMetricAgreement(path: string): readonly MetricAgreementRow[] {
  const parse = (record: unknown) => ROW.parse(record);
  return readWhole(path, METRIC_AGREEMENT_COLUMNS, parse, "deno task bench metrics");
}
