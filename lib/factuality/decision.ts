import { VERDICT_LABELS } from "./types.ts";
import type { ScoredVerdict, Unscored, VerdictLabel, VerdictProbabilities } from "./types.ts";

/** Threshold of acceptance: "supported" at least as probable as not. Fixed in advance. */
export const ACCEPTED_FROM = 0.5;

/** Tests acceptance by the probability of "supported" (0–1). */
export function isAccepted(supported: number): boolean {
  return supported >= ACCEPTED_FROM;
}

/**
 * Rounds a probability to four decimals for committed rows, on which all processors agree.
 * Acceptance never changes by rounding.
 */
export function fourDecimals(supported: number): number {
  const near = Number(supported.toFixed(4));
  return isAccepted(near) === isAccepted(supported) ? near : 0.4999;
}

/** Label of a claim: supported where accepted, else the more probable of the other two. */
export function decide(probabilities: VerdictProbabilities): VerdictLabel {
  if (isAccepted(probabilities.supported)) return "supported";
  return probabilities.refuted >= probabilities["not enough info"] ? "refuted" : "not enough info";
}

/**
 * Label shown in reports: the verdict where it is the most probable label, else "disputed".
 * "Supported" at 44 % is not accepted, and "refuted" at 32 % would contradict the bar next to it.
 */
export const shownLabel = (
  { label, probabilities }: Pick<ScoredVerdict, "label" | "probabilities">,
): VerdictLabel | "disputed" =>
  VERDICT_LABELS.some((other) => probabilities[other] > probabilities[label]) ? "disputed" : label;

/** Combines two decisions, each 0–1: supported or not; if not, refuted or undecided. */
export const nestedProbabilities = (supported: number, refuted: number) => (
  {
    supported,
    refuted: (1 - supported) * refuted,
    "not enough info": (1 - supported) * (1 - refuted),
  } satisfies VerdictProbabilities
);

/** Converts shares in label order to probabilities. */
export const probabilitiesByLabel = (shares: readonly number[]) =>
  Object.fromEntries(VERDICT_LABELS.map((label, at) => [label, shares[at]!])) as Record<
    VerdictLabel,
    number
  >;

/** Makes the verdict of a verifier without text output: nothing to parse, and no reasoning. */
export function scoredVerdict(
  { probabilities, evidence, findings = [], provenance }:
    & Pick<ScoredVerdict, "probabilities" | "evidence" | "provenance">
    & Partial<Pick<ScoredVerdict, "findings">>,
): ScoredVerdict {
  const label = decide(probabilities);
  const nothing = { parse: "not parsed", reasoning: "" } as const;
  return { kind: "scored", label, probabilities, evidence, findings, ...nothing, provenance };
}

/** An unreadable answer with its reason. */
export type UnreadAnswer = Omit<Unscored, "provenance">;

/** Failure kind: a prompt that is too long fails permanently, other failures may pass. */
export const failureReason = ({ tooLong }: { readonly tooLong?: boolean | undefined }) =>
  tooLong ? "too long" : "failure";

/** Makes a failed reading; `partialText` is the text received. */
export const unreadAnswer = (
  reason: UnreadAnswer["reason"],
  message: string,
  partialText?: string,
): UnreadAnswer => ({ kind: "unscored", reason, message, partialText });

/** Makes the placeholder for a missing verdict or judgement. */
export function unscored(
  producedBy: string,
  reason: Unscored["reason"],
  message: string,
): Unscored {
  const provenance = { producedBy, modelSha256: undefined, promptSha256: undefined };
  return { ...unreadAnswer(reason, message), provenance };
}

/** Verdict without any source sentence to compare. */
export const unscoredWithoutEvidence = (provenance: Unscored["provenance"]): Unscored => (
  { ...unreadAnswer("no evidence", "There is no source to hold the claim against."), provenance }
);
