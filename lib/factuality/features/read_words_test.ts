import assert from "node:assert/strict";
import fc from "fast-check";
import { readWords } from "./read_words.ts";
import { featureTools } from "./testdata/feature_tools.ts";

const read = (text: string) => readWords(text, featureTools);
const classes = (text: string) => read(text).map(({ text, wordClass }) => `${text}: ${wordClass}`);

Deno.test("readWords() keeps what says something, each with its class", () => {
  assert.deepEqual(classes("The French army quickly left Jena in 1806."), [
    "French: name",
    "army: noun",
    "quickly: adverb",
    "left: degree",
    "Jena: name",
    "1806: quantity",
  ]);
});

Deno.test("readWords() takes a common word at the beginning for no name", () => {
  assert.deepEqual(classes("Genes make proteins."), ["Genes: noun", "proteins: noun"]);
});

Deno.test("readWords() gives the gazetteer's name to every way a thing is written", () => {
  assert.deepEqual(read("the Germans of Germany").map(({ lemma }) => lemma), [
    "germany",
    "germany",
  ]);
});

Deno.test("readWords() marks what a negation denies: the next word that says something, and its like", () => {
  const negated = (text: string) =>
    read(text).filter((word) => word.negated).map(({ text }) => text);
  assert.deepEqual(negated("He never studied medicine, but he taught physics."), ["studied"]);
  assert.deepEqual(negated("They did not renew or extend the treaty."), ["renew", "extend"]);
  assert.deepEqual(negated("It is not only useful."), []);
});

Deno.test("readWords() weighs names and numbers most, and common words least", () => {
  const weight = (text: string) => read(text).at(-1)!.weight;
  assert.ok(weight("He met Jena") > weight("He needs oxygen"));
  assert.ok(weight("He needs oxygen") > weight("He needs a line"));
});

Deno.test("Requirement 8.3: words are where they say, in order and apart, whatever the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), (text) => {
      let end = 0;
      for (const word of read(text)) {
        assert.equal(word.text, text.slice(word.start, word.end));
        assert.ok(word.start >= end && word.end > word.start && word.weight > 0);
        end = word.end;
      }
    }),
    { numRuns: 200 },
  );
});
