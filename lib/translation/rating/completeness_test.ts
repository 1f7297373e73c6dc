import assert from "node:assert/strict";
import { isIncomplete, isInvalid } from "./completeness.ts";
import { configFor, madeEvaluation, type MadeRating } from "./testdata/evaluations.ts";

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

Deno.test("isIncomplete() leaves what is wrong to isInvalid()", () => {
  assert.equal(incomplete([["best", "8o"], ["great", 300]]), false);
  assert.equal(invalid([["best", "8o"], ["good", 30]]), true);
});

Deno.test("isInvalid() does not mind what is not there yet", () => {
  assert.equal(invalid([[undefined, undefined], ["good", undefined]]), false);
});

Deno.test("isInvalid() finds two ratings out of order among missing ones", () => {
  assert.equal(invalid([["best", 50], ["good", 60], [undefined, undefined]]), true);
});
