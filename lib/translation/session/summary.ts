import { mean, quantileSorted, sampleStandardDeviation, sum } from "simple-statistics";
import { type Unavailable, unavailable } from "../../stats/agreement.ts";
import { practiceItem, type RunConfig } from "../configuration.ts";
import { isSoundScore } from "../rules/order.ts";
import type { Evaluation, RatingWorkbook } from "../types.ts";

/**
 * Sums a run up, finished or not, unsound scores left out: aggregates over all translations only,
 * so that no figure of t1 … tN, and none of a system, can be had from it. Practice does not count, and
 * neither does a sentence that came before: a repeat or check, of which nothing else tells the page.
 */
export function summarise({ items }: RatingWorkbook, config: RunConfig) {
  const seen = new Set<string>();
  const evaluations = items.flatMap(({ input, evaluation }) => {
    const sentence = JSON.stringify([input.source, input.context]);
    if (practiceItem(config, input) || seen.has(sentence)) return [];
    seen.add(sentence);
    return [evaluation];
  });
  const ratings = evaluations.flatMap((evaluation) => evaluation.ratings);
  const confirmed = evaluations.filter(({ committedAt }) => committedAt !== undefined);
  const active = (own: readonly Evaluation[]) => own.map(({ activeSeconds }) => activeSeconds);
  return {
    items: evaluations.length,
    scores: scoreSummary(ratings.map(({ da }) => da), config),
    buckets: config.buckets.map((bucket) => ({
      bucket,
      count: ratings.filter((rating) => rating.bucket === bucket.key).length,
    })),
    activeSeconds: quartiles(active(confirmed), "no item has been confirmed"),
    /** To a tenth. */
    totalActiveSeconds: Math.round(10 * sum(active(evaluations))) / 10,
    wallClockSeconds: quartiles(
      confirmed.flatMap((it) => wallClockSeconds(it.startedAt, it.committedAt) ?? []),
      "no item has a start before its end",
    ),
  };
}

/** Direct Assessment over all translations of all items; the deviation is of a sample (n − 1). */
function scoreSummary(given: readonly (number | string | undefined)[], config: RunConfig) {
  // In order of size, or the last digit of a sum would tell the order of the translations.
  const sorted = given.filter((da) => isSoundScore(da, config)).sort((a, b) => a - b);
  const spread = quartiles(sorted, "nothing has been scored");
  if (spread.kind === "unavailable") return spread;
  return {
    kind: "scores" as const,
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

/**
 * One bin a score on a whole scale of up to twelve, else ten (0 … 9 to 90 … 100), ends included; of
 * fractions only the last includes its upper end.
 */
function histogram(scores: readonly number[], { daMin, daMax, integerOnly }: RunConfig) {
  const single = integerOnly && daMax - daMin < MOST_SINGLE_SCORES;
  const bins = single ? daMax - daMin + 1 : BINS;
  const edge = (bin: number) => {
    const width = (daMax - daMin) * bin / BINS;
    return single ? daMin + bin : daMin + (integerOnly ? Math.floor(width) : width);
  };
  return Array.from({ length: bins }, (_, bin) => {
    const [from, next, isLast] = [edge(bin), edge(bin + 1), bin === bins - 1];
    const to = single ? from : isLast ? daMax : integerOnly ? next - 1 : next;
    const reaches = (da: number) => integerOnly || isLast ? da <= to : da < to;
    return { from, to, count: scores.filter((da) => da >= from && reaches(da)).length };
  });
}

/** Spread of some values: ends and quartiles. */
export type Quartiles = Exclude<ReturnType<typeof quartiles>, Unavailable>;

/** By Hyndman and Fan's seventh definition (1996), R's default; `whyNone` says why there are none. */
export function quartiles(values: readonly number[], whyNone: string) {
  if (values.length === 0) return unavailable(whyNone);
  const sorted = values.toSorted((a, b) => a - b);
  return {
    kind: "quartiles" as const,
    n: sorted.length,
    min: sorted[0]!,
    lowerQuartile: quantileSorted(sorted, 0.25),
    median: quantileSorted(sorted, 0.5),
    upperQuartile: quantileSorted(sorted, 0.75),
    max: sorted.at(-1)!,
  };
}

/** Seconds from first opening to confirmation, breaks included; undefined without both in order. */
export function wallClockSeconds(
  startedAt: string | undefined,
  committedAt: string | undefined,
): number | undefined {
  if (!startedAt || !committedAt) return undefined;
  const seconds = (Date.parse(committedAt) - Date.parse(startedAt)) / 1000;
  return seconds >= 0 ? seconds : undefined;
}
