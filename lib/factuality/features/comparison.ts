/** A claim beside its sources: which sentences are its evidence, and which words they have. */
import { sentencesOf } from "../claims/sentences.ts";
import { type Passage, SOURCE_TEXT, type TextSpan } from "../types.ts";
import { accountsFor, readWords, type wordIndex } from "./words.ts";
import type { Gazetteer, Word } from "./words.ts";

/**
 * One sentence of a source, read; `text` with what the passage is about before it ("France, Population:
 * …"), where it does not say so itself.
 */
type SourceSentence = ReturnType<typeof sourceSentences>[number];

/** All sentences of the passages in order. */
export const sourceSentences = (passages: readonly Passage[], gazetteer: Gazetteer) =>
  passages.flatMap((passage) =>
    sentencesOf(passage.text).flatMap(({ text }) =>
      // Between semicolons, each part states something on its own: "total: 68,512; male: 33,557".
      text.split(/(?<=;)\s+/).map((part) => {
        const whole = `${about(passage, part)}${part}`;
        return { text: whole, words: readWords(whole, gazetteer) };
      })
    )
  );

function about({ collection, title, section }: Passage, text: string): string {
  if (collection === SOURCE_TEXT) return "";
  const missing = [title, section].filter((name) => name !== "" && !text.includes(name));
  return missing.length === 0 ? "" : `${missing.join(", ")}: `;
}

/** A claim's words against one sentence's. */
export interface SentenceComparison {
  readonly sentence: SourceSentence;
  /** `pairs[claim word][sentence word]`: whether the one accounts for the other. */
  readonly pairs: readonly (readonly boolean[])[];
  /** For each word of the claim, whether the sentence accounts for it. */
  readonly has: readonly boolean[];
}

/** A claim beside its evidence: all that the families of features look at. */
export interface Comparison {
  readonly claimText: string;
  /** With the weight that each word has among these sources. */
  readonly claim: readonly Word[];
  /** For each word of the claim; see {@link assertedWords}. */
  readonly asserted: readonly boolean[];
  /** For each word of the claim, whether any sentence of any source accounts for it. */
  readonly anywhere: readonly boolean[];
  /** The evidence, the best first; empty where the sources have no sentence. */
  readonly evidence: readonly SentenceComparison[];
}

/** So many sentences are the evidence of a claim. */
const KEPT = 3;

export function compare(
  claimText: string,
  all: readonly SourceSentence[],
  holding: ReturnType<typeof wordIndex>,
  gazetteer: Gazetteer,
): Comparison {
  const read = readWords(claimText, gazetteer);
  const having = read.map(holding);
  const claim = read.map((word, index) => {
    const { length } = having[index]!;
    return { ...word, weight: word.weight / (1 + Math.log(Math.max(1, length)) / 3) };
  });
  const total = claim.reduce((sum, { weight }) => sum + weight, 0);
  const weights = new Map<number, number>();
  for (const [index, places] of having.entries()) {
    const { weight } = claim[index]!;
    for (const place of places) weights.set(place, (weights.get(place) ?? 0) + weight);
  }
  // Sentences without a word of the claim stand behind all others, in their order.
  for (let place = 0; place < all.length && weights.size < KEPT; place++) {
    if (!weights.has(place)) weights.set(place, 0);
  }
  const evidence = [...weights].map(([place, weight]) => {
    const sentence = all[place]!;
    const share = total === 0 ? 0 : weight / total;
    // A question states nothing.
    return { sentence, place, fit: /\?\W*$/.test(sentence.text) ? share / 2 : share };
  }).toSorted((a, b) => b.fit - a.fit || a.place - b.place).slice(0, KEPT).map(({ sentence }) => {
    const pairs = claim.map((word) => sentence.words.map((other) => accountsFor(other, word)));
    return { sentence, pairs, has: pairs.map((row) => row.includes(true)) };
  });
  const anywhere = having.map(({ length }) => length > 0);
  return { claimText, claim, asserted: assertedWords(claimText, claim), anywhere, evidence };
}

/**
 * Which words of a claim are asserted. In "Who wrote it? Blake." and "Who wrote it: Blake." that is
 * the answer alone: the question's words are given, and a source can have them all without a word
 * for the answer. All of them where nothing is answered.
 */
function assertedWords(claim: string, words: readonly TextSpan[]): readonly boolean[] {
  const given = givenParts(claim);
  const asserted = words.map((word) =>
    !given.some(({ start, end }) => start <= word.start && word.start < end)
  );
  return asserted.some(Boolean) ? asserted : words.map(() => true);
}

/** Questions, up to their mark or the colon before the answer, the letters Q and A before both, and "I think". */
function givenParts(claim: string): readonly TextSpan[] {
  const labels = [
    ...claim.matchAll(/(?<=^|\s)(?:Q|A|Question|Answer):/gu),
    ...claim.matchAll(OPENING),
  ]
    .map(({ index, 0: label }) => ({ start: index, end: index + label.length }));
  const questions = sentencesOf(claim).flatMap(({ start, text }) => {
    const length = questionLength(text);
    return length === 0 ? [] : [{ start, end: start + length }];
  });
  return [...labels, ...questions];
}

const QUESTION_WORD = /\b(?:who|whom|whose|what|which|when|where|why|how)\b/i;
const INVERSION = /^(?:is|are|was|were|do|does|did|can|could|has|have|had|will|would)\b/i;

/** An answer in small letters is no sentence of its own; "Which band: Blur" has no mark. */
function questionLength(sentence: string): number {
  const mark = sentence.lastIndexOf("?");
  if (mark >= 0) return mark + 1;
  const colons = [...sentence.matchAll(/:\s/g)].map(({ index }) => index);
  return colons.find((colon) => {
    const before = sentence.slice(0, colon).replace(/^(?:Q|Question):\s*/u, "");
    return QUESTION_WORD.test(before) || INVERSION.test(before);
  }) ?? 0;
}

/** Weighted mean of a value for each word; 0 where there is no word. */
export function weightedMean(words: readonly Word[], value: (index: number) => number): number {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return 0;
  return words.reduce((sum, { weight }, index) => sum + weight * value(index), 0) / all;
}

/** Weighted share of the claim's words, but for the one left out, that a sentence has; 0–1. */
export function agreement(
  { claim }: Comparison,
  { has }: SentenceComparison,
  leftOut?: number,
): number {
  const others = claim.map((word, index) => index === leftOut ? { ...word, weight: 0 } : word);
  return weightedMean(others, (index) => has[index] ? 1 : 0);
}

/** "I think that …", "…, as far as I know": what stands beside it is the claim. */
const OPENING =
  /\bi (?:think|believe|guess|suppose|heard|read|know|understand)\b|\bi ?['’] ?m not sure|\bme too\b|\bas far as i know\b|\b(?:in my opinion|from what i know)\b/gi;
