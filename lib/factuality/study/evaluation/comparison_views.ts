import { formatCsv } from "../../../files/csv.ts";
import { inertText } from "../../../files/inert_text.ts";
import { markdownTable } from "../../../figures/markdown_table.ts";
import { writeNumber } from "../../../figures/measure.ts";
import type { MeasuredRow } from "../../../figures/measured_rows.ts";
import type { BootstrapInterval } from "../../../stats/intervals.ts";
import type { Unavailable } from "../../../stats/unavailable.ts";
import type { ComponentRun } from "../../evaluation/component_answer.ts";
import type { ComponentComparison } from "../../evaluation/component_comparison.ts";
import type { ComponentDisagreement } from "../../evaluation/component_disagreements.ts";
import type { HumanLabelledRow } from "./human_labelled.ts";

function interval(value: BootstrapInterval | Unavailable): string {
  if (value.kind === "unavailable") return `– (${value.reason})`;
  const [estimate, low, high] = [value.estimate, value.low, value.high]
    .map((share) => writeNumber(share, "decimal"));
  return `${estimate} [${low}, ${high}]`;
}

function figure(value: number | Unavailable, digits: number): string {
  return typeof value === "number" ? value.toFixed(digits) : `– (${value.reason})`;
}

/** How good and how sure each component is on the same claims. */
export function figuresTable({ figures }: ComponentComparison): string {
  return markdownTable(
    [
      ...["component", "scored", "unscored", "balanced accuracy", "accuracy"],
      ...["mean confidence", "calibration error"],
    ],
    figures.map((one) => [
      ...[one.component, one.scored, one.unscored],
      ...[interval(one.balancedAccuracy), interval(one.accuracy)],
      ...[figure(one.confidence, 2), figure(one.calibrationError, 3)],
    ]),
  );
}

/** Median and ninetieth percentile of a claim's time, as they stand in the table of answers. */
export function latencyTable({ figures }: ComponentComparison): string {
  return markdownTable(
    ["component", "median ms a claim", "90th percentile ms"],
    figures.map(({ component, medianMilliseconds, ninetiethMilliseconds }) => [
      ...[component, figure(medianMilliseconds, 1), figure(ninetiethMilliseconds, 1)],
    ]),
  );
}

/** One component against each other, on all claims and kind by kind: who is better. */
export function rivalsTable(comparisons: readonly ComponentComparison[], of: string): string {
  const rows = comparisons.flatMap(({ kind, differences }) =>
    differences.filter(({ first, second }) => first === of || second === of)
      .map(({ first, second, difference, claims, better }) => {
        const sign = first === of ? 1 : -1;
        return [kind, first === of ? second : first, claims, signed(difference, sign), better];
      })
  );
  return markdownTable(
    ["claims", `${of} against`, "n", "difference of balanced accuracy", "better"],
    rows,
  );
}

function signed(value: BootstrapInterval | Unavailable, sign: 1 | -1): string {
  if (value.kind === "unavailable" || sign === 1) return interval(value);
  return interval({ ...value, estimate: -value.estimate, low: -value.high, high: -value.low });
}

/** Balanced accuracy of each component by kind of claim. */
export function kindsTable(comparisons: readonly ComponentComparison[]): string {
  const [all] = comparisons;
  const names = all?.figures.map(({ component }) => component) ?? [];
  return markdownTable(
    ["component", ...comparisons.map(({ kind, claims }) => `${kind} (${claims})`)],
    names.map((name) => [
      name,
      ...comparisons.map(({ figures }) => {
        const found = figures.find(({ component }) => component === name);
        return found === undefined ? undefined : interval(found.balancedAccuracy);
      }),
    ]),
  );
}

/** Why claims have no score, by component. */
export function unscoredTable(runs: readonly ComponentRun[]): string {
  const rows = runs.flatMap(({ component, answers }) =>
    [...Map.groupBy(answers.values(), ({ unscored }) => unscored)]
      .flatMap(([reason, own]) => reason === undefined ? [] : [[component, reason, own.length]])
  );
  return rows.length === 0
    ? "Every component gave a score on every claim."
    : markdownTable(["component", "reason", "claims"], rows);
}

/** Disagreements of one component with the others; all of them go into the CSV. */
export function disagreementsCsv(disagreements: readonly ComponentDisagreement[]): string {
  const columns = [
    ...["case_id", "claim", "claim_kind", "label", "first", "second", "right"] as const,
    ...["first_reason", "second_reason"] as const,
  ];
  return formatCsv(
    columns,
    disagreements.map(({ caseId, kind, firstReason, secondReason, claim, ...one }) => ({
      ...{ case_id: caseId, claim_kind: kind, claim: inertText(claim) },
      ...{ label: one.label, first: one.first, second: one.second, right: one.right },
      ...{ first_reason: inertText(firstReason), second_reason: inertText(secondReason) },
    })),
  );
}

/** Some disagreements with both reasons. */
export function disagreementsTable(disagreements: readonly ComponentDisagreement[]): string {
  return markdownTable(
    ["claim", "it is", "right", "one says", "the other says"],
    disagreements.map((one) => [
      ...[one.claim, one.label, one.right],
      ...[`${one.first}: ${one.firstReason}`, `${one.second}: ${one.secondReason}`],
    ]),
  );
}

/** Rows of a forest plot: balanced accuracy on held-out claims. */
export function heldOutRows({ figures }: ComponentComparison): readonly MeasuredRow[] {
  return figures.map(({ component, balancedAccuracy }) => ({
    label: component,
    measure: balancedAccuracy,
  }));
}

/** Rows of a forest plot: balanced accuracy on each human-labelled set. */
export function humanRows(rows: readonly HumanLabelledRow[]): readonly MeasuredRow[] {
  return rows.map(({ set, component, ...row }) => ({
    group: set,
    label: component,
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
