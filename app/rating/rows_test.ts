import assert from "node:assert/strict";
import { test } from "node:test";
import {
  configFor,
  madeEvaluation,
  type MadeRating,
  ONE_SLIP,
} from "../../lib/translation/testdata/evaluations.ts";
import { rowViews } from "./rows.ts";

function rowsOf(ratings: readonly MadeRating[], nextTried = false) {
  const displayMap = [...ratings.keys()];
  const input = { itemId: 1, source: "", translations: ratings.map(String), rowInputHash: "" };
  const evaluation = madeEvaluation(ratings, { displayMap });
  return rowViews({ input, evaluation }, configFor(ratings.length), nextTried);
}

/** Numbers of the rows, as the rater counts them, that say what is wrong or show it. */
function faulty(ratings: readonly MadeRating[]) {
  const rows = rowsOf(ratings);
  const numbers = (at: (row: typeof rows[number]) => boolean) =>
    rows.flatMap((row, position) => at(row) ? [position + 1] : []);
  return [numbers(({ broken }) => broken !== ""), numbers(({ scoreAtFault }) => scoreAtFault)];
}

test("rowViews() finds fault with the row out of place, not with those it stands against", () => {
  assert.deepEqual(faulty(ONE_SLIP), [[3], [3]]);
});

test("rowViews() finds fault with two rows where either may be the one out of place", () => {
  assert.deepEqual(faulty([["best", 60], ["good", 62], ["poor", 1]]), [[1, 2], [1, 2]]);
});

test("rowViews() says what is missing only once Next was tried, in one sentence a row", () => {
  const ratings: MadeRating[] = [[undefined, undefined], [undefined, 40], ["ok", undefined]];
  assert.deepEqual(rowsOf(ratings).map(({ lacking }) => lacking), ["", "", ""]);
  assert.deepEqual(rowsOf(ratings, true).map(({ lacking }) => lacking), [
    "Row 1 is not rated yet: choose Best, Good, OK or Poor, then give a score.",
    "Row 2 is not sorted yet: choose Best, Good, OK or Poor.",
    "Row 3 has no score yet: give a whole number from 0 to 100.",
  ]);
});
