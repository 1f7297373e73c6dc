/** A fine-tuned network that reads a claim with a stretch of its sources: windows, and the strongest. */
import type { CrossEncoder } from "../../models/encoder/cross_encoder.ts";
import { softmax } from "../../stats/uncertainty.ts";
import { asProbabilities, unread } from "../decision.ts";
import { termsOf } from "../retrieval/index.ts";
import { type Evidence, type Passage, VERDICT_LABELS, type Verifier } from "../types.ts";
import { chunkEvidence, chunksOf, claimTerms, MOST_OF_CLAIM } from "./chunks.ts";
import { type ReadClaim, readingVerifier, type SourceChunk } from "./chunks.ts";

/** Logits as calibrated probabilities: divided by the temperature that the file states. */
const crossEncoderProbabilities = (logits: readonly number[], temperature: number) =>
  asProbabilities(softmax(logits.map((logit) => logit / temperature)));

/** What a network said of a claim beside the window of its sources that bears it out best. */
interface NetworkReading {
  /** A logit a label, in the order of `VERDICT_LABELS`, before any temperature. */
  readonly logits: readonly number[];
  /** Those of the window that contradicts the claim most: the same one where there is but one. */
  readonly contradicting: readonly number[];
  /** The window's sentences, the nearest to the claim first. */
  readonly evidence: readonly Evidence[];
}

/** Most windows of one source that a claim is held against. */
const MOST_WINDOWS = 3;

/**
 * Reads passages for a network. Of a source that does not fit in at once it is shown windows, those
 * with most of the claim's words first; the one under which "supported" is likeliest decides.
 * @throws {SyntaxError} where the network's labels are not those of verdicts.
 */
export function networkReader(
  network: CrossEncoder,
): (passages: readonly Passage[]) => ReadClaim<NetworkReading> {
  if (network.labels.join() !== VERDICT_LABELS.join()) {
    const labels = network.labels.join(", ") || "none";
    const needed = VERDICT_LABELS.join(", ");
    throw new SyntaxError(
      `Cannot verify with a cross-encoder of labels ${labels}: it needs ${needed}`,
    );
  }
  const tokenise = (text: string) => network.tokenise(text);
  return (passages) => {
    const sentences = sourceSentences(passages, tokenise);
    return async (claim) => {
      const windows = claimWindows(claim, sentences, tokenise, network);
      if (windows === undefined) {
        const most = `most of the ${network.longest} tokens that the network reads at once`;
        return unread("too long", `The claim takes up ${most}.`);
      }
      const read = await Promise.all(windows.map(async ({ ids, sentences }) => {
        const logits = await network.logits(ids);
        return { logits, sentences, ...crossEncoderProbabilities(logits, 1) };
      }));
      if (read.length === 0) return undefined;
      // The first of equals is the nearest to the claim.
      const most = (label: "supported" | "refuted") =>
        read.reduce((best, one) => one[label] > best[label] ? one : best);
      const { logits, sentences: shown } = most("supported");
      const evidence = shown.map(({ chunk, share }) => chunkEvidence(chunk, share));
      return { logits, contradicting: most("refuted").logits, evidence };
    };
  };
}

/** A network as it is, at the temperature of its file; it stays the caller's. */
export function crossEncoderVerifier(network: CrossEncoder, name = "cross-encoder"): Verifier {
  const modelSha256 = String(network.settings["weightsSha256"]);
  const windows = { windows: MOST_WINDOWS, windowsVersion: WINDOWS_VERSION };
  const made = { name, modelSha256, settings: { ...network.settings, ...windows } };
  return readingVerifier(made, networkReader(network), ({ logits, evidence }) => {
    return { probabilities: crossEncoderProbabilities(logits, network.temperature), evidence };
  });
}

/** Raised whenever other windows could be chosen than before: kept answers carry it. */
export const WINDOWS_VERSION = 2;

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

interface RankedSentence extends TokenisedSentence {
  readonly index: number;
  /** Of the claim's weighted terms, 0–1. */
  readonly share: number;
}

const SPECIAL_TOKENS = 3;

/** Which sentences have a term, and the fewest tokens of any: made once for any number of claims. */
function termIndex(sentences: readonly TokenisedSentence[]) {
  const places = new Map<string, number[]>();
  for (const [index, { terms }] of sentences.entries()) {
    for (const term of terms) places.getOrInsertComputed(term, () => []).push(index);
  }
  const shortest = sentences.reduce(
    (least, { tokens }) => Math.min(least, tokens.length),
    Infinity,
  );
  return { places, shortest };
}

