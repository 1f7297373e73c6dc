/** A fine-tuned network that reads a claim with the sentences nearest to it, and the strongest of its answers. */
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

/** What a network said of a claim beside sentences of its sources. */
interface NetworkView {
  /** A logit a label, in the order of `VERDICT_LABELS`, before any temperature. */
  readonly logits: readonly number[];
  /** The sentences shown, the nearest to the claim first. */
  readonly evidence: readonly Evidence[];
}

/** What it said of all that it was shown; of equal views the nearest to the claim counts. */
interface NetworkReading {
  /** Of the sentences alone, the one under which "supported" is likeliest. */
  readonly alone: NetworkView;
  /** Of the two nearest, one behind the other; of a source of one sentence that one. */
  readonly together: NetworkView;
  /** Of both, and of all other sentences alone, those that bear the claim out and contradict it most. */
  readonly supporting: NetworkView;
  readonly contradicting: NetworkView;
}

/** Sentences that a claim is held against one by one. */
const ALONE = 3;
/** And how many of these at once, for what no single one tells. */
const TOGETHER = 2;

/**
 * Reads passages for a network: it is shown the sentences with most of the claim's words, each alone,
 * and the two nearest together. A sentence among others that say nothing of the claim is read badly, see
 * `amongOthers()`.
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
      const views = claimViews(claim, sentences, tokenise, network);
      if (views === undefined) {
        const most = `most of the ${network.longest} tokens that the network reads at once`;
        return unread("too long", `The claim takes up ${most}.`);
      }
      const read = await Promise.all(views.map(async ({ ids, sentences }) => {
        const logits = await network.logits(ids);
        const evidence = sentences.map(({ chunk, share }) => chunkEvidence(chunk, share));
        return { logits, evidence, ...crossEncoderProbabilities(logits, 1) };
      }));
      if (read.length === 0) return undefined;
      const most = (label: "supported" | "refuted", of: typeof read) =>
        of.reduce((best, one) => one[label] > best[label] ? one : best);
      const alone = read.filter(({ evidence }) => evidence.length === 1);
      return {
        alone: most("supported", alone),
        together: read.at(-1)!,
        supporting: most("supported", read),
        contradicting: most("refuted", read),
      };
    };
  };
}

/** A network as it is, at the temperature of its file; it stays the caller's. */
export function crossEncoderVerifier(network: CrossEncoder, name = "cross-encoder"): Verifier {
  const modelSha256 = String(network.settings["weightsSha256"]);
  const made = {
    name,
    modelSha256,
    settings: { ...network.settings, viewsVersion: VIEWS_VERSION },
  };
  return readingVerifier(made, networkReader(network), ({ supporting: { logits, evidence } }) => {
    return { probabilities: crossEncoderProbabilities(logits, network.temperature), evidence };
  });
}

/** Raised whenever other sentences could be shown than before: kept answers carry it. */
export const VIEWS_VERSION = 3;

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

/** Which sentences have a term: made once for any number of claims. */
const PLACES = new WeakMap<readonly TokenisedSentence[], ReadonlyMap<string, readonly number[]>>();

function placesOf(sentences: readonly TokenisedSentence[]) {
  const places = new Map<string, number[]>();
  for (const [index, { terms }] of sentences.entries()) {
    for (const term of terms) places.getOrInsertComputed(term, () => []).push(index);
  }
  return places;
}

/**
 * So many sentences at most: those with a term of the claim by their share of these, the best first
 * (see {@link claimTerms}), and behind them the others in their order.
 */
export function nearestSentences(
  claim: string,
  sentences: readonly TokenisedSentence[],
  most: number,
): readonly RankedSentence[] {
  const places = PLACES.getOrInsertComputed(sentences, () => placesOf(sentences));
  const { all, weights } = claimTerms(claim, sentences.length, (term) => places.get(term)?.length);
  const held = new Map<number, number>();
  for (const [term, weight] of weights) {
    for (const index of places.get(term) ?? []) held.set(index, (held.get(index) ?? 0) + weight);
  }
  const found = [...held].map(([index, weight]) => {
    return { ...sentences[index]!, index, share: all === 0 ? 0 : weight / all };
  }).sort((a, b) => b.share - a.share || a.index - b.index).slice(0, most);
  for (let index = 0; index < sentences.length && found.length < most; index++) {
    if (!held.has(index)) found.push({ ...sentences[index]!, index, share: 0 });
  }
  return found;
}

/** A claim behind a part of its sources, as the network reads both. */
interface ClaimView {
  /** `[CLS] evidence [SEP] claim [SEP]`, the same in training and in use. */
  readonly ids: readonly number[];
  /** Those shown, the best first, with their share of the claim's terms, 0–1. */
  readonly sentences: readonly { readonly chunk: SourceChunk; readonly share: number }[];
}

/** Tokens that a claim leaves to its sources; undefined where that is too little. */
export function roomBeside(claim: readonly number[], { longest }: PairFrame): number | undefined {
  const most = longest - SPECIAL_TOKENS;
  return claim.length > MOST_OF_CLAIM * most ? undefined : most - claim.length;
}

/**
 * The sentences nearest to a claim, each alone, and last the two nearest in their order. Undefined for
 * a claim that leaves them too little; none without a sentence.
 */
export function claimViews(
  claim: string,
  sentences: readonly TokenisedSentence[],
  tokenise: Tokenise,
  frame: PairFrame,
): readonly ClaimView[] | undefined {
  const claimTokens = tokenise(claim);
  const room = roomBeside(claimTokens, frame);
  if (room === undefined) return undefined;
  const shown = nearestSentences(claim, sentences, ALONE);
  const both = shown.slice(0, TOGETHER);
  return [...shown.map((one) => [one]), ...both.length > 1 ? [both] : []].map((view) => ({
    ids: framed(view, room, claimTokens, frame),
    sentences: view.map(({ chunk, share }) => ({ chunk, share })),
  }));
}

/** Sentences in their order, cut to the room there is, and the claim. */
export function framed(
  view: readonly RankedSentence[],
  room: number,
  claim: readonly number[],
  { first, separator }: PairFrame,
): readonly number[] {
  const evidence = view.toSorted((a, b) => a.index - b.index).flatMap(({ tokens }) => tokens);
  return [first, ...evidence.slice(0, room), separator, ...claim, separator];
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
