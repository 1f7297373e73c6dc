import assert from "node:assert/strict";
import fc from "fast-check";
import { featureTools } from "./testdata/feature_tools.ts";
import {
  areAffixOpposites,
  areExclusive,
  gazetteerOf,
  opposition,
  readWords,
  wordMatch,
} from "./words.ts";

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

Deno.test("readWords() marks what a negation denies: the next word that says something, and its like", () => {
  const negated = (text: string) =>
    read(text).filter((word) => word.negated).map(({ text }) => text);
  assert.deepEqual(negated("He never studied medicine, but he taught physics."), ["studied"]);
  assert.deepEqual(negated("They did not renew or extend the treaty."), ["renew", "extend"]);
  assert.deepEqual(negated("It is not only useful."), []);
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

const gazetteer = gazetteerOf([
  { name: "Guinea", type: "country", also: ["Guinean"] },
  { name: "Guinea-Bissau", type: "country", also: [] },
  { name: "Turkey", type: "country", also: ["Türkiye", "turkish"] },
]);

const found = (text: string) => gazetteer.find(text).map(({ entry }) => entry.name);

Deno.test("gazetteer: the longest name counts, whole words with their capitals only", () => {
  assert.deepEqual(found("Guinea-Bissau is not Guinea, nor Guineans."), [
    "Guinea-Bissau",
    "Guinea",
  ]);
  assert.deepEqual(found("a turkey in Türkiye"), ["Turkey"]);
});

/** The last word of each sentence. */
function last(text: string) {
  const word = readWords(text, featureTools).at(-1);
  assert.ok(word, text);
  return word;
}

const MATCHES: readonly (readonly [string, string, number])[] = [
  ["They speak French", "They live in France", 1],
  ["They speak French", "They live in Germany", 0],
  ["She met Renée", "She met Renee", 1],
  ["It left the UK", "It left the United Kingdom", 1],
  ["It left the United Kingdom", "It left the U.K.", 1],
  ["It is run by FamilyMart", "It is run by Family Mart", 1],
  ["They are Iranian", "They are from Iran", 1],
  ["It lies in Niger", "It lies in Nigeria", 0],
  ["He taught Eisinga", "He taught Eisinge", 1],
  ["It began on 20 July 1969", "It began in 1969", 0.7],
  ["It has a dog", "It has a poodle", 0.9],
  ["It has a poodle", "It has a dog", 0],
];

const OPPOSITIONS = [
  ["It is hot", "It is cold", "opposite"],
  ["It is unsafe", "It is safe", "opposite"],
  ["It lies in the north", "It lies in the south", "degree"],
  ["It burns hydrogen", "It burns oxygen", "sibling"],
  ["It burns hydrogen", "It burns slowly", "none"],
] as const;

Deno.test("wordMatch() and opposition() of the last words of a claim and a source", () => {
  const { wordnet } = featureTools;
  for (const [claim, source, match] of MATCHES) {
    assert.equal(wordMatch(last(claim), last(source), wordnet), match, `${claim}, ${source}`);
  }
  for (const [claim, source, expected] of OPPOSITIONS) {
    assert.equal(opposition(last(claim), last(source), wordnet), expected, `${claim}, ${source}`);
  }
});

Deno.test("areExclusive() and areAffixOpposites() hold either way round and never for one word", () => {
  for (const [a, b] of [["largest", "smallest"], ["before", "after"]] as const) {
    assert.ok(areExclusive(a, b) && areExclusive(b, a) && !areExclusive(a, a));
  }
  for (const [a, b] of [["useful", "useless"], ["legal", "illegal"]] as const) {
    assert.ok(areAffixOpposites(a, b) && areAffixOpposites(b, a) && !areAffixOpposites(a, a));
  }
  assert.ok(!areAffixOpposites("mazing", "amazing"));
});
