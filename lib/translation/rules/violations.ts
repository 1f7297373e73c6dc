import type { RunConfig } from "../configuration.ts";
import { bucketChoice, textsOf } from "../texts.ts";
import type { Evaluation } from "../types.ts";
import {
  blameFor,
  breaches,
  bucketRank,
  type Change,
  fittingScores,
  nextScore,
  type PlacedRating,
  type RankedRating,
  type ScoreInterval,
} from "./order.ts";

/** What an item still lacks, or which rule it breaks. `translation` is 0 … N−1, t1 … tN. */
export type Violation =
  | { readonly kind: "missing-bucket" | "missing-score"; readonly translation: number }
  | { readonly kind: "unknown-bucket"; readonly translation: number; readonly bucket: string }
  | { readonly kind: "not-a-number"; readonly translation: number; readonly text: string }
  | {
    readonly kind: "not-an-integer" | "out-of-range";
    readonly translation: number;
    readonly da: number;
  }
  | { readonly kind: "empty-bucket"; readonly bucket: string }
  | {
    readonly kind: "ordering";
    /** In the better bucket, with a score that is not above `lower`'s. */
    readonly higher: PlacedRating;
    readonly lower: PlacedRating;
    /** What puts this fault right, first the translation out of place; empty where nothing can. */
    readonly repair: readonly Change[];
    /** All scores that serve as well as the first change; undefined for a change of bucket. */
    readonly scores: ScoreInterval | undefined;
  };

type Ordering = Extract<Violation, { readonly kind: "ordering" }>;

/**
 * Everything an item lacks and every rule of FR-5 it breaks: first row by row in the order that the
 * rater sees, then empty buckets, then ratings out of place. Empty means that Next may go on. Order
 * applies to ratings that are sound in themselves.
 */
export function violationsOf(evaluation: Evaluation, config: RunConfig): readonly Violation[] {
  return [
    ...evaluation.displayMap.flatMap((translation) =>
      rowViolations(evaluation, translation, config)
    ),
    ...config.allowEmptyBuckets ? [] : emptyBuckets(evaluation, config),
    ...config.strictOrdering ? orderingViolations(evaluation, config) : [],
  ];
}

function rowViolations(
  { ratings }: Evaluation,
  translation: number,
  config: RunConfig,
): readonly Violation[] {
  const { bucket, da } = ratings[translation]!;
  const found: Violation[] = [];
  if (bucket === undefined) found.push({ kind: "missing-bucket", translation });
  else if (bucketRank(bucket, config) < 0) {
    found.push({ kind: "unknown-bucket", translation, bucket });
  }
  if (da === undefined) found.push({ kind: "missing-score", translation });
  else if (typeof da === "string" || !Number.isFinite(da)) {
    found.push({ kind: "not-a-number", translation, text: String(da) });
  } else if (da < config.daMin || da > config.daMax) {
    found.push({ kind: "out-of-range", translation, da });
  } else if (config.integerOnly && !Number.isInteger(da)) {
    found.push({ kind: "not-an-integer", translation, da });
  }
  return found;
}

/** Only once every translation has its bucket: before that, a bucket may yet be filled. */
function emptyBuckets({ ratings }: Evaluation, config: RunConfig): readonly Violation[] {
  const used = new Set(ratings.map(({ bucket }) => bucket));
  if (used.has(undefined)) return [];
  return config.buckets.filter(({ key }) => !used.has(key))
    .map(({ key }) => ({ kind: "empty-bucket", bucket: key }));
}

/** One for each rating out of place, in the order that the rater sees. */
function orderingViolations(evaluation: Evaluation, config: RunConfig): readonly Violation[] {
  const { ratings, culprits } = blameFor(evaluation, config);
  const placed = ({ translation, bucket, da }: RankedRating) => ({ translation, bucket, da });
  if (culprits.length === 0) {
    return breaches(ratings).map((pair) => {
      const [higher, lower] = [placed(pair.higher), placed(pair.lower)];
      return { kind: "ordering", higher, lower, repair: [], scores: undefined };
    });
  }
  return evaluation.displayMap
    .flatMap((shown) => culprits.filter(({ rating }) => rating.translation === shown))
    .map(({ rating, counterpart, change, scores, pushed }): Violation => ({
      kind: "ordering",
      higher: placed(rating.rank < counterpart.rank ? rating : counterpart),
      lower: placed(rating.rank < counterpart.rank ? counterpart : rating),
      repair: [change, ...pushed],
      scores,
    }));
}

/** Whether an item lacks any bucket, any score or its confirmation by Next (FR-6). */
export function isIncomplete({ ratings, committedAt }: Evaluation): boolean {
  return committedAt === undefined ||
    ratings.some(({ bucket, da }) => bucket === undefined || da === undefined);
}

