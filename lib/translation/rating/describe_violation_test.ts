import assert from "node:assert/strict";
import fc from "fast-check";
import type { RunConfig } from "../run_config.ts";
import { describeViolation } from "./describe_violation.ts";
import {
  anyDisplayMap,
  anyRatings,
  configFor,
  madeEvaluation,
  type MadeRating,
} from "./testdata/evaluations.ts";
import { violationsOf } from "./violations.ts";

/** All sentences; `displayMap` is 2, 0, 1, … unless told: t1 is row 2, t2 row 3, t3 row 1. */
function sentences(
  ratings: readonly MadeRating[],
  more: Partial<RunConfig> = {},
  displayMap = [2, 0, 1, 3, 4, 5].slice(0, ratings.length),
): string[] {
  const config = configFor(ratings.length, more);
  const evaluation = madeEvaluation(ratings, { displayMap });
  return violationsOf(evaluation, config).map((violation) =>
    describeViolation(violation, evaluation, config)
  );
}

Deno.test("describeViolation() says both ways to mend an order where they are equally small", () => {
  assert.deepEqual(sentences([["best", 60], ["good", 62], ["poor", 1]]), [
    "Row 3 (Good, 62) must score below row 2 (Best, 60): raise row 2 to 63 or lower row 3 to 59.",
  ]);
});

Deno.test("describeViolation() says a move by the bucket's label", () => {
  assert.deepEqual(sentences([["best", 95], ["good", 90], ["best", 40]]), [
    "Row 3 (Good, 90) must score below row 1 (Best, 40): " +
    "move row 1 to Good or move row 3 to Best.",
  ]);
});

Deno.test("describeViolation() says several changes together", () => {
  const ratings: MadeRating[] = [
    ["best", 51],
    ["good", 50],
    ["good", 50],
    ["ok", 50],
    ["ok", 50],
    ["poor", 49],
  ];
  assert.deepEqual(sentences(ratings), [
    "Row 4 (OK, 50) must score below row 3 (Good, 50): raise row 3 to 51 and raise row 2 to 52.",
  ]);
});

Deno.test("describeViolation() asks for new ratings where the scale is too short to mend", () => {
  const short = { daMax: 1, allowEmptyBuckets: false };
  assert.deepEqual(sentences([["best", 1], ["good", 1], ["ok", 0]], short), [
    "Poor is empty, and no bucket may be: move at least one row there.",
    "Row 3 (Good, 1) must score below row 2 (Best, 1): rate the rows of these two buckets again.",
  ]);
});

Deno.test("describeViolation() says what is missing and what would do", () => {
  assert.deepEqual(sentences([[undefined, undefined]], {}, [0]), [
    "Row 1 has no bucket yet: choose Best, Good, OK or Poor.",
    "Row 1 has no score yet: give a whole number from 0 to 100.",
  ]);
});

Deno.test("describeViolation() says what is wrong with a rating by itself", () => {
  assert.deepEqual(
    sentences([["great", 50], ["best", "8o"], ["best", 62.5], ["best", 101]], {}, [0, 1, 2, 3]),
    [
      "Row 1 is in “great”, which is no bucket here: choose Best, Good, OK or Poor.",
      "Row 2 has “8o” for a score, which is no number: give a whole number from 0 to 100.",
      "Row 3 scores 62.5, which is no whole number: give 62 or 63.",
      "Row 4 scores 101, which is off the scale: give a whole number from 0 to 100.",
    ],
  );
  assert.deepEqual(sentences([["best", 1.5]], { integerOnly: false, daMax: 1 }, [0]), [
    "Row 1 scores 1.5, which is off the scale: give a number from 0 to 1.",
  ]);
});

Deno.test("5.3: describeViolation() names rows and labels, never a column or a key", () => {
  const config = configFor(12);
  fc.assert(
    fc.property(anyRatings(12), anyDisplayMap(12), (ratings, displayMap) => {
      const evaluation = madeEvaluation(ratings, { displayMap });
      for (const violation of violationsOf(evaluation, config)) {
        const sentence = describeViolation(violation, evaluation, config);
        assert.match(sentence, /^Row ([1-9]|1[0-2]) .*\.$/);
        assert.doesNotMatch(sentence, /\bt\d|\b(best|good|ok|poor)\b|undefined|row 0|NaN to/);
      }
    }),
    { numRuns: 200 },
  );
});
