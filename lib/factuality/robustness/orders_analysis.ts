import { mean } from "simple-statistics";
import { clusterBootstrap, type ClusteredValue } from "../../stats/intervals.ts";
import { randomSource } from "../../stats/random.ts";
import { type Correlation, kendallTauB, spearman } from "../../stats/rank_correlation.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import { majorityOf, outcomeOf } from "../pairwise/compare.ts";
import type { BothOrders, Comparison, OrderedAnswer, Outcome } from "../pairwise/comparison.ts";
import { positionBias } from "../pairwise/position_bias.ts";
import { rankCandidates } from "../pairwise/ranking.ts";
import type { Unscored } from "../verdicts/verdict.ts";
import type { OrderRow } from "./orders_rows.ts";

/** A share or mean with its interval by country. */
export type Estimate = ReturnType<typeof clusterBootstrap>;

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
  /** Of the pairs with a winner, those where it is the text with fewer errors. */
  readonly accuracy: Estimate;
  /** The mean over ladders of the correlation of the component's order with the true one. */
  readonly kendall: Estimate;
  readonly spearman: Estimate;
  /** Ladders that the component does not order at all: all texts alike. */
  readonly unordered: number;
}

/** A pair with the answers in both orders. */
interface PairOfRows {
  readonly country: string;
  readonly a: number;
  readonly b: number;
  readonly answers: BothOrders;
  readonly outcome: Outcome;
  /** Undefined for components that compare. */
  readonly scores: readonly [number, number] | undefined;
}

const RESAMPLES = 2_000;

function estimated<T>(
  component: string,
  figure: string,
  items: readonly ClusteredValue<T>[],
  statistic: (values: readonly T[]) => number | undefined,
): Estimate {
  const random = randomSource(`orders/${component}/${figure}`);
  return clusterBootstrap({ items, statistic, resamples: RESAMPLES, confidence: 0.95, random });
}

/** Enough of an answer to tell the outcome; the reasoning is not kept. */
function answerOf({ status, winner, component }: OrderRow): OrderedAnswer | Unscored {
  const provenance = { producedBy: component, modelSha256: undefined, promptSha256: undefined };
  if (status === "scored" && winner !== "") {
    return { kind: "answer", winner, reasoning: "", parse: "complete", provenance };
  }
  const reason = status === "scored" ? "failure" : status;
  return { kind: "unscored", reason, message: reason, partialText: undefined, provenance };
}

const textId = (errors: number) => `k = ${errors}`;

/** The pairs that stand in both orders; one that was broken off in between is not there yet. */
function pairsOf(rows: readonly OrderRow[]): readonly PairOfRows[] {
  const groups = Map.groupBy(
    rows,
    ({ country, errors_a, errors_b }) => JSON.stringify([country, errors_a, errors_b]),
  );
  return [...groups.values()].flatMap((group) => {
    const [aFirst, bFirst] = [group.find(isFirst("a")), group.find(isFirst("b"))];
    if (aFirst === undefined || bFirst === undefined) return [];
    const { country, errors_a: a, errors_b: b, score_a, score_b } = aFirst;
    const answers = { aFirst: answerOf(aFirst), bFirst: answerOf(bFirst) };
    const scores = score_a === "" || score_b === "" ? undefined : [score_a, score_b] as const;
    const outcome = outcomeOf(answers, textId(a), textId(b));
    return [{ country, a, b, answers, outcome, scores }];
  });
}

const isFirst = (wanted: "a" | "b") => ({ first }: OrderRow) => first === wanted;

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

/**
 * How far a component's order of a ladder's texts is the true one, fewer errors being better. Texts are
 * ordered by their scores, or, where they were compared, by wins and half of the ties.
 */
function ladderCorrelation(
  pairs: readonly PairOfRows[],
  correlation: typeof kendallTauB,
): Correlation | Unavailable {
  const goodness = scoresOf(pairs) ?? winsOf(pairs);
  const errors = [...goodness.keys()].sort();
  if (pairs.length < errors.length * (errors.length - 1) / 2) {
    return unavailable("a pair has no answer");
  }
  return correlation(errors.map((k) => -k), errors.map((k) => goodness.get(k)!));
}

function scoresOf(pairs: readonly PairOfRows[]): ReadonlyMap<number, number> | undefined {
  const found = new Map<number, number>();
  for (const { a, b, scores } of pairs) {
    if (scores === undefined) return undefined;
    found.set(a, scores[0]).set(b, scores[1]);
  }
  return found;
}

function winsOf(pairs: readonly PairOfRows[]): ReadonlyMap<number, number> {
  const comparisons = pairs.map(({ a, b, answers, outcome }): Comparison => {
    const candidates = [textId(a), textId(b)] as const;
    const outcomes = [outcome];
    const votes = { a: 0, b: 0, declaredTie: 0, orderInconsistentTie: 0, unscored: 0 };
    return {
      ...{ candidates, votes, judges: [{ judge: "", answers, outcome }] },
      outcome: majorityOf(outcomes, ...candidates),
    };
  });
  const standings = rankCandidates(comparisons).standings;
  return new Map(
    standings.map(({ candidate, score }) =>
      [Number(candidate.slice("k = ".length)), score ?? 0] as const
    ),
  );
}

/** How often a component says the same of the same two texts in the same order. */
export interface StabilitySummary {
  readonly component: string;
  /** Ordered pairs that were answered at least twice at a temperature over 0. */
  readonly queries: number;
  readonly repetitions: number;
  /** Mean share of the most frequent choice, after Shi et al. 2024; 1/3 is the least of three. */
  readonly stability: Estimate;
}

/** Repetition stability of the runs that draw their words, those without chance left out. */
export function orderStability(rows: readonly OrderRow[]): readonly StabilitySummary[] {
  const drawn = rows.filter(({ temperature, winner }) => temperature > 0 && winner !== "");
  return [...Map.groupBy(drawn, ({ component }) => component)].map(([component, own]) => {
    const queries = [...Map.groupBy(own, queryOf).values()].filter(({ length }) => length > 1);
    const items = queries.map((query) => ({ cluster: query[0]!.country, value: steady(query) }));
    return {
      ...{ component, queries: queries.length },
      repetitions: new Set(own.map(({ run }) => run)).size,
      stability: estimated(component, "stability", items, (values) => mean([...values])),
    };
  });
}

const queryOf = ({ country, errors_a, errors_b, first }: OrderRow) =>
  JSON.stringify([country, errors_a, errors_b, first]);

function steady(answers: readonly OrderRow[]): number {
  const counts = Map.groupBy(answers, ({ winner }) => winner).values();
  return Math.max(...[...counts].map(({ length }) => length)) / answers.length;
}
