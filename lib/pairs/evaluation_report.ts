import type { DamagedLine } from "../files/csv.ts";
import type { Question } from "./responses.ts";

/** A question passed: how it went, and where the run stands. */
export interface EvaluationProgress {
  readonly question: Question;
  readonly outcome: "valid" | "invalid" | "failed";
  /** Questions passed in this run and earlier ones: answered or failed. */
  readonly done: number;
  readonly total: number;
}

/** A call that gave no answer: it left no row, the next run asks again. */
export interface FailedCall extends Question {
  readonly message: string;
}

/** Why a model was asked no more although questions were left. */
export interface PartEnded {
  /** No answer can be had for now, or call after call failed. */
  readonly kind: "unavailable" | "failing";
  /** What happened and what to do. */
  readonly message: string;
  /** When asking may be tried again; nothing where that is not known or waiting does not help. */
  readonly returns?: Date;
}

/** What a run did for one model. */
export interface ModelReport {
  readonly model: string;
  /** Questions answered now, invalid answers among them. */
  readonly answered: number;
  /** Answers that stood there already. */
  readonly kept: number;
  /** Invalid ones among those answered now. */
  readonly invalid: number;
  readonly failed: readonly FailedCall[];
  /** Questions without an answer: failed, or not reached. */
  readonly missing: number;
  /** Only where the model's part ended early; an abort is not told here. */
  readonly ended?: PartEnded;
}

/** What a run did: each model's part, and the sums. */
export interface EvaluationReport extends Omit<ModelReport, "model" | "ended"> {
  /** In the order of the run's models. */
  readonly models: readonly ModelReport[];
  /** Lines of the results that were set aside; their questions were asked again. */
  readonly damaged: readonly DamagedLine[];
}

/** The parts with their sums. */
export function reportOf(
  models: readonly ModelReport[],
  damaged: readonly DamagedLine[],
): EvaluationReport {
  const sum = (of: (part: ModelReport) => number) =>
    models.reduce((total, part) => total + of(part), 0);
  return {
    answered: sum(({ answered }) => answered),
    kept: sum(({ kept }) => kept),
    invalid: sum(({ invalid }) => invalid),
    failed: models.flatMap(({ failed }) => failed),
    missing: sum(({ missing }) => missing),
    models,
    damaged,
  };
}
