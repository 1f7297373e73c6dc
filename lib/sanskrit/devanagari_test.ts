import assert from "node:assert/strict";
import fc from "fast-check";
import { fromIast, graphemes, joinEnding, toIast } from "./devanagari.ts";
import { illegalSequence } from "./devanagari_legality.ts";
import { SANSKRIT_PATHS } from "./paths.ts";
import { readVerses } from "./verses_file.ts";

const BOTH: readonly (readonly [devanagari: string, iast: string])[] = [
  ["कर्मण्येवाधिकारस्ते", "karmaṇyevādhikāraste"],
  ["सोऽपि", "so'pi"],
  ["श्रद्धावाँल्लभते", "śraddhāvām\u0310llabhate"],
  ["पितॄन्", "pitṝn"],
  ["दुःखसंयोगवियोगं", "duḥkhasaṃyogaviyogaṃ"],
  ["तेजोंऽशसम्भवम्", "tejoṃ'śasambhavam"],
  ["ॐतत्सदिति", "oṃtatsaditi"],
  ["ॐ तत्", "oṃ tat"],
  ["ओमित्येकाक्षरं", "omityekākṣaraṃ"],
  ["हृषीकेशः", "hṛṣīkeśaḥ"],
];

Deno.test("toIast() writes each letter of Devanagari as IAST does", () =>
  assert.deepEqual(BOTH.map(([devanagari]) => toIast(devanagari)), BOTH.map(([, iast]) => iast)));

Deno.test("fromIast() gives the Devanagari back", () =>
  assert.deepEqual(BOTH.map(([, iast]) => fromIast(iast)), BOTH.map(([it]) => it)));

Deno.test("fromIast() reads letters with combining marks as the composed ones", () =>
  assert.equal(fromIast("kṛṣṇaḥ".normalize("NFD")), "कृष्णः"));

Deno.test("toIast() and fromIast() give every line of the 701 verses back, and all are legal", () => {
  const verses = readVerses(SANSKRIT_PATHS.verses);
  assert.equal(verses.length, 701);
  for (const { text } of verses.flatMap(({ lines }) => lines)) {
    assert.equal(fromIast(toIast(text)), text);
    assert.equal(illegalSequence(text), undefined, text);
    assert.equal(graphemes(text).join(""), text);
  }
});

const CONSONANTS = ["k", "kh", "g", "ṅ", "c", "ñ", "ṭ", "ḍh", "ṇ", "t", "dh", "n", "bh", "m"]
  .concat(["y", "r", "l", "v", "ś", "ṣ", "s", "h"]);
const VOWELS = ["a", "ā", "i", "ī", "u", "ū", "ṛ", "ṝ", "e", "ai", "o", "au"];
const syllable = fc.tuple(
  fc.constantFrom(...CONSONANTS),
  fc.constantFrom(...VOWELS),
).map((letters) => letters.join(""));
const word = fc.tuple(
  fc.constantFrom("", ...VOWELS),
  fc.array(syllable, { minLength: 1, maxLength: 6 }),
  fc.constantFrom("", "ṃ", "ḥ", "m", "n", "t"),
).map(([initial, syllables, final]) => initial + syllables.join("") + final);

Deno.test("fromIast() of consonant and vowel by turns is legal and comes back (200 runs)", () =>
  fc.assert(
    fc.property(word, (iast) => {
      const devanagari = fromIast(iast);
      assert.equal(illegalSequence(devanagari), undefined);
      assert.equal(toIast(devanagari), iast);
    }),
    { numRuns: 200 },
  ));

Deno.test("graphemes() keeps clusters together and lone consonants apart", () => {
  assert.deepEqual(graphemes("कर्मण्ये"), ["क", "र्म", "ण्ये"]);
  assert.deepEqual(graphemes("तत्"), ["त", "त्"]);
  assert.deepEqual(graphemes("अंशः"), ["अं", "शः"]);
  assert.deepEqual(graphemes("सोऽपि ॐ"), ["सो", "ऽ", "पि", " ", "ॐ"]);
  assert.deepEqual(graphemes("स्त्र्यूर्क्"), ["स्त्र्यू", "र्क्"]);
});

Deno.test("joinEnding() puts the ending's vowel in the place of the stem's", () => {
  assert.equal(joinEnding("राज", "अस्य"), "राजस्य");
  assert.equal(joinEnding("फल", "आनि"), "फलानि");
  assert.equal(joinEnding("विद्या", "अया"), "विद्यया");
  assert.equal(joinEnding("विद्या", "ए"), "विद्ये");
  assert.equal(joinEnding("राजन्", "अः"), "राजनः");
  assert.equal(joinEnding("अ", "औ"), "औ");
});

Deno.test("joinEnding() appends what begins with no vowel", () => {
  assert.equal(joinEnding("राज", "ः"), "राजः");
  assert.equal(joinEnding("फल", "म्"), "फलम्");
  assert.equal(joinEnding("विद्या", "सु"), "विद्यासु");
  assert.equal(joinEnding("राज", ""), "राज");
});

Deno.test("joinEnding() refuses a stem that ends in no letter, or an ending that cannot follow it", () => {
  assert.throws(() => joinEnding("रामः", "अस्य"), RangeError);
  assert.throws(() => joinEnding("", "अस्य"), /Cannot join "" and "अस्य"/);
  assert.throws(() => joinEnding("राजन्", "ः"), RangeError);
  assert.throws(() => joinEnding("विद्या", "ौ"), RangeError);
});

const ENDINGS = ["अस्य", "आनि", "एन", "ऐः", "औ", "इना", "उना", "ऋणा", "ः", "म्", "भिः", "सु", ""];

Deno.test("joinEnding() never writes an independent vowel after a letter (200 runs)", () =>
  fc.assert(
    fc.property(word, fc.constantFrom(...ENDINGS), (iast, ending) => {
      const stem = fromIast(iast.replace(/[ṃḥmnt]$/u, ""));
      assert.equal(illegalSequence(joinEnding(stem, ending)), undefined);
    }),
    { numRuns: 200 },
  ));
