import assert from "node:assert/strict";
import fc from "fast-check";
import { DEFAULT_RUN_CONFIG, type RunConfig } from "../configuration.ts";
import {
  anyDisplayMap,
  anyRatings,
  configFor,
  madeEvaluation,
  type MadeRating,
  ONE_SLIP,
} from "../testdata/evaluations.ts";
import type { ItemEvaluation } from "../types.ts";
import { describeViolation, isIncomplete, isInvalid, violationsOf } from "./violations.ts";

Deno.test("violationsOf() lists faults row by row in the order that the rater sees", () => {
  const scores = ["8o", 62.5, 101, -0.5, NaN, 90].map((da): MadeRating => ["best", da]);
  const evaluation = madeEvaluation([[undefined, undefined], ["great", 50], ...scores], {
    displayMap: [7, 6, 5, 4, 3, 2, 1, 0],
  });
  assert.deepEqual(violationsOf(evaluation, configFor(8)), [
    { kind: "not-a-number", translation: 6, text: "NaN" },
    { kind: "out-of-range", translation: 5, da: -0.5 },
    { kind: "out-of-range", translation: 4, da: 101 },
    { kind: "not-an-integer", translation: 3, da: 62.5 },
    { kind: "not-a-number", translation: 2, text: "8o" },
    { kind: "unknown-bucket", translation: 1, bucket: "great" },
    { kind: "missing-bucket", translation: 0 },
    { kind: "missing-score", translation: 0 },
  ]);
});

Deno.test("violationsOf() wants no bucket filled before every translation has one", () => {
  const config = configFor(4, { allowEmptyBuckets: false });
  const empty = (fourth: string | undefined) =>
    violationsOf(madeEvaluation([["best", 90], ["good", 70], ["ok", 40], [fourth, 10]]), config)
      .flatMap((one) => one.kind === "empty-bucket" ? [one.bucket] : []);
  assert.deepEqual([undefined, "ok", "poor"].map(empty), [[], ["poor"], []]);
});

/** FR-5 implemented literally and independently of the rules. */
function isValidByFr5({ ratings }: ItemEvaluation, { daMin, daMax }: RunConfig): boolean {
  const KEYS = ["best", "good", "ok", "poor"];
  for (const { bucket, da } of ratings) {
    if (bucket === undefined || !KEYS.includes(bucket)) return false;
    if (typeof da !== "number" || !Number.isInteger(da) || da < daMin || da > daMax) return false;
  }
  const scores = KEYS.map((key) =>
    ratings.filter(({ bucket }) => bucket === key).map(({ da }) => da as number)
  );
  const filled = scores.filter((bucket) => bucket.length > 0);
  for (let i = 1; i < filled.length; i++) {
    if (Math.max(...filled[i]!) >= Math.min(...filled[i - 1]!)) return false;
  }
  return true;
}

Deno.test("FR-5: violationsOf() agrees with a reading of the specification word by word, in any display order", () => {
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(anyRatings(12), anyDisplayMap(12), (ratings, displayMap) => {
      const evaluation = madeEvaluation(ratings, { displayMap });
      const isValid = isValidByFr5(evaluation, DEFAULT_RUN_CONFIG);
      seen[isValid ? "valid" : "invalid"]++;
      const violations = violationsOf(evaluation, DEFAULT_RUN_CONFIG);
      assert.equal(violations.length === 0, isValid);
      const plain = violationsOf(madeEvaluation(ratings), DEFAULT_RUN_CONFIG);
      const [one, other] = [violations, plain].map((all) =>
        all.map((it) => JSON.stringify(it)).sort()
      );
      assert.deepEqual(one, other);
    }),
    { numRuns: 300 },
  );
  assert(seen.valid > 20 && seen.invalid > 20, JSON.stringify(seen));
});

Deno.test("FR-6: isIncomplete() wants every bucket, score and the confirmation; isInvalid() does not mind", () => {
  const committedAt = "2026-01-13T21:46:00.000Z";
  const incomplete = (ratings: readonly MadeRating[], more = {}) => {
    const evaluation = madeEvaluation(ratings, more);
    assert.ok(!isInvalid(evaluation, configFor(2)));
    return isIncomplete(evaluation);
  };
  const whole: MadeRating[] = [["best", 90], ["good", 80]];
  assert.deepEqual([incomplete(whole, { committedAt }), incomplete(whole)], [false, true]);
  for (const missing of [[undefined, 80], ["good", undefined]] as const) {
    assert.ok(incomplete([["best", 90], missing], { committedAt }));
  }
});

/**
 * Describes all violations. By default `displayMap` is 2, 0, 1, …: t1 is row 2, t2 row 3, t3 row 1.
 */
function sentences(
  ratings: readonly MadeRating[],
  displayMap = [2, 0, 1, 3, 4, 5].slice(0, ratings.length),
): string[] {
  const config = configFor(ratings.length);
  const evaluation = madeEvaluation(ratings, { displayMap });
  return violationsOf(evaluation, config).map((it) => describeViolation(it, evaluation, config));
}

Deno.test("describeViolation() names the row out of place, whom it stands against, and the way back", () => {
  assert.deepEqual(sentences(ONE_SLIP, [...ONE_SLIP.keys()]), [
    "Row 3 (Poor, 99) scores above row 10 (OK, 25): lower row 3 to 24 or less.",
  ]);
  assert.deepEqual(sentences([["best", 60], ["good", 62], ["poor", 1]]), [
    "Row 3 (Good, 62) scores above row 2 (Best, 60): lower row 3 to a score from 2 to 59.",
  ]);
  assert.deepEqual(sentences([["best", 50], ["good", 50], ["poor", 49]], [0, 1, 2]), [
    "Row 1 (Best, 50) scores the same as row 2 (Good, 50): raise row 1 to 51 or more.",
  ]);
  // No score lies between 49 and 50.
  assert.deepEqual(sentences([["best", 50], ["good", 10], ["ok", 49]], [0, 1, 2]), [
    "Row 2 (Good, 10) scores below row 3 (OK, 49): move row 2 to OK.",
  ]);
});

Deno.test("5.3: describeViolation() names rows and labels, never a column or a key", () => {
  fc.assert(fc.property(anyRatings(12), anyDisplayMap(12), (ratings, displayMap) => {
    for (const sentence of sentences(ratings, displayMap)) {
      assert.match(sentence, /^Row ([1-9]|1[0-2]) .*\.$/);
      assert.doesNotMatch(sentence, /\bt\d|\b(best|good|ok|poor)\b|undefined|row 0|NaN to/);
    }
  }));
});
