import { mean, quantileSorted, sampleStandardDeviation, sum } from "simple-statistics";
import { type Unavailable, unavailable } from "../../stats/agreement.ts";
import { practiceItem, type RunConfig } from "../configuration.ts";
import { isSoundScore } from "../rules/order.ts";
import type { ItemEvaluation, RatingWorkbook } from "../types.ts";

/**
 * Summarises a run, finished or not, without invalid scores.
 * Aggregates are over all translations, so that they reveal nothing of t1 … tN or a system.
 * Practice does not count, and neither do sentences seen before (repeats and checks, which the page
 * cannot identify otherwise).
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
  const active = (group: readonly ItemEvaluation[]) =>
    group.map(({ activeSeconds }) => activeSeconds);
  return {
    items: evaluations.length,
    scores: scoreSummary(ratings.map(({ da }) => da), config),
    buckets: config.buckets.map((bucket) => ({
      bucket,
      count: ratings.filter((rating) => rating.bucket === bucket.key).length,
    })),
    activeSeconds: quartiles(active(confirmed), "no item has been confirmed"),
    /** Seconds, to a tenth. */
    totalActiveSeconds: Math.round(10 * sum(active(evaluations))) / 10,
    wallClockSeconds: quartiles(
      confirmed.flatMap((it) => wallClockSeconds(it.startedAt, it.committedAt) ?? []),
      "no item has a start before its end",
    ),
  };
}

/** Summarises all Direct Assessment scores. The standard deviation is the sample's (n − 1). */
function scoreSummary(given: readonly (number | string | undefined)[], config: RunConfig) {
  // Sorted, since the last digit of a sum would otherwise reveal the order of the translations.
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
/** Maximum number of single-score bins: a scale of 0 to 10 has eleven. */
const MAX_SINGLE_SCORES = 12;

/**
 * Returns a histogram of scores.
 * There is a bin per score for up to twelve whole scores, else there are ten. Whole-score bins (0–9
 * … 90–100) include both ends; of fractional bins only the last includes its upper end.
 */
function histogram(scores: readonly number[], { daMin, daMax, integerOnly }: RunConfig) {
  const single = integerOnly && daMax - daMin < MAX_SINGLE_SCORES;
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

/** Ends and quartiles of values. */
export type Quartiles = Exclude<ReturnType<typeof quartiles>, Unavailable>;

/**
 * Returns quartiles by Hyndman and Fan's definition 7 (1996), the default in R.
 * `whyNone` is the reason if there are no values.
 */
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

/**
 * Returns seconds from opening to confirmation, breaks included.
 * The result is undefined if a time is missing or the confirmation precedes the opening.
 */
export function wallClockSeconds(
  startedAt: string | undefined,
  committedAt: string | undefined,
): number | undefined {
  if (!startedAt || !committedAt) return undefined;
  const seconds = (Date.parse(committedAt) - Date.parse(startedAt)) / 1000;
  return seconds >= 0 ? seconds : undefined;
}
