import assert from "node:assert/strict";
import { SANSKRIT_PATHS } from "../paths.ts";
import { readContrastSets } from "../probes/probe_pairs.ts";
import { readVerses } from "../verses_file.ts";
import { foldedLines, foldOfSource, verseFolds } from "./folds.ts";
import { MADE_SETS, MADE_VERSES } from "./testdata/made_sets.ts";
import { textFolds } from "./text_folds.ts";

const foldOf = verseFolds(MADE_VERSES);
const lines = foldedLines(MADE_VERSES, foldOf);

Deno.test("textFolds() gives both members, in both scripts, the fold of the pair's verse", () => {
  const heldOutOf = textFolds(MADE_SETS, foldOf, lines);
  for (
    const text of [
      "धर्मक्षेत्रे कुरुक्षेत्रे देवेन सह",
      "धर्मक्षेत्रे कुरुक्षेत्रे देवे सह",
      "dharmakṣetre kurukṣetre deve saha",
    ]
  ) {
    // Verse 1.3 repeats a pāda of 1.1.
    assert.deepEqual(heldOutOf(text), ["BG_01_01"]);
  }
  assert.deepEqual(heldOutOf("देवे रामो गच्छति"), ["BG_01_02"]);
});

Deno.test("textFolds() holds every fold out that has the noun, for what was made of it", () => {
  const made = ["देवे", "देवेन", "देवे सह तिष्ठति सीता"];
  // देवेन stands in 1.3 only, which is of the fold of 1.1.
  const heldOutOf = textFolds(MADE_SETS, foldOf, lines);
  assert.deepEqual(made.map(heldOutOf), [["BG_01_01"], ["BG_01_01"], ["BG_01_01"]]);
  // In another form and within another word it is held out too; each fold is told once.
  const more = ["महादेवः", "देवाः देवानाम्", "दिवि"]
    .map((text, index) => ({ fold: `BG_02_0${index + 1}`, text }));
  const other = textFolds(MADE_SETS, foldOf, [...more, ...lines, ...more]);
  for (const text of made) assert.deepEqual(other(text), ["BG_01_01", "BG_02_01", "BG_02_02"]);
  const none = textFolds(MADE_SETS, foldOf, []);
  assert.deepEqual(made.map(none), [[], [], []]);
});

Deno.test("textFolds() finds a stem by what stands before its last vowel sign", () => {
  const found = (stem: string) => {
    const bare = { ...MADE_SETS.bareForms[0]!, stem, grammatical: stem, ungrammatical: stem };
    const texts = ["लोकानाम्", "विद्यया", "बुद्ध्या", "बुद्धौ"];
    const own = texts.map((text, index) => ({ fold: String(index), text }));
    return textFolds({ ...MADE_SETS, bareForms: [bare] }, foldOf, own)(stem);
  };
  assert.deepEqual([found("लोक"), found("विद्या"), found("बुद्धि")], [["0"], ["1"], ["2", "3"]]);
});

Deno.test("textFolds() refuses a text of two sets of folds, and one of which it knows nothing", () => {
  assert.throws(() => textFolds(MADE_SETS, foldOf, lines)("अन्यत्"), {
    name: "RangeError",
    message: 'Cannot score "अन्यत्": it is of no contrast set, so what to hold out?',
  });
  const [pair] = MADE_SETS.main;
  const elsewhere = { ...pair!.certificate, source: { ...pair!.certificate.source, sentence: 2 } };
  const main = [pair!, { ...pair!, certificate: elsewhere }];
  assert.throws(() => textFolds({ ...MADE_SETS, main }, foldOf, lines), {
    name: "RangeError",
    message: /^Cannot hold out ".*": it stands in BG_01_01 and in BG_01_02$/,
  });
});

Deno.test("textFolds() of the contrast sets: no line that is scored stands outside its fold", () => {
  const verses = readVerses(SANSKRIT_PATHS.verses);
  const sets = readContrastSets();
  const gita = verseFolds(verses);
  const all = foldedLines(verses, gita);
  const heldOutOf = textFolds(sets, gita, all);
  const lines = Map.groupBy(all, ({ text }) => text);
  for (const { pair } of [...sets.main, ...sets.iStems]) {
    const same = lines.get(pair.grammatical) ?? [];
    assert.ok(same.length > 0, `${pair.id} is no line of the text`);
    for (const { fold } of same) assert.deepEqual(heldOutOf(pair.grammatical), [fold]);
    assert.equal(lines.has(pair.ungrammatical), false);
  }
});

Deno.test("textFolds() of the contrast sets: for a noun's own forms, the verses of all its pairs", () => {
  const verses = readVerses(SANSKRIT_PATHS.verses);
  const sets = readContrastSets();
  const gita = verseFolds(verses);
  const all = foldedLines(verses, gita);
  const heldOutOf = textFolds(sets, gita, all);
  const pairs = Map.groupBy(sets.main, ({ record }) => record.stem);
  for (const { stem, grammatical, metadata } of [...sets.controls, ...sets.bareForms]) {
    const heldOut = new Set(heldOutOf(grammatical));
    for (const { certificate } of pairs.get(stem) ?? []) {
      assert.ok(heldOut.has(foldOfSource(certificate, gita)), grammatical);
    }
    const learned = all.filter(({ fold }) => !heldOut.has(fold));
    assert.ok(!learned.some(({ text }) => text.includes(metadata.target)), grammatical);
  }
});
