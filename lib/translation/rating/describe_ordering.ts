import type { Evaluation } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { rankedRatings } from "./ordering.ts";
import { smallestRepairs } from "./repair.ts";
import type { Change, PlacedRating, Violation } from "./violation.ts";
import { bucketLabel, listed, rowName } from "./wording.ts";

type Ordering = Extract<Violation, { readonly kind: "ordering" }>;

/**
 * Two rows out of order and how to mend it, without a capital at the front; where several ways are
 * equally small, all of them.
 */
export function describeOrdering(
  violation: Ordering,
  evaluation: Evaluation,
  config: RunConfig,
): string {
  const seen = ({ translation, bucket, da }: PlacedRating) =>
    `${rowName(translation, evaluation)} (${bucketLabel(bucket, config)}, ${da})`;
  const rule = `${seen(violation.lower)} must score below ${seen(violation.higher)}`;
  const ways = waysToMend(violation, evaluation, config).map((changes) =>
    listed(changes.map((change) => describeChange(change, evaluation, config)), "and")
  );
  return ways.length === 0
    ? `${rule}: rate the rows of these two buckets again.`
    : `${rule}: ${listed(ways, "or")}.`;
}

/** Where it takes several changes at once, one way is enough to read. */
function waysToMend(
  { higher, lower, repair }: Ordering,
  evaluation: Evaluation,
  config: RunConfig,
): readonly (readonly Change[])[] {
  if (repair.length !== 1) return repair.length === 0 ? [] : [repair];
  const ratings = rankedRatings(evaluation, config);
  const ranked = (of: PlacedRating) =>
    ratings.find(({ translation }) => translation === of.translation)!;
  return smallestRepairs({ higher: ranked(higher), lower: ranked(lower) }, ratings, config);
}

function describeChange(change: Change, evaluation: Evaluation, config: RunConfig): string {
  const row = rowName(change.translation, evaluation);
  if (change.kind === "bucket") return `move ${row} to ${bucketLabel(change.bucket, config)}`;
  const isRaised = change.da > Number(evaluation.ratings[change.translation]!.da);
  return `${isRaised ? "raise" : "lower"} ${row} to ${change.da}`;
}
