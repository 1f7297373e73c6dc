import assert from "node:assert/strict";
import fc from "fast-check";
import { splitSentences, wordsOf } from "./tokens.ts";

Deno.test("splitSentences() cuts at . : ; ? ! and keeps the mark with its sentence", () => {
  assert.deepEqual(splitSentences("Hann hét Breði. Hví ferr þú? Ger svá! Hann svarar: Já; nú."), [
    "Hann hét Breði.",
    "Hví ferr þú?",
    "Ger svá!",
    "Hann svarar:",
    "Já;",
    "nú.",
  ]);
});

Deno.test("splitSentences() leaves a closing quotation mark with the sentence it closes", () => {
  assert.deepEqual(splitSentences('Hann svarar: "Satt er þat." Ok fór hann.'), [
    "Hann svarar:",
    '"Satt er þat."',
    "Ok fór hann.",
  ]);
});

Deno.test("splitSentences() gives nothing for an empty paragraph", () => {
  assert.deepEqual(splitSentences("  \n "), []);
});

const piece = fc.constantFrom("hann", "ok", "þá", "mælti", "við", "dóttur", "Ǫrn", '"nei', 'já"');
const joint = fc.constantFrom(" ", ". ", ": ", "; ", ", ", "? ", '." ', ".", ":x", "\n   ");

const paragraph = fc.array(fc.tuple(piece, joint), { minLength: 1, maxLength: 40 })
  .map((parts) => parts.flat().join(""));

Deno.test(
  "Feature: old-norse-minimal-pairs, Property 3: boundaries stand at punctuation, never inside a word",
  () => {
    fc.assert(
      fc.property(paragraph, (text) => {
        const sentences = splitSentences(text);
        assert.equal(sentences.join(" "), text.replace(/\s+/gu, " ").trim());
        for (const sentence of sentences.slice(0, -1)) {
          assert.match(sentence, /[.:;?!]["”»]*$/u);
        }
        assert.deepEqual(sentences.flatMap(wordsOf), wordsOf(text));
      }),
      { numRuns: 500 },
    );
  },
);
