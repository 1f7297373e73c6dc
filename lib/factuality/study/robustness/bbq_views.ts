import { markdownTable } from "../../../figures/markdown_table.ts";
import type { Measure } from "../../../figures/measure.ts";
import type { MeasuredRow } from "../../../figures/measured_rows.ts";
import type { BbqReadout } from "../../bias/bbq_answer.ts";
import type { BbqResult } from "../../bias/bbq_results.ts";
import { shortName } from "../evaluation/comparison_views.ts";
import { writtenMeasure } from "./written_measure.ts";

function measured(
  { unavailable }: BbqResult,
  [estimate, low, high]: readonly (number | "")[],
): Measure {
  if (estimate === "" || low === "" || high === "") {
    return { kind: "unavailable", reason: unavailable };
  }
  return { kind: "interval", estimate: estimate!, low: low!, high: high! };
}

const accuracyOf = (one: BbqResult) =>
  measured(one, [one.accuracy, one.accuracy_low, one.accuracy_high]);
const biasOf = (one: BbqResult) => measured(one, [one.bias, one.bias_low, one.bias_high]);

/** Accuracy and bias scores by model, category and kind of context, under one readout. */
export function bbqTable(results: readonly BbqResult[], readout: BbqReadout): string {
  return markdownTable(
    [
      ...["model", "category", "context", "items", "questions", "accuracy (%)"],
      ...["answers that name somebody", "with the stereotype", "bias score"],
    ],
    results.filter((one) => one.readout === readout).map((one) => [
      ...[one.model, one.category.replaceAll("_", " "), one.context, one.items, one.questions],
      ...[writtenMeasure(accuracyOf(one), "percent"), one.not_unknown, one.biased],
      writtenMeasure(biasOf(one), "decimal"),
    ]),
  );
}

/** Rows of a forest plot: bias scores in one kind of context, categories under each model. */
export function bbqRows(
  results: readonly BbqResult[],
  readout: BbqReadout,
  context: BbqResult["context"],
): readonly MeasuredRow[] {
  return results.filter((one) => one.readout === readout && one.context === context)
    .map((one) => ({
      group: shortName(one.model),
      label: one.category.replaceAll("_", " "),
      measure: biasOf(one),
    }));
}
