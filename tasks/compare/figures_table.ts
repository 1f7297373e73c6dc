import type { HumanLabelledRow } from "../../lib/factuality/study/evaluation/human_labelled.ts";

const MEASURES = ["accuracy", "balanced_accuracy", "precision", "recall", "f1"] as const;
const HEADER = [
  ...["component", "cases", "n", "unscored", "accuracy", "balanced accuracy"],
  ...["precision", "recall", "F1"],
];
const LEGEND =
  "Supported against the rest, with 95 % intervals by cluster; – where too few claims " +
  "tell it.";

/** Figures in columns for a terminal, with 95 % intervals by cluster. */
export function figuresTable(rows: readonly HumanLabelledRow[]): string {
  const lines = [HEADER, ...rows.map(cells)];
  const widths = HEADER.map((_, column) => Math.max(...lines.map((line) => line[column]!.length)));
  const table = lines
    .map((line) => line.map((cell, column) => cell.padEnd(widths[column]!)).join("  ").trimEnd());
  return [...table, LEGEND].join("\n");
}

function cells(row: HumanLabelledRow): readonly string[] {
  return [
    ...[row.component, row.cases, String(row.n), String(row.unscored)],
    ...MEASURES.map((name) => interval(row[name], row[`${name}_low`], row[`${name}_high`])),
  ];
}

function interval(...values: readonly (number | "")[]): string {
  const [value, low, high] = values.map((each) => each === "" ? undefined : each.toFixed(2));
  return value === undefined ? "–" : `${value} [${low}, ${high}]`;
}
