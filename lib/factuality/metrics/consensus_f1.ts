import { type BootstrapInterval, clusterBootstrap } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import type { ClaimMatrix, Statement } from "./claim_matrix.ts";
import { RESPONSE_BOOTSTRAP } from "./response_interval.ts";

/** One model against the consensus of the others about one query. */
export interface ConsensusScore {
  readonly query: string;
  readonly cluster: string;
  /** Its statements that another model states or entails / its statements, 0–1. */
  readonly precision: number | Unavailable;
  /** Statements of the others' consensus that it states or entails / all of them, 0–1. */
  readonly recall: number | Unavailable;
  readonly f1: number | Unavailable;
  readonly statements: number;
  readonly supported: number;
  readonly consensus: number;
  readonly included: number;
  /** Other models that claim something. */
  readonly others: number;
}

/** The others' consensus is what more than this share of them hold. */
export const CONSENSUS_SHARE = 0.5;

/**
 * Consensus F1, leave-one-out: the consensus is what more than a share of the *other* models hold
 * (state or entail, and one of them states), so that no model is its own witness: with two models it is all that the other
 * says, with three what both others say. Models without a claim hold no opinion and are not counted.
 *
 * F1 = 2PR / (P + R), between P and R; 0 where both are zero, and where one is zero and the other
 * cannot be computed, whatever that would be. Else unavailable: without another model that claims
 * something, without a statement of its own where the others agree on nothing, and where it has
 * supported statements but the others agree on nothing.
 *
 * @throws {RangeError} for a share outside 0 … 1, 1 excluded, or a model without a response.
 */
export function consensusF1(
  matrix: ClaimMatrix,
  model: string,
  share: number = CONSENSUS_SHARE,
): ConsensusScore {
  requireModel(matrix, model, share);
  const { query, cluster } = matrix;
  const others = matrix.models.filter((other) => other !== model);
  const needed = Math.floor(share * others.length) + 1;
  const column = matrix.models.indexOf(model);
  const own = matrix.statements.filter(({ stances }) => stances[column] === "states");
  const supported = own.filter((one) => holders(one, column) > 0);
  const consensus = matrix.statements.filter((one) =>
    holders(one, column) >= needed && isStatedByOther(one, column)
  );
  const included = consensus.filter(({ stances }) => (stances[column] ?? "silent") !== "silent");
  const precision = ratio(supported.length, own.length, others.length, "it states nothing");
  const none = "the other models agree on nothing";
  const recall = ratio(included.length, consensus.length, others.length, none);
  return {
    ...{ query, cluster, precision, recall, f1: harmonicMean(precision, recall) },
    statements: own.length,
    supported: supported.length,
    consensus: consensus.length,
    included: included.length,
    others: others.length,
  };
}

/** Which figure of a query. */
export type ConsensusFigure = "precision" | "recall" | "f1";

/**
 * Mean of a figure over the queries that have it, 0–1. Unavailable where none has.
 */
export function meanConsensus(
  scores: readonly ConsensusScore[],
  figure: ConsensusFigure,
): number | Unavailable {
  const values = scores.map((score) => score[figure]).filter((value) => typeof value === "number");
  if (values.length > 0) return values.reduce((sum, value) => sum + value, 0) / values.length;
  const reasons = new Set(
    scores.flatMap(({ [figure]: value }) => typeof value === "number" ? [] : [value.reason]),
  );
  return unavailable(reasons.size === 0 ? "no queries" : [...reasons].join("; "));
}

/** That mean with its interval, by resampling clusters of whole queries; `n` are those that have it. */
export function consensusInterval(
  scores: readonly ConsensusScore[],
  figure: ConsensusFigure,
  random: RandomSource,
): BootstrapInterval | Unavailable {
  const known = scores.filter((score) => typeof score[figure] === "number");
  const mean = meanConsensus(scores, figure);
  if (typeof mean !== "number") return mean;
  return clusterBootstrap({
    items: known.map((score) => ({ cluster: score.cluster, value: score })),
    statistic: (drawn) => meanConsensus(drawn, figure) as number,
    ...RESPONSE_BOOTSTRAP,
    random,
  });
}

/** How many models but the one of that column state or entail a statement. */
function holders({ stances }: Statement, column: number): number {
  return stances.filter((stance, index) => index !== column && stance !== "silent").length;
}

/** What only the model states and others entail is no statement of theirs. */
function isStatedByOther({ stances }: Statement, column: number): boolean {
  return stances.some((stance, index) => index !== column && stance === "states");
}

function ratio(part: number, whole: number, others: number, none: string): number | Unavailable {
  if (others === 0) return unavailable("no other model claims anything");
  return whole === 0 ? unavailable(none) : part / whole;
}

function harmonicMean(
  precision: number | Unavailable,
  recall: number | Unavailable,
): number | Unavailable {
  if (precision === 0 || recall === 0) return 0;
  if (typeof precision !== "number") return precision;
  if (typeof recall !== "number") return recall;
  return (2 * precision * recall) / (precision + recall);
}

function requireModel({ models, silent, query }: ClaimMatrix, model: string, share: number): void {
  if (!(share >= 0 && share < 1)) {
    throw new RangeError(`Cannot find a consensus: a share of ${share} is not in 0 … 1.`);
  }
  if (models.includes(model) || silent.includes(model)) return;
  throw new RangeError(`Cannot score ${model}: it has no response to ${query}.`);
}
