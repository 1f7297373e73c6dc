import fc from "fast-check";
import { DEFAULT_RUN_CONFIG, type RunConfig } from "../configuration.ts";
import type { ItemEvaluation, RatingWorkbook } from "../types.ts";

/** A rating as a tuple of bucket and score. */
export type MadeRating = readonly [bucket: string | undefined, da: number | string | undefined];

/** An unconfirmed evaluation whose display order is t1 … tN. */
export function madeEvaluation(
  ratings: readonly MadeRating[],
  more: Partial<ItemEvaluation> = {},
): ItemEvaluation {
  return {
    itemId: 1,
    displayMap: [...ratings.keys()],
    ratings: ratings.map(([bucket, da]) => ({ bucket, da })),
    comment: "",
    startedAt: undefined,
    committedAt: undefined,
    editCount: 0,
    activeSeconds: 0,
    highlightSeconds: 0,
    idleSeconds: 0,
    ...more,
  };
}

/** A workbook of these evaluations, numbered from 1, with made-up hashes. */
export function workbookOf(
  evaluations: readonly ItemEvaluation[],
  keySha256 = "k",
): RatingWorkbook {
  const items = evaluations.map((evaluation, index) => ({
    input: {
      itemId: index + 1,
      source: `sentence ${index + 1}`,
      translations: evaluation.ratings.map((_, t) => `translation ${t + 1}`),
      rowInputHash: "h",
    },
    evaluation: { ...evaluation, itemId: index + 1 },
  }));
  return { runId: "6f1c0a52-5b0e-4a50-9f7e-0d3f5f0f3a11", configSha256: "c", keySha256, items };
}

/** The default configuration with N translations and these changes. */
export function configFor(numTranslations: number, more: Partial<RunConfig> = {}): RunConfig {
  return { ...DEFAULT_RUN_CONFIG, numTranslations, ...more };
}

const BUCKETS = ["best", "good", "ok", "poor"] as const;

/** Twelve correct ratings except the third, a fragment with 99 typed for 9. */
export const ONE_SLIP: readonly MadeRating[] = [
  ...[92, 88].map((da) => ["best", da] as const),
  ["poor", 99],
  ...[74, 70, 66].map((da) => ["good", da] as const),
  ...[52, 48].map((da) => ["ok", da] as const),
  ["poor", 20],
  ["ok", 25],
  ...[12, 5].map((da) => ["poor", da] as const),
];

/** Valid buckets with whole scores from 0 to `top`, in any order. */
export function soundRatings(n: number, top: number): fc.Arbitrary<readonly MadeRating[]> {
  const rating = fc.tuple(fc.constantFrom(...BUCKETS), fc.integer({ min: 0, max: top }));
  return fc.array(rating, { minLength: n, maxLength: n });
}

/** Ratings with all kinds of cell faults. Most are valid, and many in order. */
export function anyRatings(n: number): fc.Arbitrary<readonly MadeRating[]> {
  const tidy = fc.tuple(fc.nat(3), fc.nat(24))
    .map(([rank, da]) => [BUCKETS[rank], 75 - 25 * rank + da] as const);
  const odd = fc.constantFrom(undefined, "8o", -1, 101, 62.5, NaN);
  const wild = fc.tuple(
    fc.constantFrom(undefined, ...BUCKETS, "great"),
    fc.oneof(odd, fc.integer({ min: 0, max: 100 })),
  );
  const rating: fc.Arbitrary<MadeRating> = fc.oneof({ arbitrary: tidy, weight: 25 }, wild);
  return fc.array(rating, { minLength: n, maxLength: n });
}

/** Any display order of n translations. */
export function anyDisplayMap(n: number): fc.Arbitrary<number[]> {
  return fc.shuffledSubarray([...Array(n).keys()], { minLength: n, maxLength: n });
}
