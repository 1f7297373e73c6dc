import type { ClaimFeatures, SourceReader } from "../features/features.ts";
import type { Passage } from "../retrieval/passage.ts";
import { classProbabilities } from "../training/multinomial_logistic.ts";
import { standardise } from "../training/standardisation.ts";
import type { TrainedHead } from "../training/train_head.ts";
import {
  type Provenance,
  type Verdict,
  VERDICT_LABELS,
  type VerdictProbabilities,
} from "../verdicts/verdict.ts";
import type { Verifier } from "./verifier.ts";
import { scoredVerdict, withoutEvidence } from "./verdict_parts.ts";
import type { VerifierWeights } from "./verifier_weights.ts";

/** What the trained verifier reads sources with. */
export interface VerifierTools {
  /** Reads passages for any number of claims; see `sourceReader`. */
  readonly read: (passages: readonly Passage[]) => SourceReader;
  /** Of the encoder and whatever else could change a feature. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}

const NAME = "trained verifier";

/**
 * Features of claim and evidence, standardised, into a multinomial logistic head, its logits divided
 * by the fitted temperature. The head is trained; the encoder that some features come from is not.
 */
export function trainedVerifier(weights: VerifierWeights, tools: VerifierTools): Verifier {
  return featureVerifier(
    { name: NAME, sha256: weights.sha256 },
    tools,
    ({ values }) => verdictProbabilities(values, weights),
  );
}

/** What a head makes of a claim whose features are known. */
export type FeatureReading = (
  features: ClaimFeatures,
  claim: string,
) => VerdictProbabilities | Promise<VerdictProbabilities>;

/** A verifier that reads sources with the tools and lets a head judge what was read. */
export function featureVerifier(
  { name, sha256 }: { readonly name: string; readonly sha256: string },
  tools: VerifierTools,
  judge: FeatureReading,
): Verifier {
  const provenance: Provenance = {
    producedBy: name,
    modelSha256: sha256,
    promptSha256: undefined,
  };
  return {
    name,
    settings: { ...tools.settings, weightsSha256: sha256 },
    async verify(claims, passages, { signal } = {}) {
      if (passages.length === 0) return claims.map(() => withoutEvidence(provenance));
      const reader = tools.read(passages);
      const verdicts: Verdict[] = [];
      for (const claim of claims) {
        signal?.throwIfAborted();
        verdicts.push(await verdictOf(await reader.features(claim), claim, judge, provenance));
      }
      return verdicts;
    },
  };
}

async function verdictOf(
  features: ClaimFeatures,
  claim: string,
  judge: FeatureReading,
  provenance: Provenance,
): Promise<Verdict> {
  const { evidence, findings } = features;
  if (evidence.length === 0) return withoutEvidence(provenance);
  const probabilities = await judge(features, claim);
  return scoredVerdict({ probabilities, evidence, findings, provenance });
}

/** What the head says of a vector of features. */
export function verdictProbabilities(
  values: readonly number[],
  head: TrainedHead,
): VerdictProbabilities {
  const shares = classProbabilities(standardise(values, head), head, head.temperature);
  const entries = VERDICT_LABELS.map((label, i) => [label, shares[i]!] as const);
  return Object.fromEntries(entries) as Record<(typeof VERDICT_LABELS)[number], number>;
}
