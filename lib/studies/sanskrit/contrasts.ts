import { name, oneOf, type RowOf, table } from "../../files/table.ts";
import {
  type Attested,
  attestedSentences,
  certifyAll,
  type Proposal,
} from "../../pairs/certify.ts";
import type { Rejection } from "../../pairs/pair.ts";
import {
  excludesCell,
  FIXING_RULES,
  headAllows,
  isInSameLine,
  isLeftBehind,
  withGender,
} from "./fixing.ts";
import {
  agreesWithTreebank,
  couldBeLocative,
  formatCells,
  type LexiconEntry,
  type NounToken,
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
/** All phenomena: also agreement of verbs and adjectives, and the wrong declension. */
export const PHENOMENA = [
  ...NOUN_PHENOMENA,
  ...["verb_agreement", "adjective_agreement", "declension"] as const,
] as const;
export type Phenomenon = (typeof PHENOMENA)[number];

/** Reasons why a noun, or a target cell, gives no pair. */
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
  /** Verbs of other verses that govern nouns of this one, in IAST. A sentence can span verses. */
  readonly verbsElsewhere?: readonly string[];
  /** True if the noun's referent can be addressed. Its vocative is then a possible reading. */
  readonly isAddressable: boolean;
  /**
   * Verbs of the verse, as written, with another noun as subject. That noun is in the verb's line.
   */
  readonly taken?: ReadonlySet<string>;
  /** Passives of verbs with two accusatives in the line, as written. Their subject is a person. */
  readonly passives?: ReadonlySet<string>;
}

interface ContrastCandidate {
  readonly noun: AnnotatedNoun;
  readonly phenomenon: NounPhenomenon;
  /** The best-tier word that fixes the cell. */
  readonly fixedBy: FixingWord;
  readonly to: ParadigmCell;
  /** The form as written in this line, in Devanagari. */
  readonly written: string;
  /** Further properties of the pair. */
  readonly marks: readonly string[];
}

type Fault = readonly [reason: RejectionReason, detail: string];

/** Returns the cells that differ in case or number alone. */
function neighbouringCells({ cell }: AnnotatedNoun) {
  return CELLS.filter((to) =>
    to.case !== "vocative" && (to.case !== cell.case) !== (to.number !== cell.number)
  ).map((to) => {
    return { to, phenomenon: to.case === cell.case ? "number" as const : "case" as const };
  });
}

