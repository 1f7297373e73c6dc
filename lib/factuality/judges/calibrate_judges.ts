import { averageRanks } from "../../stats/rank_correlation.ts";
import type { RandomSource } from "../../stats/random.ts";
import { balancedAccuracy } from "../metrics/classification.ts";
import { classificationInterval } from "../metrics/classification_interval.ts";
import { VOTE_THRESHOLD } from "./aggregate.ts";
import type { MeasuredAccuracy } from "./judgement.ts";
import { calibrated, fitPlatt, logOdds, type PlattScaling } from "./platt.ts";

/** What a judge said of a claim of which the truth is known. */
export interface JudgedClaim {
  /** The unit of folds and bootstrap: a country, a response. */
  readonly cluster: string;
  readonly supported: boolean;
  /** 0–100, not calibrated. */
  readonly score: number;
}

export interface JudgeMeasurement {
  /** Fitted on all claims; undefined for a judge that writes its score, which is left as it is. */
  readonly scaling: PlattScaling | undefined;
  readonly measured: MeasuredAccuracy;
  /** Probability that a supported claim scores above another, ties half; 0.5 is chance. */
  readonly areaUnderCurve: number;
}

export interface MeasureOptions {
  readonly readout: "generation" | "next-token";
  /** Words for what the claims are. */
  readonly on: string;
  readonly random: RandomSource;
}

/** Parts into which clusters are dealt where a fit is measured on what it has not seen. */
export const FOLDS = 5;
const SIDES = ["supported", "not supported"] as const;
type Side = typeof SIDES[number];

function sideOf(supported: boolean): Side {
  return supported ? "supported" : "not supported";
}

function fit(claims: readonly JudgedClaim[]): PlattScaling {
  return fitPlatt(
    claims.map(({ score }) => logOdds(score / 100)),
    claims.map(({ supported }) => supported),
  );
}

/** The fold of each cluster, drawn by lot: 0 to 4. */
export function clusterFolds(
  claims: readonly { readonly cluster: string }[],
  random: RandomSource,
): ReadonlyMap<string, number> {
  const clusters = random.shuffle([...new Set(claims.map(({ cluster }) => cluster))].sort());
  return new Map(clusters.map((cluster, index) => [cluster, index % FOLDS]));
}

/**
 * Each claim's side by a scaling that was fitted without its cluster. The threshold is the share of
 * supported claims that it was fitted on: where a fold has more of them, the others have fewer, and
 * with 0.5 a judge that knows nothing would be wrong more often than by chance.
 */
function crossFitted(claims: readonly JudgedClaim[], random: RandomSource): readonly Side[] {
  const folds = clusterFolds(claims, random);
  const fitted = Array.from({ length: FOLDS }, (_, fold) => {
    const others = claims.filter(({ cluster }) => folds.get(cluster) !== fold);
    const share = others.filter(({ supported }) => supported).length / others.length;
    return { scaling: fit(others), share };
  });
  return claims.map(({ cluster, score }) => {
    const { scaling, share } = fitted[folds.get(cluster)!]!;
    return sideOf(calibrated(score / 100, scaling) >= share);
  });
}

/** Mann and Whitney's U over its greatest value: both kinds of claim, and any scale of scores. */
export function areaUnderCurve(
  claims: readonly Pick<JudgedClaim, "supported" | "score">[],
): number {
  const ranks = averageRanks(claims.map(({ score }) => score));
  const positive = claims.filter(({ supported }) => supported).length;
  const sum = ranks.reduce((all, rank, i) => claims[i]!.supported ? all + rank : all, 0);
  return (sum - positive * (positive + 1) / 2) / (positive * (claims.length - positive));
}

/**
 * How far a judge can be trusted, on claims with known labels: balanced accuracy of supported against
 * the rest with a 95 % bootstrap interval by cluster. A written score counts as it is, from 50 on; a
 * probability is calibrated first, and each claim measured by a scaling fitted on four fifths of the
 * clusters, not its own. The interval takes those scalings as given.
 *
 * @param claims At least five clusters, both labels in what is left without any fifth of them.
 * @throws {RangeError} where there are too few.
 */
export function measureJudge(
  claims: readonly JudgedClaim[],
  { readout, on, random }: MeasureOptions,
): JudgeMeasurement {
  const predicted = readout === "next-token"
    ? crossFitted(claims, random)
    : claims.map(({ score }) => sideOf(score >= VOTE_THRESHOLD));
  const outcomes = claims.map(({ cluster, supported }, i) => ({
    cluster,
    truth: sideOf(supported),
    predicted: predicted[i]!,
  }));
  const interval = classificationInterval(SIDES, outcomes, balancedAccuracy, random);
  if (interval.kind === "unavailable") {
    throw new RangeError(`Cannot measure a judge on ${claims.length} claims: ${interval.reason}`);
  }
  const { estimate, low, high, n } = interval;
  return {
    scaling: readout === "next-token" ? fit(claims) : undefined,
    measured: { balancedAccuracy: estimate, low, high, n, on },
    areaUnderCurve: areaUnderCurve(claims),
  };
}
