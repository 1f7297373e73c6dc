import { join } from "node:path";
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

/** Makes the vectors of cases: the features, then word overlap, then sentence cosine. */
export interface VectorMaker {
  make(label: string, cases: readonly LabelledCase[]): Promise<readonly Vector[]>;
}

/** Vectors are kept in the cache under a digest of the code that makes them. */
export function vectorMaker(
  cacheDirectory: string,
  gazetteer: VerifierWeights["gazetteer"],
  loaded: LoadedTools,
): VectorMaker {
  const name = `${featureCodeDigest().slice(0, 16)}.txt`;
  const path = join(cacheDirectory, "verifier", name);
  const { read } = verifierTools(gazetteer, loaded);
  return {
    async make(label, cases) {
      using store = openVectorStore(path);
      using progress = openProgress(label, cases.length, { resumed: storedCases(cases, store) });
      return await caseVectors(cases, {
        store,
        onCase: () => progress.advance(),
        read: (passages) => {
          const reader = read(passages);
          const overlap = overlapLikeness(passages);
          return async (claim) => {
            const { values, evidence } = await reader.features(claim);
            const [cosine] = await cosineLikeness([claim], passages, loaded.encoder);
            const likeness = overlap(claim);
            if (evidence.length === 0 || cosine === undefined) return undefined;
            return [...values, likeness?.score ?? 0, cosine.score];
          };
        },
      });
    },
  };
}
