import { VERDICT_LABELS } from "./types.ts";
import type { ScoredVerdict, Unscored, VerdictLabel, VerdictProbabilities } from "./types.ts";

/** A claim is accepted where "supported" is at least as probable as not: fixed beforehand. */
export const ACCEPTED_FROM = 0.5;

/** Whether a claim that is supported with this probability (0–1) is accepted. */
export function isAccepted(supported: number): boolean {
  return supported >= ACCEPTED_FROM;
}

/**
 * A probability with four decimals, for committed rows: fewer than those in which processors differ. It is
 * accepted where the exact one is.
 */
export function fourDecimals(supported: number): number {
  const near = Number(supported.toFixed(4));
  return isAccepted(near) === isAccepted(supported) ? near : 0.4999;
}

/** The label of a claim: supported where it is accepted, else the more probable of the other two. */
export function decide(probabilities: VerdictProbabilities): VerdictLabel {
  if (isAccepted(probabilities.supported)) return "supported";
  return probabilities.refuted >= probabilities["not enough info"] ? "refuted" : "not enough info";
}

/**
 * What a report calls a verdict: its label where that is the most probable of the three, else "disputed"
 * ("supported" at 44 % is not accepted, and "refuted" at 32 % is not what the bar beside it shows).
 */
export const shownLabel = (
  { label, probabilities }: Pick<ScoredVerdict, "label" | "probabilities">,
): VerdictLabel | "disputed" =>
  VERDICT_LABELS.some((other) => probabilities[other] > probabilities[label]) ? "disputed" : label;

/** Two decisions, one after the other: supported or not, and what is not, refuted or left open; each 0–1. */
export const nestedProbabilities = (supported: number, refuted: number) => (
  {
    supported,
    refuted: (1 - supported) * refuted,
    "not enough info": (1 - supported) * (1 - refuted),
  } satisfies VerdictProbabilities
);

/** Shares in the order of the labels as probabilities. */
export const asProbabilities = (shares: readonly number[]) =>
  Object.fromEntries(VERDICT_LABELS.map((label, at) => [label, shares[at]!])) as Record<
    VerdictLabel,
    number
  >;

/** The verdict of a verifier that writes nothing: there is no text to parse, and no reasoning. */
export function scoredVerdict(
  { probabilities, evidence, findings = [], provenance }:
    & Pick<ScoredVerdict, "probabilities" | "evidence" | "provenance">
    & Partial<Pick<ScoredVerdict, "findings">>,
): ScoredVerdict {
  const label = decide(probabilities);
  const nothing = { parse: "not parsed", reasoning: "" } as const;
  return { kind: "scored", label, probabilities, evidence, findings, ...nothing, provenance };
}

/** What could not be read, and why. */
export type Unread = Omit<Unscored, "provenance">;

/** A prompt that is too long stays so; what else failed may pass. */
export const failedHow = ({ tooLong }: { readonly tooLong?: boolean | undefined }) =>
  tooLong ? "too long" : "failure";

/** A reading that failed; `partialText` is what had come back. */
export const unread = (
  reason: Unread["reason"],
  message: string,
  partialText?: string,
): Unread => ({ kind: "unscored", reason, message, partialText });

/** What takes the place of a verdict or judgement that there is none of. */
export function unscored(
  producedBy: string,
  reason: Unscored["reason"],
  message: string,
): Unscored {
  const provenance = { producedBy, modelSha256: undefined, promptSha256: undefined };
  return { ...unread(reason, message), provenance };
}

/** Where there is no sentence to hold the claim against. */
export const withoutEvidence = (provenance: Unscored["provenance"]): Unscored => (
  { ...unread("no evidence", "There is no source to hold the claim against."), provenance }
);
