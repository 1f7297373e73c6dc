import type { TextSpan } from "../text_span.ts";
import type { Claim } from "./claim.ts";
import { claimKind } from "./claim_kind.ts";
import { contentWords, sameWord } from "./content_words.ts";
import { notCheckable } from "./not_checkable.ts";
import type { Sentence } from "./sentences.ts";
import { isNegation } from "./verb_forms.ts";
import { type Word, wordsOf } from "./word.ts";

type Attributed = Omit<Claim, "id"> | { readonly reason: string };

/** A sentence of the text with its words. */
export interface ReadSentence {
  readonly sentence: Sentence;
  readonly words: readonly Word[];
}

/**
 * The claim with the sentence it says again, or why it is of none: every content word and number
 * must stand in that sentence; a name may stand in an earlier one where the sentence has a pronoun.
 */
export function attributed(statement: string, sentences: readonly ReadSentence[]): Attributed {
  const said = wordsOf(statement, 0);
  const content = contentWords(said);
  if (content.length === 0) return { reason: "it has no content words" };
  const read = sentences.map(({ words }) => words);
  const missing = read.map((words, index) => missingFrom(content, words, read.slice(0, index)));
  const best = missing.reduce(
    (least, words, index) => words.length < missing[least]!.length ? index : least,
    0,
  );
  if (missing[best] === undefined) return { reason: "the text has no sentence" };
  if (missing[best].length > 0) {
    const lacking = missing[best].map(({ text }) => `“${text}”`).join(", ");
    return { reason: `the nearest sentence does not say ${lacking}` };
  }
  const spans = alignedSpans(content, read[best]!);
  const changed = negationChanged(said, read[best]!, spans);
  if (changed !== undefined) return { reason: changed };
  return claimOf(statement, sentences[best]!, spans, content);
}

function claimOf(
  text: string,
  { sentence, words }: ReadSentence,
  spans: readonly TextSpan[],
  content: readonly Word[],
): Omit<Claim, "id"> {
  const whole = notCheckable(sentence.text);
  const carried = whole === "hedge" || whole === "question" || whole === "opinion"
    ? whole
    : undefined;
  const name = content.filter((word) => !words.some((other) => sameWord(word, other)));
  const pronoun = words.find(({ partOfSpeech }) => partOfSpeech === "PRON");
  const to = name.map((word) => word.text).join(" ");
  return {
    text,
    spans,
    sentence: { start: sentence.start, end: sentence.end },
    kind: claimKind(text),
    notCheckable: carried ?? notCheckable(text),
    notes: to && pronoun ? [{ kind: "pronoun resolved", pronoun: pronoun.text, to }] : [],
  };
}

function missingFrom(
  content: readonly Word[],
  words: readonly Word[],
  earlier: readonly (readonly Word[])[],
): readonly Word[] {
  const hasPronoun = words.some(({ partOfSpeech }) => partOfSpeech === "PRON");
  return content.filter((word) => {
    if (words.some((other) => sameWord(word, other))) return false;
    const mayBeEarlier = hasPronoun && word.partOfSpeech === "PROPN";
    return !(mayBeEarlier &&
      earlier.some((before) => before.some((other) => sameWord(word, other))));
  });
}

/** The words of the sentence that the statement repeats, neighbours together. */
function alignedSpans(content: readonly Word[], words: readonly Word[]): readonly TextSpan[] {
  const taken = new Set<number>();
  let cursor = 0;
  for (const word of content) {
    const free = (from: number) =>
      words.findIndex((other, index) =>
        index >= from && !taken.has(index) && sameWord(word, other)
      );
    const ahead = free(cursor);
    const index = ahead < 0 ? free(0) : ahead;
    if (index < 0) continue;
    taken.add(index);
    cursor = index + 1;
  }
  const spans: TextSpan[] = [];
  let last = -2;
  for (const index of [...taken].sort((one, other) => one - other)) {
    const { start, end } = words[index]!;
    const before = spans.at(-1);
    if (before && index === last + 1) spans[spans.length - 1] = { start: before.start, end };
    else spans.push({ start, end });
    last = index;
  }
  return spans;
}

/** A "not" that was put in, or left out from among the words that are repeated. */
function negationChanged(
  said: readonly Word[],
  words: readonly Word[],
  spans: readonly TextSpan[],
): string | undefined {
  const inside = words.filter(isNegation);
  const denies = said.some(isNegation);
  if (denies && inside.length === 0) return "it denies what the text does not deny";
  const first = spans[0]?.start ?? 0;
  const last = spans.at(-1)?.end ?? 0;
  const isLost = !denies && inside.some(({ start }) => start > first && start < last);
  return isLost ? "it leaves out a negation of the text" : undefined;
}
