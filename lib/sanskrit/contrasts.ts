import { name, oneOf, type RowOf, table } from "../files/table.ts";
import { type Attested, type CertifiedPair, certify, type Proposal } from "../pairs/certify.ts";
import type { Rejection } from "../pairs/pair.ts";
import { formatCells, type LexiconEntry, type NounToken, saysTheSame } from "./nouns.ts";
import { type Cell, CELLS, decline, formatCell, type Paradigm } from "./paradigms.ts";
import { FIXING_RELATIONS, type Relation } from "./rules.ts";
import { couldBeChanged, fromIast, pausalForm, toIast, writtenInPlace } from "./sounds.ts";
import { type AnnotatedNoun, type FixingWord, tokenKey } from "./treebank.ts";
import { OURS, SANSKRIT_PATHS } from "./study.ts";
import { countSyllables, type Verse, type VerseLine, verseNumbers } from "./verses.ts";

/** A noun with the line it stands in, and what may be known of its stem. */
export interface NounInPlace {
  readonly noun: AnnotatedNoun;
  readonly line: VerseLine;
  /** Whether what it names can be spoken to: its vocative is then a reading of its own. */
  readonly isAddressable: boolean;
}

/** What the rules say of one noun: the forms that could take its place, and why others cannot. */
interface ContrastFinding {
  readonly candidates: readonly ContrastCandidate[];
  readonly rejections: readonly Refusal[];
}

/** A refusal without its source. */
type Refusal = Pick<Rejection<RejectionReason>, "phenomenon" | "reason" | "detail"> & {
  readonly form: string;
};

/** Every cell that differs from the noun's in case alone or in number alone; no vocatives. */
function neighbouringCells({ cell }: Pick<AnnotatedNoun, "cell">): readonly Cell[] {
  return CELLS.filter((other) =>
    other.case !== "vocative" &&
    (other.case !== cell.case) !== (other.number !== cell.number)
  );
}

/**
 * Forms that could take the noun's place and break what fixes its cell. Whether the line is left
 * without any reading, a reader says: see variant_reading.ts. Pure.
 */
export function findContrasts(place: NounInPlace): ContrastFinding {
  const { noun } = place;
  const paradigm = decline(noun.stem, noun.declension);
  const candidates: ContrastCandidate[] = [];
  const rejections: Refusal[] = [];
  for (const to of neighbouringCells(noun)) {
    const phenomenon = to.case === noun.cell.case ? "number" : "case";
    const result = contrast(place, paradigm, to, phenomenon);
    if ("reason" in result) rejections.push({ phenomenon, ...result });
    else candidates.push(result);
  }
  return { candidates, rejections };
}

type Fault = Omit<Refusal, "phenomenon">;
type Reason = Pick<Fault, "reason" | "detail">;

function contrast(
  place: NounInPlace,
  paradigm: Paradigm,
  to: Cell,
  phenomenon: Phenomenon,
): ContrastCandidate | Fault {
  const { noun, line } = place;
  const form = paradigm.forms(to)[0]!;
  const refuse = ({ reason, detail }: Reason): Fault => ({
    form: fromIast(form),
    reason,
    detail: `${formatCell(noun.cell)} > ${formatCell(to)}${detail && `: ${detail}`}`,
  });
  const readings = paradigm.cellsOf(form);
  const heads = headsThatBreak(noun, to);
  const left = readingLeft(place, heads, readings);
  if (left) return refuse(left);
  const [fixedBy] = heads;
  if (fixedBy === undefined) return refuse({ reason: "relation_leaves_it_open", detail: "" });
  const written = writtenHere(form, noun, line);
  if (written === undefined) return refuse({ reason: "sandhi_would_change", detail: "" });
  return { noun, phenomenon, fixedBy, to, written, marks: marksOf(noun, written, readings) };
}

