import type { Evaluation } from "../item.ts";
import type { RunConfig } from "../run_config.ts";
import { breaches, rankedRatings } from "./ordering.ts";
import { smallestRepairs } from "./repair.ts";
import type { Violation } from "./violation.ts";

/**
 * Everything an item lacks and every rule of FR-5 it breaks: first row by row in the order that the
 * rater sees, then empty buckets, then pairs out of order. Empty means that Next may go on.
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
  const isKnown = config.buckets.some(({ key }) => key === bucket);
  return [
    ...bucket === undefined
      ? [{ kind: "missing-bucket", translation } as const]
      : isKnown
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

function orderingViolations(evaluation: Evaluation, config: RunConfig): readonly Violation[] {
  const ratings = rankedRatings(evaluation, config);
  return breaches(ratings).map((breach) => ({
    kind: "ordering",
    higher: placed(breach.higher),
    lower: placed(breach.lower),
    repair: smallestRepairs(breach, ratings, config)[0] ?? [],
  }));

  function placed({ translation, bucket, da }: typeof ratings[number]) {
    return { translation, bucket, da };
  }
}
