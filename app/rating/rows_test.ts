import assert from "node:assert/strict";
import { test } from "node:test";
import {
  configFor,
  madeEvaluation,
  type MadeRating,
  ONE_SLIP,
  workbookOf,
} from "../../lib/translation/testdata/evaluations.ts";
import { rowViews } from "./rows.ts";

function rowsOf(ratings: readonly MadeRating[], nextTried = false) {
  const [item] = workbookOf([madeEvaluation(ratings)]).items;
  return rowViews(item!, configFor(ratings.length), nextTried);
}

test("rowViews() finds fault with the rows that may be out of place, not with those they stand against", () => {
  const faulty = (ratings: readonly MadeRating[]) =>
    rowsOf(ratings).flatMap(({ broken, scoreAtFault }, position) =>
      broken !== "" && scoreAtFault ? [position + 1] : []
    );
  assert.deepEqual(faulty(ONE_SLIP), [3]);
  assert.deepEqual(faulty([["best", 60], ["good", 62], ["poor", 1]]), [2]);
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
