import assert from "node:assert/strict";
import { join } from "node:path";
import { illegalSequence } from "./devanagari_legality.ts";
import { SANSKRIT_PATHS } from "./paths.ts";
import { CHAPTER_LENGTHS } from "./verses.ts";
import { readVerses, writeVerses } from "./verses_file.ts";

function inFolder(work: (folder: string) => void): void {
  const folder = Deno.makeTempDirSync({ prefix: "sanskrit-" });
  try {
    work(folder);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const ALL = readVerses(SANSKRIT_PATHS.verses);
const SOME = ALL.filter(({ id }) => ["BG_01_20", "BG_01_21", "BG_15_04", "BG_18_78"].includes(id));

Deno.test("writeVerses() and readVerses() give verses of one, two and three lines back", () =>
  inFolder((folder) => {
    const path = join(folder, "verses.csv");
    writeVerses(path, SOME);
    assert.deepEqual(readVerses(path), SOME);
    assert.deepEqual(SOME.map(({ lines }) => lines.length), [3, 1, 3, 2]);
  }));

Deno.test("readVerses() names the damaged line and the remedy", () =>
  inFolder((folder) => {
    const path = join(folder, "verses.csv");
    writeVerses(path, SOME);
    Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace("BG_01_21", "BG_01_22"));
    assert.throws(
      () => readVerses(path),
      /line 3 is damaged.*is not verse 1\.21.*Run 21_sanskrit_acquisition again/s,
    );
  }));

Deno.test("verses.csv has every verse of every chapter, and who begins to speak sixty times", () => {
  const lengths = CHAPTER_LENGTHS.map((_, it) => ALL.filter((v) => v.chapter === it + 1).length);
  assert.deepEqual(lengths, CHAPTER_LENGTHS);
  assert.equal(ALL.filter(({ speaker }) => speaker !== "").length, 60);
});

Deno.test("verses.csv holds nothing but the poem, in one spelling", () => {
  for (const { text } of ALL.flatMap(({ lines }) => lines)) {
    assert.equal(illegalSequence(text), undefined, text);
    assert.doesNotMatch(text, /ं[क-घच-झट-ढत-धप-भ]|ाऽ|\S उवाच$|^ | $| {2}/u);
  }
});

Deno.test("verses.csv has the verses as they are known (golden)", () => {
  const lineA = (id: string) => ALL.find((verse) => verse.id === id)?.lines[0]?.text;
  assert.equal(lineA("BG_02_47"), "कर्मण्येवाधिकारस्ते मा फलेषु कदाचन");
  assert.equal(lineA("BG_02_29"), "आश्चर्यवत्पश्यति कश्चिदेनमाश्चर्यवद्वदति तथैव चान्यः");
  assert.equal(lineA("BG_17_11"), "अफलाकाङ्क्षिभिर्यज्ञो विधिदृष्टो य इज्यते");
  assert.equal(lineA("BG_18_19"), "ज्ञानं कर्म च कर्ता च त्रिधैव गुणभेदतः");
});
