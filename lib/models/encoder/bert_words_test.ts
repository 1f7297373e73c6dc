import assert from "node:assert/strict";
import fc from "fast-check";
import { bertWords } from "./bert_words.ts";

/** What the words read, and what stands in the text where they say they stand. */
function read(text: string): readonly (readonly [string, string])[] {
  return bertWords(text).map((word) => [
    word.map((letter) => letter.text).join(""),
    text.slice(word[0]!.start, word.at(-1)!.end),
  ]);
}

Deno.test("bertWords() takes off accents and case, and keeps them in the span", () => {
  assert.deepEqual(read("Café naïve"), [["cafe", "Café"], ["naive", "naïve"]]);
  assert.deepEqual(read("cafe\u0301 x"), [["cafe", "cafe\u0301"], ["x", "x"]]);
});

Deno.test("bertWords() sets punctuation and ASCII symbols alone", () => {
  assert.deepEqual(read("3.4% (est.)").map(([word]) => word), [
    ...["3", ".", "4", "%", "(", "est", ".", ")"],
  ]);
  assert.deepEqual(read("a+b “c”").map(([word]) => word), ["a", "+", "b", "“", "c", "”"]);
});

Deno.test("bertWords() sets Chinese characters alone, but not kana", () => {
  assert.deepEqual(read("東京タワー").map(([word]) => word), ["東", "京", "タワー"]);
});

Deno.test("bertWords() drops control characters, and the span goes over them", () => {
  assert.deepEqual(read("so\u00adft\u0000 \ufffd"), [["soft", "so\u00adft"]]);
});

Deno.test("bertWords() counts in UTF-16 units after a character of two", () => {
  assert.deepEqual(read("🙂 it"), [["🙂", "🙂"], ["it", "it"]]);
});

Deno.test("bertWords() finds none in a blank text", () => {
  assert.deepEqual(bertWords(" \n\u2028"), []);
});

Deno.test("bertWords() keeps spans inside the text, in order and not empty, whatever the text", () => {
  fc.assert(
    fc.property(fc.array(fc.nat(0xffff)), (units) => {
      const text = String.fromCharCode(...units);
      let last = 0;
      for (const { start, end } of bertWords(text).flat()) {
        assert.ok(start >= last && end > start && end <= text.length);
        last = start;
      }
    }),
    { numRuns: 300 },
  );
});
