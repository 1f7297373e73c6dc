import assert from "node:assert/strict";
import fc from "fast-check";
import { normaliseText, ORTHOGRAPHY } from "./orthography.ts";
import { SPELLINGS } from "./rules.ts";

Deno.test("ORTHOGRAPHY and spellings.csv: each rule and pattern does what its example says", () => {
  for (const { example: [source, normalised], apply } of ORTHOGRAPHY) {
    assert.equal(normaliseText(source), normalised);
    assert.notEqual(apply(source), source);
  }
  for (const { pattern, before, after } of SPELLINGS.read()) {
    assert.match(before, pattern);
    assert.equal(normaliseText(before), after);
  }
});

/** Worked by hand from the edition's word list: source and classical form. */
const WORDS: readonly (readonly [string, string, string])[] = [
  ["ǫ by default", "mjök hönd Öll mönnum", "mjǫk hǫnd Ǫll mǫnnum"],
  ["ø in høggr but ǫ in hǫggva", "höggr höggva höggum", "høggr hǫggva hǫggum"],
  ["both in one word", "öxarhömrum örlög", "øxarhǫmrum ørlǫg"],
  ["ø only in the prefix ør-", "örvita örvar örliga örn", "ørvita ǫrvar ǫrliga ǫrn"],
  ["ø in gløgg- and døkk-", "óglöggt dökkbrúnaðr", "ógløggt døkkbrúnaðr"],
  ["œ in kinship terms", "bræðr dætr mæðrum móðurbræðr", "brœðr dœtr mœðrum móðurbrœðr"],
  [
    "æ where the root has á",
    "mælti væri þær fær ætt frægr mæti",
    "mælti væri þær fær ætt frægr mæti",
  ],
  ["æ in hlæja 'laugh' but œ in hlœgja", "hlæja hlægir hlægligt", "hlæja hlœgir hlœgligt"],
  ["middle -st and -zt", "berjast komizt gerðumst Skiljast", "berjask komizk gerðumsk Skiljask"],
  ["œ and middle together", "þættist mættust ræðast", "þœttisk mœttusk rœðask"],
  ["superlatives keep -st", "mest bezt skjótast hvassast", "mest bezt skjótast hvassast"],
  ["nouns keep -st", "hest traust ást list kost", "hest traust ást list kost"],
  ["2nd singular keeps -st", "kaust veizt lézt ázt", "kaust veizt lézt ázt"],
  ["bregðask is a middle, bresta is not", "brást brast", "brásk brast"],
];

Deno.test("normaliseText() writes what was worked by hand, whatever the keyboard", () => {
  for (const [name, source, normalised] of WORDS) {
    assert.equal(normaliseText(source), normalised, name);
  }
  const encodings = [["gođ", "goð"], ["Đ", "Ð"], ["mǽla", "mæla"], ["ho\u0308nd", "hǫnd"]] as const;
  for (const [variant, standard] of encodings) assert.equal(normaliseText(variant), standard);
});

const letters = [..."aábdðeéfghiíjklmnoóprstuúvxyýzþæö"];
const norseWord = fc.array(fc.constantFrom(...letters), { minLength: 1, maxLength: 12 })
  .map((parts) => parts.join(""));
const norseSentence = fc.array(norseWord, { minLength: 1, maxLength: 15 })
  .map((words) => words.join(" ") + ".");

Deno.test("Feature: old-norse-minimal-pairs, Property 2: only the table's letters change, and once", () => {
  fc.assert(
    fc.property(norseSentence, (source) => {
      const normalised = normaliseText(source);
      assert.equal(normalised.length, source.length);
      for (let i = 0; i < source.length; i++) {
        const change = source.charAt(i) + normalised.charAt(i);
        const isSame = source.charAt(i) === normalised.charAt(i);
        assert.ok(isSame || ["öǫ", "öø", "æœ", "tk"].includes(change), change);
      }
      assert.equal(normaliseText(normalised), normalised);
    }),
    { numRuns: 500 },
  );
});
