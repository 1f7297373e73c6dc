import { softmax } from "../../stats/softmax.ts";
import type {
  Evidence,
  Provenance,
  Unscored,
  Verdict,
  VerdictProbabilities,
} from "../verdicts/verdict.ts";
import type { Verifier } from "./verifier.ts";
import { scoredVerdict, withoutEvidence } from "./verdict_parts.ts";
import type { Passage } from "../retrieval/passage.ts";

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
