import { name, oneOf, type RowOf, table } from "../../files/table.ts";
import {
  type Attested,
  attestedSentences,
  certifyAll,
  type Proposal,
} from "../../pairs/certify.ts";
import type { Rejection } from "../../pairs/pair.ts";
import {
  breaks,
  FIXING_RULES,
  headAllows,
  isInSameLine,
  isLeftBehind,
  withGender,
} from "./fixing.ts";
import {
  couldBeLocative,
  formatCells,
  type LexiconEntry,
  type NounToken,
  saysTheSame,
} from "./nouns.ts";
import { CELLS, decline, formatCell, type Paradigm, type ParadigmCell } from "./paradigms.ts";
import { functionWords, RUNNING_SENTENCES, UNTESTABLE_NOUNS, VERB_ENDS } from "./rules.ts";
import { exchangeNoun } from "./junctions.ts";
import { fromIast, pausalForm, toIast, writtenInPlace } from "./sounds.ts";
import { type AnnotatedNoun, type FixingWord, tokenKey } from "./treebank.ts";
import { OURS, SANSKRIT_PATHS } from "./study.ts";
import { asPrinted, countSyllables, type Verse, type VerseLine, verseNumbers } from "./verses.ts";

/** The two perturbations of the specification. */
export const NOUN_PHENOMENA = ["case", "number"] as const;
export type NounPhenomenon = (typeof NOUN_PHENOMENA)[number];
/** Those, the agreement of other words, and the right cell by the wrong declension. */
export const PHENOMENA = [
  ...NOUN_PHENOMENA,
  ...["verb_agreement", "adjective_agreement", "declension"] as const,
] as const;
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
  | "form_of_another_word"
  | "finds_a_verb"
  | "sandhi_would_change"
  | "not_read"
  | "reader_in_doubt_of_variant"
  | "reader_finds_a_reading"
  // of the choice
  | "stem_not_chosen"
  | "line_stands_twice"
  | "other_form_chosen"
  | "not_selected";

export interface NounInVerse {
  readonly noun: AnnotatedNoun;
  readonly verse: Verse;
  /** Verbs of other verses that its verse's nouns belong to, in IAST: a sentence may run on. */
  readonly verbsElsewhere?: readonly string[];
  /** Whether what it names can be spoken to: its vocative is then a reading of its own. */
  readonly isAddressable: boolean;
  /** Verbs of its verse, as written, that another noun of their line is the subject of. */
  readonly taken?: ReadonlySet<string>;
  /** Passives of verbs with two accusatives in its line, as written, whose subject is a person. */
  readonly told?: ReadonlySet<string>;
}

interface ContrastCandidate {
  readonly noun: AnnotatedNoun;
  readonly phenomenon: NounPhenomenon;
  /** The word that fixes the cell, of those that do the one of the best tier. */
  readonly fixedBy: FixingWord;
  readonly to: ParadigmCell;
  /** As it is written in this place, in Devanagari. */
  readonly written: string;
  /** What the pair tests besides the cell, or shows beside it. */
  readonly marks: readonly string[];
}

type Fault = readonly [reason: RejectionReason, detail: string];

/** Every cell that differs from the noun's in case alone or in number alone; no vocatives. */
function neighbouringCells({ cell }: AnnotatedNoun) {
  return CELLS.filter((to) =>
    to.case !== "vocative" && (to.case !== cell.case) !== (to.number !== cell.number)
  ).map((to) => {
    return { to, phenomenon: to.case === cell.case ? "number" as const : "case" as const };
  });
}

/**
 * Forms that could take the noun's place and break what fixes its cell, and why others cannot. Whether
 * the line is left without any reading, a reader says: see {@link VARIANT_READINGS}. Pure.
 */