/** Whether an item, complete or not, breaks a rule, so that Finish is blocked (FR-7). */
export function isInvalid(evaluation: Evaluation, config: RunConfig): boolean {
  return !violationsOf(evaluation, config).every(isMissing);
}

/** Whether it says that something is not there yet. */
export function isMissing({ kind }: Violation): boolean {
  return kind === "missing-bucket" || kind === "missing-score";
}

/**
 * The scores that keep a translation in order in its bucket. Ratings out of place do not count, so that
 * one slip does not take the room of all others. Undefined without a known bucket or where none would do.
 */
export function legalInterval(
  evaluation: Evaluation,
  translation: number,
  config: RunConfig,
): ScoreInterval | undefined {
  const rank = bucketRank(evaluation.ratings[translation]?.bucket, config);
  if (rank < 0) return undefined;
  if (!config.strictOrdering) return { low: config.daMin, high: config.daMax };
  const { ratings, culprits } = blameFor(evaluation, config);
  const blamed = new Set(culprits.map(({ rating }) => rating));
  const placed = ratings.filter((one) => one.translation !== translation && !blamed.has(one));
  return fittingScores(rank, placed, config);
}

/** What the rater sees a bucket as; a bucket that the configuration lacks, as it is stored. */
export function bucketLabel(bucket: string, { buckets }: RunConfig): string {
  return buckets.find(({ key }) => key === bucket)?.label ?? bucket;
}

/** A violation in words of what the rater sees, with the smallest way to put it right. */
export function describeViolation(
  violation: Violation,
  evaluation: Evaluation,
  config: RunConfig,
): string {
  if (violation.kind === "ordering") return describeOrdering(violation, evaluation, config);
  const texts = textsOf(config);
  if (violation.kind === "empty-bucket") {
    return texts(violation.kind, { bucket: bucketLabel(violation.bucket, config) });
  }
  const isFraction = violation.kind === "not-an-integer";
  return texts(violation.kind, {
    row: rowNumber(violation.translation, evaluation),
    buckets: bucketChoice(config),
    whole: String(config.integerOnly),
    min: config.daMin,
    max: config.daMax,
    ..."text" in violation && { text: violation.text },
    ..."bucket" in violation && { bucket: violation.bucket },
    ..."da" in violation && { da: violation.da },
    ...isFraction && { below: nextScore(violation.da, -1, config) },
    ...isFraction && { above: nextScore(violation.da, 1, config) },
  });
}

/** What the rater knows a translation by: its position, from 1. */
function rowNumber(translation: number, { displayMap }: Evaluation): number {
  return displayMap.indexOf(translation) + 1;
}

/**
 * `Row 3 (Poor, 99) scores above row 8 (OK, 48): lower row 3 to 47 or less.`
 */
function describeOrdering(
  violation: Ordering,
  evaluation: Evaluation,
  config: RunConfig,
): string {
  const { higher, lower, repair } = violation;
  const isTooLow = repair[0]?.translation === higher.translation;
  const [culprit, other] = isTooLow ? [higher, lower] : [lower, higher];
  const side = isTooLow ? "below" : "above";
  return textsOf(config)("ordering", {
    row: rowNumber(culprit.translation, evaluation),
    bucket: bucketLabel(culprit.bucket, config),
    da: culprit.da,
    relation: lower.da === higher.da ? "same" : side,
    otherRow: rowNumber(other.translation, evaluation),
    otherBucket: bucketLabel(other.bucket, config),
    otherDa: other.da,
    remedy: remedyFor(violation, evaluation, config),
  });
}

/** Where it takes several changes at once, one score each is enough to read. */
function remedyFor(
  { repair, scores }: Ordering,
  evaluation: Evaluation,
  config: RunConfig,
): string {
  const texts = textsOf(config);
  if (repair.length === 0) return texts("rateAgain");
  const each = repair.map((change) => {
    const row = rowNumber(change.translation, evaluation);
    if (change.kind === "bucket") {
      return texts("move", { row, bucket: bucketLabel(change.bucket, config) });
    }
    const isRaised = change.da > Number(evaluation.ratings[change.translation]!.da);
    const verb = isRaised ? "raise" : "lower";
    const values = { row, da: change.da, ...scores };
    if (!scores || repair.length > 1 || scores.low === scores.high) return texts(verb, values);
    if (isRaised && scores.high === config.daMax) return texts("raiseOrMore", values);
    if (!isRaised && scores.low === config.daMin) return texts("lowerOrLess", values);
    return texts(`${verb}Between`, values);
  });
  return texts.listed(each, "and");
}
