import { markdownTable } from "../../../figures/markdown_table.ts";
import { repetitionSummaries, VARIANCE_BAR } from "../../robustness/repetition_analysis.ts";
import type { RepetitionRow } from "../../robustness/repetition_rows.ts";
import { writtenMeasure, writtenPoints } from "./written_measure.ts";

/** How far apart each component's scores of the same text lie, against the bar. */
export function repetitionTable(rows: readonly RepetitionRow[]): string {
  return markdownTable(
    [
      ...["component", "texts", "evaluations", "without a score", "mean variance (points²)"],
      ...["largest variance", "largest range (points)", `under ${VARIANCE_BAR} points² (%)`],
      `standard deviation under ${VARIANCE_BAR} points (%)`,
    ],
    repetitionSummaries(rows).map((one) => [
      ...[one.component, one.texts, one.evaluations, one.failures],
      writtenMeasure(one.variance, "decimal"),
      writtenPoints(one.largestVariance),
      writtenPoints(one.largestRange),
      writtenMeasure(one.underBar, "percent"),
      writtenMeasure(one.deviationUnderBar, "percent"),
    ]),
  );
}
