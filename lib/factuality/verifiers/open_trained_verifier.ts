import { encoderSettings } from "../../models/encoder/encoder_settings.ts";
import type { SentenceEncoder } from "../../models/encoder/sentence_encoder.ts";
import { gazetteerOf } from "../features/gazetteer.ts";
import { sourceReader } from "../features/source_reader.ts";
import type { WordNet } from "../wordnet/wordnet.ts";
import { trainedVerifier, type VerifierTools } from "./trained_verifier.ts";
import { headVerifier } from "./head_verifier.ts";
import type { Verifier } from "./verifier.ts";
import type { VerifierWeights } from "./verifier_weights.ts";
import type { TrainedWeights } from "./weights_files.ts";

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
  const tools = verifierTools(weights.gazetteer, loaded);
  return weights.version === 1
    ? trainedVerifier(weights, tools)
    : headVerifier(weights, tools, loaded.encoder);
}

/** Reads sources with the given names of things. */
export function verifierTools(
  gazetteer: VerifierWeights["gazetteer"],
  { encoder, wordnet }: LoadedTools,
): VerifierTools {
  const tools = { encoder, wordnet, gazetteer: gazetteerOf(gazetteer) };
  return {
    read: (passages) => sourceReader(passages, tools),
    settings: encoderSettings(encoder),
  };
}
