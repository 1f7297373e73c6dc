import type { Bar } from "../../figures/bar_chart.ts";
import type { HeatClasses, HeatScale } from "../../figures/heat_scale.ts";
import type { Measure, NumberFormat } from "../../figures/measure.ts";
import type { MeasuredRow } from "../../figures/measured_rows.ts";
import type { Part, StackedBar } from "../../figures/stacked_bars.ts";
import { PALETTE } from "../../figures/theme.ts";
import type {
  BucketCount,
  Estimate,
  RaterReliability,
  SystemComparison,
  SystemResult,
} from "../analysis/results.ts";
import type { RunConfig } from "../run_config.ts";

/** A system's mean score with its interval, best system first; the cluster is the group. */
export function systemRows({ systems }: SystemComparison): readonly MeasuredRow[] {
  return systems.map(({ system, meanDa, cluster }) => ({
    label: system,
    group: `Cluster ${cluster}`,
    measure: meanDa,
  }));
}

/** Cells of a heat map, a row and a column for each system. */
export interface PairCells {
  readonly rows: readonly string[];
  /** Ranks, because names would not fit over the columns. */
  readonly columns: readonly string[];
  readonly cells: readonly (readonly Measure[])[];
  readonly scale: HeatClasses;
}

/** Adjusted p of every two systems, above the diagonal, by told apart or not; the rest is empty. */
export function pairCells({ systems, pairs, alpha }: SystemComparison): PairCells {
  const found = new Map(pairs.map((pair) => [`${pair.first}\n${pair.second}`, pair.adjustedP]));
  const cell = (row: SystemResult, column: SystemResult): Measure => {
    const p = found.get(`${row.system}\n${column.system}`);
    if (typeof p === "number") return { kind: "value", estimate: p };
    return p ?? { kind: "unavailable", reason: "stands on the other side" };
  };
  return {
    rows: systems.map(({ system }, index) => `${index + 1} ${system}`),
    columns: systems.map((_, index) => String(index + 1)),
    cells: systems.map((row) => systems.map((column) => cell(row, column))),
    scale: { edge: alpha, meanings: ["told apart", "not told apart"] },
  };
}

const SHADES = [PALETTE.blue, PALETTE.sky, PALETTE.yellow, PALETTE.orange, PALETTE.vermillion];

/** The buckets as parts of a bar, best first. Beyond five, colours come round again. */
export function bucketParts({ buckets }: RunConfig): readonly Part[] {
  return buckets.map(({ label }, index) => ({ label, color: SHADES[index % SHADES.length]! }));
}

/** How often each bucket was chosen: a bar for each thing that has a count of them. */
export function bucketBars(
  counted: readonly { readonly label: string; readonly buckets: readonly BucketCount[] }[],
): readonly StackedBar[] {
  return counted.map(({ label, buckets }) => ({
    label,
    amounts: buckets.map(({ count }) => count),
  }));
}

/** Share of round scores: chance in grey, then every rater, for each kind of roundness. */
export function heapingBars(raters: readonly RaterReliability[]): readonly Bar[] {
  const [first] = raters;
  return (first?.heaping ?? []).flatMap(({ name, chance }, kind) => [
    ...chance === undefined ? [] : [{
      ...{ label: "chance", group: name, muted: true },
      measure: { kind: "value", estimate: chance } as const,
    }],
    ...raters.map(({ rater, heaping }) => ({
      label: rater,
      group: name,
      measure: heaping[kind]!.share,
    })),
  ]);
}

/** Mean deviation by position on the screen: a row for each rater, a column for each position. */
export function positionCells(raters: readonly Pick<RaterReliability, "rater" | "position">[]) {
  const positions = raters[0]?.position.positions ?? [];
  const cells = raters.map(({ position }) => position.positions.map(({ deviation }) => deviation));
  return {
    rows: raters.map(({ rater }) => rater),
    columns: positions.map(({ position }) => String(position)),
    cells,
    ...evenScale(cells.flat()),
  };
}

/** Colours as far on either side of nought as the largest value, rounded up to 1, 2 or 5 × 10ⁿ. */
function evenScale(
  measures: readonly Measure[],
): { readonly scale: HeatScale; readonly format: NumberFormat } {
  const sizes = measures.map((it) => it.kind === "unavailable" ? 0 : Math.abs(it.estimate));
  const largest = Math.max(...sizes) || 1;
  const power = 10 ** Math.floor(Math.log10(largest));
  const end = power * [1, 2, 5, 10].find((step) => largest <= step * power)!;
  return { scale: { domain: [-end, end], centre: 0 }, format: end < 5 ? "decimal" : "count" };
}

/** One figure of every rater. */
export function raterRows(
  raters: readonly RaterReliability[],
  figure: (rater: RaterReliability) => Estimate,
): readonly MeasuredRow[] {
  return raters.map((rater) => ({ label: rater.rater, measure: figure(rater) }));
}

/** An axis that holds every row with its interval, ends rounded outwards to multiples of `step`. */
export function axisAround(
  rows: readonly MeasuredRow[],
  step: number,
  also: readonly number[] = [],
): readonly [number, number] {
  const ends = rows.flatMap(({ measure }) =>
    measure.kind === "interval"
      ? [measure.low, measure.high]
      : measure.kind === "value"
      ? [measure.estimate]
      : []
  ).concat(also);
  if (ends.length === 0) return [0, step];
  const low = step * Math.floor(Math.min(...ends) / step);
  return [low, Math.max(low + step, step * Math.ceil(Math.max(...ends) / step))];
}
