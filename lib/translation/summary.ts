import { mean, sampleStandardDeviation, sum } from "simple-statistics";
import { type Unavailable, unavailable } from "../stats/unavailable.ts";
import type { RatingWorkbook } from "./item.ts";
import { type Quartiles, quartiles } from "./quartiles.ts";
import { isSoundScore } from "./rating/score.ts";
import type { Bucket, RunConfig } from "./run_config.ts";
import { wallClockSeconds } from "./wall_clock.ts";

export type { Quartiles } from "./quartiles.ts";

/** Direct Assessment over all translations of all items. */
export interface ScoreSummary {
  readonly kind: "scores";
  readonly mean: number;
  /** Of a sample (n − 1). */
  readonly standardDeviation: number | Unavailable;
  readonly quartiles: Quartiles;
  /** From the lowest: one bin a score on a scale of up to twelve, else ten as wide as can be. */
  readonly histogram: readonly HistogramBin[];
}

/**
 * Of whole scores `from` to `to`, both included; of others `from` up to but without `to`, which only
 * the last bin includes.
 */
export interface HistogramBin extends BinEnds {
  readonly count: number;
}

interface BinEnds {
  readonly from: number;
  readonly to: number;
}

/** How often a bucket was chosen, over all translations of all items. */
export interface BucketCount {
  readonly bucket: Bucket;
  readonly count: number;
}

/**
 * What a rater may see of a run at its end (FR-10). Aggregates over all translations only: nothing
 * in it changes if the translations of any item change places, so that no figure of t1 … tN, and
 * none of a system, can be had from it.
 */
export interface RunSummary {
  readonly items: number;
  /** Of these, items confirmed by Next. */
  readonly confirmed: number;
  readonly scores: ScoreSummary | Unavailable;
  /** In the configuration's order, best first. */
  readonly buckets: readonly BucketCount[];
  /** Seconds at work per confirmed item, idle gaps capped. */
  readonly activeSeconds: Quartiles | Unavailable;
  /** Seconds at work on all items together, to a tenth. */
  readonly totalActiveSeconds: number;
  /** Seconds from `started_at` to `committed_at` per confirmed item, breaks included. */
  readonly wallClockSeconds: Quartiles | Unavailable;
}

/** Sums a run up, finished or not. Scores that are missing or unsound are left out. */
export function summarise(workbook: RatingWorkbook, config: RunConfig): RunSummary {
  const evaluations = workbook.items.map(({ evaluation }) => evaluation);
  const ratings = evaluations.flatMap((evaluation) => evaluation.ratings);
  const confirmed = evaluations.filter(({ committedAt }) => committedAt !== undefined);
  return {
    items: evaluations.length,
    confirmed: confirmed.length,
    scores: scoreSummary(
      ratings.map(({ da }) => da).filter((da) => isSoundScore(da, config)),
      config,
    ),
    buckets: config.buckets.map((bucket) => ({
      bucket,
      count: ratings.filter((rating) => rating.bucket === bucket.key).length,
    })),
    activeSeconds: quartiles(
      confirmed.map((evaluation) => evaluation.activeSeconds),
      "no item has been confirmed",
    ),
    totalActiveSeconds: toTenth(sum(evaluations.map((evaluation) => evaluation.activeSeconds))),
    wallClockSeconds: quartiles(
      confirmed.map(wallClockSeconds).filter((seconds) => seconds !== undefined),
      "no item has a start before its end",
    ),
  };
}

function scoreSummary(scores: readonly number[], config: RunConfig): ScoreSummary | Unavailable {
  // In order of size, or the last digit of a sum would tell the order of the translations.
  const sorted = scores.toSorted((a, b) => a - b);
  const spread = quartiles(sorted, "nothing has been scored");
  if (spread.kind === "unavailable") return spread;
  return {
    kind: "scores",
    mean: mean(sorted),
    standardDeviation: sorted.length > 1
      ? sampleStandardDeviation(sorted)
      : unavailable("there is only one score"),
    quartiles: spread,
    histogram: histogram(sorted, config),
  };
}

const BINS = 10;
/** So many bars are still easily read, and a scale of 0 to 10 has eleven scores. */
const MOST_SINGLE_SCORES = 12;

function histogram(scores: readonly number[], config: RunConfig): readonly HistogramBin[] {
  const bins = config.integerOnly ? wholeBins(config) : fractionalBins(config);
  return bins.map(({ from, to }, bin) => {
    const reaches = config.integerOnly || bin === bins.length - 1
      ? (da: number) => da <= to
      : (da: number) => da < to;
    return { from, to, count: scores.filter((da) => da >= from && reaches(da)).length };
  });
}

/** On the scale 0 … 100: 0 to 9, …, 80 to 89, 90 to 100. */
function wholeBins({ daMin, daMax }: RunConfig): readonly BinEnds[] {
  const scores = daMax - daMin + 1;
  if (scores <= MOST_SINGLE_SCORES) {
    return Array.from({ length: scores }, (_, bin) => ({ from: daMin + bin, to: daMin + bin }));
  }
  const start = (bin: number) => daMin + Math.floor((daMax - daMin) * bin / BINS);
  return Array.from({ length: BINS }, (_, bin) => ({
    from: start(bin),
    to: bin === BINS - 1 ? daMax : start(bin + 1) - 1,
  }));
}

function fractionalBins({ daMin, daMax }: RunConfig): readonly BinEnds[] {
  const edge = (bin: number) => daMin + (daMax - daMin) * bin / BINS;
  return Array.from({ length: BINS }, (_, bin) => ({ from: edge(bin), to: edge(bin + 1) }));
}

function toTenth(seconds: number): number {
  return Math.round(seconds * 10) / 10;
}
