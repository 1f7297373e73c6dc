import { type BootstrapInterval, clusterBootstrap } from "../../../stats/intervals.ts";
import type { RandomSource } from "../../../stats/random.ts";
import { type Unavailable, unavailable } from "../../../stats/unavailable.ts";
import { HIGH_UNCERTAINTY, isHighUncertainty } from "../../../stats/uncertainty_decomposition.ts";
import { areaUnderCurve } from "../../judges/calibrate_judges.ts";
import {
  brierScore,
  calibrationError,
  type ReliabilityBin,
  reliabilityBins,
} from "../../metrics/calibration.ts";
import type { QuestionUncertainty } from "./question_uncertainty.ts";
import { UNCERTAINTY_MEASURES, type UncertaintyMeasure } from "./uncertainty_measures.ts";

/** How one measure behaves on one model's right and wrong answers. */
export interface MeasureSummary {
  readonly name: string;
  readonly meanRight: number | Unavailable;
  readonly meanWrong: number | Unavailable;
  /** How often a wrong answer has more of it than a right one: 0.5 as by chance. */
  readonly area: BootstrapInterval | Unavailable;
  /** Share of answers above the threshold; unavailable for what is not normalised. */
  readonly high: BootstrapInterval | Unavailable;
}

/** How good one model's answers are, how sure they are, and whether being unsure tells anything. */
export interface UncertaintySummary {
  readonly model: string;
  readonly questions: number;
  readonly clusters: number;
  readonly samples: number;
  readonly accuracy: BootstrapInterval | Unavailable;
  /** Over all options, 0–2; equal probabilities would give 1 − 1/K. */
  readonly brier: BootstrapInterval | Unavailable;
  /** Of the most probable option's mean probability. */
  readonly calibration: readonly ReliabilityBin[];
  readonly calibrationError: number | Unavailable;
  readonly measures: readonly MeasureSummary[];
}

export interface SummaryOptions {
  readonly random: RandomSource;
  /** Above it a normalised uncertainty is high; {@link HIGH_UNCERTAINTY} unless told. */
  readonly threshold?: number;
  /** Of countries, for 95 % intervals; 2,000 unless told, as elsewhere in the house. */
  readonly resamples?: number;
}

const CONFIDENCE = 0.95;

/** A summary a model; intervals resample countries. */
export function uncertaintySummaries(
  questions: readonly QuestionUncertainty[],
  { random, threshold = HIGH_UNCERTAINTY, resamples = 2_000 }: SummaryOptions,
): readonly UncertaintySummary[] {
  return [...Map.groupBy(questions, ({ model }) => model)].map(([model, own]) => {
    const interval: Bootstrap = (some, statistic) =>
      clusterBootstrap({
        items: some.map((value) => ({ cluster: value.cluster, value })),
        ...{ statistic, resamples, confidence: CONFIDENCE, random },
      });
    const forecasts = own.map(({ confidence, right }) => ({ confidence, right }));
    return {
      ...{ model, questions: own.length, samples: own[0]!.samples },
      clusters: new Set(own.map(({ cluster }) => cluster)).size,
      accuracy: interval(own, (drawn) => meanOf(drawn, ({ right }) => (right ? 1 : 0))),
      brier: interval(own, brierOf),
      ...{ calibration: reliabilityBins(forecasts), calibrationError: calibrationError(forecasts) },
      measures: UNCERTAINTY_MEASURES.map((measure) =>
        measureSummary(measure, own, { interval, threshold })
      ),
    };
  });
}

type Bootstrap = (
  questions: readonly QuestionUncertainty[],
  statistic: (drawn: readonly QuestionUncertainty[]) => number | undefined,
) => BootstrapInterval | Unavailable;

function measureSummary(
  measure: UncertaintyMeasure,
  questions: readonly QuestionUncertainty[],
  { interval, threshold }: { readonly interval: Bootstrap; readonly threshold: number },
): MeasureSummary {
  const known = questions.filter((question) => measure.of(question) !== undefined);
  const value = (question: QuestionUncertainty) => measure.of(question)!;
  const mean = (right: boolean) =>
    meanOf(known.filter((question) => question.right === right), value) ??
      unavailable(right ? "no answer is right" : "no answer is wrong");
  const isHigh = (question: QuestionUncertainty) => isHighUncertainty(value(question), threshold);
  return {
    name: measure.name,
    ...{ meanRight: mean(true), meanWrong: mean(false) },
    area: interval(known, (drawn) => areaOf(drawn, value)),
    high: measure.normalised
      ? interval(known, (drawn) => meanOf(drawn, (one) => (isHigh(one) ? 1 : 0)))
      : unavailable("it is no share of a greatest value"),
  };
}

/** Undefined where all answers are right, or none is. */
function areaOf(
  drawn: readonly QuestionUncertainty[],
  value: (question: QuestionUncertainty) => number,
): number | undefined {
  const rights = drawn.filter(({ right }) => right).length;
  if (rights === 0 || rights === drawn.length) return undefined;
  return areaUnderCurve(
    drawn.map((question) => ({ supported: !question.right, score: value(question) })),
  );
}

function brierOf(drawn: readonly QuestionUncertainty[]): number | undefined {
  const labels = drawn[0]?.meanProbabilities.map((_, k) => `${k}`) ?? [];
  const score = brierScore(
    labels,
    drawn.map(({ meanProbabilities }) => ({
      probabilities: Object.fromEntries(meanProbabilities.map((p, k) => [`${k}`, Math.min(1, p)])),
      truth: "0",
    })),
  );
  return typeof score === "number" ? score : undefined;
}

function meanOf<T>(items: readonly T[], value: (item: T) => number): number | undefined {
  if (items.length === 0) return undefined;
  return items.reduce((sum, item) => sum + value(item), 0) / items.length;
}
