import { type Interval, wilsonInterval } from "../../stats/intervals.ts";
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
  /** 0–1, 95 % by resampling questions; Wilson's for a share of 0 or 1. */
  readonly figure: Interval | Unavailable;
}

/** What each measure that is a share is a share of: cases, and the right ones among them. */
const TRIALS: Readonly<Record<string, (answer: JudgedAnswer) => boolean>> = {
  precision: ({ predicted }) => predicted === "abstains",
  recall: ({ truth }) => truth === "abstains",
  accuracy: () => true,
};

/** Every measure of a method's labels against those by hand. */
export function measureAbstention(
  answers: readonly JudgedAnswer[],
  random: RandomSource,
): readonly MeasuredAbstention[] {
  const abstaining = answers.filter(({ truth }) => truth === "abstains").length;
  return Object.entries(ABSTENTION_MEASURES).map(([measure, of]) => ({
    ...{ measure, n: answers.length, abstaining },
    figure: withWidth(
      classificationInterval(ABSTENTION_LABELS, answers, of, random),
      TRIALS[measure] === undefined ? 0 : answers.filter(TRIALS[measure]).length,
    ),
  }));
}

/** Resamples of a share of 0 or 1 are all alike, which is no certainty: Wilson's interval instead. */
function withWidth(figure: Interval | Unavailable, trials: number): Interval | Unavailable {
  if (figure.kind === "unavailable" || trials === 0) return figure;
  const { estimate, confidence } = figure;
  if (estimate !== 0 && estimate !== 1) return figure;
  const wilson = wilsonInterval(estimate * trials, trials, confidence);
  return wilson.kind === "unavailable" ? figure : { ...wilson, n: figure.n };
}
