import { mean, median, sampleVariance } from "simple-statistics";
import type { Unscored } from "../verdicts/verdict.ts";
import type { AggregationStrategy, EnsembleScore } from "./ensemble_score.ts";
import type { Judge, Judgement, MeasuredAccuracy, ScoredJudgement } from "./judgement.ts";

/** Points²; the specification says "variance > 20 points". Two scores 6.4 points apart exceed it. */
export const VARIANCE_THRESHOLD = 20;

/** A score from here on is a vote for "accurate". */
export const VOTE_THRESHOLD = 50;

interface Weighted {
  readonly score: number;
  readonly weight: number;
}

type WeightedJudgement = ScoredJudgement & Weighted;

const STRATEGIES: Readonly<Record<AggregationStrategy, (scores: readonly Weighted[]) => number>> = {
  "mean": (scores) => mean(scores.map(({ score }) => score)),
  "median": (scores) => median(scores.map(({ score }) => score)),
  "weighted average": (scores) => {
    // As shares of the greatest, so that no sum of weights is infinite.
    const most = Math.max(...scores.map(({ weight }) => weight));
    const shares = scores.map(({ weight }) => weight / most);
    const total = shares.reduce((sum, share) => sum + share, 0);
    return scores.reduce((sum, { score }, index) => sum + score * (shares[index]! / total), 0);
  },
  "majority vote": (scores) => (100 * votesFor(scores)) / scores.length,
};

function votesFor(scores: readonly Weighted[]): number {
  return scores.filter(({ score }) => score >= VOTE_THRESHOLD).length;
}

/**
 * What the judges say together. Those without a score are left out and counted; with none left the
 * ensemble is unscored. A weighted average of judges that all weigh 0 is unscored too: a mean would
 * give them a trust that was withheld.
 *
 * @param weights One a judgement, in order, finite and ≥ 0; only the weighted average heeds them.
 * @param lowConfidenceVariance In points²; over it the score is flagged as of low confidence.
 * @throws {RangeError} for other weights.
 */
export function aggregate(
  judgements: readonly Judgement[],
  strategy: AggregationStrategy,
  weights: readonly number[],
  lowConfidenceVariance: number = VARIANCE_THRESHOLD,
): EnsembleScore {
  checkWeights(judgements, weights);
  const scored = judgements.flatMap((judgement, index): readonly WeightedJudgement[] =>
    judgement.kind === "scored" ? [{ ...judgement, weight: weights[index]! }] : []
  );
  if (scored.length === 0) return withoutScores(judgements);
  if (strategy === "weighted average" && scored.every(({ weight }) => weight === 0)) {
    const names = scored.map(({ provenance }) => provenance.producedBy).join(", ");
    return unscored("failure", `No judge that gave a score has a weight above 0: ${names}.`);
  }
  const scores = scored.map(({ score }) => score);
  const variance = scores.length < 2 ? undefined : sampleVariance(scores);
  const reasons = doubts(scored, strategy, variance, lowConfidenceVariance);
  return {
    kind: "scored",
    score: within(STRATEGIES[strategy](scored), scores, strategy),
    strategy,
    scored: scored.length,
    asked: judgements.length,
    variance,
    range: Math.max(...scores) - Math.min(...scores),
    lowConfidence: reasons.length > 0,
    reasons,
  };
}

/** Rounding must not carry an average past the scores that it is of. */
function within(value: number, scores: readonly number[], strategy: AggregationStrategy): number {
  if (strategy === "majority vote") return value;
  return Math.min(Math.max(...scores), Math.max(Math.min(...scores), value));
}

function checkWeights(judgements: readonly Judgement[], weights: readonly number[]): void {
  if (weights.length !== judgements.length) {
    throw new RangeError(
      `Cannot aggregate ${judgements.length} judgements: there are ${weights.length} weights`,
    );
  }
  const wrong = weights.find((weight) => !Number.isFinite(weight) || weight < 0);
  if (wrong !== undefined) {
    throw new RangeError(`Cannot aggregate: the weight ${wrong} is no finite number from 0 on`);
  }
}

function doubts(
  scores: readonly Weighted[],
  strategy: AggregationStrategy,
  variance: number | undefined,
  threshold: number,
): readonly string[] {
  const reasons: string[] = [];
  if (variance === undefined) reasons.push("only one judge gave a score");
  if (variance !== undefined && variance > threshold) {
    const points = `${variance.toFixed(1)} points², over ${threshold}`;
    reasons.push(`the judges' scores have a variance of ${points}`);
  }
  const votes = votesFor(scores);
  if (strategy === "majority vote" && 2 * votes === scores.length) {
    reasons.push(`the vote is tied, ${votes} to ${votes}`);
  }
  return reasons;
}

function unscored(reason: Unscored["reason"], message: string): EnsembleScore {
  return { kind: "unscored", reason, message };
}

function withoutScores(judgements: readonly Judgement[]): EnsembleScore {
  const failed = judgements.filter((judgement) => judgement.kind === "unscored");
  if (failed.length === 0) return unscored("failure", "No judge was asked.");
  const reasons = new Set(failed.map(({ reason }) => reason));
  const words = failed.map(({ provenance, reason }) => `${provenance.producedBy} (${reason})`);
  return unscored(
    reasons.size === 1 ? failed[0]!.reason : "failure",
    `No judge gave a score: ${words.join(", ")}.`,
  );
}

/**
 * The weight that a judge deserves: 2 × balanced accuracy − 1 (Youden's J), 0 for chance and 1 for
 * one that never errs, and 0 as long as the interval reaches down to chance.
 */
export function weightFromAccuracy({ balancedAccuracy, low }: MeasuredAccuracy): number {
  return low <= 0.5 ? 0 : 2 * balancedAccuracy - 1;
}

/** Whether a judge was measured and is not told from chance; one that nobody measured is not. */
export function isAtChance({ measured }: Pick<Judge, "measured">): boolean {
  return measured !== undefined && weightFromAccuracy(measured) === 0;
}