export function findContrasts(place: NounInVerse) {
  const { noun } = place;
  const paradigm = decline(noun.stem, noun.declension);
  const candidates: ContrastCandidate[] = [];
  const rejections: (Pick<Rejection<RejectionReason>, "phenomenon" | "reason" | "detail"> & {
    readonly form: string;
  })[] = [];
  for (const { to, phenomenon } of neighbouringCells(noun)) {
    const form = paradigm.forms(to)[0]!;
    const found = candidateOf(place, paradigm, form, to);
    if ("written" in found) candidates.push({ noun, phenomenon, to, ...found });
    else {
      const [reason, why] = found;
      const detail = `${formatCell(noun.cell)} > ${formatCell(to)}${why && `: ${why}`}`;
      rejections.push({ phenomenon, form: fromIast(form), reason, detail });
    }
  }
  return { candidates, rejections };
}

function candidateOf(
  place: NounInVerse,
  paradigm: Paradigm,
  form: string,
  to: ParadigmCell,
): Pick<ContrastCandidate, "fixedBy" | "written" | "marks"> | Fault {
  const { noun, verse } = place;
  const readings = paradigm.cellsOf(form);
  const isVocative = readings.some((cell) => cell.case === "vocative");
  const tier = ({ relation }: FixingWord) => FIXING_RULES.get(relation)?.tier ?? 3;
  /** The heads in the noun's own line that keep it from the cell, best tier first. */
  const heads = noun.fixedBy
    .filter((head) => isInSameLine(noun, head) && breaks(noun, head, to))
    .toSorted((a, b) => tier(a) - tier(b));
  if (readings.some((cell) => formatCell(cell) === formatCell(noun.cell))) return ["same_form", ""];
  const [fixedBy] = heads;
  if (fixedBy === undefined) return ["relation_leaves_it_open", ""];
  const tokens = wordsOf(verse.lines.filter(({ label }) => label === noun.line.label));
  const inPlace = ({ token }: FixingWord) => ({ written: tokens[token - 1]!, next: tokens[token] });
  const agreeing = heads.find((own) =>
    readings.some((cell) => headAllows(noun, own, cell, inPlace(own)))
  );
  if (agreeing) return ["head_agrees_with_it", agreeing.word];
  const open = readings.find((cell) =>
    cell.case !== "vocative" && !heads.some((own) => breaks(noun, own, cell))
  );
  if (open) return ["another_cell_fits", formatCell(open)];
  // A vocative may be added to any sentence; of a thing it is no reading (sarvapāpāni pramucyate).
  const isOfCase = to.case !== noun.cell.case;
  if (isVocative && place.isAddressable) return ["vocative_reading", ""];
  const homonym = HOMONYMS.find(({ stem, cells }) =>
    stem === noun.stem && cells.includes(formatCell(to))
  );
  if (homonym) return ["form_of_another_word", homonym.why];
  // karmabandhaḥ “whose bond is action”: of the subject.
  const isCompound = noun.stem.includes("-");
  if (fixedBy.relation === "object" && isCompound && to.case === "nominative") {
    return ["form_of_another_word", "a compound may be a bahuvrīhi of the subject"];
  }
  // puṇyo gandhāḥ … asmi: “I” may be called many things.
  if (to.number !== noun.cell.number && tokens.some((word) => SAYS_WHO_IT_IS.test(word))) {
    return ["relation_leaves_it_open", "“I am” or “thou art”"];
  }
  // senayor madhye rathaḥ: “between the armies is the chariot”, and the object is understood.
  const leftBehind = isOfCase &&
    noun.fixedBy.some((own) => isInSameLine(noun, own) && isLeftBehind(noun, own, to, verse));
  const isObject = ["object", "governed"].includes(fixedBy.relation) && to.case === "nominative";
  const where = tokens.find((word, at) =>
    couldBeLocative(word) && verbOf(word).length === 0 && at !== fixedBy.token - 1
  );
  if (isObject && where !== undefined && !leftBehind) return ["finds_a_verb", `is ${where}`];
  // sattvaṃ rajas tama iti guṇaḥ: “so the quality”; buddhis tadā yogaḥ: “then there is union”.
  const opener = OPENERS.find((word) => tokens[noun.token - 2]?.endsWith(word));
  if (formatCell(to) === "nom.sg" && opener !== undefined) {
    return ["relation_leaves_it_open", opener];
  }
  // kartāpi māṃ viddhi: a person in the nominative may be what the “thou” of the verb is.
  const person = heads.find(({ relation, readings }) =>
    relation === "object" && readings.some((own) => /^[12]\./u.test(own))
  );
  if (person && place.isAddressable && to.case === "nominative") {
    return ["finds_a_verb", person.word];
  }
  // hetum ucyate: “the man is told the cause”.
  const told = fixedBy.relation === "predicate" && to.case === "accusative" &&
    tokens.find((word) => place.told?.has(word));
  if (told) return ["finds_a_verb", told];
  // kṛpā parayā: the old instrumental in -ā (Whitney § 365).
  const isOldInstrumental = noun.declension === "ā_feminine" &&
    formatCell(noun.cell) === "ins.sg" && formatCell(to) === "nom.sg";
  if (isOldInstrumental) return ["form_of_another_word", "an old instrumental in -ā"];
  const verb = leftBehind ? undefined : verbFor(place, to, readings, tokens);
  if (verb !== undefined) return ["finds_a_verb", verb];
  const iast = writtenOtherwise(paradigm, noun, form, to, tokens);
  if (iast === undefined) return ["sandhi_would_change", ""];
  const written = fromIast(iast);
  const marks = [
    ...marksOf(written, noun.form),
    ...(isVocative ? ["vocative_homonym"] : []),
    ...(isCompound ? ["compound"] : []),
  ];
  return { fixedBy, written, marks };
}

