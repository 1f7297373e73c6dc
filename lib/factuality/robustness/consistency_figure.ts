import type { Measure } from "../../figures/measure.ts";

/** One figure of how steady a component is: over orders, repetitions or swaps. A row of the report. */
export interface ConsistencyFigure {
  readonly component: string;
  /** What was varied, or which cases: `gender`, `k = 0 against 2`, `all`. */
  readonly group: string;
  /** What is measured, with its unit: `position consistency`, `variance of scores (points²)`. */
  readonly measure: string;
  /** What the figure rests on: pairs, texts, portraits; the clusters of its interval. */
  readonly n: number;
  readonly value: Measure;
}
