import type { ClaimNote, TextSpan } from "../types.ts";
import {
  asSupplied,
  hasForm,
  hasTag,
  isFinite,
  isPossessive,
  suppliedWord,
  type TaggedWord,
} from "./english.ts";
import type { Words } from "./english.ts";

/** A statement under construction: the words of one sentence in order, some of them supplied. */
export interface Clause {
  readonly words: Words;
  readonly notes: readonly ClaimNote[];
  /** True for a referent mentioned in passing. Later pronouns are not resolved to it. */
  readonly aside: boolean;
}

/** Word indices of the parts of a clause. */
export interface ClauseParts {
  /** Index of the subject's first word; words before it are the lead-in. */
  readonly subjectStart: number;
  /** Index after the subject's last word. */
  readonly subjectEnd: number;
  /**
   * Index after an insertion ("Oslo, *the capital*, is"). Adverbs before the verb belong to the
   * predicate.
   */
  readonly predicateStart: number;
  /** Index of the finite verb or auxiliary. */
  readonly verb: number;
  /** Index of the last verb of the group ("has also *appeared*"); for a copula, the auxiliary. */
  readonly main: number;
}

/** Finds subject and verb of a plain declarative clause. Undefined where they are uncertain. */
export function clauseParts(words: Words): ClauseParts | undefined {
  const starts = [0, ...words.flatMap((word, index) => isComma(word) ? [index + 1] : [])];
  const leadsIn = hasTag(words[0], "ADP", "SCONJ", "ADV", "VERB");
  for (const [index, word] of words.entries()) {
    if (word.enclosed || !isFinite(words, index)) continue;
    // Behind the verb there is no word left, and no subject.
    const start = starts.findLast((candidate) =>
      isSubject(words.slice(candidate, index)) &&
      (candidate === 0 || leadsIn || hasTag(words[candidate], "PRON"))
    );
    if (start !== undefined) return withVerb(words, start, index);
    const end = beforeInsertion(words, index);
    if (end !== undefined) return { ...withVerb(words, 0, index), subjectEnd: end };
    // A verb in a lead-in ("When he was two, …") is passed over; any other makes it too hard.
    if (!leadsIn) return undefined;
  }
  return undefined;
}

/** Index of the first comma in "Oslo, the capital, is", where a subject precedes it. */
function beforeInsertion(words: Words, verb: number): number | undefined {
  const adverbs = withoutAdverbs(words.slice(0, verb));
  const first = words.findIndex(isComma);
  const name = words.slice(0, Math.max(first, 0));
  const isClosed = first < adverbs - 1 && name.length > 0 && isComma(words[adverbs - 1]!);
  const isNamed = isClosed && name.some((word) => hasTag(word, "PROPN"));
  return isNamed && isSubject(name) ? first : undefined;
}

/** Detects a comma outside quotations and brackets. */
export const isComma = (word: TaggedWord): boolean => word.text === "," && !word.enclosed;

/** Words that can precede a number at the start of a subject. */
const APPROXIMATELY =
  /^(?:about|around|nearly|almost|over|approximately|roughly|some|(?:more|fewer|less) than|at (?:least|most)|up to) (?=\d|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|half|a (?:hundred|thousand|million))/i;

