import type { CrossEncoder } from "../../models/encoder/cross_encoder.ts";
import { softmax } from "../../stats/uncertainty.ts";
import { scoredVerdict, withoutEvidence } from "../decision.ts";
import { termsOf } from "../retrieval/index.ts";
import {
  type Passage,
  type Provenance,
  type Verdict,
  VERDICT_LABELS,
  type VerdictProbabilities,
  type Verifier,
} from "../types.ts";
import { chunkEvidence, chunksOf, type SourceChunk } from "./chunks.ts";

/** @throws {SyntaxError} for a network of other labels: it was trained for something else. */
function assertLabels(labels: readonly string[]): void {
  if (labels.join() === VERDICT_LABELS.join()) return;
  throw new SyntaxError(
    `Cannot verify with a cross-encoder of the labels ${labels.join(", ") || "none"}: it needs ` +
      VERDICT_LABELS.join(", "),
  );
}

/** Logits as calibrated probabilities: divided by the temperature that the file states. */
export function crossEncoderProbabilities(
  logits: readonly number[],
  temperature: number,
): VerdictProbabilities {
  const shares = softmax(logits.map((logit) => logit / temperature));
  const entries = VERDICT_LABELS.map((label, index) => [label, shares[index]!] as const);
  return Object.fromEntries(entries) as Record<(typeof VERDICT_LABELS)[number], number>;
}

function tooLong(longest: number, provenance: Provenance): Verdict {
  const message =
    `The claim takes up most of the ${longest} tokens that the network reads at once.`;
  return { kind: "unscored", reason: "failure", message, partialText: undefined, provenance };
}

async function verdictOf(
  network: CrossEncoder,
  pair: PackedPair | undefined,
  provenance: Provenance,
): Promise<Verdict> {
  if (pair === undefined) return tooLong(network.longest, provenance);
  if (pair.sentences.length === 0) return withoutEvidence(provenance);
  const logits = await network.logits(pair.ids);
  return scoredVerdict({
    probabilities: crossEncoderProbabilities(logits, network.temperature),
    evidence: pair.sentences.map(({ chunk, share }) => chunkEvidence(chunk, share)),
    provenance,
  });
}

/**
 * A fine-tuned network that reads a claim together with the sentences of the source that have most
 * of its words, as many as it can read at once; what else a long source says is not seen.
 * Probabilities are calibrated by the temperature in its file. The network stays the caller's.
 *
 * @throws {SyntaxError} where its labels are not those of verdicts.
 */
export function crossEncoderVerifier(network: CrossEncoder, name = "cross-encoder"): Verifier {
  assertLabels(network.labels);
  const modelSha256 = String(network.settings["weightsSha256"]);
  const provenance: Provenance = { producedBy: name, modelSha256, promptSha256: undefined };
  const tokenise = (text: string) => network.tokenise(text);
  return {
    name,
    settings: network.settings,
    async verify(claims, passages, { signal } = {}) {
      const sentences = sourceSentences(passages, tokenise);
      const verdicts: Verdict[] = [];
      for (const claim of claims) {
        signal?.throwIfAborted();
        const pair = packPair(claim, sentences, tokenise, network);
        verdicts.push(await verdictOf(network, pair, provenance));
      }
      return verdicts;
    },
  };
}

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
interface TokenisedSentence {
  readonly chunk: SourceChunk;
  readonly tokens: readonly number[];
  readonly terms: ReadonlySet<string>;
}

/** A sentence that is shown, with the share of the claim's terms (by weight) in it, 0–1. */
interface PackedSentence {
  readonly chunk: SourceChunk;
  readonly share: number;
}

/** What the network reads, and which sentences those are; the best first. */
interface PackedPair {
  readonly ids: readonly number[];
  readonly sentences: readonly PackedSentence[];
}

const SPECIAL_TOKENS = 3;

/** A claim that takes up more of what the network can read leaves no room for a source. */
const MOST_OF_CLAIM = 0.75;

/** Sentences with the terms by which a claim finds them. */
function tokenisedSentences(
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

/** Most word pieces of what is chosen or left out as a whole: a sentence, or half of a long one. */
const LONGEST_PART = 48;

/** The passages in parts that are chosen from, each a sentence, several short ones, or part of one. */
export function sourceSentences(
  passages: readonly Passage[],
  tokenise: Tokenise,
): readonly TokenisedSentence[] {
  const count = (text: string) => tokenise(text).length;
  const chunks = passages.filter(({ text }) => /\S/.test(text))
    .flatMap((passage) => chunksOf(passage, LONGEST_PART, count));
  return tokenisedSentences(chunks, tokenise);
}
