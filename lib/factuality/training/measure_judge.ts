import type { RandomSource } from "../../stats/random.ts";
import { calibrated, fitPlatt, isVoteFor, logOdds, type PlattScaling } from "../judges/ensemble.ts";
import { areaUnderCurve, balancedAccuracy } from "../metrics/classification.ts";
import { classificationInterval } from "../metrics/intervals.ts";
import type { MeasuredAccuracy } from "../types.ts";

/** What a judge said of a claim of which the truth is known. */
export interface JudgedClaim {
  /** The unit of folds and bootstrap: a country, a response. */
  readonly cluster: string;
  readonly supported: boolean;
  /** 0–100, not calibrated. */
  readonly score: number;
}

/** How far a judge can be trusted, and what makes a probability of its score. */
interface JudgeMeasurement {
  /** Fitted on all claims; undefined for a judge that writes its score, which is left as it is. */
  readonly scaling: PlattScaling | undefined;
  readonly measured: MeasuredAccuracy;
  /** Probability that a supported claim scores above another, ties half; 0.5 is chance. */
  readonly areaUnderCurve: number;
}

const SIDES = ["supported", "not supported"] as const;
const sideOf = (supported: boolean) => supported ? "supported" : "not supported";

/**
 * How far a judge can be trusted, on claims with known labels: balanced accuracy of supported against
 * the rest with a 95 % bootstrap interval by cluster. A written score counts as it is, from 50 on; a
 * probability is calibrated first, and each claim measured by a scaling fitted on four fifths of the
 * clusters, not its own. The interval takes those scalings as given.
 *
 * @param claims At least five clusters, both labels in what is left without any fifth of them.
 * @param on Words for what the claims are.
 * @throws {RangeError} where there are too few.
 */
export function measureJudge(
  claims: readonly JudgedClaim[],
  { readout, on, random }: {
    readonly readout: "generation" | "next-token";
    readonly on: string;
    readonly random: RandomSource;
  },
): JudgeMeasurement {
  const predicted = readout === "next-token"
    ? crossFitted(claims, random)
    : claims.map(({ score }) => isVoteFor(score));
  const outcomes = claims.map(({ cluster, supported }, i) => ({
    cluster,
    truth: sideOf(supported),
    predicted: sideOf(predicted[i]!),
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

/**
 * Whether each claim is taken for supported, by a scaling that was fitted without its cluster. The
 * threshold is the share of supported claims that it was fitted on: where a fold has more of them,
 * the others have fewer, and with 0.5 a judge that knows nothing would be wrong more often than by
 * chance.
 */
function crossFitted(claims: readonly JudgedClaim[], random: RandomSource): readonly boolean[] {
  const folds = clusterFolds(claims, random);
  const fitted = Array.from({ length: FOLDS }, (_, fold) => {
    const others = claims.filter(({ cluster }) => folds.get(cluster) !== fold);
    const share = others.filter(({ supported }) => supported).length / others.length;
    return { scaling: fit(others), share };
  });
  return claims.map(({ cluster, score }) => {
    const { scaling, share } = fitted[folds.get(cluster)!]!;
    return calibrated(score / 100, scaling) >= share;
  });
}

function fit(claims: readonly JudgedClaim[]): PlattScaling {
  const xs = claims.map(({ score }) => logOdds(score / 100));
  return fitPlatt(xs, claims.map(({ supported }) => supported));
}

/** Parts into which clusters are dealt where a fit is measured on what it has not seen. */
export const FOLDS = 5;

/** The fold of each cluster, drawn by lot: 0 to 4. */
export function clusterFolds(
  claims: readonly { readonly cluster: string }[],
  random: RandomSource,
): ReadonlyMap<string, number> {
  const clusters = random.shuffle([...new Set(claims.map(({ cluster }) => cluster))].sort());
  return new Map(clusters.map((cluster, index) => [cluster, index % FOLDS]));
}
