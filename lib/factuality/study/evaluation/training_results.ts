import { z } from "zod";
import { markdownTable } from "../../../figures/markdown_table.ts";
import { readCsv } from "../../../files/csv.ts";

/** Columns of `verifier_training.csv`, which `deno task verifier` writes. */
export const TRAINING_COLUMNS = [
  ...["step", "set", "verifier", "reading", "n", "unscored", "clusters", "accuracy"] as const,
  ...["balanced_accuracy", "low", "high", "macro_f1", "calibration_error", "brier"] as const,
];

const ROW = z.object({
  step: z.string(),
  set: z.string(),
  verifier: z.string(),
  reading: z.enum(["binary", "three-way"]),
  n: z.coerce.number().int(),
  clusters: z.coerce.number().int(),
  accuracy: z.coerce.number(),
  balanced_accuracy: z.coerce.number(),
  low: z.coerce.number(),
  high: z.coerce.number(),
  macro_f1: z.coerce.number(),
  calibration_error: z.coerce.number(),
  brier: z.coerce.number(),
});

/** How a verifier did on a split, in one reading; shares 0–1, 95 % interval by country. */
export type TrainingResult = Readonly<z.infer<typeof ROW>>;

/** Every verifier on the test countries. @throws {SyntaxError} naming the first damaged line. */
export function readTestResults(path: string): readonly TrainingResult[] {
  const { rows, damaged: [damaged] } = readCsv(path, TRAINING_COLUMNS, (row) => ROW.parse(row));
  if (damaged !== undefined) {
    throw new SyntaxError(
      `Cannot read ${path}: line ${damaged.line} is damaged (${damaged.reason}). ` +
        "Restore it, or run deno task verifier.",
    );
  }
  return rows.filter(({ step, set }) => step === "result" && set.endsWith(", test"));
}

/** The results, those of both readings. */
export function testResultsTable(results: readonly TrainingResult[]): string {
  return markdownTable(
    ["verifier", "reading", "claims", "countries", "balanced accuracy", "macro F1", "accuracy"],
    results.map((row) => [
      ...[row.verifier, row.reading, row.n, row.clusters],
      `${row.balanced_accuracy.toFixed(3)} [${row.low.toFixed(3)}, ${row.high.toFixed(3)}]`,
      ...[row.macro_f1.toFixed(3), row.accuracy.toFixed(3)],
    ]),
  );
}