/** The first reading of a form by which the line stays grammatical, of all that its paradigm gives it. */
function readingLeft(
  { noun, line, isAddressable }: NounInPlace,
  heads: readonly FixingWord[],
  readings: readonly Cell[],
): Reason | undefined {
  if (readings.some((cell) => formatCell(cell) === formatCell(noun.cell))) {
    return { reason: "same_form", detail: "" };
  }
  // Without a head that breaks, every reading is left: that has a reason of its own.
  if (heads.length === 0) return undefined;
  const agreeing = heads.find((own) =>
    readings.some((cell) => headAllows(noun, own, cell, inPlace(own, line)))
  );
  if (agreeing) return { reason: "head_agrees_with_it", detail: agreeing.word };
  const open = readings.find((cell) =>
    cell.case !== "vocative" && !heads.some((own) => breaks(noun, own, cell))
  );
  if (open) return { reason: "another_cell_fits", detail: formatCell(open) };
  const isVocative = readings.some((cell) => cell.case === "vocative");
  return isVocative && isAddressable ? { reason: "vocative_reading", detail: "" } : undefined;
}

function marksOf(
  { form, stem }: AnnotatedNoun,
  written: string,
  readings: readonly Cell[],
): readonly Mark[] {
  return [
    ...(countSyllables(written) === countSyllables(form) ? [] : ["metre_changed" as const]),
    ...(written.endsWith("ो") ? ["final_in_sandhi" as const] : []),
    ...(readings.some((cell) => cell.case === "vocative") ? ["vocative_homonym" as const] : []),
    ...(stem.includes("-") ? ["compound" as const] : []),
  ];
}

/** The heads in the noun's own line that keep it from a cell, best tier first. */
function headsThatBreak(noun: AnnotatedNoun, to: Cell): readonly FixingWord[] {
  const tier = ({ relation }: FixingWord) => FIXING_RULES.get(relation)?.tier ?? 3;
  return noun.fixedBy
    .filter((head) => isInSameLine(noun, head) && breaks(noun, head, to))
    .toSorted((a, b) => tier(a) - tier(b));
}

function isInSameLine({ line }: AnnotatedNoun, head: FixingWord): boolean {
  return head.line.verse === line.verse && head.line.label === line.label;
}

/** The token that a head is written in, with its neighbour; heads here stand in the noun's line. */
function inPlace({ token }: FixingWord, { text }: VerseLine): WrittenWord {
  const [written = "", next] = text.split(" ").slice(token - 1, token + 1).map(toIast);
  return { written, next };
}

/** The form as it is written in the noun's place, with both neighbours as they are. */
function writtenHere(
  form: string,
  { token }: AnnotatedNoun,
  { text }: VerseLine,
): string | undefined {
  const next = text.split(" ")[token];
  const written = writtenInPlace(form, next === undefined ? undefined : toIast(next));
  return written === undefined ? undefined : fromIast(written);
}

/** The two perturbations of the specification. */
export const PHENOMENA = ["case", "number"] as const;
export type Phenomenon = (typeof PHENOMENA)[number];

/** Why a noun of the text, or a cell it might be changed to, makes no pair. */
export type RejectionReason =
  // of the noun
  | "reader_in_doubt"
  | "not_extracted"
  | "stem_without_evidence"
  | "extracted_otherwise"
  | "nothing_fixes_the_cell"
  | "fixed_from_another_line"
  | "not_the_paradigm_form"
  // of the cell
  | "same_form"
  | "relation_leaves_it_open"
  | "head_agrees_with_it"
  | "another_cell_fits"
  | "vocative_reading"
  | "sandhi_would_change"
  | "not_read"
  | "reader_in_doubt_of_variant"
  | "reader_finds_a_reading"
  // of the choice
  | "stem_not_chosen"
  | "other_form_chosen"
  | "not_selected";

