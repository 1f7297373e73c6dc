import type { TextSpan } from "../text_span.ts";

/** What the sources say of a claim. */
export type VerdictLabel = "supported" | "refuted" | "not enough info";

/** In the order of every table. */
export const VERDICT_LABELS: readonly VerdictLabel[] = ["supported", "refuted", "not enough info"];

/** Calibrated; each 0–1, together 1. */
export type VerdictProbabilities = Readonly<Record<VerdictLabel, number>>;

/** The words that a verdict rests on. */
export interface Evidence {
  readonly passageId: string;
  readonly collection: string;
  /** Where in the passage; `text` is what stands there. */
  readonly span: TextSpan;
  readonly text: string;
  /** How well it fits the claim, 0–1, in the verifier's own measure. */
  readonly relevance: number;
}

/** One thing that was seen, in words: "source says 39.2 million, claim says 32.9 million". */
export interface Finding {
  /** The feature's name. */
  readonly feature: string;
  readonly words: string;
  /** Which verdict it speaks for. */
  readonly speaksFor: VerdictLabel;
}

/** What made a verdict or a judgement. */
export interface Provenance {
  /** Name of the verifier or judge. */
  readonly producedBy: string;
  /** SHA-256 of the weights; undefined where there are none, or a server does not say. */
  readonly modelSha256: string | undefined;
  /** SHA-256 of the prompt's template; undefined where nothing was prompted. */
  readonly promptSha256: string | undefined;
}

/** How the answer was read. A verifier without text output has read nothing. */
export type ParseStatus = "not parsed" | "complete" | "repaired" | "partial";

export const UNSCORED_REASONS = [
  "not checkable",
  "no evidence",
  "malformed answer",
  "refusal",
  "time-out",
  "failure",
] as const;

/** Why there is no verdict or score. Never 0, never a default label. */
export type UnscoredReason = typeof UNSCORED_REASONS[number];

export interface Unscored {
  readonly kind: "unscored";
  readonly reason: UnscoredReason;
  /** One sentence for the reader. */
  readonly message: string;
  /** What had come back before it ended; undefined where nothing had. */
  readonly partialText: string | undefined;
  readonly provenance: Provenance;
}

export interface ScoredVerdict {
  readonly kind: "scored";
  /** The most probable label. */
  readonly label: VerdictLabel;
  readonly probabilities: VerdictProbabilities;
  /** The best first. */
  readonly evidence: readonly Evidence[];
  readonly findings: readonly Finding[];
  readonly parse: ParseStatus;
  /** Chain of thought of a prompted model; the empty string for others. */
  readonly reasoning: string;
  readonly provenance: Provenance;
}

export type Verdict = ScoredVerdict | Unscored;
