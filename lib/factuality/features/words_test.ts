import assert from "node:assert/strict";
import fc from "fast-check";
import { gazetteer as countries } from "./testdata/gazetteer.ts";
import { accountsFor, areOpposed, gazetteerOf } from "./words.ts";
import { readWords, wordIndex } from "./words.ts";

const read = (text: string) => readWords(text, countries);
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
  const both = found("Guinea-Bissau is not Guinea, nor Guineans.");
  assert.deepEqual(both, ["Guinea-Bissau", "Guinea"]);
  assert.deepEqual(found("a turkey in Türkiye"), ["Turkey"]);
});

/** The last word of each sentence. */
function last(text: string) {
  const word = read(text).at(-1);
  assert.ok(word, text);
  return word;
}

const ACCOUNTED: readonly (readonly [string, string, boolean])[] = [
  ["They speak French", "They live in France", true],
  ["They speak French", "They live in Germany", false],
  ["She met Renée", "She met Renee", true],
  ["It left the UK", "It left the United Kingdom", true],
  ["It left the United Kingdom", "It left the U.K.", true],
  ["It is run by FamilyMart", "It is run by Family Mart", true],
  ["They are Iranian", "They are from Iran", true],
  ["It lies in Niger", "It lies in Nigeria", false],
  ["He taught Eisinga", "He taught Eisinge", true],
  ["It began on 20 July 1969", "It began in 1969", true],
  ["They stopped production", "It is what they produce", true],
  ["It has a dog", "It has a poodle", false],
];

const OPPOSED: readonly (readonly [string, string, boolean])[] = [
  ["It is hot", "It is cold", true],
  ["It is unsafe", "It is safe", true],
  ["They are useful", "They are useless", true],
  ["It lies in the north", "It lies in the south", true],
  ["It will disband", "It is a band", false],
  ["It is hot", "It is hot", false],
  ["It is hot", "It is red", false],
];

Deno.test("accountsFor() and areOpposed() of the last words of a claim and a source", () => {
  for (const [claim, source, expected] of ACCOUNTED) {
    assert.equal(accountsFor(last(source), last(claim)), expected, `${claim}, ${source}`);
  }
  for (const [claim, source, expected] of OPPOSED) {
    assert.equal(areOpposed(last(claim), last(source)), expected, `${claim}, ${source}`);
    assert.equal(areOpposed(last(source), last(claim)), expected, `${source}, ${claim}`);
  }
});

Deno.test("wordIndex() finds the sentences with a word that accounts for a claim's, as asking every word does", () => {
  const words = fc.constantFrom(
    ...("regulate regulation farm farmers Iran Iranian London Xondon Londen Wilson Woodrow UK France French " +
      "United Kingdom in 1806 1807 over 300 people 39.2 million 39,200,000 % 40 never free saint helena.")
      .split(" "),
  );
  const sentence = fc.array(words, { minLength: 1, maxLength: 6 }).map((all) => all.join(" "));
  fc.assert(
    fc.property(fc.array(sentence, { maxLength: 6 }), sentence, (sentences, claim) => {
      const all = sentences.map((text) => read(text));
      const holding = wordIndex(all);
      for (const word of read(claim)) {
        const asked = all.flatMap((own, at) =>
          own.some((one) => accountsFor(one, word)) ? [at] : []
        );
        assert.deepEqual(holding(word), asked);
      }
    }),
    { numRuns: 300 },
  );
});
