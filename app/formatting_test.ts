import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { directionOf, durationWords, formatScore, parseScore } from "./formatting.ts";

test("durationWords() says seconds, minutes and hours as far as they matter", () => {
  const words = [0, 59.4, 59.6, 80.2, 7500, 7200].map(durationWords);
  assert.deepEqual(words, ["0 s", "59 s", "1 min", "1 min 20 s", "2 h 5 min", "2 h"]);
});

test("directionOf() goes by the script that a language is written in, where it is known", () => {
  for (const language of ["ar", "fa", "he", "ur", "dv", "ckb", "ar-Arab-EG", "pa-PK", "und-Hebr"]) {
    assert.equal(directionOf(language), "rtl", language);
  }
  for (const language of ["en", "de", "hi", "zh-Hant", "ar-Latn", "pa", "sa"]) {
    assert.equal(directionOf(language), "ltr", language);
  }
  for (const language of [undefined, "und", "qaa"]) assert.equal(directionOf(language), "auto");
});

test("FR-5: parseScore() reads what raters type, and keeps what is no number for the rules to say so", () => {
  const read = [" ", "072", "7,5", "7.", "−3", "６５", "٦٥", "६५", "٧٫٥", "7６", ".5", "−,5"]
    .map(parseScore);
  assert.deepEqual(read, [undefined, 72, 7.5, 7, -3, 65, 65, 65, 7.5, 76, 0.5, -0.5]);
  for (const text of ["7x", ".", "-", "1e2", "--3", "1.2.3", "Infinity", "0x10"]) {
    assert.equal(parseScore(text), text);
  }
  // FR-3: slider and number box stay equal.
  fc.assert(fc.property(fc.integer({ min: -1000, max: 1000 }), (da) => {
    assert.equal(parseScore(formatScore(da)), da);
  }));
});
