import { encoderSettings, type SentenceEncoder } from "../../models/encoder/network_encoder.ts";
import { scoredVerdict, withoutEvidence } from "../decision.ts";
import { FEATURES_VERSION, type SourceReader } from "../features/features.ts";
import { sourceReader } from "../features/families.ts";
import type { WordNet } from "../features/wordnet.ts";
import { gazetteerOf } from "../features/words.ts";
import type { Passage, Verdict, Verifier } from "../types.ts";
import { headVerdict, pairVector, type TrainedWeights } from "./head.ts";

/** Models and word lists that are loaded elsewhere. */
export interface LoadedTools {
  readonly encoder: SentenceEncoder;
  readonly wordnet: WordNet;
}

/**
 * The trained verifier with the features it was trained on, gazetteer included: the one that ships, or
 * one of `deno task train`.
 * @throws {RangeError} where a head reads sentence vectors of another encoder than the one loaded.
 */
export function openTrainedVerifier(weights: TrainedWeights, loaded: LoadedTools): Verifier {
  return trainedVerifier(weights, verifierTools(weights.gazetteer, loaded));
}

/** What the trained verifier reads sources with. */
export interface VerifierTools {
  readonly encoder: SentenceEncoder;
  /** Reads passages for any number of claims; see `sourceReader`. */
  readonly read: (passages: readonly Passage[]) => SourceReader;
  /** Of the encoder and whatever else could change a feature. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}

/** Reads sources with the given names of things. */
export function verifierTools(
  gazetteer: TrainedWeights["gazetteer"],
  { encoder, wordnet }: LoadedTools,
): VerifierTools {
  const tools = { encoder, wordnet, gazetteer: gazetteerOf(gazetteer) };
  const read = (passages: readonly Passage[]) => sourceReader(passages, tools);
  return { encoder, read, settings: encoderSettings(encoder) };
}

/**
 * Features of claim and evidence, standardised, into the head, its logits divided by the fitted
 * temperature. The head is trained; the encoder that some features come from is not.
 * @throws {RangeError} where it was trained on vectors of another encoder.
 */
export function trainedVerifier(weights: TrainedWeights, tools: VerifierTools): Verifier {
  const { name, sha256, encoder: wanted } = weights;
  const { name: loaded, dimensions } = tools.encoder;
  if (wanted && (wanted.name !== loaded || wanted.dimensions !== dimensions)) {
    throw new RangeError(
      `Cannot load the trained verifier: it reads sentence vectors of ${wanted.name} ` +
        `(${wanted.dimensions} numbers), and ${loaded} (${dimensions}) is loaded. Train it again.`,
    );
  }
  const provenance = { producedBy: name, modelSha256: sha256, promptSha256: undefined };
  return {
    name,
    settings: { ...tools.settings, featuresVersion: FEATURES_VERSION, weightsSha256: sha256 },
    async verify(claims, passages, { signal } = {}) {
      if (passages.length === 0) return claims.map(() => withoutEvidence(provenance));
      const reader = tools.read(passages);
      const verdicts: Verdict[] = [];
      for (const claim of claims) {
        signal?.throwIfAborted();
        const { values, evidence, findings } = await reader.features(claim);
        const vector = weights.features === "readable"
          ? values
          : await pairVector(claim, { values, evidence }, tools.encoder);
        verdicts.push(
          vector === undefined || evidence.length === 0
            ? withoutEvidence(provenance)
            : scoredVerdict({
              probabilities: headVerdict(vector, weights),
              evidence,
              findings,
              provenance,
            }),
        );
      }
      return verdicts;
    },
  };
}
