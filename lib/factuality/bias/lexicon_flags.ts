import { readEnglish } from "../claims/english.ts";
import { type Sentence, sentencesOf } from "../claims/sentences.ts";
import type { TextSpan } from "../text_span.ts";
import type { BiasFlag, Severity } from "./flag.ts";
import { contextOf, loweredSeverity } from "./flag_context.ts";
import { anyOf, groupOfNoun } from "./groups.ts";
import type { Lexicon, LexiconEntry } from "./lexicon.ts";
import { STEREOTYPE_PATTERNS } from "./stereotype_patterns.ts";

/** Who flags a word of the list, and who a sentence about a group. */
const WORD_LIST = "word list";
const PATTERN = "stereotype pattern";

interface Hit {
  readonly span: TextSpan;
  readonly by: string;
  readonly group: string;
  readonly severity: Severity;
  readonly reason: string;
}

/** Whole words; a hyphen and a space are the same. */
function expressionOf(words: readonly string[]): RegExp {
  const spaced = anyOf(words.map((word) => word.replace(/[\s-]+/g, " ")));
  const text = spaced.replaceAll("\\s+", "[\\s-]+");
  return new RegExp(`(?<![\\p{L}\\p{N}])${text}(?![\\p{L}\\p{N}])`, "giu");
}

function spansOf(expression: RegExp, sentence: Sentence): readonly TextSpan[] {
  return [...sentence.text.matchAll(expression)].map(({ index, 0: found }) => ({
    start: sentence.start + index,
    end: sentence.start + index + found.length,
  }));
}

/** "the elderly" is a noun, in "the elderly couple" it is none. */
function isAdjective(text: string, { start, end }: TextSpan): boolean {
  if (!/^the\s/i.test(text.slice(start, end))) return false;
  const [next] = readEnglish(text.slice(end, end + 60)).tokens;
  return next !== undefined && /^\s*[-\p{L}]/u.test(text.slice(end)) &&
    ["NOUN", "PROPN", "ADJ"].includes(next.partOfSpeech);
}

/** Groups whose words have a capital anyway: it does not make a name of them. */
const CAPITALISED_GROUPS: ReadonlySet<string> = new Set(["ethnicity", "religion"]);

/**
 * "Mandarin Oriental", "Dick Van Dyke", "Coalition for the Homeless": written with a capital within a
 * sentence, beside another capital where the word has one anyway. Words all in capitals are shouted.
 */
function isName(sentence: Sentence, { start, end }: TextSpan, group: string): boolean {
  const [before, word, after] = [
    sentence.text.slice(0, start - sentence.start),
    sentence.text.slice(start - sentence.start, end - sentence.start).replace(/^the\s+/i, ""),
    sentence.text.slice(end - sentence.start),
  ];
  if (!/\p{L}/u.test(before) || !/^\p{Lu}/u.test(word) || word === word.toUpperCase()) return false;
  // The first word of a sentence has a capital in any case.
  return !CAPITALISED_GROUPS.has(group) || /\p{L}.*\P{L}\p{Lu}[\p{L}.’']*\s$/su.test(before) ||
    /^\s\p{Lu}/u.test(after);
}

/** An entry with the expressions that find its words. */
interface EntryFinder {
  readonly entry: LexiconEntry;
  readonly terms: RegExp;
  /** Undefined for an entry without exceptions: an empty choice would be found everywhere. */
  readonly exceptions: RegExp | undefined;
}

function finderOf(entry: LexiconEntry): EntryFinder {
  const { terms, exceptions } = entry;
  return {
    entry,
    terms: expressionOf(terms),
    exceptions: exceptions.length === 0 ? undefined : expressionOf(exceptions),
  };
}

function wordHits(text: string, sentence: Sentence, finder: EntryFinder): readonly Hit[] {
  const { group, severity, reason } = finder.entry;
  const spans = spansOf(finder.terms, sentence);
  if (spans.length === 0) return [];
  if (finder.exceptions && sentence.text.search(finder.exceptions) !== -1) return [];
  return spans.filter((span) => !isAdjective(text, span) && !isName(sentence, span, group))
    .map((span) => ({ span, by: WORD_LIST, group, severity, reason }));
}

function patternHits(sentence: Sentence): readonly Hit[] {
  return STEREOTYPE_PATTERNS.flatMap(({ expression, severity, reason }) =>
    [...sentence.text.matchAll(expression)].map(({ index, 0: found, 1: noun }) => ({
      span: { start: sentence.start + index, end: sentence.start + index + found.length },
      ...{ by: PATTERN, group: groupOfNoun(noun ?? ""), severity, reason },
    }))
  );
}

function flagOf(text: string, sentence: Sentence, hit: Hit): BiasFlag {
  const { span, group, by, reason } = hit;
  const context = contextOf(text, sentence, span);
  const severity = loweredSeverity(hit.severity, context);
  const phrase = text.slice(span.start, span.end);
  return { phrase, span, group, severity, reasons: [{ by, reason, severity, context }] };
}

/**
 * What the word list and the patterns find in a text, in its order. A word with another meaning is
 * left out where its sentence shows it (`exceptions`); what a sentence denies, condemns or quotes
 * weighs one step less, and its reason says which.
 */
export function lexiconFlags(text: string, { entries }: Lexicon): readonly BiasFlag[] {
  const finders = entries.map(finderOf);
  return sentencesOf(text).flatMap((sentence) =>
    [...finders.flatMap((finder) => wordHits(text, sentence, finder)), ...patternHits(sentence)]
      .map((hit) => flagOf(text, sentence, hit))
  ).toSorted((one, other) => one.span!.start - other.span!.start);
}
