import type { ValueAxis } from "../../../figures/axis.ts";
import type { LineChart } from "../../../figures/line_chart.ts";
import type { MeasuredRow } from "../../../figures/measured_rows.ts";
import type { Measure } from "../../../figures/measure.ts";
import type { AblationRow } from "./verifier_ablation.ts";
import type { DomainRow } from "./domain_table.ts";
import type { Figure } from "./figure_bounds.ts";
import { headWords } from "./head_words.ts";
import type { CurveRow } from "./learning_curve.ts";

/** Of shares that 0.5 says nothing about. */
export const ACCURACY_AXIS: ValueAxis = {
  ...{ label: "balanced accuracy", format: "decimal", domain: [0, 1] },
  reference: { value: 0.5, label: "chance" },
};

/** Of differences between shares, in points. */
export const DIFFERENCE_AXIS: ValueAxis = {
  ...{ label: "points", format: "percent", domain: [-0.1, 0.1] },
  reference: { value: 0, label: "no change" },
};

/** The learning curve as lines over training countries, the mean of the seeds with its interval. */
export function learningCurveLines(
  rows: readonly CurveRow[],
  reading: CurveRow["reading"],
): Pick<LineChart, "lines" | "x" | "y"> {
  const means = rows.filter((row) => row.seed === "mean" && row.reading === reading);
  const countries = [...new Set(means.map((row) => row.countries))].sort((a, b) => a - b);
  const [least, most] = [countries[0]!, countries.at(-1)!];
  const floor = Math.floor(10 * Math.min(...means.map(({ low }) => low))) / 10;
  const chance = reading === "binary" ? 1 / 2 : 1 / 3;
  return {
    lines: [...Map.groupBy(means, headWords)].map(([label, own]) => ({
      label,
      points: own.map(({ countries, balanced_accuracy, low, high }) => ({
        x: countries,
        measure: { kind: "interval", estimate: balanced_accuracy, low, high },
      })),
    })),
    x: {
      ...{ label: "training countries", format: "count", scale: "log", ticks: countries },
      domain: [0.8 * least, 1.25 * most],
    },
    y: {
      ...{ label: "balanced accuracy (%)", format: "percent" },
      domain: [Math.min(floor, Math.floor(10 * chance) / 10), 1],
      reference: { value: chance, label: "chance" },
    },
  };
}

/** A row a group of features, for a forest plot: the change without it. */
export function ablationDifferences(
  rows: readonly AblationRow[],
  reading: AblationRow["reading"],
): readonly MeasuredRow[] {
  return rows.filter((row) => row.model === "without" && row.reading === reading)
    .map(({ group, difference, difference_low, difference_high }) => ({
      label: `without ${group}`,
      measure: measureOf(difference, difference_low, difference_high),
    }));
}

/** Names that fit beside a figure. */
const SHORT: Readonly<Record<DomainRow["trained_on"], string>> = {
  "claims of the knowledge base": "knowledge base",
  "half of every set": "half of each set",
  "the other sets": "other sets",
  "the knowledge base and half of every set": "base and halves",
};

/** A row a set and what was learnt from, for a forest plot, under the set's name. */
export function domainPoints(
  rows: readonly DomainRow[],
  { features, head }: Pick<DomainRow, "features" | "head">,
): readonly MeasuredRow[] {
  const own = rows.filter((row) => row.features === features && row.head === head);
  return [...Map.groupBy(own, ({ set }) => set)].flatMap(([set, ofSet]) =>
    ofSet.map(({ trained_on, balanced_accuracy, low, high }) => ({
      ...{ group: set, label: SHORT[trained_on] },
      measure: measureOf(balanced_accuracy, low, high),
    }))
  );
}

function measureOf(estimate: Figure, low: Figure, high: Figure): Measure {
  if (estimate === "" || low === "" || high === "") {
    return { kind: "unavailable", reason: "no interval" };
  }
  return { kind: "interval", estimate, low, high };
}
