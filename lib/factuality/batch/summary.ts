import { mean, median, quantile } from "simple-statistics";
import { markdownTable } from "../../figures/table.ts";
import { clusterBootstrap } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import { verdictCounts } from "../report/words.ts";
import { type Evaluation, FACTUAL_ACCURACY } from "../types.ts";

/** What a batch says as a whole. */
export type BatchSummary = ReturnType<typeof batchSummary>;

const BINS = 10;

/**
 * Sums up what there is of so many requests. The random source draws the resamples. @param passedOver
 * Lines of the input that were no requests.
 */
export function batchSummary(
  evaluations: readonly Evaluation[],
  { requests, passedOver }: { readonly requests: number; readonly passedOver: number },
  random: RandomSource,
) {
  const scores = evaluations.map(({ criteria }) => {
    const ensemble = criteria.find(({ criterion }) => criterion === FACTUAL_ACCURACY)?.ensemble;
    return ensemble?.kind === "scored" ? ensemble.score : undefined;
  });
  const shares = evaluations.map(({ claims }) => {
    const counts = verdictCounts(claims);
    const without = claims.filter((one) => one.verdict.kind === "unscored" && one.unverifiable);
    const known = counts.supported + counts.refuted + counts["not enough info"] + without.length;
    return known === 0 ? undefined : counts.supported / known;
  });
  const failed = evaluations.filter((one) => one.failed.length > 0);
  return {
    requests,
    passedOver,
    evaluated: evaluations.length - failed.length,
    /** Of which a part failed: they are asked again. */
    incomplete: failed.map(({ request: { id }, failed }) => ({ id, failed })),
    missing: requests - evaluations.length,
    /** The ensemble's, 0–100. */
    factualAccuracy: distribution(scores, 100, random),
    /** Of a candidate's claims with a verdict, or looked up in vain, 0–1, by the verifier. */
    supportedShare: distribution(shares, 1, random),
    claims: verdictCounts(evaluations.flatMap(({ claims }) => claims)),
  };
}

type Distribution = ReturnType<typeof distribution>;

/**
 * How values between 0 and `most` are spread over requests; undefined ones are counted and left out.
 * Mean and median with 95 % intervals by resampling requests; deciles interpolated (R's type 7); ten
 * equal bins, the last with its `high`. @throws {RangeError} for a value outside.
 */
export function distribution(
  values: readonly (number | undefined)[],
  most: number,
  random: RandomSource,
) {
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
      confidence: 0.95,
      resamples: 2_000,
      random,
    });
  const tenths = Array.from({ length: 11 }, (_, tenth) => tenth / 10);
  const binOf = (value: number) => Math.min(BINS - 1, Math.floor((value / most) * BINS));
  return {
    scored: known.length,
    unscored: values.length - known.length,
    mean: interval(mean),
    median: interval(median),
    deciles: known.length === 0 ? [] : tenths.map((p) => quantile([...known], p)),
    histogram: Array.from({ length: BINS }, (_, bin) => ({
      low: (bin * most) / BINS,
      high: ((bin + 1) * most) / BINS,
      n: known.filter((value) => binOf(value) === bin).length,
    })),
  };
}

/** The summary of a batch as a readable report. */
export function summaryMarkdown(summary: BatchSummary): string {
  const { requests, evaluated, missing, incomplete, passedOver } = summary;
  const { factualAccuracy, supportedShare, claims } = summary;
  const sentences = [
    `${evaluated} of ${requests} requests are evaluated.`,
    ...missing === 0 ? [] : [`${missing} have no result: see failures.jsonl.`],
    ...incomplete.length === 0
      ? []
      : [`Of ${incomplete.length} a part failed: the same command asks them again.`],
    ...passedOver === 0 ? [] : [`Lines of the input that were passed over: ${passedOver}.`],
  ];
  const inPart = incomplete.map(({ id, failed }) => [id, failed.join(" ")]);
  const columns = ["figure", "scored", "unscored", "mean [95 %]", "median [95 %]", "deciles"];
  return [
    "# Factuality evaluation: batch",
    sentences.join(" "),
    ...inPart.length === 0 ? [] : [markdownTable(["request", "what failed"], inPart)],
    markdownTable(columns, [
      row("factual accuracy by the judges, 0–100", factualAccuracy, 1),
      row("share of claims supported, 0–1", supportedShare, 2),
    ]),
    "## Distribution of factual accuracy",
    histogramTable(factualAccuracy, 0),
    "## Distribution of the share supported",
    histogramTable(supportedShare, 1),
    "## Claims",
    markdownTable(["verdict", "claims"], Object.entries(claims)),
  ].join("\n\n") + "\n";
}

function row(figure: string, of: Distribution, digits: number) {
  const { scored, unscored, mean, median, deciles } = of;
  const shown = (interval: Distribution["mean"]) => {
    if (interval.kind === "unavailable") return `– (${interval.reason})`;
    const { estimate, low, high } = interval;
    return `${estimate.toFixed(digits)} [${low.toFixed(digits)}, ${high.toFixed(digits)}]`;
  };
  const tenths = deciles.map((value) => value.toFixed(digits)).join(" ");
  return [figure, scored, unscored, shown(mean), shown(median), tenths];
}

function histogramTable({ histogram }: Distribution, digits: number): string {
  const shown = ({ low, high }: { readonly low: number; readonly high: number }) =>
    `${low.toFixed(digits)}–${high.toFixed(digits)}`;
  return markdownTable(["from–to", "requests"], histogram.map((bin) => [shown(bin), bin.n]));
}