const INDEXES = new WeakMap<readonly TokenisedSentence[], ReturnType<typeof termIndex>>();

/** Sentences with a term of the claim by their share of these, the best first; see {@link claimTerms}. */
function ranked(
  claim: string,
  sentences: readonly TokenisedSentence[],
  { places }: ReturnType<typeof termIndex>,
): readonly RankedSentence[] {
  const { all, weights } = claimTerms(claim, sentences.length, (term) => places.get(term)?.length);
  const held = new Map<number, number>();
  for (const [term, weight] of weights) {
    for (const index of places.get(term) ?? []) held.set(index, (held.get(index) ?? 0) + weight);
  }
  return [...held].map(([index, weight]) => {
    return { ...sentences[index]!, index, share: all === 0 ? 0 : weight / all };
  }).sort((a, b) => b.share - a.share || a.index - b.index);
}

/** A claim behind a part of its sources, as the network reads both. */
interface ClaimWindow {
  /** `[CLS] evidence [SEP] claim [SEP]`, the same in training and in use. */
  readonly ids: readonly number[];
  /** Those shown, the best first, with their share of the claim's terms, 0–1. */
  readonly sentences: readonly { readonly chunk: SourceChunk; readonly share: number }[];
}

/** A window less like the claim than this share of the best is not worth its time. */
const WORTH_READING = 0.4;

/**
 * Windows of a source, the nearest to the claim first: each of the sentences that have most of its
 * terms and are in no window before, as many as fit, in their order. Undefined for a claim that
 * leaves them too little; none without a sentence.
 */
export function claimWindows(
  claim: string,
  sentences: readonly TokenisedSentence[],
  tokenise: Tokenise,
  { first, separator, longest }: PairFrame,
  most: number = MOST_WINDOWS,
): readonly ClaimWindow[] | undefined {
  const claimTokens = tokenise(claim);
  if (claimTokens.length > MOST_OF_CLAIM * (longest - SPECIAL_TOKENS)) return undefined;
  const room = longest - SPECIAL_TOKENS - claimTokens.length;
  const windows: ClaimWindow[] = [];
  const index = INDEXES.getOrInsertComputed(sentences, () => termIndex(sentences));
  const found = ranked(claim, sentences, index);
  const isFound = new Set(found.map((sentence) => sentence.index));
  const taken = new Set<number>();
  const best = found[0]?.share ?? 0;
  while (taken.size < sentences.length && windows.length < most) {
    const rest = found.filter((sentence) => !taken.has(sentence.index));
    if (windows.length > 0 && (rest[0]?.share ?? 0) < WORTH_READING * best) break;
    let left = room;
    const kept: RankedSentence[] = [];
    const take = (sentence: RankedSentence) => {
      if (kept.length > 0 && sentence.tokens.length > left) return;
      kept.push(sentence);
      taken.add(sentence.index);
      left -= sentence.tokens.length;
    };
    rest.forEach(take);
    // Then those without a term of the claim, in their order, as long as any could fit.
    for (let at = 0; at < sentences.length; at++) {
      if (kept.length > 0 && left < index.shortest) break;
      if (isFound.has(at) || taken.has(at)) continue;
      if (kept.length === 0 || sentences[at]!.tokens.length <= left) {
        take({ ...sentences[at]!, index: at, share: 0 });
      }
    }
    const evidence = kept.toSorted((a, b) => a.index - b.index).flatMap(({ tokens }) => tokens);
    windows.push({
      ids: [first, ...evidence.slice(0, room), separator, ...claimTokens, separator],
      sentences: kept.map(({ chunk, share }) => ({ chunk, share })),
    });
  }
  return windows;
}

/** Most word pieces of what is chosen or left out as a whole: a sentence, or half of a long one. */
const LONGEST_PART = 48;

/** The passages in parts that are chosen from, each a sentence, several short ones, or part of one. */
export function sourceSentences(
  passages: readonly Passage[],
  tokenise: Tokenise,
): readonly TokenisedSentence[] {
  return passages.filter(({ text }) => /\S/.test(text))
    .flatMap((passage) => chunksOf(passage, LONGEST_PART, (text) => tokenise(text).length))
    .map((chunk) => ({
      chunk,
      tokens: tokenise(chunk.premise),
      terms: new Set(termsOf(chunk.premise)),
    }));
}
