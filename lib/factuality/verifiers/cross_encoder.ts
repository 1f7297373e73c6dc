/** A fine-tuned cross-encoder that reads a claim with the nearest sentences of its sources. */
import { z } from "zod";
import { type CrossEncoder, openCrossEncoder } from "../../models/encoder/cross_encoder.ts";
import { wholeNetwork } from "../../models/encoder/shipped_network.ts";
import { softmax } from "../../stats/uncertainty.ts";
import { assertSha256, CLAIM_TIMEOUT, PATH, verifierKind } from "../component.ts";
import { probabilitiesByLabel, unreadAnswer } from "../decision.ts";
import { termsOf } from "../retrieval/index.ts";
import { type Evidence, type Passage, VERDICT_LABELS, type Verifier } from "../types.ts";
import { chunkEvidence, chunksOf, claimTerms, MAX_CLAIM_SHARE } from "./chunks.ts";
import { type ReadClaim, readingVerifier, type SourceChunk } from "./chunks.ts";

/** Converts logits to probabilities at the file's temperature. */
const crossEncoderProbabilities = (logits: readonly number[], temperature: number) =>
  probabilitiesByLabel(softmax(logits.map((logit) => logit / temperature)));

/** Logits of a claim against its sources, in the order of `VERDICT_LABELS`, without temperature. */
interface SourceLogits {
  /** Logits of the window nearest to the claim. */
  readonly logits: readonly number[];
  /** Logits of the two sentences nearest to the claim, read together. */
  readonly two: readonly number[];
  /** Logits of sentences near to the claim, each read alone, the nearest first; may be none. */
  readonly alone: readonly (readonly number[])[];
  /** Sentences of the window, nearest to the claim first. */
  readonly evidence: readonly Evidence[];
  /** Number of tokens of all sentences. */
  readonly length: number;
}

/**
 * Reads passages for a network trained on windows of sources and on evidence alone.
 *
 * The training hid evidence among other texts (`mixedWithOthers()`).
 * @param most Sentences that are read alone, ≥ 0; fewer where fewer are near to the claim.
 * @throws {SyntaxError} where the network's labels are not those of verdicts.
 */
export function networkReader(
  network: CrossEncoder,
  most = 0,
): (passages: readonly Passage[]) => ReadClaim<SourceLogits> {
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
    const length = sentences.reduce((sum, { tokens }) => sum + tokens.length, 0);
    return async (claim) => {
      const claimTokens = tokenise(claim);
      const ranked = nearestFirst(claim, sentences);
      const windows = windowsOf(ranked, claimTokens, network, 1);
      if (windows === undefined) {
        const all = `most of the ${network.longest} tokens that the network reads at once`;
        return unreadAnswer("too long", `The claim takes up ${all}.`);
      }
      const [window] = windows;
      if (window === undefined) return undefined;
      const known = new Map<string, readonly number[]>();
      const read = async (ids: readonly number[]) => {
        const key = ids.join();
        // Processors differ from the sixth decimal on.
        const logits = known.get(key) ??
          (await network.logits(ids)).map((logit) => Number(logit.toFixed(4)));
        known.set(key, logits);
        return logits;
      };
      const pair = (chosen: readonly RankedSentence[]) => pairIds(chosen, claimTokens, network);
      const least = MIN_RELATIVE_SIMILARITY * (ranked[0]?.share ?? 0);
      const near = ranked.slice(0, most).filter(({ share }) => share >= least);
      const logits = await read(window.ids);
      return {
        logits,
        two: most === 0 ? logits : await read(pair(ranked.slice(0, 2))),
        alone: await Array.fromAsync(near, (sentence) => read(pair([sentence]))),
        evidence: window.sentences.map(({ chunk, share }) => chunkEvidence(chunk, share)),
        length,
      };
    };
  };
}

/** Verifier from `deno task factcheck train network`: one GGUF file, whole or layers alone. */
export const crossEncoder = verifierKind(
  z.strictObject({ kind: z.literal("cross-encoder"), ...PATH, ...CLAIM_TIMEOUT }),
  async ({ path, sha256 }, { cacheDirectory, threads, resources }) => {
    assertSha256(path, sha256);
    const whole = await wholeNetwork(path, { cacheDirectory });
    return crossEncoderVerifier(resources.use(await openCrossEncoder(whole, { threads })));
  },
  { keepsPrecision: true },
);

/**
 * Makes a verifier from a network at its file's temperature. The caller disposes of the network.
 */
export function crossEncoderVerifier(network: CrossEncoder, name = "cross-encoder"): Verifier {
  const modelSha256 = String(network.settings["weightsSha256"]);
  const made = {
    name,
    modelSha256,
    settings: { ...network.settings, windowsVersion: WINDOWS_VERSION },
  };
  return readingVerifier(made, networkReader(network), ({ logits, evidence }) => {
    return { probabilities: crossEncoderProbabilities(logits, network.temperature), evidence };
  });
}

/** Version of the window selection, stored with answers and raised with every change. */
export const WINDOWS_VERSION = 5;

/** Word-piece ids of a text, without special tokens. */
export type Tokenise = (text: string) => readonly number[];

/** Special tokens around a pair of texts, and its greatest length. */
export interface PairFrame {
  /** Id of `[CLS]`, before the evidence. */
  readonly first: number;
  /** Id of `[SEP]`, after the evidence and after the claim. */
  readonly separator: number;
  /** Maximum number of tokens of a pair, including three special ones. */
  readonly longest: number;
}

