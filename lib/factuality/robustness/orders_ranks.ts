import type { Correlation, kendallTauB } from "../../stats/rank_correlation.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import { majorityOf } from "../pairwise/compare.ts";
import type { Comparison } from "../pairwise/comparison.ts";
import { rankCandidates } from "../pairwise/ranking.ts";
import { type PairOfRows, textId } from "./orders_pairs.ts";

/** What stands before the number of errors in a text's name. */
const PREFIX = textId(0).slice(0, -1);

/**
 * How far a component's order of a ladder's texts is the true one, fewer errors being better. Texts are
 * ordered by their scores, or, where they were compared, by wins and half of the ties.
 */
export function ladderCorrelation(
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
      [Number(candidate.slice(PREFIX.length)), score ?? 0] as const
    ),
  );
}
