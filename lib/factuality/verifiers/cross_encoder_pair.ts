import type { SourceChunk } from "./source_chunks.ts";
import { termsOf } from "../retrieval/terms.ts";

/** Numbers of word pieces, without special tokens. */
export type Tokenise = (text: string) => readonly number[];

/** What a pair of texts is framed with, and how long it may be. */
export interface PairFrame {
  /** `[CLS]`, before the evidence. */
  readonly first: number;
  /** `[SEP]`, after the evidence and after the claim. */
  readonly separator: number;
  /** Most tokens of a pair, the three special ones included. */
  readonly longest: number;
}

/** A sentence of a source, tokenised once for any number of claims. */
export interface TokenisedSentence {
  readonly chunk: SourceChunk;
  readonly tokens: readonly number[];
  readonly terms: ReadonlySet<string>;
}

/** A sentence that is shown, with the share of the claim's terms (by weight) in it, 0–1. */
export interface PackedSentence {
  readonly chunk: SourceChunk;
  readonly share: number;
}

/** What the network reads, and which sentences those are; the best first. */
export interface PackedPair {
  readonly ids: readonly number[];
  readonly sentences: readonly PackedSentence[];
}

const SPECIAL_TOKENS = 3;
/** A claim that takes up more of what the network can read leaves no room for a source. */
const MOST_OF_CLAIM = 0.75;

/** Sentences with the terms by which a claim finds them. */
export function tokenisedSentences(
  chunks: readonly SourceChunk[],
  tokenise: Tokenise,
): readonly TokenisedSentence[] {
  return chunks.map((chunk) => ({
    chunk,
    tokens: tokenise(chunk.premise),
    terms: new Set(termsOf(chunk.premise)),
  }));
}

/** Logarithm of how rare a term is among the sentences; one in no sentence counts the most. */
function termWeight(term: string, sentences: readonly TokenisedSentence[]): number {
  const holding = sentences.filter(({ terms }) => terms.has(term)).length;
  return Math.log(1 + (sentences.length + 1) / (holding + 1));
}

interface Ranked extends PackedSentence {
  readonly tokens: readonly number[];
  readonly index: number;
}

function ranked(claim: string, sentences: readonly TokenisedSentence[]): readonly Ranked[] {
  const weights = [...new Set(termsOf(claim))].map((term) =>
    [term, termWeight(term, sentences)] as const
  );
  const all = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return sentences.map(({ chunk, tokens, terms }, index) => {
    const found = weights.reduce((sum, [term, weight]) => terms.has(term) ? sum + weight : sum, 0);
    return { chunk, tokens, index, share: all === 0 ? 0 : found / all };
  }).toSorted((a, b) => b.share - a.share || a.index - b.index);
}

/** The best sentences that fit together; the best one alone is cut where it is too long. */
function fitting(sentences: readonly Ranked[], room: number): readonly Ranked[] {
  const kept: Ranked[] = [];
  let left = room;
  for (const sentence of sentences) {
    if (kept.length > 0 && sentence.tokens.length > left) continue;
    kept.push(sentence);
    left -= sentence.tokens.length;
  }
  return kept;
}

/**
 * A claim behind the sentences of its source that have most of its terms, in the order of the source:
 * `[CLS] evidence [SEP] claim [SEP]`. The same in training and in use. Without sentences the evidence
 * is empty. Undefined for a claim that leaves less than a quarter to the evidence.
 */
export function packPair(
  claim: string,
  sentences: readonly TokenisedSentence[],
  tokenise: Tokenise,
  { first, separator, longest }: PairFrame,
): PackedPair | undefined {
  const claimTokens = tokenise(claim);
  const room = longest - SPECIAL_TOKENS - claimTokens.length;
  if (claimTokens.length > MOST_OF_CLAIM * (longest - SPECIAL_TOKENS)) return undefined;
  const kept = fitting(ranked(claim, sentences), room);
  const evidence = kept.toSorted((a, b) => a.index - b.index).flatMap(({ tokens }) => tokens);
  return {
    ids: [first, ...evidence.slice(0, room), separator, ...claimTokens, separator],
    sentences: kept.map(({ chunk, share }) => ({ chunk, share })),
  };
}
