import type { Evaluation } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { blameFor } from "./blame.ts";
import type { Culprit } from "./culprits.ts";
import { breaches, bucketRank, type RankedRating } from "./ordering.ts";
import type { PlacedRating, Violation } from "./violation.ts";

/**
 * Everything an item lacks and every rule of FR-5 it breaks: first row by row in the order that the
 * rater sees, then empty buckets, then ratings out of place. Empty means that Next may go on.
 *
 * Order applies to ratings that are sound in themselves: a score of 150 is out of range, and not
 * also too low or too high for its neighbours.
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
  return [
    ...bucket === undefined
      ? [{ kind: "missing-bucket", translation } as const]
      : bucketRank(bucket, config) >= 0
      ? []
      : [{ kind: "unknown-bucket", translation, bucket } as const],
    ...scoreViolations(da, translation, config),
  ];
}

function scoreViolations(
  da: number | string | undefined,
  translation: number,
  config: RunConfig,
): readonly Violation[] {
  if (da === undefined) return [{ kind: "missing-score", translation }];
  if (typeof da === "string" || !Number.isFinite(da)) {
    return [{ kind: "not-a-number", translation, text: String(da) }];
  }
  if (da < config.daMin || da > config.daMax) return [{ kind: "out-of-range", translation, da }];
  return config.integerOnly && !Number.isInteger(da)
    ? [{ kind: "not-an-integer", translation, da }]
    : [];
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
  if (culprits.length === 0) {
    return breaches(ratings).map(({ higher, lower }) => ({
      kind: "ordering",
      higher: placed(higher),
      lower: placed(lower),
      repair: [],
      ways: [],
    }));
  }
  const position = ({ rating }: Culprit) => evaluation.displayMap.indexOf(rating.translation);
  return culprits.toSorted((a, b) => position(a) - position(b))
    .map(({ rating, counterpart, ways, pushed }) => {
      const [higher, lower] = rating.rank < counterpart.rank
        ? [rating, counterpart]
        : [counterpart, rating];
      return {
        kind: "ordering",
        higher: placed(higher),
        lower: placed(lower),
        repair: [ways[0]!.change, ...pushed],
        ways,
      };
    });
}

function placed({ translation, bucket, da }: RankedRating): PlacedRating {
  return { translation, bucket, da };
}
