import type { WordNet } from "../wordnet/wordnet.ts";
import { assertedWords } from "./asserted_words.ts";
import type { ChosenEvidence, EvidenceSentence } from "./choose_evidence.ts";
import type { SourceSentence } from "./source_sentence.ts";
import type { Word } from "./word.ts";
import { isSameWord, wordMatch } from "./word_match.ts";
import { dot, wordVectors } from "./word_vectors.ts";

/** One word of the claim against one of a sentence of the evidence. */
export interface WordPair {
  /** 0–1, see `wordMatch`. */
  readonly match: number;
  /** Cosine of the vectors in context, −1 to 1; 0 where a text is too long for the encoder. */
  readonly cosine: number;
}

/** A claim's words against one sentence's. */
export interface SentenceComparison {
  readonly sentence: EvidenceSentence;
  /** `pairs[claim word][sentence word]`. */
  readonly pairs: readonly (readonly WordPair[])[];
  /** Best match of each word of the claim, 0–1. */
  readonly matches: readonly number[];
}

/** A claim beside its evidence: all that the families of features look at. */
export interface Comparison {
  readonly claimText: string;
  readonly claim: readonly Word[];
  /** For each word of the claim; see {@link assertedWords}. */
  readonly asserted: readonly boolean[];
  readonly wordnet: WordNet;
  /** The best first; may be empty. */
  readonly sentences: readonly SentenceComparison[];
  /** Every sentence of every source. */
  readonly all: readonly SourceSentence[];
  /** For each word of the claim, whether any sentence of any source has it literally. */
  readonly anywhere: readonly boolean[];
}

/** Every word of the claim against every word of the chosen sentences. */
export function compare(
  claimText: string,
  claim: readonly Word[],
  { claim: encoded, top }: ChosenEvidence,
  all: readonly SourceSentence[],
  wordnet: WordNet,
): Comparison {
  const claimVectors = wordVectors(claim, encoded);
  const sentences = top.map((sentence): SentenceComparison => {
    const vectors = wordVectors(sentence.words, sentence.encoded);
    const pairs = claim.map((word, row) =>
      sentence.words.map((other, column): WordPair => {
        const [a, b] = [claimVectors[row], vectors[column]];
        return { match: wordMatch(word, other, wordnet), cosine: a && b ? dot(a, b) : 0 };
      })
    );
    const matches = pairs.map((row) => row.reduce((best, { match }) => Math.max(best, match), 0));
    return { sentence, pairs, matches };
  });
  const anywhere = claim.map((word) =>
    all.some(({ words }) => words.some((other) => isSameWord(word, other)))
  );
  const asserted = assertedWords(claimText, claim);
  return { claimText, claim, asserted, wordnet, sentences, all, anywhere };
}

/** Weighted mean of a value for each word; `neutral` where there is no word. */
export function weightedMean(
  words: readonly Word[],
  value: (index: number) => number,
  neutral: number,
): number {
  const all = words.reduce((sum, { weight }) => sum + weight, 0);
  if (all === 0) return neutral;
  return words.reduce((sum, { weight }, index) => sum + weight * value(index), 0) / all;
}

/** Weighted mean of a value for each asserted word; `neutral` where there is no word. */
export function assertedMean(
  { claim, asserted }: Comparison,
  value: (index: number) => number,
  neutral: number,
): number {
  const weighed = claim.map((word, index) => asserted[index] ? word : { ...word, weight: 0 });
  return weightedMean(weighed, value, neutral);
}

/**
 * How far nothing is missing: e^−s for the sum s, over the asserted words, of weight × what is
 * missing of the word, 0–1. One word of ten that the sources lack makes a claim as wrong as one of
 * three does, which no mean shows. 0 where there is no word.
 */
export function completeness(
  { claim, asserted }: Comparison,
  missing: (index: number) => number,
): number {
  if (claim.length === 0) return 0;
  const sum = claim.reduce(
    (sum, { weight }, index) => asserted[index] ? sum + weight * missing(index) : sum,
    0,
  );
  return Math.exp(-sum);
}

/** Weighted share of the claim's words, but for those left out, that a sentence has; 0–1. */
export function agreement(
  { claim }: Comparison,
  { matches }: SentenceComparison,
  leftOut: (word: Word, index: number) => boolean,
): number {
  let [found, all] = [0, 0];
  claim.forEach((word, index) => {
    if (leftOut(word, index)) return;
    all += word.weight;
    found += word.weight * matches[index]!;
  });
  return all === 0 ? 0 : found / all;
}
