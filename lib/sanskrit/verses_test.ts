import assert from "node:assert/strict";
import { CLEANING_STEPS } from "./verse_lines.ts";
import { CHAPTER_LENGTHS, labelLines, type PrintedVerse, readGita, verseId } from "./verses.ts";

/** A text with the Gītā's numbers, the same two lines for every verse, and a colophon a chapter. */
const PRINTED: readonly PrintedVerse[] = CHAPTER_LENGTHS.flatMap((length, index) => {
  const chapter = index + 1;
  const line = "धर्मक्षेत्रे कुरुक्षेत्रे समवेता युयुत्सवः";
  const verses = Array.from({ length }, (_, it) => ({
    ...{ chapter, verse: it + 1 },
    slok: `${line} | ${line} ||१-१||`,
  }));
  const colophon = "ॐ तत्सदिति श्रीमद्भगवद्गीतासूपनिषत्सु नाम प्रथमोऽध्यायः ||१-१||";
  return [...verses, { chapter, verse: length + 1, slok: colophon }];
});

Deno.test("CHAPTER_LENGTHS are eighteen and make 701", () => {
  assert.equal(CHAPTER_LENGTHS.length, 18);
  assert.equal(CHAPTER_LENGTHS.reduce((sum, length) => sum + length, 0), 701);
});

Deno.test("verseId() pads chapter and verse to two digits", () =>
  assert.equal(verseId(2, 7), "BG_02_07"));

Deno.test("readGita() drops the colophons, numbered like verses or not, and keeps 701", () => {
  const { verses, colophons } = readGita(PRINTED);
  assert.equal(verses.length, 701);
  assert.equal(colophons.length, 18);
  assert.equal(verses.at(-1)?.id, "BG_18_78");
});

Deno.test("readGita() keeps 17.23, which begins as the colophons do", () => {
  const slok = "ॐतत्सदिति निर्देशो ब्रह्मणस्त्रिविधः स्मृतः ||१७-२३||";
  const printed = PRINTED.map((it) => it.chapter === 17 && it.verse === 23 ? { ...it, slok } : it);
  const verse = readGita(printed).verses.find(({ id }) => id === "BG_17_23");
  assert.deepEqual(verse?.lines, [{ label: "a", text: "ॐतत्सदिति निर्देशो ब्रह्मणस्त्रिविधः स्मृतः" }]);
  assert.deepEqual(verse?.padas, ["ॐतत्सदिति निर्देशो", "ब्रह्मणस्त्रिविधः स्मृतः"]);
});

Deno.test("readGita() counts verses and places of each step", () => {
  const { steps } = readGita(PRINTED);
  assert.deepEqual(steps.map(({ id }) => id), CLEANING_STEPS.map(({ id }) => id));
  assert.deepEqual(steps[0], { id: "VERSE_NUMBER", verses: 701, places: 701 });
  assert.ok(steps.slice(1).every(({ verses, places }) => verses === 0 && places === 0));
});

Deno.test("readGita() refuses a text that lacks a verse, or has one too many", () => {
  const [first, ...rest] = PRINTED;
  assert.throws(() => readGita(rest), /BG_01_01 is expected, BG_01_02 was found \(700 verses\)/);
  assert.throws(() => readGita([...PRINTED, first!]), SyntaxError);
});

Deno.test("labelLines() labels one to three lines and refuses none or four", () => {
  assert.deepEqual(labelLines(["न", "च"]), [{ label: "a", text: "न" }, { label: "b", text: "च" }]);
  assert.throws(() => labelLines([]), SyntaxError);
  assert.throws(() => labelLines(["न", "न", "न", "न"]), SyntaxError);
});
