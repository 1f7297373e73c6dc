import type { Line } from "../../../figures/line_chart.ts";
import { markdownTable } from "../../../figures/markdown_table.ts";
import { writeNumber } from "../../../figures/measure.ts";
import { wilsonInterval } from "../../../stats/intervals.ts";
import type { LabelledCase } from "../../cases/labelled_case.ts";
import type { ComponentRun } from "../../evaluation/component_answer.ts";
import {
  brierScore,
  calibrationError,
  type Forecast,
  type ReliabilityBin,
  reliabilityBins,
} from "../../metrics/calibration.ts";

/** With some hundred claims ten bins would have too few claims each. */
export const DIAGRAM_BINS = 5;

/** How far a component's probabilities of "supported" come true. */
export interface ComponentReliability {
  readonly component: string;
  readonly forecasts: readonly Forecast[];
  readonly bins: readonly ReliabilityBin[];
}

/** Each component's probabilities of "supported" in bins, claims without a score left out. */
export function componentReliability(
  cases: readonly LabelledCase[],
  runs: readonly ComponentRun[],
): readonly ComponentReliability[] {
  return runs.map(({ component, answers }) => {
    const forecasts = cases.flatMap(({ id, label }): Forecast[] => {
      const confidence = answers.get(id)?.supported;
      return confidence === undefined ? [] : [{ confidence, right: label === "supported" }];
    });
    return { component, forecasts, bins: reliabilityBins(forecasts, DIAGRAM_BINS) };
  });
}

/** A line a component: share supported over mean probability, with Wilson's 95 % intervals. */
export function reliabilityLines(components: readonly ComponentReliability[]): readonly Line[] {
  return components.map(({ component, bins }) => ({
    label: component,
    points: bins.flatMap(({ n, meanConfidence, share }) => {
      if (meanConfidence === undefined || share === undefined) return [];
      return [{ x: meanConfidence, measure: wilsonInterval(Math.round(share * n), n, 0.95) }];
    }),
  }));
}

/** Brier's score and the calibration error of each, and how many claims fell into each bin. */
export function reliabilityTable(components: readonly ComponentReliability[]): string {
  return markdownTable(
    ["component", "claims", "Brier, 0–2", "calibration error", "claims by bin"],
    components.map(({ component, forecasts, bins }) => {
      const brier = brierScore(
        ["yes", "no"],
        forecasts.map(({ confidence, right }) => ({
          probabilities: { yes: confidence, no: 1 - confidence },
          truth: right ? "yes" : "no",
        })),
      );
      const error = calibrationError(forecasts, DIAGRAM_BINS);
      const figure = (value: typeof brier) =>
        typeof value === "number" ? writeNumber(value, "decimal") : `– (${value.reason})`;
      const counts = bins.map(({ n }) => n).join(" · ");
      return [component, forecasts.length, figure(brier), figure(error), counts];
    }),
  );
}
