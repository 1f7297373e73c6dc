import assert from "node:assert/strict";
import fc from "fast-check";
import { readEnglish } from "./english.ts";

Deno.test("readEnglish() gives words with span, lemma and part of speech", () => {
  const { tokens } = readEnglish("Ada wrote 😀 notes.");
  assert.deepEqual(
    tokens.map(({ text, start, end, lemma, partOfSpeech }) => [
      text,
      start,
      end,
      lemma,
      partOfSpeech,
    ]),
    [
      ["Ada", 0, 3, "ada", "PROPN"],
      ["wrote", 4, 9, "write", "VERB"],
      ["😀", 10, 12, "😀", "SYM"],
      ["notes", 13, 18, "note", "NOUN"],
      [".", 18, 19, ".", "PUNCT"],
    ],
  );
});

Deno.test("readEnglish() takes contractions apart where they stand", () => {
  const { tokens } = readEnglish("She doesn't know; they haven't.");
  assert.deepEqual(
    tokens.map(({ text }) => text),
    ["She", "does", "n't", "know", ";", "they", "have", "n't", "."],
  );
});

Deno.test("readEnglish() keeps words with letters that wink-nlp does not know whole", () => {
  const { tokens } = readEnglish("Damir Memović met Kovačević.");
  assert.deepEqual(tokens.map(({ text, partOfSpeech }) => `${text} ${partOfSpeech}`), [
    "Damir PROPN",
    "Memović PROPN",
    "met VERB",
    "Kovačević PROPN",
    ". PUNCT",
  ]);
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
