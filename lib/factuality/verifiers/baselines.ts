import { z } from "zod";
import { readTextIfThere } from "../../files/atomic.ts";
import { type Json, writeJsonAtomic } from "../../files/json.ts";
import {
  cosine,
  type EncodedText,
  type SentenceEncoder,
} from "../../models/encoder/network_encoder.ts";
import { softmax } from "../../stats/uncertainty.ts";
import { readEnglish } from "../claims/english.ts";
import { sentencesOf } from "../claims/sentences.ts";
import { scoredVerdict, withoutEvidence } from "../decision.ts";
import { MEASURED_FIELDS } from "../judges/ensemble.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import type {
  Evidence,
  Passage,
  Provenance,
  Unscored,
  Verdict,
  VerdictProbabilities,
  Verifier,
} from "../types.ts";

/** One number that says how well a claim is borne out, and the sentence that says so best. */
export interface Likeness {
  readonly score: number;
  readonly evidence: Evidence;
}

/** A claim that could not be read, and why. */
export type Unread = Omit<Unscored, "provenance">;

/**
 * A line through the odds: P(supported) = 1/(1 + exp(−slope·(score − threshold))), so that 0.5 is at
 * the threshold. A single number of likeness cannot tell refuted from not enough info: the rest is
 * shared out by how often each occurred on the development split.
 */
export interface ScoreCalibration {
  readonly threshold: number;
  readonly slope: number;
  /** P(refuted | not supported), 0–1. */
  readonly refutedShare: number;
}

/**
 * A verifier of one number; the likeness of each claim, undefined without a sentence.
 * @param modelSha256 Of the model that gives the number, where it is one file.
 */
export function scoreVerifier(
  name: string,
  calibration: ScoreCalibration,
  settings: Readonly<Record<string, string | number | boolean>>,
  likeness: (
    claims: readonly string[],
    passages: readonly Passage[],
    signal: AbortSignal | undefined,
  ) => Promise<readonly (Likeness | Unread | undefined)[]>,
  modelSha256?: string,
): Verifier {
  const provenance = { producedBy: name, modelSha256, promptSha256: undefined };
  return {
    name,
    settings: { ...settings, ...calibration },
    async verify(claims, passages, { signal } = {}) {
      signal?.throwIfAborted();
      const found = await likeness(claims, passages, signal);
      return found.map((one) => scored(one, calibration, provenance));
    },
  };
}

function scored(
  likeness: Likeness | Unread | undefined,
  calibration: ScoreCalibration,
  provenance: Provenance,
): Verdict {
  if (likeness === undefined) return withoutEvidence(provenance);
  if ("kind" in likeness) return { ...likeness, provenance };
  const probabilities = scoreProbabilities(likeness.score, calibration);
  return scoredVerdict({ probabilities, evidence: [likeness.evidence], provenance });
}

/** The three probabilities at a score. */
export function scoreProbabilities(
  score: number,
  { threshold, slope, refutedShare }: ScoreCalibration,
): VerdictProbabilities {
  const [supported] = softmax([slope * (score - threshold), 0]) as [number, number];
  const rest = 1 - supported;
  return {
    supported,
    refuted: rest * refutedShare,
    "not enough info": rest * (1 - refutedShare),
  };
}

export const VERIFIER_BASELINES = FACTUALITY_PATHS.verifierBaselines;
const SHARE = z.number().min(0).max(1);
const CALIBRATION = z.object({ threshold: z.number(), slope: z.number(), refutedShare: SHARE });

const PMI = CALIBRATION.extend({
  /** The model's id; it is found by the SHA-256 of its file as it was published. */
  id: z.string().min(1),
  modelSha256: z.string().regex(/^[0-9a-f]{64}$/),
  chunkWords: z.int().min(1),
  /** By a threshold fitted without the claim's own country. */
  measured: z.object(MEASURED_FIELDS),
  areaUnderCurve: SHARE,
  /** Claims that it gave no score. */
  unscored: z.int().min(0),
});

const SETTINGS = z.object({
  /** Shares of the labels on the development split. */
  majority: z.object({ supported: SHARE, refuted: SHARE, "not enough info": SHARE }),
  overlap: CALIBRATION,
  cosine: CALIBRATION,
  /** Of nats a token, an entry a model; fitted by `deno task train judges`. */
  pmi: z.array(PMI).optional(),
});

/** Thresholds of the baselines, chosen on the development split of the knowledge base's claims. */
export type BaselineSettings = z.infer<typeof SETTINGS>;

/** What was fitted and measured of PMI under one model. */
export type PmiCalibration = Readonly<z.infer<typeof PMI>>;

/**
 * The threshold for PMI under a model.
 * @param path Of the settings, for the message.
 * @throws {Error} where none was fitted for this file.
 */
export function pmiCalibration(
  { pmi = [] }: BaselineSettings,
  { id, sha256 }: { readonly id: string; readonly sha256: string },
  path: string,
): ScoreCalibration {
  const found = pmi.find(({ modelSha256 }) => modelSha256 === sha256);
  if (found === undefined) {
    throw new Error(
      `Cannot verify by PMI under ${id}: ${path} has no threshold for its file (SHA-256 ` +
        `${sha256}). Run "deno task train judges --pmi FILE", which fits one.`,
    );
  }
  const { threshold, slope, refutedShare } = found;
  return { threshold, slope, refutedShare };
}

