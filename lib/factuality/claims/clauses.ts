import type { ClaimNote, TextSpan } from "../types.ts";
import { isFinite, isPossessive, supplied, suppliedWord, type Word } from "./english.ts";

/** A statement in the making: words of one sentence in their order, some supplied. */
export interface Clause {
  readonly words: readonly Word[];
  readonly notes: readonly ClaimNote[];
  /** About something named in passing; a later pronoun is not read as meaning it. */
  readonly aside: boolean;
}

/** Where the parts of a clause lie in its words. */
export interface ClauseParts {
  /** First word of the subject; what is before it leads in. */
  readonly subjectStart: number;
  /** Behind its last word. */
  readonly subjectEnd: number;
  /** Behind what is put in after it ("Oslo, *the capital*, is"); adverbs before the verb belong here. */
  readonly predicateStart: number;
  /** The finite verb or auxiliary. */
  readonly verb: number;
  /** The last verb of the group ("has also *appeared*"); the auxiliary itself for a copula. */
  readonly main: number;
}

const IN_SUBJECT = new Set([
  "DET",
  "ADJ",
  "NOUN",
  "PROPN",
  "NUM",
  "PRON",
  "PART",
  "ADP",
  "CCONJ",
  "SYM",
  "X",
  "ADV",
]);

const STARTS_SUBJECT = new Set(["DET", "ADJ", "NOUN", "PROPN", "NUM", "PRON", "X"]);
const NOT_SUBJECT = ["who", "which", "whose", "whom", "that", "him", "them", "me", "us", "there"];

/** Subject and verb of a plain declarative clause; undefined where they cannot be told. */
export function partsOf(words: readonly Word[]): ClauseParts | undefined {
  const starts = [0, ...words.flatMap((word, index) => isComma(word) ? [index + 1] : [])];
  for (const [index, word] of words.entries()) {
    if (word.enclosed || !isFinite(words, index)) continue;
    const start = starts.filter((candidate) => candidate < index).reverse()
      .find((candidate) =>
        isSubject(words.slice(candidate, index)) &&
        (candidate === 0 || leadsIn(words[0]) || words[candidate]!.partOfSpeech === "PRON")
      );
    if (start !== undefined) return withVerb(words, start, index);
    const end = beforeInsertion(words, index);
    if (end !== undefined) return { ...withVerb(words, 0, index), subjectEnd: end };
    // A verb in a lead-in ("When he was two, …") is passed over; any other makes it too hard.
    if (!leadsIn(words[0])) return undefined;
  }
  return undefined;
}

/** "Oslo, the capital, is": the first comma, where the words before it are a subject. */
function beforeInsertion(words: readonly Word[], verb: number): number | undefined {
  const adverbs = withoutAdverbs(words.slice(0, verb));
  const first = words.findIndex(isComma);
  const isClosed = first > 0 && first < adverbs - 1 && isComma(words[adverbs - 1]!);
  const isNamed = isClosed &&
    words.slice(0, first).some(({ partOfSpeech }) => partOfSpeech === "PROPN");
  return isNamed && isSubject(words.slice(0, first)) ? first : undefined;
}

/** A comma outside quotations and brackets. */
export function isComma(word: Word): boolean {
  return word.text === "," && !word.enclosed;
}

function leadsIn(first: Word | undefined): boolean {
  return first !== undefined && ["ADP", "SCONJ", "ADV", "VERB"].includes(first.partOfSpeech);
}

