import assert from "node:assert/strict";
import { test } from "node:test";
import { directionOf } from "./direction.ts";

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
