import { mean, median, quantile } from "simple-statistics";
import { type BootstrapInterval, clusterBootstrap } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import { FACTUAL_ACCURACY } from "../evaluation/components.ts";
import type { Evaluation } from "../evaluation/evaluation.ts";
import { verdictCounts } from "../report/words.ts";

/** How one figure is spread over the requests of a batch. */
export interface Distribution {
  /** Requests that have the figure, and those that do not. */
  readonly scored: number;
  readonly unscored: number;
  /** With 95 % intervals by resampling requests. */
  readonly mean: BootstrapInterval | Unavailable;
  readonly median: BootstrapInterval | Unavailable;
  /** Least, nine deciles and greatest, interpolated (R's type 7); none without a figure. */
  readonly deciles: readonly number[];
  /** Ten bins of equal width over the figure's range; `high` belongs to the last bin only. */
  readonly histogram: readonly {
    readonly low: number;
    readonly high: number;
    readonly n: number;
  }[];
}

/** What a batch says as a whole. */
export interface BatchSummary {
  readonly requests: number;
  readonly evaluated: number;
  /** Requests without a result. */
  readonly missing: number;
  /** Ensemble's factual accuracy, 0–100. */
  readonly factualAccuracy: Distribution;
  /** Share of a candidate's scored claims that the verifier takes for supported, 0–1. */
  readonly supportedShare: Distribution;
  readonly claims: ReturnType<typeof verdictCounts>;
}

const BOOTSTRAP = { confidence: 0.95, resamples: 2_000 };
const BINS = 10;

/** Sums up what there is of so many requests. The random source draws the resamples. */
export function batchSummary(
  evaluations: readonly Evaluation[],
  requests: number,
  random: RandomSource,
): BatchSummary {
  const [scores, shares] = [evaluations.map(scoreOf), evaluations.map(supportedShare)];
  return {
    requests,
    evaluated: evaluations.length,
    missing: requests - evaluations.length,
    factualAccuracy: distribution(scores, 100, random),
    supportedShare: distribution(shares, 1, random),
    claims: verdictCounts(evaluations.flatMap(({ claims }) => claims)),
  };
}

function scoreOf({ criteria }: Evaluation): number | undefined {
  const ensemble = criteria.find(({ criterion }) => criterion === FACTUAL_ACCURACY)?.ensemble;
  return ensemble?.kind === "scored" ? ensemble.score : undefined;
}

function supportedShare({ claims }: Evaluation): number | undefined {
  const counts = verdictCounts(claims);
  const scored = counts.supported + counts.refuted + counts["not enough info"];
  return scored === 0 ? undefined : counts.supported / scored;
}

/**
 * How values between 0 and `most` are spread; undefined ones are counted and left out.
 * @throws {RangeError} for a value outside.
 */
export function distribution(
  values: readonly (number | undefined)[],
  most: number,
  random: RandomSource,
): Distribution {
  const known = values.filter((value) => value !== undefined);
  const wrong = known.find((value) => !(value >= 0 && value <= most));
  if (wrong !== undefined) {
    throw new RangeError(`Cannot sum up: ${wrong} is not between 0 and ${most}.`);
  }
  const items = known.map((value, index) => ({ cluster: String(index), value }));
  const interval = (statistic: (values: number[]) => number) =>
    clusterBootstrap({
      items,
      statistic: (drawn) => drawn.length === 0 ? undefined : statistic([...drawn]),
      ...BOOTSTRAP,
      random,
    });
  const tenths = Array.from({ length: 11 }, (_, tenth) => tenth / 10);
  return {
    scored: known.length,
    unscored: values.length - known.length,
    mean: interval(mean),
    median: interval(median),
    deciles: known.length === 0 ? [] : tenths.map((p) => quantile([...known], p)),
    histogram: histogram(known, most),
  };
}

function histogram(values: readonly number[], most: number): Distribution["histogram"] {
  const binOf = (value: number) => Math.min(BINS - 1, Math.floor((value / most) * BINS));
  return Array.from({ length: BINS }, (_, bin) => ({
    low: (bin * most) / BINS,
    high: ((bin + 1) * most) / BINS,
    n: values.filter((value) => binOf(value) === bin).length,
  }));
}
