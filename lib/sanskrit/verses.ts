import { scan, type Scansion } from "./metre.ts";
import { CLEANING_STEPS, cleanVerse } from "./verse_lines.ts";

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
  /** The line that names who speaks, as printed; empty where the verse has none. */
  readonly speaker: string;
  /** One to three, mostly two. */
  readonly lines: readonly VerseLine[];
}

/** A verse as the package has it; what else the package has is not read. */
export interface PrintedVerse {
  readonly chapter: number;
  readonly verse: number;
  readonly slok: string;
}

/** What a cleaning step did to the whole text. */
export interface StepCount {
  readonly id: string;
  readonly verses: number;
  readonly places: number;
}

export interface Gita {
  readonly verses: readonly Verse[];
  /** The formulas that close the chapters, left out. */
  readonly colophons: readonly PrintedVerse[];
  /** One for each cleaning step, in its order. */
  readonly steps: readonly StepCount[];
}

/** How many verses each of the eighteen chapters has; 701 in all, as chapter 13 has 35. */
export const CHAPTER_LENGTHS: readonly number[] = [
  ...[47, 72, 43, 42, 29, 47, 30, 28, 34],
  ...[42, 55, 20, 35, 27, 20, 24, 28, 78],
];

/** How every colophon begins; verse 17.23 begins with the same two words, written as one. */
const COLOPHON = /^ॐ तत्सदिति श्रीमद्भगवद्गीतासूपनिषत्सु/u;

const pad = (n: number) => String(n).padStart(2, "0");

/** A verse's identifier, e.g. `BG_02_47`. */
export function verseId(chapter: number, verse: number): string {
  return `BG_${pad(chapter)}_${pad(verse)}`;
}

/** Chapter and verse of an identifier, the inverse of {@link verseId}. */
export function verseNumbers(id: string): { readonly chapter: number; readonly verse: number } {
  const [, chapter, verse] = id.split("_").map(Number);
  return { chapter: chapter!, verse: verse! };
}

/**
 * Lines with their labels.
 * @throws {SyntaxError} for none, or for more than there are labels.
 */
export function labelLines(lines: readonly string[]): readonly VerseLine[] {
  const labelled = LINE_LABELS.flatMap((label, index) => {
    const text = lines[index];
    return text === undefined ? [] : [{ label, text }];
  });
  if (lines.length > 0 && labelled.length === lines.length) return labelled;
  throw new SyntaxError(`Cannot label ${lines.length} lines: a verse has one to three`);
}

/**
 * The verses of the package, cleaned, without colophons.
 * @throws {SyntaxError} when chapter by chapter the verses are not the Gītā's.
 */
export function readGita(printed: readonly PrintedVerse[]): Gita {
  const colophons = printed.filter(({ slok }) => COLOPHON.test(slok));
  const cleaned = printed.filter((row) => !colophons.includes(row))
    .map(({ chapter, verse, slok }) => ({ chapter, verse, ...cleanVerse(slok) }));
  checkNumbers(cleaned);
  const verses = cleaned.map(({ chapter, verse, speaker, lines }) => ({
    ...{ id: verseId(chapter, verse), chapter, verse, speaker },
    ...{ lines: labelLines(lines), ...scan(lines) },
  }));
  return { verses, colophons, steps: countSteps(cleaned.map(({ places }) => places)) };
}

function countSteps(places: readonly (readonly number[])[]): readonly StepCount[] {
  return CLEANING_STEPS.map(({ id }, index) => {
    const counts = places.map((ofVerse) => ofVerse[index] ?? 0);
    return {
      id,
      verses: counts.filter((count) => count > 0).length,
      places: counts.reduce((sum, count) => sum + count, 0),
    };
  });
}

function checkNumbers(verses: readonly Omit<PrintedVerse, "slok">[]): void {
  const expected = CHAPTER_LENGTHS.flatMap((length, index) =>
    Array.from({ length }, (_, verse) => verseId(index + 1, verse + 1))
  );
  const found = verses.map(({ chapter, verse }) => verseId(chapter, verse));
  const wrong = expected.findIndex((id, index) => id !== found[index]);
  if (wrong === -1 && found.length === expected.length) return;
  const [missing, instead] = [expected[wrong] ?? "the end", found[wrong] ?? "nothing"];
  throw new SyntaxError(
    `Cannot read the Gītā: ${missing} is expected, ${instead} was found (${found.length} verses)`,
  );
}
