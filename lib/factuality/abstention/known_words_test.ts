import assert from "node:assert/strict";
import { knownWords } from "./known_words.ts";

const isKnown = knownWords(["The Orange River rises in Lesotho; São Tomé."], (w) => w === "otter");

Deno.test("knownWords() knows the words of its texts whatever their case and accents", () => {
  assert.ok(["lesotho", "Orange", "sao", "tomé"].every(isKnown));
});

Deno.test("knownWords() asks the dictionary for the word itself", () => {
  assert.ok(isKnown("otter"));
  assert.ok(!isKnown("ottera"));
});

Deno.test("knownWords() takes a slip of the pen for the word it slipped from", () => {
  assert.ok(["lestho", "lesothoo", "lesatho", "lesohto"].every(isKnown));
  assert.ok(!isKnown("lasatho"));
});

Deno.test("knownWords() looks for no slips of words under four letters", () => {
  assert.ok(isKnown("in"));
  assert.ok(!isKnown("inx"));
});
