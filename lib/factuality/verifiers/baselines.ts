import { z } from "zod";
import { parseJson } from "../../files/json.ts";
import { cosine, type SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import { logistic } from "../../stats/uncertainty.ts";
import { readEnglish } from "../claims/english.ts";
import { sentencesOf } from "../claims/sentences.ts";
import { CLAIM_TIMEOUT, NON_BLANK, verifierKind } from "../component.ts";
import { nestedProbabilities, scoredVerdict, unscoredWithoutEvidence } from "../decision.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { SHARE } from "../types.ts";
import type { Evidence, Passage, VerdictProbabilities, Verifier } from "../types.ts";
import { chunkEvidence } from "./chunks.ts";

/** Similarity score of a claim to its evidence, and the most similar sentence. */
interface Likeness {
  readonly score: number;
  readonly evidence: Evidence;
}

/** Calibration of a score; `refutedShare` is P(refuted | not supported), 0–1. */
const CALIBRATION = z.object({ threshold: z.number(), slope: z.number(), refutedShare: SHARE });

/**
 * Platt scaling of a score: P(supported) = 1/(1 + exp(−slope·(score − threshold))).
 *
 * A similarity score cannot distinguish refuted from not enough info: the rest is divided in the
 * proportions of the development split.
 */
export type ScoreCalibration = Readonly<z.infer<typeof CALIBRATION>>;

/** Makes a verifier from one score. */
function scoreVerifier(
  name: string,
  calibration: ScoreCalibration,
  settings: Verifier["settings"],
  likeness: (
    claims: readonly string[],
    passages: readonly Passage[],
    signal: AbortSignal | undefined,
  ) => Promise<readonly (Likeness | undefined)[]>,
): Verifier {
  const provenance = { producedBy: name, modelSha256: undefined, promptSha256: undefined };
  return {
    name,
    settings: { ...settings, ...calibration },
    async verify(claims, passages, { signal } = {}) {
      signal?.throwIfAborted();
      const similarities = await likeness(claims, passages, signal);
      return similarities.map((one) => {
        if (one === undefined) return unscoredWithoutEvidence(provenance);
        const probabilities = scoreProbabilities(one.score, calibration);
        return scoredVerdict({ probabilities, evidence: [one.evidence], provenance });
      });
    },
  };
}

/** Converts a score to three probabilities. */
export function scoreProbabilities(
  score: number,
  { threshold, slope, refutedShare }: ScoreCalibration,
): VerdictProbabilities {
  return nestedProbabilities(logistic(slope * (score - threshold)), refutedShare);
}

const VERIFIER_BASELINES = FACTUALITY_PATHS.verifierBaselines;

const SETTINGS = z.object({
  /** Shares of the labels on the development split. */
  majority: z.object({ supported: SHARE, refuted: SHARE, "not enough info": SHARE }),
  overlap: CALIBRATION,
  cosine: CALIBRATION,
});

/** Calibration of the baselines, from the development split of the knowledge base's claims. */
export type BaselineSettings = z.infer<typeof SETTINGS>;

/** Reads the baselines' calibration. @throws {SyntaxError} naming a file with other content. */
export function readBaselineSettings(path: string = VERIFIER_BASELINES): BaselineSettings {
  const why =
    `${path} is no file of them. Restore it, or run "deno task factcheck train verifier".`;
  const refuse = () => `Cannot read the baselines' thresholds: ${why}`;
  return parseJson(Deno.readTextFileSync(path), SETTINGS, refuse);
}

/** Lexical baseline: the share of the claim's content words that occur in the sources. */
export function overlapVerifier(calibration: ScoreCalibration): Verifier {
  const likeness = (claims: readonly string[], passages: readonly Passage[]) =>
    Promise.resolve(claims.map(overlapLikeness(passages)));
  return scoreVerifier("word overlap", calibration, {}, likeness);
}

const entryOf = <Kind extends string>(kind: Kind) =>
  z.strictObject({
    kind: z.literal(kind),
    /** Path of the calibration; by default the project's. */
    path: NON_BLANK.default(VERIFIER_BASELINES),
    ...CLAIM_TIMEOUT,
  });

export const overlap = verifierKind(
  entryOf("overlap"),
  ({ path }) => overlapVerifier(readBaselineSettings(path).overlap),
);

export const sentenceCosine = verifierKind(
  entryOf("cosine"),
  async ({ path }, opening) =>
    cosineVerifier(await opening.encoder(), readBaselineSettings(path).cosine),
  // Its thresholds were fitted to floats.
  { keepsPrecision: true },
);

/** All sentences of the passages as evidence, with their relevance still to be set. */
function sentencesIn(passages: readonly Passage[]) {
  return passages.flatMap((passage) =>
    sentencesOf(passage.text).map(({ start, end }) => (
      { passage, evidence: chunkEvidence({ passage, span: { start, end } }, 0) }
    ))
  );
}

/**
 * Measures word overlap of claims with passages, which are analysed once. Undefined without a
 * sentence or word.
 */
export function overlapLikeness(
  passages: readonly Passage[],
): (claim: string) => Likeness | undefined {
  const sentences = sentencesIn(passages).map(({ passage: { title, section }, evidence }) => ({
    evidence,
    words: contentWords(`${title} ${section} ${evidence.text}`),
  }));
  const everywhere = new Set(sentences.flatMap(({ words }) => [...words]));
  return (claim) => {
    const words = contentWords(claim);
    if (words.size === 0 || sentences.length === 0) return undefined;
    const share = (sentenceWords: ReadonlySet<string>) =>
      words.intersection(sentenceWords).size / words.size;
    const evidence = sentences
      .map(({ words, evidence }): Evidence => ({ ...evidence, relevance: share(words) }))
      .reduce((most, one) => one.relevance > most.relevance ? one : most);
    return { score: share(everywhere), evidence };
  };
}

function contentWords(text: string): ReadonlySet<string> {
  const words = readEnglish(text).tokens
    .filter(({ stopWord, partOfSpeech }) => !stopWord && partOfSpeech !== "PUNCT");
  return new Set(words.map(({ lemma }) => lemma));
}

/**
 * Embedding baseline: the cosine of the claim and the nearest sentence, which may agree or
 * contradict.
 */
export function cosineVerifier(encoder: SentenceEncoder, calibration: ScoreCalibration): Verifier {
  return scoreVerifier(
    "sentence cosine",
    calibration,
    { encoder: encoder.name },
    (claims, passages, signal) => cosineLikeness(claims, passages, encoder, signal),
  );
}

/** Cosine of each claim with its nearest sentence; undefined without a sentence. */
export async function cosineLikeness(
  claims: readonly string[],
  passages: readonly Passage[],
  encoder: SentenceEncoder,
  signal?: AbortSignal,
): Promise<readonly (Likeness | undefined)[]> {
  const sentences = sentencesIn(passages);
  if (sentences.length === 0) return claims.map(() => undefined);
  const texts = [...claims, ...sentences.map(({ evidence }) => evidence.text)];
  const vectors = await encoder.encode(texts, { signal });
  const sentenceVectors = vectors.slice(claims.length);
  return vectors.slice(0, claims.length).map((claim) => {
    const scores = sentenceVectors.map((sentence) => cosine(claim, sentence));
    const score = Math.max(...scores);
    const { evidence } = sentences[scores.indexOf(score)]!;
    return { score, evidence: { ...evidence, relevance: Math.max(0, score) } };
  });
}

/** Majority baseline: the same label probabilities for every claim. */
export function majorityVerifier(probabilities: VerdictProbabilities): Verifier {
  const name = "majority";
  const provenance = { producedBy: name, modelSha256: undefined, promptSha256: undefined };
  const verdict = scoredVerdict({ probabilities, evidence: [], provenance });
  return {
    name,
    settings: { ...probabilities },
    verify: (claims) => Promise.resolve(claims.map(() => verdict)),
  };
}
