import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { formatScore, parseScore } from "./score_text.ts";

test("parseScore() reads what raters type", () => {
  assert.equal(parseScore(" "), undefined);
  assert.equal(parseScore("072"), 72);
  assert.equal(parseScore("7,5"), 7.5);
  assert.equal(parseScore("7."), 7);
  assert.equal(parseScore("−3"), -3);
});

test("FR-5: parseScore() keeps what is no number, so that the rules can say so", () => {
  for (const text of ["7x", "1e2", "--3", "1.2.3", "Infinity", "0x10"]) {
    assert.equal(parseScore(text), text);
  }
});

test("FR-3: formatScore() and parseScore() keep slider and number box equal", () => {
  fc.assert(fc.property(fc.integer({ min: -1000, max: 1000 }), (da) => {
    assert.equal(parseScore(formatScore(da)), da);
  }));
});
