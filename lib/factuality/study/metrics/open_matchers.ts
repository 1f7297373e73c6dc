import { sha256Hex } from "../../../files/checksum.ts";
import { loadMiniLm } from "../../../models/encoder/minilm.ts";
import { gazetteerOf } from "../../features/gazetteer.ts";
import {
  type ClaimMatcher,
  cosineMatcher,
  ENTAILED_FROM,
  verifierMatcher,
} from "../../metrics/claim_matching.ts";
import { FACTUALITY_PATHS } from "../../paths.ts";
import { openTrainedVerifier } from "../../verifiers/open_trained_verifier.ts";
import { readTrainedWeights } from "../../verifiers/weights_files.ts";
import { readWordNet } from "../../wordnet/read_wordnet.ts";

/** Both ways to tell which claims say the same, with one encoder between them. */
export interface OpenMatchers extends AsyncDisposable {
  readonly entailment: ClaimMatcher;
  readonly sentenceVectors: ClaimMatcher;
}

/** Names what the matcher by entailment depends on, without loading it: weights and threshold. */
export function entailmentSha256(): string {
  const { sha256 } = readTrainedWeights(FACTUALITY_PATHS.verifierWeights);
  return sha256Hex(JSON.stringify({ weights: sha256, threshold: ENTAILED_FROM }));
}

/** Loads the encoder and the shipped verifier. Throws as `loadMiniLm` does. */
export async function openMatchers(threads: number): Promise<OpenMatchers> {
  const wordnet = await readWordNet();
  const weights = readTrainedWeights(FACTUALITY_PATHS.verifierWeights);
  const encoder = await loadMiniLm({ cacheDirectory: FACTUALITY_PATHS.cache, threads });
  const tools = { wordnet, gazetteer: gazetteerOf(weights.gazetteer) };
  return {
    entailment: verifierMatcher(openTrainedVerifier(weights, { encoder, wordnet }), tools),
    sentenceVectors: cosineMatcher(encoder, tools),
    [Symbol.asyncDispose]: () => encoder[Symbol.asyncDispose](),
  };
}
