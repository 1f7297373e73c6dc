import type { Judgement } from "../judges/judgement.ts";
import type { UnscoredReason, Verdict } from "../verdicts/verdict.ts";
import { judgementReason, verdictReason } from "./reasons.ts";

/** What one component said of one claim. */
export interface ComponentAnswer {
  /** Probability that the claim is supported, 0–1; undefined where there is no score. */
  readonly supported: number | undefined;
  /** Why there is none; undefined where there is one. */
  readonly unscored: UnscoredReason | undefined;
  /** The component's reasoning, or why there is no score. */
  readonly reason: string;
  readonly milliseconds: number;
}

/** A component and its answers by the id of the case. */
export interface ComponentRun {
  readonly component: string;
  readonly answers: ReadonlyMap<string, ComponentAnswer>;
}

/** A verifier's verdict as an answer. */
export function answerOfVerdict(verdict: Verdict, milliseconds: number): ComponentAnswer {
  if (verdict.kind === "unscored") return withoutScore(verdict, milliseconds);
  return {
    supported: verdict.probabilities.supported,
    unscored: undefined,
    reason: `${verdict.label}: ${verdictReason(verdict)}`,
    milliseconds,
  };
}

/**
 * A judge's score of a claim as an answer: score / 100 is read as the probability of "supported",
 * which is what the calibration error then measures.
 */
export function answerOfJudgement(judgement: Judgement, milliseconds: number): ComponentAnswer {
  if (judgement.kind === "unscored") return withoutScore(judgement, milliseconds);
  return {
    supported: judgement.score / 100,
    unscored: undefined,
    reason: judgementReason(judgement),
    milliseconds,
  };
}

function withoutScore(
  { reason, message }: { readonly reason: UnscoredReason; readonly message: string },
  milliseconds: number,
): ComponentAnswer {
  return { supported: undefined, unscored: reason, reason: message, milliseconds };
}

/**
 * Whether an answer accepts the claim: "supported" at least as probable as not; fixed beforehand.
 * Undefined without a score.
 */
export function accepts({ supported }: ComponentAnswer): boolean | undefined {
  return supported === undefined ? undefined : supported >= 0.5;
}
