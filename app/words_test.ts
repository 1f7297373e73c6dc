import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { directionOf, durationWords, formatScore, parseScore } from "./words.ts";

test("durationWords() says seconds, minutes and hours as far as they matter", () => {
  assert.equal(durationWords(0), "0 s");
  assert.equal(durationWords(59.4), "59 s");
  assert.equal(durationWords(59.6), "1 min");
  assert.equal(durationWords(80.2), "1 min 20 s");
  assert.equal(durationWords(7500), "2 h 5 min");
  assert.equal(durationWords(7200), "2 h");
});

test("directionOf() goes by the script that a language is written in", () => {
  for (const language of ["ar", "fa", "he", "ur", "yi", "dv", "ckb", "ar-Arab-EG", "pa-PK"]) {
    assert.equal(directionOf(language), "rtl", language);
  }
  for (const language of ["en", "de", "hi", "zh-Hant", "ar-Latn", "pa", "sa"]) {
    assert.equal(directionOf(language), "ltr", language);
  }
});

test("directionOf() leaves it to the text where nobody knows the language or its script", () => {
  for (const language of [undefined, "und", "qaa"]) assert.equal(directionOf(language), "auto");
  assert.equal(directionOf("und-Hebr"), "rtl");
});

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
