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
import type { Evaluation } from "../types.ts";
import { describeViolation, isIncomplete, isInvalid, violationsOf } from "./violations.ts";

const KEYS = ["best", "good", "ok", "poor"];

Deno.test("violationsOf() holds best 90 against poor 95 with good and ok empty", () => {
  const evaluation = madeEvaluation([["best", 90], ["poor", 95]]);
  const [violation, ...others] = violationsOf(evaluation, configFor(2));
  assert.deepEqual(others, []);
  assert(violation?.kind === "ordering");
  assert.deepEqual(violation.higher, { translation: 0, bucket: "best", da: 90 });
  assert.deepEqual(violation.lower, { translation: 1, bucket: "poor", da: 95 });
});

Deno.test("violationsOf() names each rating out of place with the one that limits it", () => {
  const evaluation = madeEvaluation([
    ["best", 80],
    ["best", 75],
    ["best", 90],
    ["good", 70],
    ["good", 85],
    ["good", 78],
    ["ok", 71],
    ["poor", 20],
  ]);
  // Best 75 lies 4 points below its place, good 85 lies 6 above, good 70 and ok 71 are 2 apart.
  const named = violationsOf(evaluation, configFor(8)).map((violation) => {
    assert(violation.kind === "ordering");
    return [violation.higher.translation, violation.lower.translation];
  });
  assert.deepEqual(named, [[1, 5], [0, 4], [3, 6]]);
});

Deno.test("violationsOf() lists faults row by row in the order that the rater sees", () => {
  const evaluation = madeEvaluation([
    [undefined, undefined],
    ["great", 50],
    ["best", "8o"],
    ["best", 62.5],
    ["best", 101],
    ["best", -0.5],
    ["best", NaN],
    ["best", 90],
  ], { displayMap: [7, 6, 5, 4, 3, 2, 1, 0] });
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
    violationsOf(
      madeEvaluation([["best", 90], ["good", 70], ["ok", 40], [fourth, 10]]),
      config,
    ).filter(({ kind }) => kind === "empty-bucket");
  assert.deepEqual(empty(undefined), []);
  assert.deepEqual(empty("ok"), [{ kind: "empty-bucket", bucket: "poor" }]);
  assert.deepEqual(empty("poor"), []);
});

/** FR-5 read word by word, sharing nothing with the rules. */
function isValidByFr5({ ratings }: Evaluation, { daMin, daMax }: RunConfig): boolean {
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

Deno.test("FR-5: violationsOf() agrees with a reading of the specification word by word", () => {
  const seen = { valid: 0, invalid: 0 };
  fc.assert(
    fc.property(anyRatings(12), (ratings) => {
      const evaluation = madeEvaluation(ratings);
      const isValid = isValidByFr5(evaluation, DEFAULT_RUN_CONFIG);
      seen[isValid ? "valid" : "invalid"]++;
      assert.equal(violationsOf(evaluation, DEFAULT_RUN_CONFIG).length === 0, isValid);
    }),
    { numRuns: 300 },
  );
  assert(seen.valid > 20 && seen.invalid > 20, JSON.stringify(seen));
});

Deno.test("FR-5: the order of display changes only the order in which faults are listed", () => {
  fc.assert(
    fc.property(anyRatings(12), anyDisplayMap(12), (ratings, displayMap) => {
      const sorted = (evaluation: Evaluation) =>
        violationsOf(evaluation, DEFAULT_RUN_CONFIG)
          .map((violation) => JSON.stringify(violation)).sort();
      assert.deepEqual(
        sorted(madeEvaluation(ratings, { displayMap })),
        sorted(madeEvaluation(ratings)),
      );
    }),
    { numRuns: 200 },
  );
});

const CONFIRMED = { committedAt: "2026-01-13T21:46:00.000Z" };

const incomplete = (ratings: readonly MadeRating[], more = CONFIRMED) =>
  isIncomplete(madeEvaluation(ratings, more));

const invalid = (ratings: readonly MadeRating[]) =>
  isInvalid(madeEvaluation(ratings), configFor(ratings.length));

Deno.test("isIncomplete() wants every bucket, every score and the confirmation", () => {
  assert.equal(incomplete([["best", 90], ["good", 80]]), false);
  assert.equal(incomplete([["best", 90], [undefined, 80]]), true);
  assert.equal(incomplete([["best", 90], ["good", undefined]]), true);
  assert.equal(isIncomplete(madeEvaluation([["best", 90], ["good", 80]])), true);
});

Deno.test("isInvalid() does not mind what is not there yet", () => {
  assert.equal(invalid([[undefined, undefined], ["good", undefined]]), false);
});

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
