import type { TextSpan } from "../text_span.ts";
import type { ParseStatus, Provenance, Unscored } from "../verdicts/verdict.ts";

/** A phrase that a judge holds against the text. */
export interface FlaggedPhrase {
  readonly phrase: string;
  /** Where it stands in the judged text; undefined where the judge's words do not stand there. */
  readonly span: TextSpan | undefined;
  readonly reason: string;
}

export interface ScoredJudgement {
  readonly kind: "scored";
  /** 0–100. */
  readonly score: number;
  /** Chain of thought before the score; of one that answers by probabilities, what they were. */
  readonly reasoning: string;
  readonly flagged: readonly FlaggedPhrase[];
  readonly parse: ParseStatus;
  readonly provenance: Provenance;
}

export type Judgement = ScoredJudgement | Unscored;

/** What a judge is asked: a template's name and the values of its placeholders. */
export interface JudgeTask {
  /** Key in the prompts file: `factual_accuracy`, `claim`, `relevance`, the user's own. */
  readonly template: string;
  readonly values: Readonly<Record<string, string>>;
  /** The text whose phrases are flagged. */
  readonly judgedText: string;
}

/** How far a judge is to be trusted, measured on claims with known labels; see its file. */
export interface MeasuredAccuracy {
  /** 0–1; 0.5 is chance. */
  readonly balancedAccuracy: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
  /** What it was measured on. */
  readonly on: string;
}

export interface Judge {
  readonly name: string;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Weight in a weighted average, ≥ 0. */
  readonly weight: number;
  /** Undefined where nobody has measured it. */
  readonly measured: MeasuredAccuracy | undefined;
  /** Calls in flight at once that it bears. */
  readonly concurrency: number;
  /** Never throws for what a model answered; throws the signal's reason when it aborts. */
  judge(task: JudgeTask, options?: { readonly signal?: AbortSignal }): Promise<Judgement>;
}
