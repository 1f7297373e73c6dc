import type { RunConfig } from "../configuration.ts";
import { bucketChoice, textsOf } from "../page_texts.ts";
import type { ItemEvaluation } from "../types.ts";
import {
  bucketRank,
  type Change,
  findCulprits,
  fittingScores,
  nextScore,
  orderViolations,
  type PlacedRating,
  type RankedRating,
  type ScoreInterval,
} from "./order.ts";

/** A missing entry or broken rule of an item. `translation` is 0 … N−1 for t1 … tN. */
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
    /** The rating in the better bucket, whose score does not exceed `lower`'s. */
    readonly higher: PlacedRating;
    readonly lower: PlacedRating;
    /** Changes that repair this, the misplaced translation first; empty if none can. */
    readonly repair: readonly Change[];
    /** All scores as good as the first change. It is undefined for a change of bucket. */
    readonly scores: ScoreInterval | undefined;
  };

type Ordering = Extract<Violation, { readonly kind: "ordering" }>;

/**
 * Returns an item's missing entries and broken rules of FR-5.
 * Rows come first, in display order, then empty buckets, then ratings out of order. An empty list
 * means that Next may go on. Ordering applies only to ratings that are valid on their own.
 */
export function violationsOf(evaluation: ItemEvaluation, config: RunConfig): readonly Violation[] {
  return [
    ...evaluation.displayMap.flatMap((translation) =>
      rowViolations(evaluation, translation, config)
    ),
    ...config.allowEmptyBuckets ? [] : emptyBuckets(evaluation, config),
    ...config.strictOrdering ? orderingViolations(evaluation, config) : [],
  ];
}

function rowViolations(
  { ratings }: ItemEvaluation,
  translation: number,
  config: RunConfig,
): readonly Violation[] {
  const { bucket, da } = ratings[translation]!;
  const violations: Violation[] = [];
  if (bucket === undefined) violations.push({ kind: "missing-bucket", translation });
  else if (bucketRank(bucket, config) < 0) {
    violations.push({ kind: "unknown-bucket", translation, bucket });
  }
  if (da === undefined) violations.push({ kind: "missing-score", translation });
  else if (typeof da === "string" || !Number.isFinite(da)) {
    violations.push({ kind: "not-a-number", translation, text: String(da) });
  } else if (da < config.daMin || da > config.daMax) {
    violations.push({ kind: "out-of-range", translation, da });
  } else if (config.integerOnly && !Number.isInteger(da)) {
    violations.push({ kind: "not-an-integer", translation, da });
  }
  return violations;
}

/** Returns empty buckets once every translation has a bucket. Earlier they may yet be filled. */
function emptyBuckets({ ratings }: ItemEvaluation, config: RunConfig): readonly Violation[] {
  const used = new Set(ratings.map(({ bucket }) => bucket));
  if (used.has(undefined)) return [];
  return config.buckets.filter(({ key }) => !used.has(key))
    .map(({ key }) => ({ kind: "empty-bucket", bucket: key }));
}

/** Returns one violation per misplaced rating, in display order. */
function orderingViolations(evaluation: ItemEvaluation, config: RunConfig): readonly Violation[] {
  const { ratings, culprits } = findCulprits(evaluation, config);
  const placed = ({ translation, bucket, da }: RankedRating) => ({ translation, bucket, da });
  if (culprits.length === 0) {
    return orderViolations(ratings).map((pair) => {
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

/** Tests whether an item lacks a bucket, a score or its confirmation (FR-6). */
export function isIncomplete({ ratings, committedAt }: ItemEvaluation): boolean {
  return committedAt === undefined ||
    ratings.some(({ bucket, da }) => bucket === undefined || da === undefined);
}

/** Tests whether an item breaks a rule, which blocks Finish (FR-7). */
export function isInvalid(evaluation: ItemEvaluation, config: RunConfig): boolean {
  return !violationsOf(evaluation, config).every(isMissing);
}

/** Tests whether a violation is only a missing entry. */
export function isMissing({ kind }: Violation): boolean {
  return kind === "missing-bucket" || kind === "missing-score";
}

/**
 * Returns the scores that keep a translation in order in its bucket.
 * Misplaced ratings do not count, so that one slip does not restrict all others. Undefined if the
 * bucket is unknown or no score fits.
 */
export function legalInterval(
  evaluation: ItemEvaluation,
  translation: number,
  config: RunConfig,
): ScoreInterval | undefined {
  const rank = bucketRank(evaluation.ratings[translation]?.bucket, config);
  if (rank < 0) return undefined;
  if (!config.strictOrdering) return { low: config.daMin, high: config.daMax };
  const { ratings, culprits } = findCulprits(evaluation, config);
  const blamed = new Set(culprits.map(({ rating }) => rating));
  const placed = ratings.filter((one) => one.translation !== translation && !blamed.has(one));
  return fittingScores(rank, placed, config);
}

/** Returns a bucket's label, or its stored key if the configuration lacks it. */
export function bucketLabel(bucket: string, { buckets }: RunConfig): string {
  return buckets.find(({ key }) => key === bucket)?.label ?? bucket;
}

/** Describes a violation as the rater sees it, with the smallest repair. */
export function describeViolation(
  violation: Violation,
  evaluation: ItemEvaluation,
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

/** Returns a translation's row on the screen, from 1. */
function rowNumber(translation: number, { displayMap }: ItemEvaluation): number {
  return displayMap.indexOf(translation) + 1;
}

/**
 * Describes an order violation and its repair.
 * `Row 3 (Poor, 99) scores above row 8 (OK, 48): lower row 3 to 47 or less.`
 */
function describeOrdering(
  violation: Ordering,
  evaluation: ItemEvaluation,
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

/** States the remedy; for several changes, one score each. */
function remedyFor(
  { repair, scores }: Ordering,
  evaluation: ItemEvaluation,
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
