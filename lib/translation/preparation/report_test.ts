import assert from "node:assert/strict";
import { commonScript, isOtherScript, scriptOf } from "../text.ts";
import { lengthsOf, spreadOf } from "./report.ts";

Deno.test("scriptOf() tells what most letters are in, and its direction", () => {
  const names = [
    "Straße 3",
    "Привет",
    "नमस्ते",
    "東京タワー",
    "한국어",
    "ქართული",
    "𞤀𞤁",
    "42!",
    "ⵣⵓⵍ",
  ]
    .map((text) => scriptOf(text).name);
  assert.deepEqual(names, [
    ...["Latin", "Cyrillic", "Devanagari", "Han", "Hangul", "Georgian", "Adlam", "none", "other"],
  ]);
  assert.deepEqual(scriptOf("مرحبا PC"), { name: "Arabic", rightToLeft: true });
  assert.equal(scriptOf("שלום").rightToLeft, true);
  assert.equal(scriptOf("مرحبا").rightToLeft && !scriptOf("hello").rightToLeft, true);
});

Deno.test("commonScript() does not count texts without letters, which are in no other script", () => {
  const common = commonScript(["", "42", "?", "привет", "ja", "nein"]);
  assert.equal(common.name, "Latin");
  const others = ["", "42", "ja", "привет"].filter((text) => isOtherScript(text, common));
  assert.deepEqual(others, ["привет"]);
  assert.equal(commonScript(["", "1"]).name, "none");
});

Deno.test("spreadOf() gives quartiles, and n = 0 for nothing", () => {
  assert.deepEqual(spreadOf([5, 1, 2, 4, 3]), {
    n: 5,
    min: 1,
    lowerQuartile: 2,
    median: 3,
    upperQuartile: 4,
    max: 5,
  });
  assert.equal(spreadOf([]).n, 0);
});

Deno.test("lengthsOf() counts code points and words, not code units", () => {
  const { characters, words } = lengthsOf(["😀 ja", "ein Wort"], "de");
  assert.deepEqual([characters.min, characters.max], [4, 8]);
  assert.deepEqual([words.min, words.max], [1, 2]);
});
