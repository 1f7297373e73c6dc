import { markdownTable } from "../../../figures/markdown_table.ts";
import type { MeasuredRow } from "../../../figures/measured_rows.ts";
import { orderSummaries, type OrderSummary } from "../../robustness/orders_analysis.ts";
import type { OrderRow } from "../../robustness/orders_rows.ts";
import { orderStability } from "../../robustness/orders_stability.ts";
import { shortName } from "../evaluation/comparison_views.ts";
import { writtenMeasure } from "./written_measure.ts";

/** How far each component's choices bear the exchange of two texts, and how often they are right. */
export function orderTable(rows: readonly OrderRow[]): string {
  return markdownTable(
    [
      ...["component", "pairs", "unscored", "countries", "position consistency (%)"],
      ...["preference fairness", "with a winner (%)", "of these right (%)"],
    ],
    orderSummaries(rows).map((one) => [
      ...[one.component, one.pairs, one.unscored, one.countries],
      writtenMeasure(one.consistency, "percent"),
      writtenMeasure(one.preferenceFairness, "decimal"),
      writtenMeasure(one.decided, "percent"),
      writtenMeasure(one.accuracy, "percent"),
    ]),
  );
}

/** How far each component puts texts with 0 to 3 errors into the true order. */
export function rankTable(rows: readonly OrderRow[]): string {
  return markdownTable(
    ["component", "ladders without a rank correlation", "mean Kendall’s τ-b", "mean Spearman’s ρ"],
    orderSummaries(rows).map((one) => [
      ...[one.component, one.unordered],
      writtenMeasure(one.kendall, "decimal"),
      writtenMeasure(one.spearman, "decimal"),
    ]),
  );
}

/** How often the true text wins against the same with one, two and three errors, of all pairs. */
export function errorsTable(rows: readonly OrderRow[]): string {
  const counts = [1, 2, 3];
  const byErrors = counts.map((errors) =>
    orderSummaries(rows.filter((row) => row.errors_a === 0 && row.errors_b === errors))
  );
  const components = orderSummaries(rows).map(({ component }) => component);
  const cell = (summary: OrderSummary | undefined) =>
    summary === undefined ? undefined : `${summary.right} of ${summary.pairs}`;
  return markdownTable(
    ["component", ...counts.map((errors) => `true text wins against ${errors}`)],
    components.map((name) => [
      name,
      ...byErrors.map((all) => cell(all.find(({ component }) => component === name))),
    ]),
  );
}

/** How often a judge that draws its words says the same again. */
export function stabilityTable(rows: readonly OrderRow[]): string {
  return markdownTable(
    ["component", "seeds", "queries", "most frequent choice (%)"],
    orderStability(rows).map(({ component, repetitions, queries, stability }) => [
      ...[component, repetitions, queries, writtenMeasure(stability, "percent")],
    ]),
  );
}

/** Rows of a forest plot: mean τ-b with the true order, by component. */
export function rankRows(rows: readonly OrderRow[]): readonly MeasuredRow[] {
  return orderSummaries(rows).map(({ component, kendall }) => ({
    label: shortName(component),
    measure: kendall,
  }));
}
