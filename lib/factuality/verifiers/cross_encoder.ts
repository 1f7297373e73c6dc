import type { CrossEncoder } from "../../models/encoder/cross_encoder.ts";
import { softmax } from "../../stats/uncertainty.ts";
import { scoredVerdict, withoutEvidence } from "../decision.ts";
import { termsOf } from "../retrieval/index.ts";
import { VERDICT_LABELS } from "../types.ts";
import type { Passage, Verdict, VerdictProbabilities, Verifier } from "../types.ts";
import { chunkEvidence, chunksOf, failure, MOST_OF_CLAIM, type SourceChunk } from "./chunks.ts";

/** Logits as calibrated probabilities: divided by the temperature that the file states. */
export function crossEncoderProbabilities(
  logits: readonly number[],
  temperature: number,
): VerdictProbabilities {
  const shares = softmax(logits.map((logit) => logit / temperature));
  const entries = VERDICT_LABELS.map((label, index) => [label, shares[index]!] as const);
  return Object.fromEntries(entries) as Record<(typeof VERDICT_LABELS)[number], number>;
}

/**
 * A fine-tuned network that reads a claim with those sentences of the source that have most of its
 * words; what else a long source says is not seen. The network stays the caller's.
 * @throws {SyntaxError} where its labels are not those of verdicts.
 */
export function crossEncoderVerifier(network: CrossEncoder, name = "cross-encoder"): Verifier {
  if (network.labels.join() !== VERDICT_LABELS.join()) {
    const labels = network.labels.join(", ") || "none";
    const needed = VERDICT_LABELS.join(", ");
    throw new SyntaxError(
      `Cannot verify with a cross-encoder of labels ${labels}: it needs ${needed}`,
    );
  }
  const modelSha256 = String(network.settings["weightsSha256"]);
  const provenance = { producedBy: name, modelSha256, promptSha256: undefined };
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
        if (pair === undefined) {
          const most = `most of the ${network.longest} tokens that the network reads at once`;
          verdicts.push({ ...failure(`The claim takes up ${most}.`), provenance });
        } else if (pair.sentences.length === 0) verdicts.push(withoutEvidence(provenance));
        else {
          const logits = await network.logits(pair.ids);
          const probabilities = crossEncoderProbabilities(logits, network.temperature);
          const evidence = pair.sentences.map(({ chunk, share }) => chunkEvidence(chunk, share));
          verdicts.push(scoredVerdict({ probabilities, evidence, provenance }));
        }
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

const SPECIAL_TOKENS = 3;

/**
 * Sentences by their share of the claim's terms, the best first. A term weighs the logarithm of how
 * rare it is among the sentences; one in no sentence the most.
 */
function ranked(claim: string, sentences: readonly TokenisedSentence[]) {
  const weights = [...new Set(termsOf(claim))].map((term) => {
    const holding = sentences.filter(({ terms }) => terms.has(term)).length;
    return [term, Math.log(1 + (sentences.length + 1) / (holding + 1))] as const;
  });
  const all = weights.reduce((sum, [, weight]) => sum + weight, 0);
  return sentences.map((sentence, index) => {
    const { terms } = sentence;
    const found = weights.reduce((sum, [term, weight]) => terms.has(term) ? sum + weight : sum, 0);
    return { ...sentence, index, share: all === 0 ? 0 : found / all };
  }).toSorted((a, b) => b.share - a.share || a.index - b.index);
}

/**
 * A claim behind the sentences of its source that have most of its terms, as many as fit, in their
 * order: `[CLS] evidence [SEP] claim [SEP]`, the same in training and in use. `sentences` are those
 * shown, the best first, with their share of the claim's terms, 0–1. Undefined for a claim that leaves
 * them too little.
 */
export function packPair(
  claim: string,
  sentences: readonly TokenisedSentence[],
  tokenise: Tokenise,
  { first, separator, longest }: PairFrame,
) {
  const claimTokens = tokenise(claim);
  const room = longest - SPECIAL_TOKENS - claimTokens.length;
  if (claimTokens.length > MOST_OF_CLAIM * (longest - SPECIAL_TOKENS)) return undefined;
  let left = room;
  const kept = ranked(claim, sentences).filter(({ tokens }) => {
    const isShown = left === room || tokens.length <= left;
    if (isShown) left -= tokens.length;
    return isShown;
  });
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
  return passages.filter(({ text }) => /\S/.test(text))
    .flatMap((passage) => chunksOf(passage, LONGEST_PART, (text) => tokenise(text).length))
    .map((chunk) => ({
      chunk,
      tokens: tokenise(chunk.premise),
      terms: new Set(termsOf(chunk.premise)),
    }));
}
