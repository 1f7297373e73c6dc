import type { ConsistencyFigure } from "./consistency_figure.ts";
import { repetitionSummaries, VARIANCE_BAR } from "./repetition_analysis.ts";
import type { RepetitionRow } from "./repetition_rows.ts";

/** The report's rows on repetition: variance by component, and how often it is under the bar. */
export function repetitionFigures(rows: readonly RepetitionRow[]): readonly ConsistencyFigure[] {
  return repetitionSummaries(rows).flatMap((one): readonly ConsistencyFigure[] => {
    const common = { component: one.component, group: "all texts", n: one.texts };
    const share = `texts with a variance under ${VARIANCE_BAR} points² (share)`;
    return [
      { ...common, measure: "variance of scores (points²)", value: one.variance },
      { ...common, measure: share, value: one.underBar },
    ];
  });
}
