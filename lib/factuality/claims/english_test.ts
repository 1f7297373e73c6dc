import assert from "node:assert/strict";
import fc from "fast-check";
import { readEnglish } from "./english.ts";

Deno.test("readEnglish() gives words with span, lemma and part of speech", () => {
  const read = (text: string) =>
    readEnglish(text).tokens
      .map(({ text, start, lemma, partOfSpeech }) => `${text} ${start} ${lemma} ${partOfSpeech}`);
  assert.deepEqual(read("Ada wrote 😀 notes."), [
    "Ada 0 ada PROPN",
    "wrote 4 write VERB",
    "😀 10 😀 SYM",
    "notes 13 note NOUN",
    ". 18 . PUNCT",
  ]);
  // Contractions are taken apart where they stand; letters that wink-nlp does not know keep their word.
  const [, does, not, , ć] = read("He doesn't know Memović.");
  assert.deepEqual([does, not, ć], ["does 3 do AUX", "n't 7 not PART", "Memović 16 memović PROPN"]);
});

Deno.test("readEnglish() gives spans in order in any text", () => {
  fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 80 }), (text) => {
    let cursor = 0;
    for (const { start, end, text: word } of readEnglish(text).tokens) {
      assert.ok(start >= cursor && end > start);
      assert.equal(text.slice(start, end), word);
      cursor = end;
    }
  }));
});

Deno.test("readEnglish() passes over the rest of a run that is no word, and what follows keeps its place", () => {
  const text = `Elk ${"x".repeat(50_000)} swim.`;
  const { tokens } = readEnglish(text);
  assert.deepEqual(tokens.map(({ text }) => text.length), [3, 1_000, 4, 1]);
  for (const { text: word, start, end } of tokens) assert.equal(text.slice(start, end), word);
});
