import type { ClaimNote } from "./claim.ts";
import { isFinite } from "./verb_forms.ts";
import type { Word } from "./word.ts";

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