/** A noun of the text and the form that is to take its place. */
interface ContrastCandidate {
  readonly noun: AnnotatedNoun;
  readonly phenomenon: Phenomenon;
  /** The word that fixes the cell, of those that do the one of the best tier. */
  readonly fixedBy: FixingWord;
  readonly to: Cell;
  /** As it is written in this place, in Devanagari. */
  readonly written: string;
  readonly marks: readonly Mark[];
}

/**
 * What a pair tests besides the cell, or shows beside it: a variant in -o for -aḥ has a final that no
 * grammatical member has, for those stand free of sandhi.
 */
type Mark = "metre_changed" | "final_in_sandhi" | "vocative_homonym" | "compound";

/**
 * The relations that fix a cell. A free adjunct fixes nothing and is no rule. Sanskrit may leave a
 * subject or an object unsaid, and a noun in an oblique case is then a free adjunct: a relation is
 * taken to break only where that reading is far. Objects, goals and genitives leave the number open:
 * any number of things can be known, reached or possessed.
 */
export const FIXING_RULES: ReadonlyMap<Relation, RowOf<typeof FIXING_RELATIONS>> = new Map(
  FIXING_RELATIONS.read().map((row) => [row.relation, row]),
);

/** Whether a relation, as its head stands there, keeps a noun from the cell `to`. */
export function breaks(noun: AnnotatedNoun, head: FixingWord, to: Cell): boolean {
  const rule = FIXING_RULES.get(head.relation);
  if (rule === undefined) return false;
  // A verb's number says nothing of a noun that is no longer its subject.
  if (to.case !== noun.cell.case) return rule.breaks_cases.includes(to.case);
  return to.number !== noun.cell.number && rule.fixes_number && headFixesNumber(noun, head);
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
interface WrittenWord {
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

/** The text that certificates name. */
const GITA = "Bhagavad Gītā";

/** A candidate as a proposal: the attested line, the line with the one form changed, and on what ground. */
function proposeContrast(
  candidate: ContrastCandidate,
  verse: Verse,
): Proposal<Phenomenon> {
  const { noun, phenomenon, to, written } = candidate;
  const text = verse.lines.find(({ label }) => label === noun.line.label)?.text ?? "";
  return {
    phenomenon,
    grammatical: text,
    ungrammatical: text.split(" ").with(noun.token - 1, written).join(" "),
    target: noun.form,
    errorType: `${noun.cell[phenomenon]}_to_${to[phenomenon]}`,
    context: contextOf(verse),
    source: { text: GITA, chapter: verse.chapter, sentence: verse.verse },
    sourceSpelling: text,
    ...groundOf(candidate),
    proposedBy: "rules",
    promptSha256: "",
  };
}

type Ground = Pick<
  Proposal,
  | "rule"
  | "lemma"
  | "construction"
  | "cellFrom"
  | "cellTo"
  | "checks"
  | "marks"
  | "explanation"
  | "tier"
>;

/** What the certificate says of the change, and why the line cannot bear it. */
function groundOf(candidate: ContrastCandidate): Ground {
  const { noun, fixedBy, to, written, marks } = candidate;
  const rule = FIXING_RULES.get(fixedBy.relation)!;
  return {
    rule: rule.rule,
    lemma: noun.stem,
    construction: `${fixedBy.relation} ${formatCell(noun.cell)} > ${formatCell(to)}`,
    cellFrom: `${formatCell(noun.cell)}.${noun.gender[0]}`,
    cellTo: `${formatCell(to)}.${noun.gender[0]}`,
    checks: [
      `${noun.cell.case} ${noun.cell.number} by treebank and extractor`,
      `fixed by ${fixedBy.word} (${fixedBy.relation}) in the same line`,
      "no other cell of the variant fits",
      "neither neighbour's sandhi changes",
      "a second reader found the variant clearly wrong in its verse",
    ],
    marks,
    explanation:
      `The noun ${noun.stem.replaceAll("-", "")} is ${noun.cell.case} ${noun.cell.number}: ` +
      `${
        rule.words.replace("{head}", fromIast(fixedBy.word))
      }; ${written} is ${to.case} ${to.number}.`,
    tier: rule.tier,
  };
}

/** The verse with its number: what stands before and after the line. */
function contextOf({ chapter, verse, lines }: Verse): string {
  return `${chapter}.${verse}: ${lines.map(({ text }) => text).join(" । ")} ॥`;
}

/** What the contrasts are made from. */
interface ContrastSources {
  readonly verses: readonly Verse[];
  readonly treebank: readonly AnnotatedNoun[];
  /** Nouns as the extractor found them; one that it did not find is in no pair. */
  readonly extracted: readonly NounToken[];
  /** The stems that pairs are made of. */
  readonly stems: ReadonlySet<LexiconEntry>;
}

/** Every form that could take a noun's place, before anybody has read the line with it. */
interface ContrastSearch {
  readonly candidates: readonly ContrastCandidate[];
  readonly rejections: readonly Rejection<RejectionReason>[];
}

/** Looks at every noun of the treebank. Pure; no randomness. */
export function searchContrasts(
  { verses, treebank, extracted, stems }: ContrastSources,
): ContrastSearch {
  const lines = linesOf(verses);
  const found = new Map(extracted.map((token) => [tokenKey(token), token]));
  const searches = treebank.map((noun): ContrastSearch => {
    const token = found.get(tokenKey(noun));
    const reject = (fault: NounFault) => ({ candidates: [], rejections: rejectNoun(noun, fault) });
    if (token === undefined) return reject({ reason: "not_extracted", detail: noun.stem });
    const fault = faultOf(noun, token, stems);
    if (fault) return reject(fault);
    const line = lines.get(`${noun.line.verse}.${noun.line.label}`)!;
    return searchPlace({ noun, line, isAddressable: token.entry.isAddressable });
  });
  return {
    candidates: searches.flatMap(({ candidates }) => candidates),
    rejections: searches.flatMap(({ rejections }) => rejections),
  };
}

function searchPlace(place: NounInPlace): ContrastSearch {
  const { candidates, rejections } = findContrasts(place);
  const source = sourceOf(place.noun);
  return {
    candidates,
    rejections: rejections.map(({ form, ...refusal }) => ({
      ...{ source, candidate: `${place.noun.form}>${form}`, ...refusal },
    })),
  };
}

/** Candidates that a second reader found clearly wrong in their line and that pass the shared checks. */
export function certifyContrasts(
  { candidates, rejections }: ContrastSearch,
  verses: readonly Verse[],
  readVariant: ReadVariant,
  attested: Attested,
): {
  readonly certified: readonly CertifiedPair<Phenomenon>[];
  readonly rejections: readonly Rejection[];
} {
  const byId = new Map(verses.map((verse) => [verse.id, verse]));
  const certified: CertifiedPair<Phenomenon>[] = [];
  const refused: Rejection[] = [...rejections];
  for (const candidate of candidates) {
    const rating = readVariant(candidate);
    if (rating !== "wrong") {
      refused.push(refusedByReader(candidate, rating));
      continue;
    }
    const verse = byId.get(candidate.noun.line.verse)!;
    const result = certify(proposeContrast(candidate, verse), attested);
    if (result.kind === "certified") certified.push(result);
    else refused.push(result.rejection);
  }
  return { certified, rejections: refused };
}

interface NounFault {
  readonly reason: RejectionReason;
  readonly detail: string;
}

/** Why a noun makes no pair, whatever form is put in its place. */
function faultOf(
  noun: AnnotatedNoun,
  token: NounToken,
  stems: ReadonlySet<LexiconEntry>,
): NounFault | undefined {
  if (noun.isDoubtful) return { reason: "reader_in_doubt", detail: "" };
  const cell = formatCell(noun.cell);
  const { entry, cells } = token;
  if (!saysTheSame(token, noun)) {
    return {
      reason: "extracted_otherwise",
      detail: `reader ${noun.stem} ${cell}, extractor ${entry.stem} ${formatCells(cells)}`,
    };
  }
  if (!stems.has(entry)) return { reason: "stem_without_evidence", detail: entry.stem };
  const forms = decline(noun.stem, noun.declension).forms(noun.cell);
  if (!forms.includes(pausalForm(toIast(noun.form)))) {
    return { reason: "not_the_paradigm_form", detail: forms.join(", ") };
  }
  const heads = noun.fixedBy.filter(({ relation }) => FIXING_RULES.has(relation));
  if (heads.length === 0) return { reason: "nothing_fixes_the_cell", detail: cell };
  if (!heads.some((head) => isInSameLine(noun, head))) {
    return { reason: "fixed_from_another_line", detail: heads[0]!.word };
  }
  return undefined;
}

/** One rejection for each phenomenon that the noun might have tested. */
function rejectNoun(
  noun: AnnotatedNoun,
  { reason, detail }: NounFault,
): readonly Rejection<RejectionReason>[] {
  const phenomena = new Set(
    neighbouringCells(noun).map((to): Phenomenon => to.case === noun.cell.case ? "number" : "case"),
  );
  return [...phenomena].map((phenomenon) => ({
    ...{ source: sourceOf(noun), phenomenon, candidate: noun.form, reason, detail },
  }));
}

function refusedByReader(
  { noun, phenomenon, written, to }: ContrastCandidate,
  rating: "doubtful" | "acceptable" | undefined,
): Rejection<RejectionReason> {
  const reason = rating === undefined
    ? "not_read"
    : rating === "doubtful"
    ? "reader_in_doubt_of_variant"
    : "reader_finds_a_reading";
  const detail = `${formatCell(noun.cell)} > ${formatCell(to)}`;
  const candidate = `${noun.form}>${written}`;
  return { source: sourceOf(noun), phenomenon, candidate, reason, detail };
}

function sourceOf({ line }: AnnotatedNoun): Rejection["source"] {
  const { chapter, verse } = verseNumbers(line.verse);
  return { text: GITA, chapter, sentence: verse };
}

function linesOf(verses: readonly Verse[]) {
  return new Map(
    verses.flatMap(({ id, lines }) => lines.map((line) => [`${id}.${line.label}`, line] as const)),
  );
}

/**
 * What a second reader said of a line with one form changed, seen in its verse with the change marked:
 * it is clearly wrong, doubtful, or can be read as Sanskrit in some way.
 */
const RATINGS = ["wrong", "doubtful", "acceptable"] as const;
export type Rating = (typeof RATINGS)[number];

export const VARIANT_READINGS = table({
  path: SANSKRIT_PATHS.readings,
  about:
    "made outside the notebooks on 22 November 2026: lines with one form changed, the change " +
    "marked, rated in their verses by a second reader (language models instructed as Sanskritists)",
  licence: OURS,
  maker: "what data/README.md names",
  columns: {
    token: name("the form that was changed, `{verse}.{line}.{token}`"),
    written: name("the form that was read in its place"),
    rating: oneOf(
      RATINGS,
      "wrong, doubtful or acceptable; of several ratings the most lenient counts",
    ),
  },
});

export type VariantReading = Readonly<RowOf<typeof VARIANT_READINGS>>;

/** Looks a candidate's reading up; nothing where nobody has read it. */
type ReadVariant = (candidate: ContrastCandidate) => Rating | undefined;

/** Of several readings of one variant the most lenient counts. */
export function variantReadings(readings: readonly VariantReading[]): ReadVariant {
  const mostLenient = new Map<string, Rating>();
  for (const { token, written, rating } of readings) {
    const key = JSON.stringify([token, written]);
    const before = mostLenient.get(key);
    if (before === undefined || RATINGS.indexOf(rating) > RATINGS.indexOf(before)) {
      mostLenient.set(key, rating);
    }
  }
  return ({ noun, written }) => mostLenient.get(JSON.stringify([tokenKey(noun), written]));
}
