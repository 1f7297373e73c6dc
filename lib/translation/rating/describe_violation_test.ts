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
  ONE_SLIP,
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

Deno.test("describeViolation() names the row out of place, its limit and both ways back", () => {
  assert.deepEqual(sentences(ONE_SLIP, {}, [...ONE_SLIP.keys()]), [
    "Row 3 (Poor, 99) scores above row 10 (OK, 25): lower row 3 to 24 or less, or move it to Best.",
  ]);
  assert.deepEqual(sentences([["best", 20], ["best", 95], ["good", 90], ["good", 85]]), [
    "Row 2 (Best, 20) scores below row 1 (Good, 90): raise row 2 to 91 or more, or move it to Good.",
  ]);
});

Deno.test("describeViolation() leaves open which of two rows is out of place", () => {
  assert.deepEqual(sentences([["best", 60], ["good", 62], ["poor", 1]]), [
    "Row 3 (Good, 62) scores above row 2 (Best, 60): " +
    "lower row 3 to a score from 2 to 59, or raise row 2 to 63 or more.",
  ]);
  assert.deepEqual(sentences([["best", 60], ["good", 60]], {}, [0, 1]), [
    "Row 2 (Good, 60) scores the same as row 1 (Best, 60): " +
    "lower row 2 to 59 or less, or raise row 1 to 61 or more.",
  ]);
});

Deno.test("describeViolation() gives each of several rows its own sentence, as the rows stand", () => {
  const ratings: MadeRating[] = [
    ["best", 90],
    ["best", 10],
    ["good", 70],
    ["ok", 40],
    ["poor", 95],
    ["poor", 5],
  ];
  assert.deepEqual(sentences(ratings, {}, [4, 3, 2, 1, 0, 5]), [
    "Row 1 (Poor, 95) scores above row 2 (OK, 40): lower row 1 to 39 or less, or move it to Best.",
    "Row 4 (Best, 10) scores below row 3 (Good, 70): raise row 4 to 71 or more, or move it to Poor.",
  ]);
});

Deno.test("describeViolation() says several changes together", () => {
  const ratings: MadeRating[] = [["best", 51], ["good", 50], ["ok", 50], ["ok", 50], ["poor", 49]];
  assert.deepEqual(sentences(ratings, { allowEmptyBuckets: false }), [
    "Row 3 (Good, 50) scores the same as row 1 (OK, 50): raise row 3 to 51 and raise row 2 to 52.",
  ]);
});

Deno.test("describeViolation() asks for new ratings where the scale is too short to mend", () => {
  const short = { daMax: 1, allowEmptyBuckets: false };
  assert.deepEqual(sentences([["best", 1], ["good", 1], ["ok", 0]], short), [
    "Nothing is sorted into Poor yet: move at least one row there.",
    "Row 3 (Good, 1) scores the same as row 2 (Best, 1): rate these rows again.",
  ]);
});

Deno.test("describeViolation() says what is missing and what would do", () => {
  assert.deepEqual(sentences([[undefined, undefined]], {}, [0]), [
    "Row 1 is not sorted yet: choose Best, Good, OK or Poor.",
    "Row 1 has no score yet: give a whole number from 0 to 100.",
  ]);
});

Deno.test("describeViolation() says what is wrong with a rating by itself", () => {
  assert.deepEqual(
    sentences([["great", 50], ["best", "8o"], ["best", 62.5], ["best", 101]], {}, [0, 1, 2, 3]),
    [
      "Row 1 is sorted into “great”, which there is not here: choose Best, Good, OK or Poor.",
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
