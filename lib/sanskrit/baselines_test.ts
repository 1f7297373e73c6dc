import assert from "node:assert/strict";
import fc from "fast-check";
import { sanskritBaselines } from "./baselines.ts";
import { madeContrast } from "./metrics/testdata/made_contrast.ts";
import { scan } from "./metre.ts";
import { labelLines, type Verse, verseId } from "./verses.ts";

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

Deno.test("sanskritBaselines() are in the order of the table", () =>
  assert.deepEqual(sanskritBaselines(VERSES, [], 1).map(({ name }) => name), [
    ...["random", "always_a", "always_shorter", "form_frequency", "character_5gram", "metre"],
  ]));

Deno.test("metre prefers the line of whole pādas: 16 syllables to 17", () => {
  assert.equal(chosen().metre, "grammatical");
  assert.equal(chosen().always_shorter, "grammatical");
  assert.equal(chosen().always_a, "tie");
});

Deno.test("metre is a tie where the variant has as many syllables", () => {
  const same = madeContrast({
    source: [1, 1],
    grammatical: ITEM.pair.grammatical,
    ungrammatical: "धर्मक्षेत्रे कुरुक्षेत्रं समवेता युयुत्सवः",
    target: "कुरुक्षेत्रे",
  });
  assert.equal(chosen(same).metre, "tie");
});

Deno.test("form_frequency counts outside the fold, verses that repeat the line among it", () => {
  // कुरुक्षेत्रे stands in 1.1 and 1.3 only, which are one fold; कुरुक्षेत्रस्य nowhere: none to none.
  assert.equal(chosen().form_frequency, "tie");
  const accusative = madeContrast({
    source: [1, 1],
    grammatical: ITEM.pair.grammatical,
    ungrammatical: "धर्मक्षेत्रे कुरुक्षेत्रं समवेता युयुत्सवः",
    target: "कुरुक्षेत्रे",
  });
  // कुरुक्षेत्रं once in 1.4.
  assert.equal(chosen(accusative).form_frequency, "ungrammatical");
  const first = madeContrast({
    source: [1, 1],
    grammatical: ITEM.pair.grammatical,
    ungrammatical: "धर्मक्षेत्रं कुरुक्षेत्रे समवेता युयुत्सवः",
    target: "धर्मक्षेत्रे",
  });
  // धर्मक्षेत्रे and धर्मक्षेत्रं once each in 1.2.
  assert.equal(chosen(first).form_frequency, "tie");
});

Deno.test("form_frequency takes म् at the end of a word for anusvāra", () => {
  const last = madeContrast({
    source: [1, 1],
    grammatical: "समवेता कुरुक्षेत्रम्",
    ungrammatical: "समवेता कुरुक्षेत्रेण",
    target: "कुरुक्षेत्रम्",
  });
  assert.equal(chosen(last).form_frequency, "grammatical");
});

Deno.test("sanskritBaselines() refuse a pair that is not of the text", () => {
  const baselines = sanskritBaselines(VERSES, [], 1).slice(3);
  for (const { choose } of baselines) assert.throws(() => choose(ITEM.pair), RangeError);
});

Deno.test("a baseline's choice follows the members when they change places (property, 100 runs)", () => {
  const form = fc.constantFrom("धर्मक्षेत्रे", "धर्मक्षेत्रं", "धर्मक्षेत्रेण", "फलं", "फलानि");
  const other = { grammatical: "ungrammatical", ungrammatical: "grammatical", tie: "tie" };
  const rest = "कुरुक्षेत्रे समवेता युयुत्सवः";
  fc.assert(
    fc.property(form, form, (one, two) => {
      fc.pre(one !== two);
      const of = (target: string, variant: string) =>
        chosen(madeContrast({
          source: [1, 1],
          grammatical: `${target} ${rest}`,
          ungrammatical: `${variant} ${rest}`,
          target,
        }));
      const [forth, back] = [of(one, two), of(two, one)];
      for (const name of ["always_shorter", "form_frequency", "character_5gram", "metre"]) {
        assert.equal(forth[name], other[back[name]!]);
      }
    }),
    { numRuns: 100 },
  );
});