/** The noun's word with another of its forms, as it is written there; nothing where sandhi would change more. */
function writtenOtherwise(
  { forms }: Paradigm,
  { cell, token }: AnnotatedNoun,
  form: string,
  to: ParadigmCell,
  line: readonly string[],
): string | undefined {
  const [word, next] = [line[token - 1]!, line[token]];
  if (forms(cell).includes(pausalForm(word))) return writtenInPlace(form, next);
  return forms(cell).map((own) => exchangeNoun(word, own, form, next, to.number === "dual"))
    .find((own) => own !== undefined);
}

/** asmi, asi, aham, tvam, also behind another word: tejaścāsmi, te'ham. */
const SAYS_WHO_IT_IS = /smi$|(?:^a|'|[^y]ā)si$|(?:^|[mtdvyśn])aha[mṃ]$|'ha[mṃ]$|^tva[mṃ]/u;

const HOMONYMS = UNTESTABLE_NOUNS.read();

const OPENERS = [...functionWords("opens_a_clause")];
const TOLD = functionWords("told");

function wordsOf(lines: readonly VerseLine[]): readonly string[] {
  return lines.flatMap(({ text }) => text.split(" ").map(toIast));
}

const VERB_ENDS_LONGEST_FIRST = VERB_ENDS.read().toSorted((a, b) => b.end.length - a.end.length);

/** What a written word is as a verb, by its end; nothing where it is none. */
function verbOf(word: string) {
  const found = VERB_ENDS_LONGEST_FIRST.find(({ end }) =>
    end.endsWith("…") ? word.includes(end.slice(0, -1)) : word.endsWith(end)
  );
  return found === undefined || found.kind === "none" ? [] : [{ ...found, word }];
}

/**
 * A word of the verse that a form might belong to, in whatever line: to a nominative a verb of the third
 * person, to an accusative one that may have an object. By the ends of words, so that a noun may pass
 * for a verb and a sound pair be refused. A nominative put for another case is refused too where the
 * verse has no finite verb, for it may be predicated, and beside “they call it”, for it may be a name.
 */
function verbFor(
  place: NounInVerse,
  to: ParadigmCell,
  readings: readonly ParadigmCell[],
  ownLine: readonly string[],
) {
  const { noun, verse, verbsElsewhere = [], taken = new Set() } = place;
  const words = [...wordsOf(verse.lines), ...verbsElsewhere];
  const others = readings.filter((cell) => cell.case !== noun.cell.case);
  const nominatives = others.filter((cell) => cell.case === "nominative");
  const isAccusative = others.some((cell) => cell.case === "accusative");
  const verbs = words.flatMap(verbOf);
  // na hi prajānāmi tava pravṛttiḥ: “I” or “thou” is the subject of its own clause, which fills the line.
  const isObjectOfPerson = noun.fixedBy.some((head) =>
    ["object", "governed"].includes(head.relation) && isInSameLine(noun, head) &&
    verbOf(ownLine[head.token - 1]!).some(({ kind }) => kind === "finite")
  );
  const finite = (isObjectOfPerson ? ownLine.flatMap(verbOf) : verbs)
    .filter(({ kind }) => kind !== "nonfinite");
  if (nominatives.length > 0 && to.case !== noun.cell.case) {
    if (finite.length === 0) return "no verb";
    const naming = finite.find(({ kind }) => kind === "naming");
    if (naming) return naming.word;
  }
  // rasyāḥ snigdhāḥ … āhāraḥ: “what is tasty and soft is food”, for want of a verb.
  const isPredicable = noun.cell.number === "plural" && to.case === "nominative";
  if (isPredicable && finite.length === 0) return "no verb";
  const numbers: readonly string[] = nominatives.map((cell) =>
    formatCell(cell).replace("nom", "3")
  );
  // mahārathaḥ … yāsyasi: a nominative may be what “I” or “thou” of another line is.
  const ofPerson = noun.cell.number === "plural" && formatCell(to) === "nom.sg";
  // prakṛtiṃ yānti bhūtāni nigrahāḥ: another verb may have it for a subject.
  const isNumber = to.number !== noun.cell.number && to.case === "nominative";
  const isHead = (written: string) =>
    noun.fixedBy.some(({ word }) => written.includes(word.slice(0, -1)));
  // dveṣo … vetti yaḥ: a thing is not who another word of the line says that the subject is.
  const isThing = !place.isAddressable && !noun.stem.includes("-");
  const ofSubject = finite.find(({ kind, word }) =>
    !(isThing && taken.has(word)) && numbers.includes(kind) ||
    isNumber && kind === formatCell(to).replace("nom", "3") && !isHead(word) ||
    ofPerson && kind === "finite" && !ownLine.includes(word)
  );
  if (ofSubject) return ofSubject.word;
  if (!isAccusative) return undefined;
  const near = isOfOwnVerb(noun, ownLine) ? [...ownLine, ...verbsElsewhere].flatMap(verbOf) : verbs;
  return near.find(({ object }) => object)?.word;
}

/**
 * Whether a noun is the subject of a verb of its line that takes no object, or of a nominative predicate there:
 * its clause is whole, and a verb of another line has its own objects (muhyanti jantavaḥ).
 */
function isOfOwnVerb(noun: AnnotatedNoun, ownLine: readonly string[]): boolean {
  return noun.cell.case === "nominative" && noun.fixedBy.some((head) => {
    if (!isInSameLine(noun, head)) return false;
    if (head.relation === "predicate") {
      return head.readings.length > 0 && head.readings.every((own) => own.startsWith("nom"));
    }
    const verbs = verbOf(ownLine[head.token - 1]!);
    return head.relation === "subject" && verbs.length > 0 && verbs.every(({ object }) => !object);
  });
}

/** The place that certificates name. */
const sourceOf = ({ chapter, verse }: Pick<Verse, "chapter" | "verse">) => (
  { text: "Bhagavad Gītā", chapter, sentence: verse }
);

/** What a change shows beside itself: another number of syllables, or -o for -aḥ, which no grammatical member has. */
export const marksOf = (written: string, target: string) => [
  ...(countSyllables(written) === countSyllables(target) ? [] : ["metre_changed"]),
  ...(written.endsWith("ो") ? ["final_in_sandhi"] : []),
];

/** A proposal's line, with the word at a 1-based place otherwise and misprints in its spelling. */
export function changedLine(verse: Verse, text: string, token: number, written: string) {
  const words = text.split(" ");
  return {
    grammatical: text,
    ungrammatical: words.with(token - 1, written).join(" "),
    target: words[token - 1]!,
    context: `${verse.chapter}.${verse.verse}: ${
      verse.lines.map(({ text }) => text).join(" । ")
    } ॥`,
    source: sourceOf(verse),
    sourceSpelling: asPrinted(text, verse),
    proposedBy: "rules",
    promptSha256: "",
  };
}

/** Where a parsed word stands, 1-based. */
interface ParsedLocation {
  readonly verse: string;
  readonly line: VerseLine["label"];
  readonly token: number;
}

/** A change of a parsed word that is no error. */
type Refusal = Pick<Rejection, "phenomenon" | "reason" | "detail">;

/** Changes of parsed words, certified or refused. @throws {SyntaxError} for an unreadable one. */
export function certifyParsed<Parsed extends ParsedLocation>(
  verses: readonly Verse[],
  rows: readonly Parsed[],
  changesOf: (
    parsed: Parsed,
    verse: Verse,
    line: string,
  ) => readonly (Proposal<Phenomenon> | Refusal)[] | undefined,
  unreadable: (parsed: Parsed) => string,
) {
  const byId = new Map(verses.map((verse) => [verse.id, verse]));
  const attested = attestedSentences(verses.flatMap(({ lines }) => lines.map(({ text }) => text)));
  const found = rows.flatMap((parsed) => {
    const verse = byId.get(parsed.verse);
    const line = verse?.lines.find(({ label }) => label === parsed.line)?.text;
    const changes = verse && line !== undefined ? changesOf(parsed, verse, line) : undefined;
    if (verse === undefined || line === undefined || changes === undefined) {
      throw new SyntaxError(unreadable(parsed));
    }
    const place = { source: sourceOf(verse), candidate: line.split(" ")[parsed.token - 1]! };
    return changes.map((change) => "reason" in change ? { ...place, ...change } : change);
  });
  return certifyAll(found, attested);
}

/** A candidate as a proposal: the line, the line with the one form changed, why it cannot bear that. */
function proposeContrast(
  { noun, phenomenon, fixedBy, to, written, marks }: ContrastCandidate,
  verse: Verse,
): Proposal<Phenomenon> {
  const text = verse.lines.find(({ label }) => label === noun.line.label)?.text ?? "";
  const rule = FIXING_RULES.get(fixedBy.relation)!;
  const because = rule.words.replace("{head}", fromIast(fixedBy.word));
  return {
    ...changedLine(verse, text, noun.token, written),
    phenomenon,
    target: noun.form,
    errorType: `${noun.cell[phenomenon]}_to_${to[phenomenon]}`,
    rule: rule.rule,
    lemma: noun.stem,
    construction: `${fixedBy.relation} ${formatCell(noun.cell)} > ${formatCell(to)}`,
    cellFrom: withGender(noun.cell, noun),
    cellTo: withGender(to, noun),
    checks: [
      `${noun.cell.case} ${noun.cell.number} by treebank and extractor`,
      `fixed by ${fixedBy.word} (${fixedBy.relation}) in the same line`,
      "no other cell of the variant fits",
      "no verb of the verse takes the variant, in whatever line",
      "neither neighbour's sandhi changes",
      "a second reader found the variant clearly wrong in its verse",
    ],
    marks,
    explanation:
      `The noun ${noun.stem.replaceAll("-", "")} is ${noun.cell.case} ${noun.cell.number}: ` +
      `${because}; ${written} is ${to.case} ${to.number}.`,
    tier: rule.tier,
  };
}

interface ContrastSources {
  readonly verses: readonly Verse[];
  readonly treebank: readonly AnnotatedNoun[];
  /** Nouns as the extractor found them, and those in sandhi; one that is not among them is in no pair. */
  readonly extracted: readonly NounToken[];
  readonly stems: ReadonlySet<LexiconEntry>;
}

/** Every form that could take a noun's place, before anybody has read the line with it. Pure; no randomness. */
export function searchContrasts({ verses, treebank, extracted, stems }: ContrastSources) {
  const byId = new Map(verses.map((verse) => [verse.id, verse]));
  const found = new Map(extracted.map((token) => [tokenKey(token), token]));
  const elsewhere = verbsOfOtherVerses(treebank);
  const subjects = subjectsOfVerbs(treebank);
  const persons = new Set([...stems].filter((own) => own.isAddressable).map(({ stem }) => stem));
  const isTold = ({ noun, word }: (typeof subjects)[number]) =>
    TOLD.has(word) && persons.has(noun.stem);
  const candidates: ContrastCandidate[] = [];
  const rejections: Rejection<RejectionReason>[] = [];
  for (const noun of treebank) {
    const source = sourceOf(verseNumbers(noun.line.verse));
    const token = found.get(tokenKey(noun));
    const verse = byId.get(noun.line.verse)!;
    const fault = token ? faultOf(noun, token, stems) : ["not_extracted", noun.stem] as const;
    if (!token || fault) {
      // One rejection for each phenomenon that the noun might have tested.
      const [reason, detail] = fault!;
      for (
        const phenomenon of new Set(neighbouringCells(noun).map(({ phenomenon }) => phenomenon))
      ) {
        rejections.push({ source, phenomenon, candidate: noun.form, reason, detail });
      }
      continue;
    }
    const { isAddressable } = token.entry;
    const verbsElsewhere = [...elsewhere.get(verse.id) ?? [], ...verbsOfLists(verse)];
    const taken = takenVerbs(verse, subjects, noun);
    const told = takenVerbs(verse, subjects.filter(isTold), noun);
    const contrasts = findContrasts({ noun, verse, isAddressable, verbsElsewhere, taken, told });
    candidates.push(...contrasts.candidates);
    for (const { form, ...refusal } of contrasts.rejections) {
      rejections.push({ source, candidate: `${noun.form}>${form}`, ...refusal });
    }
  }
  return { candidates, rejections };
}

/** By verse, the verbs in other verses that its nouns are subjects or objects of. */
function verbsOfOtherVerses(treebank: readonly AnnotatedNoun[]) {
  const found = treebank.flatMap(({ line: { verse }, fixedBy }) =>
    fixedBy.filter(({ line, readings }) =>
      line.verse !== verse && readings.some((reading) => /^[123]\./u.test(reading))
    ).map(({ word }) => ({ verse, word }))
  );
  const byVerse = Map.groupBy(found, ({ verse }) => verse);
  return new Map([...byVerse].map(([verse, own]) => [verse, own.map(({ word }) => word)]));
}

/** Every verb with a subject in its own line: the noun, and where the verb is. */
function subjectsOfVerbs(treebank: readonly AnnotatedNoun[]) {
  return treebank.flatMap((noun) =>
    noun.fixedBy.filter((head) => head.relation === "subject" && isInSameLine(noun, head))
      .map(({ line, token, word }) => ({ noun, line, token, word }))
  );
}

/** Verbs of a verse, as written, whose subject is another noun than this and not one coordinated with it. */
function takenVerbs(
  verse: Verse,
  subjects: ReturnType<typeof subjectsOfVerbs>,
  own: AnnotatedNoun,
): ReadonlySet<string> {
  const words = subjects.filter(({ noun, line }) =>
    line.verse === verse.id && tokenKey(noun) !== tokenKey(own)
  ).map(({ line, token }) =>
    wordsOf(verse.lines.filter(({ label }) => label === line.label))[token - 1]!
  );
  return new Set(words);
}

const LISTS = RUNNING_SENTENCES.read();

/** Verbs that may be understood with any member of the list that a verse stands in. */
function verbsOfLists({ chapter, verse }: Pick<Verse, "chapter" | "verse">) {
  return LISTS.filter((list) =>
    list.chapter === chapter && list.first <= verse && verse <= list.last
  ).map(({ verb }) => verb);
}

/** Why a noun makes no pair, whatever form is put in its place. */
function faultOf(
  noun: AnnotatedNoun,
  token: NounToken,
  stems: ReadonlySet<LexiconEntry>,
): Fault | undefined {
  if (noun.isDoubtful) return ["reader_in_doubt", ""];
  const cell = formatCell(noun.cell);
  const { entry, cells } = token;
  if (!saysTheSame(token, noun)) {
    const extracted = `extractor ${entry.stem} ${formatCells(cells)}`;
    return ["extracted_otherwise", `reader ${noun.stem} ${cell}, ${extracted}`];
  }
  if (!stems.has(entry)) return ["stem_without_evidence", entry.stem];
  const forms = decline(noun.stem, noun.declension).forms(noun.cell);
  if (!token.isInSandhi && !forms.includes(pausalForm(toIast(noun.form)))) {
    return ["not_the_paradigm_form", forms.join(", ")];
  }
  const heads = noun.fixedBy.filter(({ relation }) => FIXING_RULES.has(relation));
  if (heads.length === 0) return ["nothing_fixes_the_cell", cell];
  if (heads.some((head) => isInSameLine(noun, head))) return undefined;
  return ["fixed_from_another_line", heads[0]!.word];
}

/** Candidates that a second reader found clearly wrong in their line and that pass the shared checks. */
export function certifyContrasts(
  { candidates, rejections }: ReturnType<typeof searchContrasts>,
  verses: readonly Verse[],
  readVariant: ReadVariant,
  attested: Attested,
) {
  const byId = new Map(verses.map((verse) => [verse.id, verse]));
  const read = candidates.map((candidate): Proposal<Phenomenon> | Rejection => {
    const { noun, phenomenon, written, to } = candidate;
    const rating = readVariant(candidate);
    if (rating === "wrong") return proposeContrast(candidate, byId.get(noun.line.verse)!);
    return {
      source: sourceOf(verseNumbers(noun.line.verse)),
      phenomenon,
      candidate: `${noun.form}>${written}`,
      reason: rating ? REFUSED[rating] : "not_read",
      detail: `${formatCell(noun.cell)} > ${formatCell(to)}`,
    };
  });
  return certifyAll([...rejections, ...read], attested);
}

const REFUSED = {
  doubtful: "reader_in_doubt_of_variant",
  acceptable: "reader_finds_a_reading",
} as const;

/** What a second reader said of a line with one form changed, seen in its verse. */
const RATINGS = ["wrong", "doubtful", "acceptable"] as const;
type Rating = (typeof RATINGS)[number];

export const VARIANT_READINGS = table({
  path: SANSKRIT_PATHS.readings,
  about:
    "language models instructed as Sanskritists, 22 November 2026: ratings by a second reader of lines with one changed form, marked and in its verse",
  licence: OURS,
  maker: "what data/README.md names",
  columns: {
    token: name("changed word, as `{verse}.{line}.{token}`"),
    written: name("form that was read instead"),
    rating: oneOf(
      RATINGS,
      "rating: wrong, doubtful or acceptable; of several ratings the most lenient counts",
    ),
  },
});

export type VariantReading = Readonly<RowOf<typeof VARIANT_READINGS>>;

/** Looks a candidate's reading up; nothing where nobody has read it. */
type ReadVariant = (candidate: Pick<ContrastCandidate, "noun" | "written">) => Rating | undefined;

/** Of several readings of one variant the most lenient counts. */
export function variantReadings(readings: readonly VariantReading[]): ReadVariant {
  const byLenience = readings.toSorted((a, b) =>
    RATINGS.indexOf(a.rating) - RATINGS.indexOf(b.rating)
  );
  const keyOf = (token: string, written: string) => `${token} ${written}`;
  const last = new Map(
    byLenience.map(({ token, written, rating }) => [keyOf(token, written), rating]),
  );
  return ({ noun, written }) => last.get(keyOf(tokenKey(noun), written));
}
