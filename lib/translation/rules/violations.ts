import type { RunConfig } from "../configuration.ts";
import type { Evaluation } from "../types.ts";
import { blameFor, type Change, fittingScores, type Way } from "./repairs.ts";
import {
  breaches,
  bucketRank,
  nextScore,
  type PlacedRating,
  type RankedRating,
  type ScoreInterval,
} from "./scale.ts";

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
    /** Each alone serves instead of the repair's first change; of two translations only for rivals. */
    readonly ways: readonly Way[];
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
      return { kind: "ordering", higher, lower, repair: [], ways: [] };
    });
  }
  return evaluation.displayMap
    .flatMap((shown) => culprits.filter(({ rating }) => rating.translation === shown))
    .map(({ rating, counterpart, ways, pushed }): Violation => ({
      kind: "ordering",
      higher: placed(rating.rank < counterpart.rank ? rating : counterpart),
      lower: placed(rating.rank < counterpart.rank ? counterpart : rating),
      repair: [ways[0]!.change, ...pushed],
      ways,
    }));
}

/** Whether an item lacks any bucket, any score or its confirmation by Next (FR-6). */
export function isIncomplete({ ratings, committedAt }: Evaluation): boolean {
  return committedAt === undefined ||
    ratings.some(({ bucket, da }) => bucket === undefined || da === undefined);
}

/** Whether an item, complete or not, breaks a rule, so that Finish is blocked (FR-7). */
export function isInvalid(evaluation: Evaluation, config: RunConfig): boolean {
  return violationsOf(evaluation, config)
    .some(({ kind }) => kind !== "missing-bucket" && kind !== "missing-score");
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
  const own = ratings.find((rating) => rating.translation === translation);
  const without = (out: readonly (RankedRating | undefined)[]) =>
    fittingScores(rank, ratings.filter((one) => one !== own && !out.includes(one)), config);
  const pair = culprits.find(({ rating, rival }) =>
    own && rival && (own === rating || own === rival)
  );
  // Each of two rivals goes by the other; all others go by both, if that leaves them room.
  if (pair) {
    return without(culprits.filter((one) => one !== pair).map(({ rating }) => rating));
  }
  const withRivals = without(culprits.filter(({ rival }) => !rival).map(({ rating }) => rating));
  return withRivals && (!own || own.da >= withRivals.low && own.da <= withRivals.high)
    ? withRivals
    : without(culprits.flatMap(({ rating, rival }) => [rating, rival]));
}

/** What the rater sees a translation as: its position, e.g. `row 3`. */
function rowName(translation: number, { displayMap }: Evaluation): string {
  return `row ${displayMap.indexOf(translation) + 1}`;
}

/** What the rater sees a bucket as; a bucket that the configuration lacks, as it is stored. */
export function bucketLabel(bucket: string, { buckets }: RunConfig): string {
  return buckets.find(({ key }) => key === bucket)?.label ?? bucket;
}

/** `a, b or c`; the word stands before the last of several. */
export function listed(parts: readonly string[], word: "and" | "or"): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} ${word} ${parts.at(-1)}`;
}

/** A violation in words of what the rater sees, with the smallest way to put it right. */
export function describeViolation(
  violation: Violation,
  evaluation: Evaluation,
  config: RunConfig,
): string {
  const sentence = violation.kind === "ordering"
    ? describeOrdering(violation, evaluation, config)
    : violation.kind === "empty-bucket"
    ? `Nothing is sorted into ${bucketLabel(violation.bucket, config)} yet: ` +
      "move at least one row there."
    : `${rowName(violation.translation, evaluation)} ${describeFault(violation, config)}.`;
  return sentence[0]!.toUpperCase() + sentence.slice(1);
}

type RowFault = Exclude<Violation, { readonly kind: "ordering" | "empty-bucket" }>;

function describeFault(fault: RowFault, config: RunConfig): string {
  const choose = `choose ${listed(config.buckets.map(({ label }) => label), "or")}`;
  const give = `give ${config.integerOnly ? "a whole number" : "a number"} ` +
    `from ${config.daMin} to ${config.daMax}`;
  switch (fault.kind) {
    case "missing-bucket":
      return `is not sorted yet: ${choose}`;
    case "missing-score":
      return `has no score yet: ${give}`;
    case "unknown-bucket":
      return `is sorted into “${fault.bucket}”, which there is not here: ${choose}`;
    case "not-a-number":
      return `has “${fault.text}” for a score, which is no number: ${give}`;
    case "not-an-integer":
      return `scores ${fault.da}, which is no whole number: ` +
        `give ${nextScore(fault.da, -1, config)} or ${nextScore(fault.da, 1, config)}`;
    case "out-of-range":
      return `scores ${fault.da}, which is off the scale: ${give}`;
  }
}

/**
 * `row 3 (Poor, 99) scores above row 8 (OK, 48): lower row 3 to 47 or less, or move it to Best.`
 */
function describeOrdering(
  { higher, lower, repair, ways }: Ordering,
  evaluation: Evaluation,
  config: RunConfig,
): string {
  const seen = ({ translation, bucket, da }: PlacedRating) =>
    `${rowName(translation, evaluation)} (${bucketLabel(bucket, config)}, ${da})`;
  const isTooLow = repair[0]?.translation === higher.translation;
  const [culprit, counterpart] = isTooLow ? [higher, lower] : [lower, higher];
  const side = isTooLow ? "below" : "above";
  const relation = lower.da === higher.da ? "the same as" : side;
  const remedy = imperative(repair, ways, evaluation, config);
  return `${seen(culprit)} scores ${relation} ${seen(counterpart)}: ${remedy}.`;
}

/** Where it takes several changes at once, one way is enough to read. */
function imperative(
  repair: readonly Change[],
  ways: readonly Way[],
  evaluation: Evaluation,
  config: RunConfig,
): string {
  const nameOf = ({ translation }: Change) => rowName(translation, evaluation);
  if (repair.length === 0) return "rate these rows again";
  if (repair.length > 1) {
    const each = repair.map((change) => describeWay({ change, scores: undefined }, nameOf(change)));
    return listed(each, "and");
  }
  const parts = ways.map((way, index) => {
    const isSame = ways[index - 1]?.change.translation === way.change.translation;
    return describeWay(way, isSame ? "it" : nameOf(way.change));
  });
  return parts.length === 1 ? parts[0]! : `${parts.slice(0, -1).join(", ")}, or ${parts.at(-1)}`;

  function describeWay({ change, scores }: Way, row: string): string {
    if (change.kind === "bucket") return `move ${row} to ${bucketLabel(change.bucket, config)}`;
    const isRaised = change.da > Number(evaluation.ratings[change.translation]!.da);
    const verb = isRaised ? "raise" : "lower";
    if (!scores || scores.low === scores.high) return `${verb} ${row} to ${change.da}`;
    if (isRaised && scores.high === config.daMax) return `${verb} ${row} to ${change.da} or more`;
    if (!isRaised && scores.low === config.daMin) return `${verb} ${row} to ${change.da} or less`;
    return `${verb} ${row} to a score from ${scores.low} to ${scores.high}`;
  }
}