function isSubject(words: readonly Word[]): boolean {
  const bare = words.slice(0, withoutAdverbs(words)).filter(({ enclosed }) => !enclosed);
  const first = bare[0] ?? words[0];
  if (!first) return false;
  if (!STARTS_SUBJECT.has(first.partOfSpeech) && !/^["“]$/.test(first.text)) return false;
  if (NOT_SUBJECT.includes(first.normal)) return false;
  // "Rennie Fritchie, Baroness Fritchie": a name and a title.
  const isTitle = (index: number) =>
    bare[index]!.text === "," &&
    bare.every(({ partOfSpeech, text }) =>
      partOfSpeech === "PROPN" || ["of", ",", "-"].includes(text)
    );
  const fits = bare.every(({ partOfSpeech, text, normal }, index) =>
    (IN_SUBJECT.has(partOfSpeech) || /^[-–'’]$/.test(text) || isTitle(index)) &&
    !["who", "which"].includes(normal)
  );
  const last = bare.at(-1);
  const hasHead = bare.length === 0 ||
    bare.some(({ partOfSpeech, normal }) =>
      ["NOUN", "PROPN", "PRON", "X"].includes(partOfSpeech) ||
      ["this", "these", "those", "one", "some", "many", "both"].includes(normal)
    );
  return fits && hasHead &&
    !(last && ["ADP", "CCONJ", "DET", "PUNCT"].includes(last.partOfSpeech) &&
      !["this", "these", "those", "all", "some"].includes(last.normal));
}

function withoutAdverbs(words: readonly Word[]): number {
  let end = words.length;
  while (end > 0 && words[end - 1]!.partOfSpeech === "ADV") end--;
  return end;
}

function withVerb(words: readonly Word[], subjectStart: number, verb: number): ClauseParts {
  const subjectEnd = subjectStart + withoutAdverbs(words.slice(subjectStart, verb));
  let main = verb;
  if (words[verb]!.partOfSpeech === "AUX") {
    for (let index = verb + 1; index < words.length; index++) {
      const { partOfSpeech, normal, enclosed } = words[index]!;
      if (enclosed) break;
      if (partOfSpeech === "VERB" || partOfSpeech === "AUX") main = index;
      else if (partOfSpeech !== "ADV" && partOfSpeech !== "PART" && normal !== "not") break;
      if (partOfSpeech === "VERB") break;
    }
  }
  return { subjectStart, subjectEnd, predicateStart: subjectEnd, verb, main };
}

/** "is", "was", "are" or "were" with a noun phrase or adjective behind it. */
export function isCopular(words: readonly Word[], parts: ClauseParts): boolean {
  return parts.main === parts.verb && words[parts.verb]!.lemma === "be";
}

/** The subject without what is in brackets. */
export function subjectOf(words: readonly Word[], parts: ClauseParts): readonly Word[] {
  const subject = words.slice(parts.subjectStart, parts.subjectEnd);
  const bare = subject.filter((_, index) => !isBracketed(subject, index));
  return bare.length > 0 ? bare : subject;
}

function isBracketed(words: readonly Word[], index: number): boolean {
  const before = words.slice(0, index + 1);
  const opened = before.filter(({ text }) => text === "(").length;
  const closed = before.slice(0, -1).filter(({ text }) => text === ")").length;
  return opened > closed;
}

/** The words as a reader would say the subject. */
export function wordsText(words: readonly Word[]): string {
  return words.map(({ text, spaced }, index) => (spaced && index > 0 ? " " : "") + text).join("");
}

const DEFINITE = ["the", "this", "these", "those", "that"];

/**
 * The definite noun phrase that ends just before `end`: a name, or a noun with "the", "his", …;
 * undefined where there is none or where it is part of a list.
 */
export function antecedentBefore(words: readonly Word[], end: number): readonly Word[] | undefined {
  let start = end;
  while (start > 0 && isInside(words[start - 1]!)) start--;
  while (start > 1 && isNameJoint(words, start)) {
    start--;
    while (start > 0 && isInside(words[start - 1]!)) start--;
  }
  const before = words[start - 1];
  const isDetermined = before !== undefined &&
    (DEFINITE.includes(before.normal) || isPossessive(before.normal));
  const phrase = words.slice(isDetermined ? start - 1 : start, end);
  const outside = words[isDetermined ? start - 2 : start - 1];
  if (start === end || !phrase.some(isHead)) return undefined;
  if (outside && (outside.partOfSpeech === "CCONJ" || isComma(outside))) return undefined;
  if (!isDetermined && before?.partOfSpeech === "DET") return undefined;
  return isDetermined || isName(phrase) ? phrase : undefined;
}

/** "Oslo", "the University of Oslo" without its article: capitalised to its last word. */
export function isName(words: readonly Word[]): boolean {
  const last = words.findLast(({ enclosed }) => !enclosed) ?? words.at(-1);
  return last?.partOfSpeech === "PROPN";
}

function isHead({ partOfSpeech }: Word): boolean {
  return partOfSpeech === "NOUN" || partOfSpeech === "PROPN";
}

function isInside({ partOfSpeech, text, enclosed, normal }: Word): boolean {
  if (enclosed) return text !== "(" && text !== ")";
  if (partOfSpeech === "VERB" && /ing$/.test(normal)) return false;
  return ["NOUN", "PROPN", "ADJ", "NUM"].includes(partOfSpeech) ||
    /^(?:-|'s|’s)$/.test(text);
}

/** "University *of* Oslo". */
function isNameJoint(words: readonly Word[], start: number): boolean {
  return words[start - 1]!.normal === "of" && words[start]!.partOfSpeech === "PROPN" &&
    words[start - 2]!.partOfSpeech === "PROPN";
}

/** Takes a clause apart, in the order of the text; undefined where it does not apply or is not safe. */
export type SplittingRule = (clause: Clause) => readonly Clause[] | undefined;

/** The clause with other words. */
export function withWords(clause: Clause, words: readonly Word[]): Clause {
  return { ...clause, words: withoutEdges(words) };
}

/** A statement of its own, about a subject that stands elsewhere in the sentence. */
export function withSubject(
  clause: Clause,
  subject: readonly Word[],
  rest: readonly Word[],
  aside = clause.aside,
): Clause {
  const bare = withoutEdges(subject);
  const note = { kind: "subject supplied", subject: wordsText(bare) } as const;
  const notes = [...clause.notes.filter(({ kind }) => kind !== "subject supplied"), note];
  return { words: withoutEdges([...supplied(bare), ...spaced(rest)]), notes, aside };
}

/** "is", "was", "are" or "were". */
export function copula(tense: "past" | "present", isPlural: boolean): Word {
  const form = tense === "past" ? isPlural ? "were" : "was" : isPlural ? "are" : "is";
  return suppliedWord(form, "AUX", "be");
}

function spaced(words: readonly Word[]): readonly Word[] {
  return words.map((word, index) => index === 0 ? { ...word, spaced: true } : word);
}

/** Without commas, conjunctions and stops at either end. */
function withoutEdges(words: readonly Word[]): readonly Word[] {
  let start = 0;
  let end = words.length;
  while (start < end && isEdge(words[start]!)) start++;
  while (end > start && isEdge(words[end - 1]!)) end--;
  return words.slice(start, end);
}

function isEdge({ text, partOfSpeech, enclosed }: Word): boolean {
  if (enclosed) return false;
  return /^[,;:.–—]$/.test(text) || partOfSpeech === "CCONJ" && /^(?:and|but)$/i.test(text);
}

/** Verbs and nouns whose content somebody else vouches for. */
const REPORTING = new Set(
  ("say claim argue believe report suggest allege think insist deny predict assert contend hope " +
    "wish speculate assume imagine expect warn promise propose").split(" "),
);

const CONDITIONS = ["if", "unless", "whether", "would", "provided", "suppose", "neither", "either"];

/** Conditionals, reported speech and the like: a part of these may be false where the whole is true. */
export function isUndivided(words: readonly Word[]): boolean {
  const outside = words.filter(({ enclosed }) => !enclosed);
  if (outside.some(({ normal }) => CONDITIONS.includes(normal))) return true;
  return outside.some(({ normal, lemma, partOfSpeech }, index) =>
    partOfSpeech === "VERB" && REPORTING.has(lemma) && reports(outside, index) ||
    normal === "according" && outside[index + 1]?.normal === "to" ||
    normal === "not" && outside[index + 1]?.normal === "only" ||
    ["fact", "claim", "belief", "idea", "theory", "view", "notion"].includes(normal) &&
      outside[index + 1]?.normal === "that"
  );
}

/** "said that", "said he was", "said to be"; not "expected growth". */
function reports(words: readonly Word[], verb: number): boolean {
  const next = words[verb + 1];
  if (!next) return false;
  if (["that", "to", ",", ":", "in"].includes(next.normal)) return next.normal !== "in";
  const isSubject = ["PRON", "PROPN", "DET"].includes(next.partOfSpeech);
  return isSubject &&
    words.slice(verb + 1, verb + 6).some((_, offset) => isFinite(words, verb + 1 + offset));
}

/** What a statement does not need once it stands alone. */
const CONNECTIVES =
  /^(?:it is (?:important to note|worth noting) that|note that)\s+|^(?:however|therefore|thus|additionally|moreover|furthermore|overall|also|finally|in addition|for example|for instance|in fact|as a result|nevertheless|meanwhile|consequently|besides|likewise|similarly|notably|in conclusion|in summary),\s+|^(?:and|but|so|yet)\s+/i;

/** A letter whose capital is two, such as the ligature of "ﬁsh", stays what the text has. */
function capitalOf(letter: string): string {
  const capital = letter.toUpperCase();
  return capital.length === letter.length ? capital : letter;
}

/** The words as a sentence: a capital at its start, a stop at its end. */
export function assembled(words: readonly Word[]): string {
  const said = words.map(({ text, spaced }, index) => (spaced && index > 0 ? " " : "") + text)
    .join("").replace(CONNECTIVES, "").replace(/\s+(?=[.,;:!?](?:\s|$))/g, "").trim()
    .replace(/,(["”])$/, "$1");
  const capital = /^[“"(]?\p{Ll}/u.test(said) && !/^[a-z]+[A-Z]/.test(said)
    ? said.replace(/\p{Ll}/u, capitalOf)
    : said;
  return /[.!?…:][”"’)\]]*$/.test(capital) ? capital : `${capital}.`;
}

/** Where the clause's own words stand: one span for each stretch with nothing but space within. */
export function spansOf(text: string, words: readonly Word[]): readonly TextSpan[] {
  const spans: TextSpan[] = [];
  const own = words.filter((word) => word.own).toSorted((one, other) => one.start - other.start);
  for (const { start, end } of own) {
    const last = spans.at(-1);
    const isNext = last && text.slice(last.end, start).trim() === "";
    if (last && isNext) spans[spans.length - 1] = { start: last.start, end };
    else spans.push({ start, end });
  }
  return spans;
}
