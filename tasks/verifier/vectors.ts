import { join } from "node:path";
import type { Passage } from "../../lib/factuality/retrieval/passage.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import type { LabelledCase } from "../../lib/factuality/cases/labelled_case.ts";
import {
  caseVectors,
  storedCases,
  type Vector,
} from "../../lib/factuality/training/case_vectors.ts";
import { cosineLikeness } from "../../lib/factuality/verifiers/cosine_verifier.ts";
import {
  type LoadedTools,
  verifierTools,
} from "../../lib/factuality/verifiers/open_trained_verifier.ts";
import { overlapLikeness } from "../../lib/factuality/verifiers/overlap_verifier.ts";
import type { VerifierWeights } from "../../lib/factuality/verifiers/verifier_weights.ts";
import { featureCodeDigest, openVectorStore } from "./vector_store.ts";

/** Makes the vectors of cases. */
export interface VectorMaker {
  /** The features alone, which is all that training needs. */
  features(label: string, cases: readonly LabelledCase[]): Promise<readonly Vector[]>;
  /** The features, then word overlap, then sentence cosine: for whatever is measured. */
  withBaselines(label: string, cases: readonly LabelledCase[]): Promise<readonly Vector[]>;
}

/** Vectors are kept in the cache under a digest of the code that makes them. */
export function vectorMaker(
  cacheDirectory: string,
  gazetteer: VerifierWeights["gazetteer"],
  loaded: LoadedTools,
): VectorMaker {
  const digest = featureCodeDigest().slice(0, 16);
  const { read } = verifierTools(gazetteer, loaded);
  const make = async (label: string, cases: readonly LabelledCase[], baselines: boolean) => {
    const name = baselines ? `${digest}.baselines.txt` : `${digest}.txt`;
    using store = openVectorStore(join(cacheDirectory, "verifier", name));
    using progress = openProgress(label, cases.length, { resumed: storedCases(cases, store) });
    return await caseVectors(cases, {
      store,
      onCase: () => progress.advance(),
      read: (passages) => {
        const reader = read(passages);
        const likeness = baselines ? baselineLikeness(passages, loaded) : () => [];
        return async (claim) => {
          const { values, evidence } = await reader.features(claim);
          return evidence.length === 0 ? undefined : [...values, ...await likeness(claim)];
        };
      },
    });
  };
  return {
    features: (label, cases) => make(label, cases, false),
    withBaselines: (label, cases) => make(label, cases, true),
  };
}

/** Word overlap and sentence cosine; 0 where the claim has no content word. */
function baselineLikeness(passages: readonly Passage[], { encoder }: LoadedTools) {
  const overlap = overlapLikeness(passages);
  return async (claim: string): Promise<readonly number[]> => {
    const [cosine] = await cosineLikeness([claim], passages, encoder);
    return [overlap(claim)?.score ?? 0, cosine?.score ?? 0];
  };
}
