import assert from "node:assert/strict";
import fc from "fast-check";
import type { Evaluation } from "../item.ts";
import { DEFAULT_RUN_CONFIG, type RunConfig } from "../run_config.ts";
import { anyDisplayMap, anyRatings, configFor, madeEvaluation } from "./testdata/evaluations.ts";
import { violationsOf } from "./violations.ts";

const KEYS = ["best", "good", "ok", "poor"];

Deno.test("violationsOf() holds best 90 against poor 95 with good and ok empty", () => {
  const evaluation = madeEvaluation([["best", 90], ["poor", 95]]);
  const [violation, ...others] = violationsOf(evaluation, configFor(2));
  assert.deepEqual(others, []);
  assert(violation?.kind === "ordering");
  assert.deepEqual(violation.higher, { translation: 0, bucket: "best", da: 90 });
  assert.deepEqual(violation.lower, { translation: 1, bucket: "poor", da: 95 });
});

Deno.test("violationsOf() wants strictly lower scores, not equal ones", () => {
  const kinds = (worse: number) =>
    violationsOf(madeEvaluation([["good", 70], ["ok", worse]]), configFor(2))
      .map(({ kind }) => kind);
  assert.deepEqual(kinds(70), ["ordering"]);
  assert.deepEqual(kinds(69), []);
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

Deno.test("violationsOf() lets fractions pass where the configuration does", () => {
  const evaluation = madeEvaluation([["best", 62.5], ["good", 62.4]]);
  assert.deepEqual(violationsOf(evaluation, configFor(2, { integerOnly: false })), []);
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

Deno.test("violationsOf() lets any order pass where the configuration does", () => {
  const evaluation = madeEvaluation([["best", 10], ["poor", 95]]);
  assert.deepEqual(violationsOf(evaluation, configFor(2, { strictOrdering: false })), []);
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
