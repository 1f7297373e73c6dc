import type { ConsistencyFigure } from "./consistency_figure.ts";
import { orderSummaries, type OrderSummary } from "./orders_analysis.ts";
import type { OrderRow } from "./orders_rows.ts";
import { orderStability } from "./orders_stability.ts";

const MEASURES: readonly (readonly [string, keyof OrderSummary & FigureName])[] = [
  ["position consistency (share of pairs)", "consistency"],
  ["preference fairness (−1 first … 1 second)", "preferenceFairness"],
  ["pairs with a winner (share)", "decided"],
  ["accuracy where there is a winner (share)", "accuracy"],
  ["Kendall’s τ-b with the true order", "kendall"],
  ["Spearman’s ρ with the true order", "spearman"],
];

type FigureName =
  | "consistency"
  | "preferenceFairness"
  | "decided"
  | "accuracy"
  | "kendall"
  | "spearman";

/** The report's rows on orders: symmetry, accuracy and ranks by component, and repetition stability. */
export function orderFigures(rows: readonly OrderRow[]): readonly ConsistencyFigure[] {
  const ofSummary = orderSummaries(rows).flatMap((summary) =>
    MEASURES.map(([measure, name]): ConsistencyFigure => ({
      ...{ component: summary.component, group: "all pairs", measure },
      ...{ n: summary.countries, value: summary[name] },
    }))
  );
  const ofRepetition = orderStability(rows).map((one): ConsistencyFigure => ({
    ...{ component: one.component, group: `${one.repetitions} seeds` },
    measure: "repetition stability (share of the most frequent choice)",
    ...{ n: one.queries, value: one.stability },
  }));
  return [...ofSummary, ...ofRepetition];
}
