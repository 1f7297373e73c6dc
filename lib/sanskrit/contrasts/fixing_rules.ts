import { type Case, CASES, type Cell, formatCell } from "../cell.ts";
import { couldBeChanged } from "../junction.ts";
import type { AnnotatedNoun, FixingWord, Relation } from "../treebank/annotated_noun.ts";

/** What a relation fixes of a noun's cell, and why another cell breaks the sentence. */
export interface FixingRule {
  /** Identifier in certificates, e.g. `SK_AGREEMENT`. */
  readonly id: string;
  /** Cases that the noun may not change to without breaking the relation. */
  readonly breaksCases: readonly Case[];
  /** Whether the head fixes the number as well. */
  readonly fixesNumber: boolean;
  /** Selection prefers 1 over 2 over 3. */
  readonly tier: 1 | 2 | 3;
  /** Said of the head word, e.g. "sarvāṇi agrees with it". */
  readonly words: (head: string) => string;
}

const ALL_CASES: readonly Case[] = CASES.filter((name) => name !== "vocative");

/**
 * The relations that fix a cell. A free adjunct fixes nothing and is no rule. Sanskrit may leave a
 * subject or an object unsaid, and a noun in an oblique case is then a free adjunct: a relation is
 * taken to break only where that reading is far. Objects, goals and genitives leave the number open:
 * any number of things can be known, reached or possessed.
 */
export const FIXING_RULES: Readonly<Partial<Record<Relation, FixingRule>>> = {
  agreement: {
    id: "SK_AGREEMENT",
    breaksCases: ALL_CASES,
    fixesNumber: true,
    tier: 1,
    words: (head) => `${head} agrees with it`,
  },
  subject: {
    id: "SK_SUBJECT",
    breaksCases: ["accusative", "genitive"],
    fixesNumber: true,
    tier: 1,
    words: (head) => `it is the subject of ${head}`,
  },
  absolute: {
    id: "SK_ABSOLUTE",
    breaksCases: ALL_CASES,
    fixesNumber: true,
    tier: 1,
    words: (head) => `it is the subject of the absolute participle ${head}`,
  },
  predicate: {
    id: "SK_PREDICATE",
    breaksCases: ["accusative", "dative", "ablative"],
    fixesNumber: true,
    tier: 1,
    words: (head) => `it and ${head} are subject and predicate, or object and complement`,
  },
  apposition: {
    id: "SK_APPOSITION",
    breaksCases: ALL_CASES,
    fixesNumber: true,
    tier: 1,
    words: (head) => `it stands in apposition with ${head}`,
  },
  governed: {
    id: "SK_GOVERNED",
    breaksCases: ALL_CASES,
    fixesNumber: false,
    tier: 1,
    words: (head) => `${head} governs it`,
  },
  object: {
    id: "SK_OBJECT",
    breaksCases: ["nominative", "dative", "ablative", "genitive"],
    fixesNumber: false,
    tier: 2,
    words: (head) => `it is the object of ${head}`,
  },
  coordinated: {
    id: "SK_COORDINATED",
    breaksCases: ALL_CASES,
    fixesNumber: false,
    tier: 2,
    words: (head) => `it is coordinated with ${head}`,
  },
  adnominal: {
    id: "SK_ADNOMINAL",
    breaksCases: ["nominative", "accusative", "dative"],
    fixesNumber: false,
    tier: 3,
    words: (head) => `it depends on the noun ${head}`,
  },
};

/** Whether a relation, as its head stands there, keeps a noun from the cell `to`. */
export function breaks(noun: AnnotatedNoun, head: FixingWord, to: Cell): boolean {
  const rule = FIXING_RULES[head.relation];
  if (rule === undefined) return false;
  // A verb's number says nothing of a noun that is no longer its subject.
  if (to.case !== noun.cell.case) return rule.breaksCases.includes(to.case);
  return to.number !== noun.cell.number && rule.fixesNumber && headFixesNumber(noun, head);
}

/** “I” and “thou” may be predicated of in another number than their own: “I am the seas”. */
const SPEAKERS: ReadonlySet<string> = new Set(["aham", "tvam", "asmi", "asi", "bhavān"]);

/** A verb or modifier fixes a number only where it has the noun's own: coordinated subjects add up. */
function headFixesNumber(
  { cell }: AnnotatedNoun,
  { relation, word, readings }: FixingWord,
): boolean {
  if (relation === "predicate" && SPEAKERS.has(word)) return false;
  const [, number] = formatCell(cell).split(".");
  const numbers = readings.map((reading) => reading.split(".")[1]);
  return numbers.length > 0 && numbers.every((own) => own === number);
}

/**
 * Whether the head's own form would go with the noun in the cell `to`, so that nothing is broken.
 * @param headInPlace as it is written there, where sandhi may hide another form of it.
 */
export function headAllows(
  noun: AnnotatedNoun,
  { relation, readings, word }: FixingWord,
  to: Cell,
  headInPlace?: WrittenWord,
): boolean {
  if (relation === "governed") return readings.includes(formatCell(to).split(".")[0]!);
  if (!AGREEING.includes(relation)) return false;
  const cell = `${formatCell(to)}.${noun.gender[0]}`;
  if (readings.includes(cell)) return true;
  return headInPlace !== undefined && hiddenReadings(word, headInPlace).includes(cell);
}

/** A written token in IAST with the one after it. */
export interface WrittenWord {
  readonly written: string;
  readonly next: string | undefined;
}

/** What a final -ā or -a may stand for besides itself: -āḥ before voiced sounds, -aḥ and -e before vowels. */
const HIDDEN: readonly (readonly [final: string, cells: readonly string[]])[] = [
  ["ā", ["nom.pl.m", "nom.pl.f", "acc.pl.f"]],
  ["a", ["nom.sg.m", "nom.pl.m", "loc.sg.m", "loc.sg.n"]],
];

/**
 * Cells of a nominal in -a that its written form could be by sandhi: kā bhāṣā may be kāḥ bhāṣāḥ,
 * sarva eva may be sarve eva. Only where the word ends its token; else its end is no longer to be seen.
 */
function hiddenReadings(word: string, { written, next }: WrittenWord): readonly string[] {
  if (next === undefined || !couldBeChanged(written, next)) return [];
  const isInA = /(?:a|ā|aḥ|āḥ|e)$/u.test(word);
  return HIDDEN.find(([final]) => isInA && written.endsWith(final))?.[1] ?? [];
}

const AGREEING: readonly Relation[] = ["agreement", "absolute", "apposition", "predicate"];
