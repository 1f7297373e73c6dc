import assert from "node:assert/strict";
import { inFolder } from "../../pairs/testdata/folder.ts";
import { agreementRows, compareWords, GITA_MORPHOLOGY, type ParsedWord, readGold } from "./gold.ts";

const HEADER = "verse\twidx\tform\tlemma\tcase\tnumber\tgender\tperson";
const gold = (...lines: readonly string[]) => [HEADER, ...lines, ""].join("\n");

Deno.test("readGold() reads one spelling, counts chapter 13 from its second verse, and says what is missing", () =>
  inFolder((at) => {
    Deno.writeTextFileSync(
      at(GITA_MORPHOLOGY.file),
      gold("13.01\t1\tdharma-kṣetraṁ\tdharma-kṣetra\tacc\tsg\tn\t"),
    );
    const [word] = readGold(at(""));
    assert.deepEqual([word?.verse, word?.form, word?.case], ["BG_13_02", "dharmakṣetram", "acc"]);
    assert.throws(() => readGold(at("none")), /not part of this repository.*gasyoun\/kosha/s);
    Deno.writeTextFileSync(at(GITA_MORPHOLOGY.file), "verse\tform\n");
    assert.throws(() => readGold(at("")), /no column lemma, case/);
  }));

const word = (form: string, features: Partial<ParsedWord>): ParsedWord => ({
  verse: "BG_01_01",
  form,
  ...features,
});

Deno.test("compareWords() counts what both say, and omits what cannot be aligned", () => {
  const theirs = [
    word("naraḥ", { case: "nom", number: "sg", stem: "nara" }),
    word("mahātmā", { case: "nom", number: "sg", stem: "mahā-ātman" }),
    word("phalam", { case: "acc" }),
    word("phalam", { case: "nom" }),
  ];
  const ours = [
    word("naraḥ", { case: "nom", number: "pl", gender: "m", stem: "nara" }),
    word("mahātmā", { case: "nom", number: "sg", stem: "mahātman" }),
    word("phalam", { case: "acc" }),
    word("gajaḥ", { case: "nom" }),
  ];
  const comparison = compareWords(ours, theirs);
  assert.deepEqual(comparison.counts.get("case"), { n: 2, agreeing: 2 });
  assert.deepEqual(comparison.counts.get("number"), { n: 2, agreeing: 1 });
  assert.deepEqual(comparison.counts.get("gender"), { n: 0, agreeing: 0 });
  assert.deepEqual(
    comparison.counts.get("stem"),
    { n: 2, agreeing: 2 },
    "members are joined as said",
  );
  assert.equal(comparison.unaligned, 2);
  assert.deepEqual(comparison.differing.map(([{ form }, feature]) => `${form} ${feature}`), [
    "naraḥ number",
  ]);
  assert.deepEqual(agreementRows("parsed", ours, comparison).at(-1), {
    ...{ words: "parsed", feature: "unaligned", n: 4, agreeing: 2 },
  });
  const cut = () => compareWords([...ours, { ...ours[0]!, verse: "BG_01_02" }], theirs);
  assert.throws(cut, /no word of 1 of 2 verses, the first BG_01_02/, "a table cut short");
});
