import assert from "node:assert/strict";
import {
  characterModels,
  foldedLines,
  foldOfSource,
  sanskritBaselines,
  textFolds,
  verseFolds,
} from "./baselines.ts";
import { probePairs, readContrastSets } from "./probes.ts";
import { MADE_SETS, MADE_VERSES, madeContrast } from "./testdata/fixtures.ts";
import { labelLines, scan, type Verse, verseId, VERSES as GITA } from "./verses.ts";

const verse = (chapter: number, number: number, ...lines: readonly string[]): Verse => ({
  id: verseId(chapter, number),
  chapter,
  verse: number,
  speaker: "",
  lines: labelLines(lines),
  ...scan(lines),
});

// 2.47, 12.9 b by its end, and two made lines; 1.1 is written twice, so that 1.1 and 1.3 are a fold.
const VERSES = [
  verse(1, 1, "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः"),
  verse(1, 2, "धर्मक्षेत्रे फलं तत्र धर्मक्षेत्रं ददाति तम्"),
  verse(1, 3, "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः"),
  verse(1, 4, "कुरुक्षेत्रं गतो देवः"),
];

const ITEM = madeContrast({
  source: [1, 1],
  grammatical: "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः",
  ungrammatical: "धर्मक्षेत्रे कुरुक्षेत्रस्य समवेता युयुत्सवः",
  target: "कुरुक्षेत्रे",
});

const chosen = (item = ITEM) =>
  Object.fromEntries(
    sanskritBaselines(VERSES, [item], 1).map(({ name, choose }) => [name, choose(item.pair)]),
  );

/** Returns each baseline's choice for a changed word of verse 1.1. */
const changed = (target: string, variant: string) => {
  const grammatical = ITEM.pair.grammatical;
  const ungrammatical = grammatical.replace(target, variant);
  return chosen(madeContrast({ source: [1, 1], grammatical, ungrammatical, target }));
};

Deno.test("metre prefers the line of whole pādas; a variant of as many syllables is a tie", () => {
  const { metre, always_shorter, always_a } = chosen();
  assert.deepEqual([metre, always_shorter, always_a], ["grammatical", "grammatical", "tie"]);
  assert.equal(changed("कुरुक्षेत्रे", "कुरुक्षेत्रं").metre, "tie");
});

Deno.test("form_frequency counts outside the fold, verses that repeat the line among it; final म् is anusvāra", () => {
  // कुरुक्षेत्रे is in 1.1 and 1.3 only, which are one fold; कुरुक्षेत्रस्य nowhere: none to none.
  assert.equal(chosen().form_frequency, "tie");
  // कुरुक्षेत्रं once in 1.4; धर्मक्षेत्रे and धर्मक्षेत्रं once each in 1.2.
  assert.equal(changed("कुरुक्षेत्रे", "कुरुक्षेत्रं").form_frequency, "ungrammatical");
  assert.equal(changed("कुरुक्षेत्रे", "कुरुक्षेत्रम्").form_frequency, "ungrammatical");
  assert.equal(changed("धर्मक्षेत्रे", "धर्मक्षेत्रं").form_frequency, "tie");
});

/** Returns the text with one verse printed twice: more training text, same characters. */
const repeated = (repeated: number): readonly Verse[] =>
  MADE_VERSES.map((verse) =>
    verse.verse === repeated
      ? { ...verse, lines: [...verse.lines, { ...verse.lines[0]!, label: "b" }] }
      : verse
  );

async function nats(verses: readonly Verse[], text: string): Promise<readonly number[]> {
  const scores = characterModels(verses, MADE_SETS).map((model) => model.score([text]));
  return (await Promise.all(scores)).map(([only]) => only!.logProbability);
}

Deno.test("characterModels() learn nothing from the verse or noun that is scored, or from what repeats its pāda", async () => {
  // The pair of verse 1.3, which begins like 1.1.
  const [item] = MADE_SETS.main;
  const [inIast] = probePairs(MADE_SETS).filter(({ id }) => id.startsWith("iast"));
  // Both are of देव, which is in verse 1.3.
  const controls = [MADE_SETS.controls[0]!.ungrammatical, MADE_SETS.controls[0]!.grammatical];
  for (const text of [item!.pair.grammatical, inIast!.ungrammatical, ...controls]) {
    const expected = await nats(MADE_VERSES, text);
    assert.deepEqual(await nats(repeated(3), text), expected);
    assert.deepEqual(await nats(repeated(1), text), expected);
    for (const [at, other] of (await nats(repeated(2), text)).entries()) {
      assert.notEqual(other, expected[at]);
    }
  }
});

Deno.test("verseFolds() of the Gītā: 80 verses that repeat each other are 37 folds", () => {
  const verses = GITA.read();
  const foldOf = verseFolds(verses);
  const folds = Map.groupBy(verses, ({ id }) => foldOf(id));
  const joined = [...folds.values()].filter((members) => members.length > 1);
  assert.deepEqual([folds.size, joined.length, joined.flat().length], [658, 37, 80]);
  // Verses 3.35 and 18.47 begin alike: “better one's own duty, ill done …”.
  assert.equal(foldOf("BG_18_47"), "BG_03_35");
  const lines = foldedLines(verses, foldOf);
  assert.equal(lines.length, 1403);
  const texts = Map.groupBy(lines, ({ text }) => text);
  for (const same of texts.values()) assert.equal(new Set(same.map(({ fold }) => fold)).size, 1);
});

Deno.test("textFolds() of the contrast sets: for a noun's own forms, the verses of all its pairs", () => {
  const verses = GITA.read();
  const sets = readContrastSets();
  const gita = verseFolds(verses);
  const all = foldedLines(verses, gita);
  const heldOutOf = textFolds(sets, gita, all);
  const pairs = Map.groupBy(sets.main, ({ record }) => record.stem);
  for (const { stem, grammatical, metadata } of sets.controls) {
    const heldOut = new Set(heldOutOf(grammatical));
    for (const { certificate } of pairs.get(stem) ?? []) {
      assert.ok(heldOut.has(foldOfSource(certificate, gita)), grammatical);
    }
    const learned = all.filter(({ fold }) => !heldOut.has(fold));
    assert.ok(!learned.some(({ text }) => text.includes(metadata.target)), grammatical);
  }
});
