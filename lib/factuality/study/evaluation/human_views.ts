import { markdownTable } from "../../../figures/markdown_table.ts";
import type { MeasuredRow } from "../../../figures/measured_rows.ts";
import { shortName } from "./comparison_views.ts";
import type { HumanLabelledRow } from "./human_labelled.ts";

/** Rows of a forest plot: balanced accuracy on each human-labelled set. */
export function humanRows(rows: readonly HumanLabelledRow[]): readonly MeasuredRow[] {
  return rows.map(({ set, component, ...row }) => ({
    group: set,
    label: shortName(component),
    measure: row.balanced_accuracy === "" ? { kind: "unavailable", reason: "one label only" } : {
      kind: "interval",
      estimate: row.balanced_accuracy,
      low: Number(row.balanced_accuracy_low),
      high: Number(row.balanced_accuracy_high),
    },
  }));
}

/** Figures on the human-labelled sets. */
export function humanTable(rows: readonly HumanLabelledRow[]): string {
  const cell = (value: number | "", low: number | "", high: number | "") =>
    value === ""
      ? undefined
      : `${value.toFixed(2)} [${Number(low).toFixed(2)}, ${Number(high).toFixed(2)}]`;
  return markdownTable(
    [
      ...["set", "component", "n", "unscored", "balanced accuracy"],
      ...["precision", "recall", "F1", "calibration error"],
    ],
    rows.map((row) => [
      ...[row.set, row.component, row.n, row.unscored],
      cell(row.balanced_accuracy, row.balanced_accuracy_low, row.balanced_accuracy_high),
      cell(row.precision, row.precision_low, row.precision_high),
      cell(row.recall, row.recall_low, row.recall_high),
      cell(row.f1, row.f1_low, row.f1_high),
      row.calibration_error === "" ? undefined : row.calibration_error.toFixed(3),
    ]),
  );
}