/**
 * Finds forms that violate the noun's cell in its line.
 * For the other forms it gives the reason. A reader decides whether the line is then without any
 * reading: see {@link VARIANT_READINGS}. Pure.
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
    const outcome = candidateOf(place, paradigm, form, to);
    if ("written" in outcome) candidates.push({ noun, phenomenon, to, ...outcome });
    else {
      const [reason, why] = outcome;
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
  /** Heads in the noun's line that exclude the cell, best tier first. */
  const heads = noun.fixedBy
    .filter((head) => isInSameLine(noun, head) && excludesCell(noun, head, to))
    .toSorted((a, b) => tier(a) - tier(b));
  if (readings.some((cell) => formatCell(cell) === formatCell(noun.cell))) return ["same_form", ""];
  const [fixedBy] = heads;
  if (fixedBy === undefined) return ["relation_leaves_it_open", ""];
  const tokens = wordsOf(verse.lines.filter(({ label }) => label === noun.line.label));
  const inPlace = ({ token }: FixingWord) => ({ written: tokens[token - 1]!, next: tokens[token] });
  const agreeing = heads.find((head) =>
    readings.some((cell) => headAllows(noun, head, cell, inPlace(head)))
  );
  if (agreeing) return ["head_agrees_with_it", agreeing.word];
  const open = readings.find((cell) =>
    cell.case !== "vocative" && !heads.some((head) => excludesCell(noun, head, cell))
  );
  if (open) return ["another_cell_fits", formatCell(open)];
  // A vocative fits any sentence, but not of a thing (sarvapāpāni pramucyate).
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
  if (to.number !== noun.cell.number && tokens.some((word) => IDENTIFYING_WORD.test(word))) {
    return ["relation_leaves_it_open", "“I am” or “thou art”"];
  }
  // senayor madhye rathaḥ: “between the armies is the chariot”, and the object is understood.
  const leftBehind = isOfCase &&
    noun.fixedBy.some((head) => isInSameLine(noun, head) && isLeftBehind(noun, head, to, verse));
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
  // kartāpi māṃ viddhi: a person in the nominative may be in apposition to the verb's “thou”.
  const person = heads.find(({ relation, readings }) =>
    relation === "object" && readings.some((reading) => /^[12]\./u.test(reading))
  );
  if (person && place.isAddressable && to.case === "nominative") {
    return ["finds_a_verb", person.word];
  }
  // hetum ucyate: “the man is told the cause”.
  const passive = fixedBy.relation === "predicate" && to.case === "accusative" &&
    tokens.find((word) => place.passives?.has(word));
  if (passive) return ["finds_a_verb", passive];
  // kṛpā parayā: the old instrumental in -ā (Whitney § 365).
  const isOldInstrumental = noun.declension === "ā_feminine" &&
    formatCell(noun.cell) === "ins.sg" && formatCell(to) === "nom.sg";
  if (isOldInstrumental) return ["form_of_another_word", "an old instrumental in -ā"];
  const verb = leftBehind ? undefined : verbFor(place, to, readings, tokens);
  if (verb !== undefined) return ["finds_a_verb", verb];
  const iast = writtenVariant(paradigm, noun, form, to, tokens);
  if (iast === undefined) return ["sandhi_would_change", ""];
  const written = fromIast(iast);
  const marks = [
    ...marksOf(written, noun.form),
    ...(isVocative ? ["vocative_homonym"] : []),
    ...(isCompound ? ["compound"] : []),
  ];
  return { fixedBy, written, marks };
}

/**
 * Returns the word with another form of the noun.
 * The result is undefined if sandhi would change more.
 */
function writtenVariant(
  { forms }: Paradigm,
  { cell, token }: AnnotatedNoun,
  form: string,
  to: ParadigmCell,
  line: readonly string[],
): string | undefined {
  const [word, next] = [line[token - 1]!, line[token]];
  if (forms(cell).includes(pausalForm(word))) return writtenInPlace(form, next);
  return forms(cell).map((original) =>
    exchangeNoun(word, original, form, next, to.number === "dual")
  )
    .find((changed) => changed !== undefined);
}

