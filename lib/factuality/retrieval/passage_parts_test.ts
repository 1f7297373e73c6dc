import assert from "node:assert/strict";
import fc from "fast-check";
import { passageParts } from "./passage_parts.ts";

Deno.test("passageParts() leaves a short text whole and gives none for an empty one", () => {
  assert.deepEqual(passageParts(" A short\ntext. "), ["A short text."]);
  assert.deepEqual(passageParts("  "), []);
});

Deno.test("passageParts() cuts at the ends of sentences, then of list items", () => {
  assert.deepEqual(passageParts("One two. Three four. Five six seven.", 4), [
    "One two. Three four.",
    "Five six seven.",
  ]);
  assert.deepEqual(passageParts("one two; three four; five six", 4), [
    "one two; three four;",
    "five six",
  ]);
});

Deno.test("Requirement 6.3: passageParts() loses no word, whatever the text", () => {
  const word = fc.constantFrom("Paris", "3.5", "is.", "(2024)", "sea;", "“No.”", "and");
  fc.assert(fc.property(fc.array(word), fc.integer({ min: 1, max: 9 }), (words, longest) => {
    assert.equal(passageParts(words.join(" "), longest).join(" "), words.join(" "));
  }));
});
