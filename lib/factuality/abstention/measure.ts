import type { Interval } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import {
  accuracy,
  balancedAccuracy,
  type ConfusionTable,
  f1,
  precision,
  recall,
} from "../metrics/classification.ts";
import { classificationInterval } from "../metrics/classification_interval.ts";
import { ABSTENTION_LABELS, type AbstentionLabel } from "./answer.ts";

/** An answer with its label by hand and the one that a method gave it. */
export interface JudgedAnswer {
  /** What was asked: several answers to one question are not independent. */
  readonly cluster: string;
  readonly truth: AbstentionLabel;
  readonly predicted: AbstentionLabel;
}

type Measure = (table: ConfusionTable<AbstentionLabel>) => number | Unavailable;

/** Precision, recall and F1 are those of "abstains". */
export const ABSTENTION_MEASURES: Readonly<Record<string, Measure>> = {
  precision: (table) => precision(table, "abstains"),
  recall: (table) => recall(table, "abstains"),
  f1: (table) => f1(table, "abstains"),
  accuracy,
  balanced_accuracy: balancedAccuracy,
};

/** One figure of a method with its interval. */
export interface MeasuredAbstention {
  readonly measure: string;
  readonly n: number;
  /** Answers that abstain by hand. */
  readonly abstaining: number;
  /** 0–1, 95 % by resampling questions. */
  readonly figure: Interval | Unavailable;
}

/** Every measure of a method's labels against those by hand. */
export function measureAbstention(
  answers: readonly JudgedAnswer[],
  random: RandomSource,
): readonly MeasuredAbstention[] {
  const abstaining = answers.filter(({ truth }) => truth === "abstains").length;
  return Object.entries(ABSTENTION_MEASURES).map(([measure, of]) => ({
    ...{ measure, n: answers.length, abstaining },
    figure: classificationInterval(ABSTENTION_LABELS, answers, of, random),
  }));
}
