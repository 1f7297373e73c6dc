import { ruleSplitter } from "../../lib/factuality/claims/rule_splitter.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import type { ResponseClassifier } from "../../lib/factuality/responses/classify_response.ts";
import { openCountryLookup } from "../../lib/factuality/responses/country_lookup.ts";
import { openTrainedVerifier } from "../../lib/factuality/verifiers/open_trained_verifier.ts";
import { readVerifierWeights } from "../../lib/factuality/verifiers/weights_files.ts";
import { readWordNet } from "../../lib/factuality/wordnet/read_wordnet.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";

/** Splitter, lookup and trained verifier around one encoder. */
export async function openChecking(threads: number): Promise<ResponseClassifier & AsyncDisposable> {
  const cacheDirectory = FACTUALITY_PATHS.cache;
  const encoder = await loadMiniLm({ cacheDirectory, threads });
  const wordnet = await readWordNet();
  return {
    splitter: ruleSplitter(),
    lookup: await openCountryLookup(encoder, cacheDirectory),
    verifier: openTrainedVerifier(readVerifierWeights(), { encoder, wordnet }),
    [Symbol.asyncDispose]: () => encoder[Symbol.asyncDispose](),
  };
}
