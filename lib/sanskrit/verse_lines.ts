/**
 * From a verse as the package prints it to its lines, as a table of steps. What no step names stays
 * as it is printed.
 */
export interface CleaningStep {
  readonly id: string;
  /** What the step does, for the table in the notebook. */
  readonly description: string;
  readonly example: readonly [printed: string, cleaned: string];
  /** Every place of a verse that the step changes. */
  readonly pattern: RegExp;
  readonly replacement: (place: string) => string;
}

/** A verse without what is not its text. */
export interface CleanVerse {
  /** The line that names who speaks, e.g. अर्जुन उवाच; empty where none is printed. */
  readonly speaker: string;
  readonly lines: readonly string[];
  /** How many places each step changed, in the order of {@link CLEANING_STEPS}. */
  readonly places: readonly number[];
}

/** A speaker's line between bars: X उवाच, or the Lord's, which is one word by sandhi. */
const SPEAKER_LINE = /(?<=^|\|)\s*(\S+ उवाच|श्रीभगवानुवाच)\s*\|/gu;

/** The nasal of each class of stops. */
const CLASS_NASALS: readonly (readonly [stops: string, nasal: string])[] = [
  ["कखगघ", "ङ"],
  ["चछजझ", "ञ"],
  ["टठडढ", "ण"],
  ["तथदध", "न"],
  ["पफबभ", "म"],
];

function classNasal(anusvaraAndStop: string): string {
  const stop = anusvaraAndStop.slice(1);
  const nasal = CLASS_NASALS.find(([stops]) => stops.includes(stop))?.[1] ?? "";
  return `${nasal}्${stop}`;
}

/** What the edition misprints, with the reading meant. */
export const MISPRINTS: readonly (readonly [printed: string, meant: string, verse: string])[] = [
  ["मूध्न्यार्धायात्मनः", "मूर्ध्न्याधायात्मनः", "8.12"],
  ["अग्निर्जोतिरहः", "अग्निर्ज्योतिरहः", "8.24"],
  ["परमात्मेत्युधाहृतः", "परमात्मेत्युदाहृतः", "15.17"],
  ["क्रुरान्संसारेषु", "क्रूरान्संसारेषु", "16.19"],
  ["अफलाङ्क्षिभिर्यज्ञो", "अफलाकाङ्क्षिभिर्यज्ञो", "17.11"],
  ["कर्ताच", "कर्ता च", "18.19"],
  ["वशोपि", "वशोऽपि", "18.60"],
];

/** The steps in the order of their application. */
export const CLEANING_STEPS: readonly CleaningStep[] = [
  {
    id: "VERSE_NUMBER",
    description: "the number at the verse's end is removed",
    example: ["||२-४७||", ""],
    pattern: /\|\|[०-९]+-[०-९]+\|\|\s*$/gu,
    replacement: () => "",
  },
  {
    id: "LATIN_NOTE",
    description: "a variant reading noted in Latin script is removed",
    example: ["मयि (var अशेषाणि)", "मयि"],
    pattern: /\(\s*(?:or|var)[^)]*\)/gu,
    replacement: () => "",
  },
  {
    id: "SPEAKER_LINE",
    description: "a line that only names the speaker goes into a column of its own",
    example: ["अर्जुन उवाच |", ""],
    pattern: SPEAKER_LINE,
    replacement: () => "",
  },
  {
    id: "LINE_BREAK_HYPHEN",
    description: "a word that the line break cut is joined",
    example: ["जीर्णा- न्यन्यानि", "जीर्णान्यन्यानि"],
    pattern: /-\s*/gu,
    replacement: () => "",
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
    pattern: new RegExp(MISPRINTS.map(([printed]) => printed).join("|"), "gu"),
    replacement: (place) => MISPRINTS.find(([printed]) => printed === place)?.[1] ?? place,
  },
];

const fold = (text: string) => text.replace(/\s+/gu, " ").trim();

/** Takes one verse of the package through all steps and cuts it at its bars. */
export function cleanVerse(printed: string): CleanVerse {
  const places: number[] = [];
  let text = printed;
  let speaker = "";
  for (const { id, pattern, replacement } of CLEANING_STEPS) {
    const matches = [...text.matchAll(pattern)];
    places.push(matches.length);
    if (id === "SPEAKER_LINE") speaker = matches[0]?.[1] ?? "";
    text = text.replace(pattern, replacement);
  }
  return { speaker, lines: text.split("|").map(fold).filter((line) => line !== ""), places };
}
