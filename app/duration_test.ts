import assert from "node:assert/strict";
import { test } from "node:test";
import { durationWords } from "./duration.ts";

test("durationWords() says seconds, minutes and hours as far as they matter", () => {
  assert.equal(durationWords(0), "0 s");
  assert.equal(durationWords(59.4), "59 s");
  assert.equal(durationWords(59.6), "1 min");
  assert.equal(durationWords(80.2), "1 min 20 s");
  assert.equal(durationWords(7500), "2 h 5 min");
  assert.equal(durationWords(7200), "2 h");
});
