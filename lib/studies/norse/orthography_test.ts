import assert from "node:assert/strict";
import fc from "fast-check";
import { readNorseDataset, readReverseSet } from "./dataset.ts";
import { correctMisprints, editionPairs, normaliseText, ORTHOGRAPHY } from "./orthography.ts";
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

/** Hand-normalised words of the edition: source and classical form. */
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

/** Keyboard and encoding variants of letters: the standard one first. */
const VARIANTS = new Map(
  ["ðđɖ", "ÐĐƉ", "æäǽӕ", "ÆÄǼӔ"].map((letters) => [letters[0]!, [...letters]] as const),
);

const TABLE = SPELLINGS.read();

/** Words whose classical form is known independently of the rules. */
const KNOWN = [
  ...WORDS.flatMap(([, source, classical]) => {
    const forms = classical.split(" ");
    return source.split(" ").map((word, i) => [word, forms[i]!] as const);
  }),
  ...TABLE.map(({ before, after }) => [before, after] as const),
];

const capitalised = (word: string) => word.charAt(0).toUpperCase() + word.slice(1);

/** A known word as typed, possibly capitalised or decomposed (Unicode NFD). */
const typed = fc.record({
  known: fc.constantFrom(...KNOWN),
  isCapital: fc.boolean(),
  isApart: fc.boolean(),
  picks: fc.array(fc.nat(3), { minLength: 20, maxLength: 20 }),
}).map(({ known, isCapital, isApart, picks }) => {
  const [source, classical] = isCapital ? known.map(capitalised) as [string, string] : known;
  const variant = [...source].map((letter, i) => {
    const variants = VARIANTS.get(letter) ?? [letter];
    return variants[picks[i % 20]! % variants.length]!;
  }).join("");
  return [isApart ? variant.normalize("NFD") : variant, classical] as const;
});
const between = fc.constantFrom(" ", ", ", ". ", ": „", "” -- ", " [3] ", "\n");
const typedText = fc.array(fc.tuple(typed, between), { minLength: 1, maxLength: 15 }).map((parts) =>
  [0, 1].map((side) => parts.map(([pair, gap]) => pair[side] + gap).join("")) as [string, string]
);

/** Letters that no rule changes, in words that no rule knows. */
const plainLetters = [..."abcdefghiklmnoprstuvxyzþðæáéíóúýøǫœ"];
const plainWord = fc.array(
  fc.constantFrom(...plainLetters, ...plainLetters.map((letter) => letter.toUpperCase())),
  { minLength: 1, maxLength: 12 },
).map((letters) => letters.join(""))
  .filter((word) =>
    !/[sz]t$/u.test(word) && !TABLE.some(({ pattern }) => pattern.test(word)) &&
    correctMisprints(word).notes.length === 0
  );

Deno.test("Feature: old-norse-minimal-pairs, Property 2: letters are standardised in every encoding, known words respelt, all others kept", () => {
  for (const [source, classical] of KNOWN) assert.equal(normaliseText(source), classical);
  fc.assert(
    fc.property(typedText, ([source, classical]) => {
      assert.equal(normaliseText(source), classical);
      assert.equal(normaliseText(classical), classical);
    }),
    { numRuns: 500 },
  );
  fc.assert(
    fc.property(fc.array(plainWord), (words) => {
      const text = words.join(" ");
      assert.equal(normaliseText(text), text);
    }),
    { numRuns: 300 },
  );
});

Deno.test("correctMisprints() reads what is meant, notes what is printed, and leaves words alone that only hold it", () => {
  assert.deepEqual(correctMisprints("Nu kemur þu að höggvopnum"), {
    mended: "Nú kemr þú at höggvápnum",
    notes: ["höggvopnum → höggvápnum", "þu → þú", "Nu → Nú", "að → at", "kemur → kemr"],
  });
  assert.equal(normaliseText("Nu er veitt þeim."), "Nú er veitt þeim.");
  const untouched = "Hann bað hundana í ílát, bræðurna ok síðan þunga";
  assert.deepEqual(correctMisprints(untouched), { mended: untouched, notes: [] });
});

const PAIRS = [...readNorseDataset(), ...readReverseSet()];

/** Returns a printed sentence's pair with the word at `index` replaced. */
function pairOf(printed: string, index: number, variant: string, phenomenon = "UMLAUT") {
  const words = normaliseText(printed).split(" ");
  const [pair, certificate] = [PAIRS[0]!.pair, PAIRS[0]!.certificate];
  const [grammatical, ungrammatical] = [words.join(" "), words.with(index, variant).join(" ")];
  return {
    pair: { ...pair, phenomenon, grammatical, ungrammatical, target: words[index]! },
    certificate: { ...certificate, sourceSpelling: printed },
  };
}

Deno.test("editionPairs() spells the variant as the edition would, or says why it cannot", () => {
  const spelt = (...of: Parameters<typeof pairOf>) => {
    const { pairs, leftOut } = editionPairs([pairOf(...of)]);
    return pairs[0]?.ungrammatical ?? leftOut[0]?.reason;
  };
  assert.equal(spelt("Kemr Högni til hallar", 3, "hǫllar"), "Kemr Högni til höllar");
  assert.equal(spelt("Tveir konungar börðust", 2, "barðusk"), "Tveir konungar barðust");
  assert.equal(spelt("Hann drap þik", 1, "drapsk", "MIDDLE_VOICE"), "Hann drapst þik");
  assert.equal(spelt("Hann reiddist", 1, "reiddi", "MIDDLE_VOICE"), "Hann reiddi");
  assert.equal(spelt("Svá hvasst sverð", 1, "hvǫsst"), "no_one_spelling");
  assert.equal(spelt("Nu ferr hann", 0, "Nǫ"), "misprinted_word");
  assert.equal(spelt("þar lá í í mjöli", 1, "lásk", "MIDDLE_VOICE"), "other_words_in_the_edition");
});

Deno.test("editionPairs() gives nearly every committed pair, which normalises to the pair itself", () => {
  const { pairs, leftOut } = editionPairs(PAIRS);
  assert.equal(pairs.length + leftOut.length, PAIRS.length);
  assert.ok(leftOut.length <= PAIRS.length / 50, `${leftOut.length} left out`);
  const byId = new Map(PAIRS.map(({ pair }) => [pair.id, pair]));
  for (const { id, grammatical, ungrammatical } of pairs) {
    const pair = byId.get(id)!;
    assert.equal(normaliseText(grammatical), pair.grammatical, id);
    assert.equal(normaliseText(ungrammatical), pair.ungrammatical, id);
  }
});