/** Words that identify the subject as "I" or "thou": tejaścāsmi, te'ham. */
const IDENTIFYING_WORD = /smi$|(?:^a|'|[^y]ā)si$|(?:^|[mtdvyśn])aha[mṃ]$|'ha[mṃ]$|^tva[mṃ]/u;

const HOMONYMS = UNTESTABLE_NOUNS.read();

const OPENERS = [...functionWords("opens_a_clause")];
const DITRANSITIVE_PASSIVES = functionWords("told");

function wordsOf(lines: readonly VerseLine[]): readonly string[] {
  return lines.flatMap(({ text }) => text.split(" ").map(toIast));
}

const VERB_ENDS_LONGEST_FIRST = VERB_ENDS.read().toSorted((a, b) => b.end.length - a.end.length);

/** Returns the verb that a written word's ending indicates; undefined if none. */
function verbOf(word: string) {
  const verb = VERB_ENDS_LONGEST_FIRST.find(({ end }) =>
    end.endsWith("…") ? word.includes(end.slice(0, -1)) : word.endsWith(end)
  );
  return verb === undefined || verb.kind === "none" ? [] : [{ ...verb, word }];
}

/**
 * Returns a word of the verse with which a form might be construed.
 * It may be in any line. For a nominative it is a third-person verb, for an accusative a verb that
 * can have an object. Verbs are recognised by endings, so that a noun may be taken for one and a
 * valid pair refused. A nominative that replaces another case is refused in two more situations:
 * the verse has no finite verb, and the form may be a predicate; or it has "they call it", and the
 * form may be a name.
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
  // mahārathaḥ … yāsyasi: a nominative may be in apposition to “I” or “thou” of another line.
  const ofPerson = noun.cell.number === "plural" && formatCell(to) === "nom.sg";
  // prakṛtiṃ yānti bhūtāni nigrahāḥ: another verb may have it as its subject.
  const isNumber = to.number !== noun.cell.number && to.case === "nominative";
  const isHead = (written: string) =>
    noun.fixedBy.some(({ word }) => written.includes(word.slice(0, -1)));
  // dveṣo … vetti yaḥ: a thing cannot be the person that another word of the line names as subject.
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
 * Tests whether a noun's clause is complete in its line.
 * The noun is the subject of a verb without object, or of a nominative predicate. A verb of another
 * line then has its own objects (muhyanti jantavaḥ).
 */
function isOfOwnVerb(noun: AnnotatedNoun, ownLine: readonly string[]): boolean {
  return noun.cell.case === "nominative" && noun.fixedBy.some((head) => {
    if (!isInSameLine(noun, head)) return false;
    if (head.relation === "predicate") {
      return head.readings.length > 0 &&
        head.readings.every((reading) => reading.startsWith("nom"));
    }
    const verbs = verbOf(ownLine[head.token - 1]!);
    return head.relation === "subject" && verbs.length > 0 && verbs.every(({ object }) => !object);
  });
}

/** Returns a verse's location for certificates. */
const sourceOf = ({ chapter, verse }: Pick<Verse, "chapter" | "verse">) => (
  { text: "Bhagavad Gītā", chapter, sentence: verse }
);

/**
 * Returns marks of a changed word: another number of syllables, or -o for -aḥ.
 * No grammatical member has -o for -aḥ.
 */
export const marksOf = (written: string, target: string) => [
  ...(countSyllables(written) === countSyllables(target) ? [] : ["metre_changed"]),
  ...(written.endsWith("ो") ? ["final_in_sandhi"] : []),
];

/**
 * Returns a line with one word replaced, as the content of a proposal.
 * `token` is the word's position from 1; `sourceSpelling` is the line as printed.
 */
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

/** Location of a parsed word, 1-based. */
interface ParsedLocation {
  readonly verse: string;
  readonly line: VerseLine["label"];
  readonly token: number;
}

/** A change of a parsed word that is no error. */
type Refusal = Pick<Rejection, "phenomenon" | "reason" | "detail">;

/** Certifies or refuses changes of parsed words. @throws {SyntaxError} for an unreadable row. */
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
  const proposals = rows.flatMap((parsed) => {
    const verse = byId.get(parsed.verse);
    const line = verse?.lines.find(({ label }) => label === parsed.line)?.text;
    const changes = verse && line !== undefined ? changesOf(parsed, verse, line) : undefined;
    if (verse === undefined || line === undefined || changes === undefined) {
      throw new SyntaxError(unreadable(parsed));
    }
    const place = { source: sourceOf(verse), candidate: line.split(" ")[parsed.token - 1]! };
    return changes.map((change) => "reason" in change ? { ...place, ...change } : change);
  });
  return certifyAll(proposals, attested);
}

/** Returns a candidate as a proposal. It has the changed line and the reason why it is wrong. */
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
  /** Nouns found by the extractor, including those in sandhi. Others form no pair. */
  readonly extracted: readonly NounToken[];
  readonly stems: ReadonlySet<LexiconEntry>;
}

