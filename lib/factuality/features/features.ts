/** What features there are, and a claim beside its evidence, which is all that they look at. */
import { cosine } from "../../models/encoder/network_encoder.ts";
import type { EncodedText, SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import { sentencesOf } from "../claims/sentences.ts";
import { type Evidence, type Finding, type Passage, SOURCE_TEXT, type TextSpan } from "../types.ts";
import type { WordNet } from "./wordnet.ts";
import { isSameWord, type ReadingTools, readWords, type Word, wordMatch } from "./words.ts";

/**
 * Every feature of a claim against its sources, in the order of the vector, with what it means for the
 * reader of a report; 0–1 unless it says otherwise. "Weighted" means by how much a word says; "the
 * evidence" is the best sentences, see `chooseEvidence()`; "asserted" are the words outside a question
 * that the claim answers, see `assertedWords()`. None can be computed from the claim alone: with
 * nothing to compare, a feature has its neutral value.
 */
export const FEATURES = [
  row("overlap", "top", "weighted share of the asserted words in the best three sentences"),
  row("overlap", "all", "weighted share anywhere in the sources"),
  row("overlap", "complete", "1 where no asserted word is missing, less with each that is"),
  row(
    "alignment",
    "mean",
    "weighted mean over the asserted words of the best cosine in the evidence",
  ),
  row("alignment", "min", "the worst aligned asserted word"),
  row("alignment", "low_tenth", "10 % quantile of the asserted words' best cosines"),
  row("alignment", "under_half", "weighted share of asserted words whose best cosine is under 0.5"),
  row(
    "alignment",
    "loose",
    "weighted share of asserted words under 0.6 that no synonym accounts for",
  ),
  row("alignment", "complete", "1 where each asserted word is aligned, less with each that is not"),
  row("alignment", "names", "worst aligned asserted name; 1 without names"),
  row("alignment", "nouns", "worst aligned asserted noun; 1 without nouns"),
  row("alignment", "verbs", "worst aligned asserted verb; 1 without verbs"),
  row("alignment", "adjectives", "worst aligned asserted adjective or adverb; 1 without any"),
  row("alignment", "sentence", "cosine of claim and nearest sentence of the evidence, −1 to 1"),
  row("quantity", "contradicted", "strongest number of another value in the same place"),
  row("quantity", "absent", "share of the claim's numbers that the evidence does not have"),
  row("quantity", "date_contradicted", "strongest date of another value in the same place"),
  row("quantity", "date_absent", "share of the claim's dates that the evidence does not have"),
  row("negation", "differs", "claim or evidence denies what the other says, × how well they agree"),
  row("antonym", "opposite", "a word of the claim stands opposed in the evidence, × agreement"),
  row("antonym", "degree", "the same for degree, quantity, direction and order words"),
  row(
    "antonym",
    "sibling",
    "another member of the same class stands in the word's place, × agreement",
  ),
  row("name", "absent", "share of the claim's names nowhere in the sources"),
  row("name", "absent_here", "share of the claim's names not in the evidence"),
  row("name", "swapped", "another name of the same type in the name's place, × agreement"),
  row("role", "swapped", "names before and after the verb exchanged, × agreement"),
  row("speaker", "alone", "1 where the claim speaks of I or we and no source does, else 0"),
] as const;

function row<G extends string, N extends string>(group: G, short: N, means: string) {
  return { name: `${group}.${short}` as `${G}.${N}`, group, means } as const;
}

/** What kind of thing a feature looks at. */
export type FeatureGroup = (typeof FEATURES)[number]["group"];

export type FeatureName = (typeof FEATURES)[number]["name"];

/** One value for each feature. */
export type FeatureValues = Readonly<Record<FeatureName, number>>;

/** In the order of `ClaimFeatures.values`. */
export const FEATURE_NAMES: readonly FeatureName[] = FEATURES.map(({ name }) => name);

/** What was seen when a claim was held against its sources. */
export interface ClaimFeatures {
  /** In the order of `FEATURE_NAMES`; all finite. */
  readonly values: readonly number[];
  /** In words, for the report; the strongest first. */
  readonly findings: readonly Finding[];
  /** The best sentences, best first; none where the sources have no sentence. */
  readonly evidence: readonly Evidence[];
}

/** Sources read once, for any number of claims. */
export interface SourceReader {
  features(claim: string): Promise<ClaimFeatures>;
}

/** What one family of features saw: a value for each feature of its group, and findings. */
export interface FamilyResult<G extends FeatureGroup> {
  readonly values: {
    readonly [Name in FeatureName as Name extends `${G}.${string}` ? Name : never]: number;
  };
  readonly findings: readonly WeighedFinding[];
}

/** A finding and how sure it is, 0–1. */
export interface WeighedFinding extends Finding {
  readonly strength: number;
}

/** Weaker than this, a feature counts but is not worth a reader's time. */
export const WORTH_TELLING = 0.3;

/**
 * Raised whenever a feature of a claim could have another value than before: kept vectors and answers
 * carry it in their settings. The golden vectors in `testdata/` hold it to that.
 */
export const FEATURES_VERSION = 1;

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
interface EvidenceSentence extends SourceSentence {
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