function parseBaselineSettings(text: string, path: string): BaselineSettings {
  try {
    return SETTINGS.parse(JSON.parse(text));
  } catch (cause) {
    throw new SyntaxError(
      `Cannot read the baselines' thresholds: ${path} is no file of them. ` +
        `Restore it, or run "deno task train verifier".`,
      { cause },
    );
  }
}

/**
 * The baselines' thresholds.
 * @throws {Deno.errors.NotFound} where the file is missing.
 * @throws {SyntaxError} naming it, where it is no file of baselines.
 */
export function readBaselineSettings(path: string = VERIFIER_BASELINES): BaselineSettings {
  return parseBaselineSettings(Deno.readTextFileSync(path), path);
}

/** Writes the baselines' thresholds; those of PMI that are there stay where there are no new ones. */
export function writeBaselineSettings(
  settings: BaselineSettings,
  path: string = VERIFIER_BASELINES,
): void {
  const pmi = settings.pmi ?? writtenPmi(path);
  const written = pmi === undefined ? settings : { ...settings, pmi };
  writeJsonAtomic(path, written as unknown as Json);
}

/** None of a file that is damaged: it is about to be replaced by a sound one. */
function writtenPmi(path: string): BaselineSettings["pmi"] {
  const text = readTextIfThere(path);
  try {
    return text === undefined ? undefined : parseBaselineSettings(text, path).pmi;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * The lexical baseline: the share of the claim's content words (by dictionary form) that stand
 * anywhere in the sources. It needs no model; negation, order and who did what are lost on it.
 */
export function overlapVerifier(calibration: ScoreCalibration): Verifier {
  return scoreVerifier(
    "word overlap",
    calibration,
    {},
    (claims, passages) => {
      const likeness = overlapLikeness(passages);
      return Promise.resolve(claims.map(likeness));
    },
  );
}

/** The overlap of claims with passages that are read once; undefined without a sentence or word. */
export function overlapLikeness(
  passages: readonly Passage[],
): (claim: string) => Likeness | undefined {
  const sentences = passages.flatMap((passage) =>
    sentencesOf(passage.text).map(({ text, start, end }) => ({
      words: contentWords(`${passage.title} ${passage.section} ${text}`),
      evidence: {
        passageId: passage.id,
        collection: passage.collection,
        span: { start, end },
        text,
      },
    }))
  );
  const everywhere = new Set(sentences.flatMap(({ words }) => [...words]));
  return (claim) => {
    const words = [...contentWords(claim)];
    if (words.length === 0) return undefined;
    const best = sentences
      .map(({ words: there, evidence }): Evidence => ({
        ...evidence,
        relevance: share(words, there),
      }))
      .reduce<Evidence | undefined>(
        (most, one) => (most === undefined || one.relevance > most.relevance ? one : most),
        undefined,
      );
    return best && { score: share(words, everywhere), evidence: best };
  };
}

function share(words: readonly string[], there: ReadonlySet<string>): number {
  return words.filter((word) => there.has(word)).length / words.length;
}

function contentWords(text: string): ReadonlySet<string> {
  return new Set(
    readEnglish(text).tokens
      .filter(({ stopWord, partOfSpeech }) => !stopWord && partOfSpeech !== "PUNCT")
      .map(({ lemma }) => lemma),
  );
}

/**
 * The embedding baseline: the cosine of the claim and the source sentence nearest to it. Sentences
 * about the same thing are near one another whether or not they agree.
 */
export function cosineVerifier(encoder: SentenceEncoder, calibration: ScoreCalibration): Verifier {
  return scoreVerifier(
    "sentence cosine",
    calibration,
    { encoder: encoder.name },
    (claims, passages, signal) => cosineLikeness(claims, passages, encoder, signal),
  );
}

/** The cosine of each claim with its nearest sentence; undefined where there is no sentence. */
export async function cosineLikeness(
  claims: readonly string[],
  passages: readonly Passage[],
  encoder: SentenceEncoder,
  signal?: AbortSignal,
): Promise<readonly (Likeness | undefined)[]> {
  const sentences = passages.flatMap((passage) =>
    sentencesOf(passage.text).map((sentence) => ({ passage, ...sentence }))
  );
  if (sentences.length === 0) return claims.map(() => undefined);
  const texts = [...claims, ...sentences.map(({ text }) => text)];
  const vectors = await encoder.encode(texts, signal ? { signal } : {});
  const [asked, told] = [vectors.slice(0, claims.length), vectors.slice(claims.length)];
  return asked.map((claim) => {
    const { index, score } = nearest(claim, told);
    const { passage, text, start, end } = sentences[index]!;
    const place = { passageId: passage.id, collection: passage.collection };
    const relevance = Math.max(0, score);
    return { score, evidence: { ...place, span: { start, end }, text, relevance } };
  });
}

function nearest(claim: EncodedText, sentences: readonly EncodedText[]) {
  return sentences
    .map((sentence, index) => ({ index, score: cosine(claim.sentence, sentence.sentence) }))
    .reduce((best, one) => (one.score > best.score ? one : best));
}

/**
 * Says of every claim what is most often so, with the shares of the development split as its
 * probabilities: what a verifier knows that looks at nothing. It needs no source.
 */
export function majorityVerifier(shares: VerdictProbabilities): Verifier {
  const name = "majority";
  const provenance: Provenance = {
    producedBy: name,
    modelSha256: undefined,
    promptSha256: undefined,
  };
  return {
    name,
    settings: { ...shares },
    verify: (claims) =>
      Promise.resolve(
        claims.map(() => scoredVerdict({ probabilities: shares, evidence: [], provenance })),
      ),
  };
}