/** Finds all forms that could replace a noun, before any reader's judgement. Pure. */
export function searchContrasts({ verses, treebank, extracted, stems }: ContrastSources) {
  const byId = new Map(verses.map((verse) => [verse.id, verse]));
  const tokens = new Map(extracted.map((token) => [tokenKey(token), token]));
  const elsewhere = verbsOfOtherVerses(treebank);
  const subjects = subjectsOfVerbs(treebank);
  const persons = new Set([...stems].filter((stem) => stem.isAddressable).map(({ stem }) => stem));
  const isPassiveOfPerson = ({ noun, word }: (typeof subjects)[number]) =>
    DITRANSITIVE_PASSIVES.has(word) && persons.has(noun.stem);
  const candidates: ContrastCandidate[] = [];
  const rejections: Rejection<RejectionReason>[] = [];
  for (const noun of treebank) {
    const source = sourceOf(verseNumbers(noun.line.verse));
    const token = tokens.get(tokenKey(noun));
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
    const passives = takenVerbs(verse, subjects.filter(isPassiveOfPerson), noun);
    const contrasts = findContrasts({
      noun,
      verse,
      isAddressable,
      verbsElsewhere,
      taken,
      passives,
    });
    candidates.push(...contrasts.candidates);
    for (const { form, ...refusal } of contrasts.rejections) {
      rejections.push({ source, candidate: `${noun.form}>${form}`, ...refusal });
    }
  }
  return { candidates, rejections };
}

/** Returns, by verse, verbs of other verses that govern its nouns. */
function verbsOfOtherVerses(treebank: readonly AnnotatedNoun[]) {
  const verbs = treebank.flatMap(({ line: { verse }, fixedBy }) =>
    fixedBy.filter(({ line, readings }) =>
      line.verse !== verse && readings.some((reading) => /^[123]\./u.test(reading))
    ).map(({ word }) => ({ verse, word }))
  );
  const byVerse = Map.groupBy(verbs, ({ verse }) => verse);
  return new Map([...byVerse].map(([verse, group]) => [verse, group.map(({ word }) => word)]));
}

/** Returns every verb with its subject in the same line. */
function subjectsOfVerbs(treebank: readonly AnnotatedNoun[]) {
  return treebank.flatMap((noun) =>
    noun.fixedBy.filter((head) => head.relation === "subject" && isInSameLine(noun, head))
      .map(({ line, token, word }) => ({ noun, line, token, word }))
  );
}

/**
 * Returns verbs of a verse, as written, with another subject.
 * A subject coordinated with this noun does not count.
 */
function takenVerbs(
  verse: Verse,
  subjects: ReturnType<typeof subjectsOfVerbs>,
  given: AnnotatedNoun,
): ReadonlySet<string> {
  const words = subjects.filter(({ noun, line }) =>
    line.verse === verse.id && tokenKey(noun) !== tokenKey(given)
  ).map(({ line, token }) =>
    wordsOf(verse.lines.filter(({ label }) => label === line.label))[token - 1]!
  );
  return new Set(words);
}

const LISTS = RUNNING_SENTENCES.read();

/** Returns verbs understood with every member of the list that contains a verse. */
function verbsOfLists({ chapter, verse }: Pick<Verse, "chapter" | "verse">) {
  return LISTS.filter((list) =>
    list.chapter === chapter && list.first <= verse && verse <= list.last
  ).map(({ verb }) => verb);
}

/** Returns the reason why a noun gives no pair at all. */
function faultOf(
  noun: AnnotatedNoun,
  token: NounToken,
  stems: ReadonlySet<LexiconEntry>,
): Fault | undefined {
  if (noun.isDoubtful) return ["reader_in_doubt", ""];
  const cell = formatCell(noun.cell);
  const { entry, cells } = token;
  if (!agreesWithTreebank(token, noun)) {
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

/**
 * Certifies candidates that a second reader found clearly wrong. They must pass the shared checks.
 */
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

/** A second reader's judgement of a changed line, seen in its verse. */
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

/** Looks up a candidate's judgement; undefined if unread. */
type ReadVariant = (candidate: Pick<ContrastCandidate, "noun" | "written">) => Rating | undefined;

/** Returns the most lenient of several judgements of a variant. */
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
