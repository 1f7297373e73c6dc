import type { Claim } from "../claims/claim.ts";
import type { EnsembleScore } from "../judges/ensemble_score.ts";
import type { Judgement, MeasuredAccuracy } from "../judges/judgement.ts";
import type { RetrievedPassage } from "../retrieval/passage.ts";
import type { TextSpan } from "../text_span.ts";
import type { Evidence, Verdict } from "../verdicts/verdict.ts";

/** What is to be evaluated. */
export interface EvaluationRequest {
  /** Unique in its batch. */
  readonly id: string;
  /** The text that the candidate was written from or is checked against; empty where there is none. */
  readonly source: string;
  readonly candidate: string;
  /** The question that was answered; empty where there was none. */
  readonly question: string;
}

/** Where a claim's context came from. */
export type RetrievalStatus =
  /** No knowledge base is configured: the source alone. */
  | "disabled"
  /** Passages over the threshold were found. */
  | "found"
  /** None was: the claim is unverifiable from the knowledge base, and the source alone is used. */
  | "nothing found"
  /** The knowledge base failed; the evaluation says why and goes on without it. */
  | "failed";

/** A claim, what was looked up for it, and what each component says. */
export interface ClaimResult {
  readonly claim: Claim;
  readonly retrieval: { readonly status: RetrievalStatus; readonly message: string };
  readonly passages: readonly RetrievedPassage[];
  readonly verdict: Verdict;
  /** Judges asked about this claim alone; empty where they were not asked. */
  readonly judges: readonly JudgeResult[];
  /** Unverifiable: nothing found in the knowledge base and not enough info in the source. */
  readonly unverifiable: boolean;
}

/** One judge's answer to one question, and how long it took. */
export interface JudgeResult {
  readonly judge: string;
  readonly measured: MeasuredAccuracy | undefined;
  readonly judgement: Judgement;
  readonly milliseconds: number;
}

/** One criterion (`factual_accuracy` first, then the configured ones), judged by everyone. */
export interface CriterionResult {
  readonly criterion: string;
  readonly judges: readonly JudgeResult[];
  readonly ensemble: EnsembleScore;
}

export type HallucinationKind =
  | "factual error"
  | "unsupported claim"
  | "temporal inconsistency"
  | "numerical error"
  /** Two claims of the candidate exclude one another. */
  | "internal contradiction";

/** One entry of the unified list of what the sources do not bear out. */
export interface UnsupportedClaim {
  readonly claimId: string;
  /** The claim, or the phrase that a judge flagged where it belongs to no claim. */
  readonly text: string;
  readonly spans: readonly TextSpan[];
  readonly kind: HallucinationKind;
  /** `verifier`, and the names of judges. */
  readonly detectedBy: readonly string[];
  readonly evidence: readonly Evidence[];
  /** What each of them gave as its reason, in their order. */
  readonly reasons: readonly string[];
}

/** Two claims of one candidate that exclude one another. */
export interface Contradiction {
  readonly claimIds: readonly [string, string];
  /** Probability of "refuted" of the one read as the other's source, 0–1; the greater of both directions. */
  readonly probability: number;
  readonly words: string;
}

/** How the candidate was grounded. */
export type EvaluationMode = "source" | "source and retrieval" | "retrieval" | "zero retrieval";

/** What can be said without any source. */
export interface InternalConsistency {
  readonly contradictions: readonly Contradiction[];
  /** Log-probability in nats a token of each claim under a small language model; undefined without one. */
  readonly plausibility: readonly {
    readonly claimId: string;
    readonly value: number | undefined;
  }[];
}

/** Everything that one evaluation found: all reports are made from this value and nothing else. */
export interface Evaluation {
  readonly schemaVersion: 1;
  readonly request: EvaluationRequest;
  readonly mode: EvaluationMode;
  readonly claims: readonly ClaimResult[];
  /** Statements that a language model proposed but that are not in the text. */
  readonly droppedClaims: readonly { readonly text: string; readonly reason: string }[];
  readonly criteria: readonly CriterionResult[];
  readonly unsupported: readonly UnsupportedClaim[];
  /** Only where two claims or more could be compared. */
  readonly consistency: InternalConsistency | undefined;
  /** Verifier and judges of different opinion about a claim, with both reasons. */
  readonly disagreements: readonly {
    readonly claimId: string;
    readonly judge: string;
    readonly words: string;
  }[];
  /** What went wrong and was passed over, in sentences. */
  readonly problems: readonly string[];
  readonly configuration: EvaluationConfiguration;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly milliseconds: {
    readonly total: number;
    readonly splitting: number;
    readonly retrieval: number;
    readonly verification: number;
    readonly judging: number;
  };
}

/** Every setting that could change a figure. */
export interface EvaluationConfiguration {
  readonly splitter: Named;
  readonly retriever: Named | undefined;
  readonly verifier: Named;
  readonly judges: readonly Named[];
  readonly aggregation: string;
  /** SHA-256 of the prompts file. */
  readonly promptsSha256: string;
}

export interface Named {
  readonly name: string;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
}
