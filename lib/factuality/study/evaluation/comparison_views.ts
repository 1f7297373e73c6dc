import { markdownTable } from "../../../figures/markdown_table.ts";
import { writeNumber } from "../../../figures/measure.ts";
import type { MeasuredRow } from "../../../figures/measured_rows.ts";
import type { BootstrapInterval } from "../../../stats/intervals.ts";
import type { Unavailable } from "../../../stats/unavailable.ts";
import type { ComponentRun } from "../../evaluation/component_answer.ts";
import type { ComponentComparison } from "../../evaluation/component_comparison.ts";

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

/** A component's name without its model's size, so that it stands beside its row of a figure. */
export function shortName(component: string): string {
  return component.replace(/-\d+M(?:-Instruct)?\b/i, "");
}

/** Rows of a forest plot: balanced accuracy on held-out claims. */
export function heldOutRows({ figures }: ComponentComparison): readonly MeasuredRow[] {
  return figures.map(({ component, balancedAccuracy }) => ({
    label: shortName(component),
    measure: balancedAccuracy,
  }));
}
