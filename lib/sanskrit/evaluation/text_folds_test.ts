import assert from "node:assert/strict";
import { SANSKRIT_PATHS } from "../paths.ts";
import { readContrastSets } from "../probes/probe_pairs.ts";
import { readVerses } from "../verses_file.ts";
import { foldedLines, verseFolds } from "./folds.ts";
import { MADE_SETS, MADE_VERSES } from "./testdata/made_sets.ts";
import { textFolds } from "./text_folds.ts";

const foldOf = verseFolds(MADE_VERSES);

Deno.test("textFolds() gives both members, in both scripts, the fold of the pair's verse", () => {
  const foldOfText = textFolds(MADE_SETS, foldOf);
  for (
    const text of [
      "धर्मक्षेत्रे कुरुक्षेत्रे देवेन सह",
      "धर्मक्षेत्रे कुरुक्षेत्रे देवे सह",
      "dharmakṣetre kurukṣetre deve saha",
    ]
  ) {
    // Verse 1.3 repeats a pāda of 1.1.
    assert.equal(foldOfText(text), "BG_01_01");
  }
  assert.equal(foldOfText("देवे रामो गच्छति"), "BG_01_02");
});

Deno.test("textFolds() holds no verse out for what was made", () => {
  const foldOfText = textFolds(MADE_SETS, foldOf);
  assert.deepEqual(["देवे", "देवे सह तिष्ठति सीता"].map(foldOfText), ["made", "made"]);
});

Deno.test("textFolds() refuses a text of two folds, and one of which it knows nothing", () => {
  assert.throws(() => textFolds(MADE_SETS, foldOf)("अन्यत्"), {
    name: "RangeError",
    message: 'Cannot score "अन्यत्": it is of no contrast set, so what to hold out?',
  });
  const [pair] = MADE_SETS.main;
  const elsewhere = { ...pair!.certificate, source: { ...pair!.certificate.source, sentence: 2 } };
  const main = [pair!, { ...pair!, certificate: elsewhere }];
  assert.throws(() => textFolds({ ...MADE_SETS, main }, foldOf), {
    name: "RangeError",
    message: /^Cannot hold out ".*": it stands in BG_01_01 and in BG_01_02$/,
  });
});

Deno.test("textFolds() of the contrast sets: no line that is scored stands outside its fold", () => {
  const verses = readVerses(SANSKRIT_PATHS.verses);
  const sets = readContrastSets();
  const gita = verseFolds(verses);
  const foldOfText = textFolds(sets, gita);
  const lines = Map.groupBy(foldedLines(verses, gita), ({ text }) => text);
  for (const { pair } of [...sets.main, ...sets.iStems]) {
    const same = lines.get(pair.grammatical) ?? [];
    assert.ok(same.length > 0, `${pair.id} is no line of the text`);
    for (const { fold } of same) assert.equal(fold, foldOfText(pair.grammatical));
    assert.equal(lines.has(pair.ungrammatical), false);
  }
});