/** A sentence of a source, tokenised once for all claims. */
interface TokenisedSentence {
  readonly chunk: SourceChunk;
  readonly tokens: readonly number[];
  readonly terms: ReadonlySet<string>;
}

interface RankedSentence extends TokenisedSentence {
  readonly index: number;
  /** Share of the claim's weighted terms, 0–1. */
  readonly share: number;
}

const SPECIAL_TOKENS = 3;

/** Index from terms to sentences, made once for any number of claims. */
const PLACES = new WeakMap<readonly TokenisedSentence[], ReadonlyMap<string, readonly number[]>>();

function placesOf(sentences: readonly TokenisedSentence[]) {
  const places = new Map<string, number[]>();
  for (const [index, { terms }] of sentences.entries()) {
    for (const term of terms) places.getOrInsertComputed(term, () => []).push(index);
  }
  return places;
}

/**
 * Ranks all sentences: those that share terms with the claim by weighted share (see {@link
 * claimTerms}), then the others in order.
 */
function nearestFirst(
  claim: string,
  sentences: readonly TokenisedSentence[],
): readonly RankedSentence[] {
  const places = PLACES.getOrInsertComputed(sentences, () => placesOf(sentences));
  const { all, weights } = claimTerms(claim, sentences.length, (term) => places.get(term)?.length);
  const held = new Map<number, number>();
  for (const [term, weight] of weights) {
    for (const index of places.get(term) ?? []) held.set(index, (held.get(index) ?? 0) + weight);
  }
  return sentences.map((sentence, index) => {
    return { ...sentence, index, share: all === 0 ? 0 : (held.get(index) ?? 0) / all };
  }).sort((a, b) => b.share - a.share);
}

/** Token ids: sentences in source order, then the claim, as long as the network reads. */
function pairIds(
  chosen: readonly RankedSentence[],
  claim: readonly number[],
  { first, separator, longest }: PairFrame,
): readonly number[] {
  const evidence = chosen.toSorted((a, b) => a.index - b.index).flatMap(({ tokens }) => tokens);
  const room = longest - SPECIAL_TOKENS - claim.length;
  return [first, ...evidence.slice(0, room), separator, ...claim, separator];
}

/** A claim with a part of its sources as network input. */
interface ClaimWindow {
  /** Ids of `[CLS] evidence [SEP] claim [SEP]`, the same in training and in use. */
  readonly ids: readonly number[];
  /** Sentences of the window, best first, with their share of the claim's terms, 0–1. */
  readonly sentences: readonly { readonly chunk: SourceChunk; readonly share: number }[];
}

/** Maximum number of tokens of a window with its claim. Computing time is proportional. */
const WINDOW_TOKENS = 96;

/** Tokens reserved for the evidence, however long the claim is, as far as the network allows. */
const MIN_EVIDENCE_TOKENS = 48;

/**
 * Least similarity to the claim, relative to the best sentence, that is read. Short sources are
 * read whole.
 */
const MIN_RELATIVE_SIMILARITY = 0.4;

/**
 * Windows of a source, nearest to the claim first. A source that fits is one window. Otherwise each
 * window has as many similar sentences, not in earlier windows, as fit, in source order. Undefined
 * for a claim that leaves too little room; none without a sentence.
 */
export const claimWindows = (
  claim: string,
  sentences: readonly TokenisedSentence[],
  tokenise: Tokenise,
  frame: PairFrame,
  most: number,
): readonly ClaimWindow[] | undefined =>
  windowsOf(nearestFirst(claim, sentences), tokenise(claim), frame, most);

function windowsOf(
  ranked: readonly RankedSentence[],
  claimTokens: readonly number[],
  frame: PairFrame,
  most: number,
): readonly ClaimWindow[] | undefined {
  const all = frame.longest - SPECIAL_TOKENS;
  if (claimTokens.length > MAX_CLAIM_SHARE * all) return undefined;
  const usual = Math.max(WINDOW_TOKENS - SPECIAL_TOKENS - claimTokens.length, MIN_EVIDENCE_TOKENS);
  const room = Math.min(all - claimTokens.length, usual);
  const length = ranked.reduce((sum, { tokens }) => sum + tokens.length, 0);
  const least = MIN_RELATIVE_SIMILARITY * (ranked[0]?.share ?? 0);
  let rest = length <= room ? ranked : ranked.filter(({ share }) => share >= least);
  const windows: ClaimWindow[] = [];
  while (rest.length > 0 && windows.length < most) {
    let left = room;
    const shown = rest.filter(({ tokens }, at) => {
      const isIn = at === 0 || tokens.length <= left;
      if (isIn) left -= tokens.length;
      return isIn;
    });
    const longest = room + SPECIAL_TOKENS + claimTokens.length;
    windows.push({
      ids: pairIds(shown, claimTokens, { ...frame, longest }),
      sentences: shown.map(({ chunk, share }) => ({ chunk, share })),
    });
    rest = rest.filter((sentence) => !shown.includes(sentence));
  }
  return windows;
}

/** Maximum number of word pieces in a unit of selection: a sentence, or half of a long one. */
const MAX_PART_TOKENS = 48;

/** Splits passages into candidates: a sentence, several short ones, or part of one. */
export function sourceSentences(
  passages: readonly Passage[],
  tokenise: Tokenise,
): readonly TokenisedSentence[] {
  return passages.filter(({ text }) => /\S/.test(text))
    .flatMap((passage) => chunksOf(passage, MAX_PART_TOKENS, (text) => tokenise(text).length))
    .map((chunk) => ({
      chunk,
      tokens: tokenise(chunk.premise),
      terms: new Set(termsOf(chunk.premise)),
    }));
}