function isSubject(words: Words): boolean {
  const bare = words.slice(0, withoutAdverbs(words)).filter(({ enclosed }) => !enclosed);
  // "About 60 people".
  const about = APPROXIMATELY.exec(wordsText(words))?.[0].trim().split(" ").length ?? 0;
  const first = bare[about] ?? bare[0] ?? words[0];
  if (!first) return false;
  const starts = hasTag(first, "DET", "ADJ", "NOUN", "PROPN", "NUM", "PRON", "X");
  if (!starts && !/^["“]$/.test(first.text)) return false;
  const none = ["who", "which", "whose", "whom", "that", "him", "them", "me", "us", "there"];
  if (hasForm(first, ...none)) return false;
  // "Rennie Fritchie, Baroness Fritchie": a name and a title.
  const isTitled = bare.every((word) =>
    hasTag(word, "PROPN") || ["of", ",", "-"].includes(word.text)
  );
  const fits = bare.every((word) =>
    !hasForm(word, "who", "which") &&
    (hasTag(word, "DET", "ADJ", "NOUN", "PROPN", "NUM", "PRON", "PART", "ADP") ||
      hasTag(word, "CCONJ", "SYM", "X", "ADV") || /^[-–'’]$/.test(word.text) ||
      word.text === "," && isTitled)
  );
  const hasHead = bare.length === 0 ||
    bare.some((word) =>
      hasTag(word, "NOUN", "PROPN", "PRON", "X") ||
      hasForm(word, "this", "these", "those", "one", "some", "many", "both")
    );
  const last = bare.at(-1);
  return fits && hasHead &&
    (!hasTag(last, "ADP", "CCONJ", "DET", "PUNCT") ||
      hasForm(last, "this", "these", "those", "all", "some"));
}

const withoutAdverbs = (words: Words): number =>
  words.findLastIndex((word) => !hasTag(word, "ADV")) + 1;

function withVerb(words: Words, subjectStart: number, verb: number): ClauseParts {
  const subjectEnd = subjectStart + withoutAdverbs(words.slice(subjectStart, verb));
  let main = verb;
  for (let index = verb + 1; hasTag(words[verb], "AUX") && index < words.length; index++) {
    const word = words[index]!;
    if (word.enclosed) break;
    if (hasTag(word, "VERB", "AUX")) main = index;
    else if (!hasTag(word, "ADV", "PART") && !hasForm(word, "not")) break;
    if (hasTag(word, "VERB")) break;
  }
  return { subjectStart, subjectEnd, predicateStart: subjectEnd, verb, main };
}

/** Detects a copula ("is", "was", "are", "were") followed by a noun phrase or adjective. */
export const isCopular = (words: Words, parts: ClauseParts): boolean =>
  parts.main === parts.verb && words[parts.verb]!.lemma === "be";

/** Returns the subject without parenthetical words. */
export function subjectOf(words: Words, parts: ClauseParts): Words {
  const subject = words.slice(parts.subjectStart, parts.subjectEnd);
  let depth = 0;
  const bare = subject.filter(({ text }) => {
    if (text === "(") depth++;
    const isOutside = depth <= 0;
    if (text === ")") depth--;
    return isOutside;
  });
  return bare.length > 0 ? bare : subject;
}

/** Joins words with their original spacing. */
export const wordsText = (words: Words): string =>
  words.map(({ text, spaced }, index) => (spaced && index > 0 ? " " : "") + text).join("");

/**
 * Returns the definite noun phrase that ends before `end`. Undefined where there is none, or in a
 * list.
 */
export function antecedentBefore(words: Words, end: number): Words | undefined {
  let start = end;
  while (start > 0 && isInside(words[start - 1]!)) start--;
  // "University *of* Oslo".
  while (
    start > 1 && hasForm(words[start - 1], "of") && hasTag(words[start], "PROPN") &&
    hasTag(words[start - 2], "PROPN")
  ) {
    start--;
    while (start > 0 && isInside(words[start - 1]!)) start--;
  }
  const before = words[start - 1];
  const isDetermined = before !== undefined &&
    (hasForm(before, "the", "this", "these", "those", "that") || isPossessive(before.normal));
  const phrase = words.slice(isDetermined ? start - 1 : start, end);
  const outside = words[isDetermined ? start - 2 : start - 1];
  if (start === end || !phrase.some((word) => hasTag(word, "NOUN", "PROPN"))) return undefined;
  if (outside && (hasTag(outside, "CCONJ") || isComma(outside))) return undefined;
  if (!isDetermined && hasTag(before, "DET")) return undefined;
  return isDetermined || isName(phrase) ? phrase : undefined;
}

/** Detects a proper name that is capitalised to its last word: "Oslo", "the University of Oslo". */
export const isName = (words: Words): boolean =>
  hasTag(words.findLast(({ enclosed }) => !enclosed) ?? words.at(-1), "PROPN");

function isInside(word: TaggedWord): boolean {
  if (word.enclosed) return word.text !== "(" && word.text !== ")";
  return hasTag(word, "NOUN", "PROPN", "ADJ", "NUM") || /^(?:-|'s|’s)$/.test(word.text);
}

/**
 * A rule that splits a clause into clauses in text order. It returns undefined where it does not
 * apply or would not be safe.
 */
export type SplittingRule = (
  clause: Clause,
  parts: ClauseParts | undefined,
) => readonly Clause[] | undefined;

/** Returns the clause with other words. */
export const withWords = (clause: Clause, words: Words): Clause => ({
  ...clause,
  words: trimmedWords(words),
});

/** Builds a separate statement about a subject from elsewhere in the sentence. */
export function withSubject(
  clause: Clause,
  subject: Words,
  predicateWords: Words,
  aside = clause.aside,
): Clause {
  const bare = trimmedWords(subject);
  const note = { kind: "subject supplied", subject: wordsText(bare) } as const;
  const notes = [...clause.notes.filter(({ kind }) => kind !== "subject supplied"), note];
  const spaced = predicateWords.map((word, index) =>
    index === 0 ? { ...word, spaced: true } : word
  );
  return { words: trimmedWords([...asSupplied(bare), ...spaced]), notes, aside };
}

/** Splits a clause at a word: the clause up to there, and its subject with a second predicate. */
export function splitClauseAt(
  clause: Clause,
  parts: ClauseParts,
  end: number,
  predicateWords: Words,
) {
  const { words } = clause;
  return [
    withWords(clause, words.slice(0, end)),
    withSubject(clause, subjectOf(words, parts), predicateWords),
  ];
}

/** Returns the copula ("is", "was", "are" or "were") for a tense and number. */
export function copula(tense: "past" | "present", isPlural: boolean): TaggedWord {
  const forms = { past: ["was", "were"], present: ["is", "are"] } as const;
  return suppliedWord(forms[tense][isPlural ? 1 : 0], "AUX", "be");
}

/** Strips commas, conjunctions and full stops from both ends. */
function trimmedWords(words: Words): Words {
  const isInner = (word: TaggedWord) =>
    word.enclosed ||
    !/^[,;:.–—]$/.test(word.text) && !(hasTag(word, "CCONJ") && /^(?:and|but)$/i.test(word.text));
  const start = words.findIndex(isInner);
  return start < 0 ? [] : words.slice(start, words.findLastIndex(isInner) + 1);
}

/** Reporting verbs: someone other than the writer vouches for their content. */
const REPORTING = new Set(
  ("say claim argue believe report suggest allege think insist deny predict assert contend hope " +
    "wish speculate assume imagine expect warn promise propose").split(" "),
);

/** Detects a reporting verb: "said", "is expected". */
export const isReporting = (word: TaggedWord): boolean =>
  hasTag(word, "VERB") && REPORTING.has(word.lemma);

const CONDITIONS = /^(?:if|unless|whether|would|provided|suppose|neither|either)$/;
const BEFORE_THAT = /^(?:fact|claim|belief|idea|theory|view|notion)$/;

/**
 * Detects conditionals and reported speech. Their parts may be false where the whole is true, so
 * they stay undivided.
 */
export function isUndivided(words: Words): boolean {
  const outside = words.filter(({ enclosed }) => !enclosed);
  return outside.some((word, index) => {
    const next = outside[index + 1];
    return CONDITIONS.test(word.normal) ||
      isReporting(word) && introducesReport(outside, index) ||
      hasForm(word, "according") && hasForm(next, "to") ||
      hasForm(word, "not") && hasForm(next, "only") ||
      BEFORE_THAT.test(word.normal) && hasForm(next, "that");
  });
}

/**
 * Detects reported content: "said that", "said he was", "hopes to be". "Expected growth" and the
 * content of "is expected to" are excluded.
 */
function introducesReport(words: Words, verb: number): boolean {
  const next = words[verb + 1];
  if (hasForm(next, "to") && words[verb - 1]?.lemma === "be") return false;
  if (hasForm(next, "that", "to", ",", ":")) return true;
  return hasTag(next, "PRON", "PROPN", "DET") && !hasForm(next, "in") &&
    words.slice(verb + 1, verb + 6).some((_, offset) => isFinite(words, verb + 1 + offset));
}

/** Connectives that a statement does not need once it stands alone. */
const CONNECTIVES =
  /^(?:it is (?:important to note|worth noting) that|note that)\s+|^(?:however|therefore|thus|additionally|moreover|furthermore|overall|also|finally|in addition|for example|for instance|in fact|as a result|nevertheless|meanwhile|consequently|besides|likewise|similarly|notably|in conclusion|in summary),\s+|^(?:and|but|so|yet)\s+/i;

/** Joins words into a sentence with an initial capital and a full stop. */
export const sentenceText = (words: Words): string => asSentence(wordsText(words));

/** Adds an initial capital and a final full stop to a statement. */
export function asSentence(statement: string): string {
  const trimmed = statement.replace(CONNECTIVES, "")
    .replace(/\s+(?=[.,;:!?](?:\s|$))/g, "").trim().replace(/,(["”])$/, "$1");
  const isSmall = /^[“"(]?\p{Ll}/u.test(trimmed) && !/^[a-z]+[A-Z]/.test(trimmed);
  // A letter whose capital is two, such as the ligature of "ﬁsh", stays what the text has.
  const capital = !isSmall ? trimmed : trimmed.replace(/\p{Ll}/u, (letter) => {
    const upper = letter.toUpperCase();
    return upper.length === letter.length ? upper : letter;
  });
  return /[.!?…:][”"’)\]]*$/.test(capital) ? capital : `${capital}.`;
}

/** Spans of the clause's original words. Only white space may interrupt a span. */
export function spansOf(text: string, words: Words): readonly TextSpan[] {
  const spans: TextSpan[] = [];
  const original = words.filter((word) => word.isOriginal).toSorted((one, other) =>
    one.start - other.start
  );
  for (const { start, end } of original) {
    const last = spans.at(-1);
    const isNext = last && text.slice(last.end, start).trim() === "";
    if (last && isNext) spans[spans.length - 1] = { start: last.start, end };
    else spans.push({ start, end });
  }
  return spans;
}
