import fc from "fast-check";
import { DEFAULT_RUN_CONFIG, type RunConfig } from "../configuration.ts";
import type { Evaluation, Rating } from "../types.ts";

/** A rating as bucket and score, in this order. */
export type MadeRating = readonly [bucket: string | undefined, da: number | string | undefined];

/** An evaluation not yet confirmed; the rater sees the translations in their own order. */
export function madeEvaluation(
  ratings: readonly MadeRating[],
  more: Partial<Evaluation> = {},
): Evaluation {
  return {
    itemId: 1,
    displayMap: [...ratings.keys()],
    ratings: ratings.map(([bucket, da]): Rating => ({ bucket, da })),
    comment: "",
    startedAt: undefined,
    committedAt: undefined,
    editCount: 0,
    activeSeconds: 0,
    highlightSeconds: 0,
    ...more,
  };
}

/** The default configuration with so many translations and this changed. */
export function configFor(numTranslations: number, more: Partial<RunConfig> = {}): RunConfig {
  return { ...DEFAULT_RUN_CONFIG, numTranslations, ...more };
}

const BUCKETS = ["best", "good", "ok", "poor"] as const;

/** Twelve rightly rated translations but for the third: a fragment, typed 99 for 9. */
export const ONE_SLIP: readonly MadeRating[] = [
  ["best", 92],
  ["best", 88],
  ["poor", 99],
  ["good", 74],
  ["good", 70],
  ["good", 66],
  ["ok", 52],
  ["ok", 48],
  ["poor", 20],
  ["ok", 25],
  ["poor", 12],
  ["poor", 5],
];

/** Every bucket known and every score a whole number from 0 to `top`, in any order. */
export function soundRatings(n: number, top: number): fc.Arbitrary<readonly MadeRating[]> {
  const rating = fc.tuple(fc.constantFrom(...BUCKETS), fc.integer({ min: 0, max: top }));
  return fc.array(rating, { minLength: n, maxLength: n });
}

/** Ratings with and without every fault that a cell can have; mostly sound, and often in order. */
export function anyRatings(n: number): fc.Arbitrary<readonly MadeRating[]> {
  const tidy = fc.nat(3).chain((rank) =>
    fc.tuple(
      fc.constant(BUCKETS[rank]),
      fc.integer({ min: 75 - 25 * rank, max: 99 - 25 * rank }),
    )
  );
  const wild = fc.tuple(
    fc.constantFrom(undefined, ...BUCKETS, "great"),
    fc.oneof(
      fc.constantFrom(undefined, "8o", -1, 101, 62.5, NaN),
      fc.integer({ min: 0, max: 100 }),
    ),
  );
  const rating: fc.Arbitrary<MadeRating> = fc.oneof({ arbitrary: tidy, weight: 25 }, wild);
  return fc.array(rating, { minLength: n, maxLength: n });
}

/** Any order in which n translations can be shown. */
export function anyDisplayMap(n: number): fc.Arbitrary<number[]> {
  const all = Array.from({ length: n }, (_, index) => index);
  return fc.shuffledSubarray(all, { minLength: n, maxLength: n });
}
