import { join } from "node:path";
import type { LabelledCase } from "../../lib/factuality/cases/labelled_case.ts";
import {
  caseVectors,
  storedCases,
  type Vector,
} from "../../lib/factuality/training/case_vectors.ts";
import {
  type LoadedTools,
  verifierTools,
} from "../../lib/factuality/verifiers/open_trained_verifier.ts";
import { type FeatureSet, pairVector } from "../../lib/factuality/verifiers/pair_vector.ts";
import type { VerifierWeights } from "../../lib/factuality/verifiers/verifier_weights.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import { vectorMaker } from "../verifier/vectors.ts";
import { featureCodeDigest, openVectorStore } from "../verifier/vector_store.ts";

/** The vectors of cases, in their order; the label is for the progress. */
export type VectorReader = (
  label: string,
  cases: readonly LabelledCase[],
) => Promise<readonly Vector[]>;

/** What vectors are made with, and where they are kept. */
export interface VectorTools extends LoadedTools {
  readonly cacheDirectory: string;
  readonly gazetteer: VerifierWeights["gazetteer"];
}

/**
 * Makes the readable features of cases, with sentence vectors where heads read them. Each is appended
 * to a file of the cache as it comes: a run that was ended goes on where it was.
 */
export function vectorReader(features: FeatureSet, tools: VectorTools): VectorReader {
  const { cacheDirectory, gazetteer, ...loaded } = tools;
  return features === "readable"
    ? vectorMaker(cacheDirectory, gazetteer, loaded).features
    : (label, cases) => pairVectors(label, cases, tools);
}

async function pairVectors(
  label: string,
  cases: readonly LabelledCase[],
  { cacheDirectory, gazetteer, ...loaded }: VectorTools,
): Promise<readonly Vector[]> {
  const digest = featureCodeDigest().slice(0, 16);
  const { read } = verifierTools(gazetteer, loaded);
  using store = openVectorStore(join(cacheDirectory, "verifier", `${digest}.pairs.txt`));
  using progress = openProgress(label, cases.length, { resumed: storedCases(cases, store) });
  return await caseVectors(cases, {
    store,
    onCase: () => progress.advance(),
    read: (passages) => {
      const reader = read(passages);
      return async (claim) => pairVector(claim, await reader.features(claim), loaded.encoder);
    },
  });
}
