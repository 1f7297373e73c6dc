import { mean } from "simple-statistics";
import type { ClusteredValue } from "../../stats/intervals.ts";
import { kendallTauB, spearman } from "../../stats/rank_correlation.ts";
import type { Outcome } from "../pairwise/comparison.ts";
import { positionBias } from "../pairwise/position_bias.ts";
import { type Estimate, estimated } from "./orders_estimate.ts";
import { type PairOfRows, pairsOf, textId } from "./orders_pairs.ts";
import { ladderCorrelation } from "./orders_ranks.ts";
import type { OrderRow } from "./orders_rows.ts";

/** How far a component's choices bear the exchange of two texts, and how often they are right. */
export interface OrderSummary {
  readonly component: string;
  /** Pairs answered in both orders, those without an answer in one, and countries. */
  readonly pairs: number;
  readonly unscored: number;
  readonly countries: number;
  /** Share of pairs with the same outcome in both orders; the others are order-inconsistent ties. */
  readonly consistency: Estimate;
  /** −1 always the first, 0 fair, 1 always the second. */
  readonly preferenceFairness: Estimate;
  /** Shares of all pairs, with a winner and with a tie declared in both orders. */
  readonly decided: Estimate;
  readonly declaredTies: Estimate;
  /** Pairs with a winner, and those of them where it is the text with fewer errors. */
  readonly won: number;
  readonly right: number;
  /** Of the pairs with a winner, those where it is the text with fewer errors. */
  readonly accuracy: Estimate;
  /** The mean over ladders of the correlation of the component's order with the true one. */
  readonly kendall: Estimate;
  readonly spearman: Estimate;
  /** Ladders without a correlation: a pair has no answer, or all texts are alike to the component. */
  readonly unordered: number;
}

function shareWhere(values: readonly boolean[]): number | undefined {
  return values.length === 0 ? undefined : mean(values.map(Number));
}

const byCountry = <T>(pairs: readonly PairOfRows[], value: (pair: PairOfRows) => T) =>
  pairs.map((pair): ClusteredValue<T> => ({ cluster: pair.country, value: value(pair) }));

/** Every component in the order of the rows, of the first run: no repetitions. */
export function orderSummaries(rows: readonly OrderRow[]): readonly OrderSummary[] {
  const first = rows.filter(({ run }) => run === 0);
  return [...Map.groupBy(first, ({ component }) => component)]
    .map(([component, own]) => summaryOf(component, pairsOf(own)));
}

function summaryOf(component: string, pairs: readonly PairOfRows[]): OrderSummary {
  const scored = pairs.filter(({ outcome }) => outcome.kind !== "unscored");
  const share = (name: string, holds: (outcome: Outcome) => boolean) =>
    estimated(component, name, byCountry(scored, ({ outcome }) => holds(outcome)), shareWhere);
  const bias = (name: string, figure: "consistency" | "preferenceFairness") =>
    estimated(component, name, byCountry(scored, ({ answers }) => answers), (all) => {
      const found = positionBias(all);
      return found.kind === "unavailable" ? undefined : found[figure];
    });
  const won = scored.filter(({ outcome }) => outcome.kind === "winner");
  const right = byCountry(
    won,
    ({ outcome, a }) => outcome.kind === "winner" && outcome.winner === textId(a),
  );
  return {
    ...{ component, pairs: scored.length, unscored: pairs.length - scored.length },
    ...{ won: won.length, right: right.filter(({ value }) => value).length },
    countries: new Set(scored.map(({ country }) => country)).size,
    consistency: bias("consistency", "consistency"),
    preferenceFairness: bias("fairness", "preferenceFairness"),
    decided: share("decided", ({ kind }) => kind === "winner"),
    declaredTies: share("declared ties", ({ kind }) => kind === "declared tie"),
    accuracy: estimated(component, "accuracy", right, shareWhere),
    ...rankings(component, scored),
  };
}

function rankings(component: string, pairs: readonly PairOfRows[]) {
  const ladders = [...Map.groupBy(pairs, ({ country }) => country)];
  const correlated = (of: typeof kendallTauB) =>
    ladders.map(([cluster, own]) => ({ cluster, value: ladderCorrelation(own, of) }));
  const meanOf = (name: string, of: typeof kendallTauB) => {
    const items = correlated(of).flatMap(({ cluster, value }) =>
      value.kind === "correlation" ? [{ cluster, value: value.coefficient }] : []
    );
    return estimated(component, name, items, (values) => mean([...values]));
  };
  return {
    kendall: meanOf("tau", kendallTauB),
    spearman: meanOf("rho", spearman),
    unordered: correlated(kendallTauB).filter(({ value }) => value.kind === "unavailable").length,
  };
}
