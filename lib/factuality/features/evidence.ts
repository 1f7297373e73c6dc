import {
  cosine,
  type EncodedText,
  type SentenceEncoder,
} from "../../models/encoder/network_encoder.ts";
import { sentencesOf } from "../claims/sentences.ts";
import { type Passage, SOURCE_TEXT, type TextSpan } from "../types.ts";
import type { WordNet } from "./wordnet.ts";
import { isSameWord, type ReadingTools, readWords, type Word, wordMatch } from "./words.ts";

/** One sentence of a source, read. */
interface SourceSentence {
  readonly passage: Passage;
  /** Where it stands in the passage. */
  readonly span: TextSpan;
  /** What stands there. */
  readonly text: string;
  /** With what the passage is about before it ("France, Population: …"), where it does not say so itself. */
  readonly read: string;
  /** Words of `read`; their spans are places in `read`. */
  readonly words: readonly Word[];
  /** Place among all sentences; neighbours of one passage differ by 1. */
  readonly index: number;
}

/** All sentences of the passages in order, read once. */
export function sourceSentences(
  passages: readonly Passage[],
  tools: ReadingTools,
): readonly SourceSentence[] {
  return passages.flatMap((passage) =>
    sentencesOf(passage.text).flatMap((sentence) => parts(sentence)).map((span) => {
      const text = passage.text.slice(span.start, span.end);
      const read = `${about(passage, text)}${text}`;
      return { passage, span, text, read, words: readWords(read, tools) };
    })
  ).map((sentence, index) => ({ ...sentence, index }));
}

/** Between semicolons, each part states something on its own: "total: 68,512,806; male: 33,557,094". */
function parts({ text, start }: TextSpan & { readonly text: string }): readonly TextSpan[] {
  const ends = [...text.matchAll(/;(?=\s)/g)].map(({ index }) => index + 1);
  return [0, ...ends].map((from, index) => {
    const to = ends[index] ?? text.length;
    const space = text.slice(from, to).search(/\S/);
    return { start: start + from + Math.max(space, 0), end: start + to };
  });
}

function about({ collection, title, section }: Passage, text: string): string {
  if (collection === SOURCE_TEXT) return "";
  const missing = [title, section].filter((name) => name !== "" && !text.includes(name));
  return missing.length === 0 ? "" : `${missing.join(", ")}: `;
}

/** So many sentences are the evidence of a claim … */
const KEPT = 3;

/** … out of so many that are like it word for word, for only these are encoded (3–4 ms each); */
const ENCODED = 5;

/** and of no more than the kept ones where the best has so much of the claim. */
const PLAIN = 0.7;

/** What words and sentence vectors count for in the choice. */
const LEXICAL_SHARE = 0.6;

/** A sentence that was chosen. */
export interface EvidenceSentence extends SourceSentence {
  readonly encoded: EncodedText;
  /** Weighted share of the claim's words in it, literally, halved for a question; 0–1. */
  readonly shared: number;
  /** Cosine with the claim, −1 to 1. */
  readonly cosine: number;
  /** How well it fits, 0–1. */
  readonly relevance: number;
}

/** What a claim is held against. */
interface ChosenEvidence {
  readonly claim: EncodedText;
  /** The best first, at most three. */
  readonly top: readonly EvidenceSentence[];
}

/** The sentences that speak of what the claim speaks of; none from sources without any. */
export async function chooseEvidence(
  claim: string,
  words: readonly Word[],
  sentences: readonly SourceSentence[],
  encoder: SentenceEncoder,
): Promise<ChosenEvidence> {
  const shared = sentences.map((sentence) => share(words, sentence) * standing(sentence));
  const candidates = sentences.toSorted((a, b) =>
    shared[b.index]! - shared[a.index]! || a.index - b.index
  ).slice(0, Math.max(0, ...shared) >= PLAIN ? KEPT : ENCODED);
  const [encodedClaim, ...encoded] = await encoder.encode([
    claim,
    ...candidates.map(({ read }) => read),
  ]);
  const top = candidates.map((sentence, index): EvidenceSentence => {
    const similarity = cosine(encodedClaim!.sentence, encoded[index]!.sentence);
    const lexical = shared[sentence.index]!;
    const meant = Math.max(similarity, 0) * standing(sentence);
    const relevance = LEXICAL_SHARE * lexical + (1 - LEXICAL_SHARE) * meant;
    return {
      ...sentence,
      encoded: encoded[index]!,
      shared: lexical,
      cosine: similarity,
      relevance,
    };
  }).toSorted((a, b) => b.relevance - a.relevance || a.index - b.index).slice(0, KEPT);
  return { claim: encodedClaim!, top };
}

/** A question states nothing. */
const standing = ({ text }: SourceSentence) => /\?\W*$/.test(text) ? 0.5 : 1;

function share(words: readonly Word[], sentence: SourceSentence): number {
  const isShared = words.map((word) => sentence.words.some((other) => isSameWord(word, other)));
  return weightedMean(words, (index) => isShared[index] ? 1 : 0, 0);
}

/**
 * Which words of a claim are asserted. In "Who wrote it? Blake." and "Who wrote it: Blake." that is
 * the answer alone: the question's words are given, and a source can have them all without a word
 * for the answer. All of them where nothing is answered.
 */
export function assertedWords(claim: string, words: readonly TextSpan[]): readonly boolean[] {
  const given = givenParts(claim);
  const asserted = words.map((word) =>
    !given.some(({ start, end }) => start <= word.start && word.start < end)
  );
  return asserted.some(Boolean) ? asserted : words.map(() => true);
}

/** Questions, up to their mark or the colon before the answer, and the letters Q and A before both. */
function givenParts(claim: string): readonly TextSpan[] {
  const labels = [...claim.matchAll(/(?<=^|\s)(?:Q|A|Question|Answer):/gu)]
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

/** One word of the claim against one of a sentence of the evidence. */
interface WordPair {
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

/** Mean of the pieces of each word, at unit length; undefined for one beyond what the encoder reads. */
function wordVectors(
  words: readonly TextSpan[],
  { tokens }: EncodedText,
): readonly (Float32Array | undefined)[] {
  return words.map(({ start, end }) => {
    const pieces = tokens.filter((token) => token.start < end && start < token.end);
    if (pieces.length === 0) return undefined;
    if (pieces.length === 1) return pieces[0]!.vector;
    const sum = new Float32Array(pieces[0]!.vector.length);
    for (const { vector } of pieces) vector.forEach((value, index) => sum[index]! += value);
    const length = Math.hypot(...sum) || 1;
    return sum.map((value) => value / length);
  });
}

/** Cosine of two vectors of unit length. */
function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += a[index]! * b[index]!;
  return sum;
}
