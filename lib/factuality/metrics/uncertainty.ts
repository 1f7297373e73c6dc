/** How unsure a model is of an answer, from several sampled thoughts, and whether that tells anything. */
import { type Unavailable, unavailable } from "../../stats/agreement.ts";
import type { RandomSource } from "../../stats/random.ts";
import {
  HIGH_UNCERTAINTY,
  isHighUncertainty,
  meanDistribution,
  softmax,
  uncertaintyByEntropy,
  uncertaintyByVariance,
  type UncertaintyParts,
} from "../../stats/uncertainty.ts";
import { areaUnderCurve, brierScore, calibrationError, reliabilityBins } from "./classification.ts";
import { figureInterval } from "./intervals.ts";

/**
 * Probabilities of the options, together 1: P(option | one of the options), which favours words that
 * are likely anyhow. Fixed before any held-out country was asked about: on 32 questions about training
 * countries, one thought each, SmolLM2 was right 17 times by the sum, 17 per character and 16 by
 * pointwise mutual information, with Brier scores of 0.63, 0.61 and 0.74. The sum is the one that is a
 * probability of the model's own; per character nearly every answer is unsure.
 *
 * @param logProbabilities log P(option | question, thought) in nats, in the order of the options.
 */
export function optionProbabilities(logProbabilities: readonly number[]): readonly number[] {
  return softmax(logProbabilities);
}

/** One sampled thought, and what the options were given after it, the right one first. */
export interface SampledThought {
  readonly model: string;
  readonly question_id: string;
  readonly cluster: string;
  readonly kind: string;
  /** In nats. */
  readonly logProbabilities: readonly number[];
  /** Mean over the thought's tokens, nats; empty where it had none. */
  readonly token_entropy: number | "";
}

/**
 * Puts the thoughts about each question together, model by model in order of the table. Questions of a
 * model with fewer samples than its others are left out and counted as incomplete.
 */
export function questionUncertainties(rows: readonly SampledThought[]) {
  const found = [...Map.groupBy(rows, ({ model }) => model).values()].map((own) => {
    const groups = [...Map.groupBy(own, ({ question_id }) => question_id).values()];
    const most = Math.max(...groups.map(({ length }) => length));
    const complete = groups.filter(({ length }) => length === most);
    return { questions: complete.map(ofQuestion), incomplete: groups.length - complete.length };
  });
  return {
    questions: found.flatMap(({ questions }) => questions),
    incomplete: found.reduce((sum, { incomplete }) => sum + incomplete, 0),
  };
}

/** One model's answer to one question, from all thoughts together. */
export type QuestionUncertainty = ReturnType<typeof ofQuestion>;

function ofQuestion(rows: readonly SampledThought[]) {
  const { model, question_id, cluster, kind } = rows[0]!;
  const samples = rows.map((row) => optionProbabilities(row.logProbabilities));
  const meanProbabilities = meanDistribution(samples);
  const confidence = Math.max(...meanProbabilities);
  const entropies = rows.map((row) => row.token_entropy).filter((value) => value !== "");
  return {
    model,
    questionId: question_id,
    cluster,
    kind,
    samples: samples.length,
    /** Of the options, the right one first. */
    meanProbabilities,
    /** Whether the most probable option is the right one; the first of several that are. */
    right: meanProbabilities[0] === confidence,
    /** Probability of the most probable option. */
    confidence,
    byEntropy: uncertaintyByEntropy(samples),
    byVariance: uncertaintyByVariance(samples),
    /** Mean over the thoughts that had tokens, nats; undefined where none had. */
    tokenEntropy: meanOf(entropies, (value) => value),
  };
}

/** A number that is to be higher where the answer is wrong. */
interface UncertaintyMeasure {
  readonly name: string;
  /** Whether it is a share of its greatest value, so that a threshold has a meaning. */
  readonly normalised: boolean;
  /** Undefined where it could not be computed. */
  of(question: QuestionUncertainty): number | undefined;
}

const partsOf = (form: string, key: "byEntropy" | "byVariance"): readonly UncertaintyMeasure[] =>
  (["total", "aleatoric", "epistemic"] as const).map((name: keyof UncertaintyParts) => ({
    name: `${name}, by ${form}`,
    normalised: true,
    of({ [key]: found }) {
      return found.kind === "uncertainty" ? found.normalised[name] : undefined;
    },
  }));

/** Both decompositions, and what is to be had without: one answer's doubt, and the thought's entropy. */
const UNCERTAINTY_MEASURES: readonly UncertaintyMeasure[] = [
  ...partsOf("entropy", "byEntropy"),
  ...partsOf("variance", "byVariance"),
  { name: "1 − confidence", normalised: false, of: ({ confidence }) => 1 - confidence },
  {
    name: "token entropy of the thoughts",
    normalised: false,
    of: ({ tokenEntropy }) => tokenEntropy,
  },
];

/** How good one model's answers are, how sure they are, and whether being unsure tells anything. */
export type UncertaintySummary = ReturnType<typeof uncertaintySummaries>[number];

/**
 * A summary a model; intervals resample countries.
 * @param threshold Above it a normalised uncertainty is high.
 */
export function uncertaintySummaries(
  questions: readonly QuestionUncertainty[],
  random: RandomSource,
  threshold = HIGH_UNCERTAINTY,
) {
  return [...Map.groupBy(questions, ({ model }) => model)].map(([model, own]) => {
    const forecasts = own.map(({ confidence, right }) => ({ confidence, right }));
    const accuracy = (drawn: readonly QuestionUncertainty[]) =>
      meanOf(drawn, ({ right }) => (right ? 1 : 0)) ?? unavailable("no answers");
    return {
      model,
      questions: own.length,
      samples: own[0]!.samples,
      clusters: new Set(own.map(({ cluster }) => cluster)).size,
      accuracy: figureInterval(own, accuracy, random),
      /** Over all options, 0–2; equal probabilities would give 1 − 1/K. */
      brier: figureInterval(own, brierOf, random),
      calibration: reliabilityBins(forecasts),
      calibrationError: calibrationError(forecasts),
      measures: UNCERTAINTY_MEASURES.map((one) => summaryOf(one, own, random, threshold)),
    };
  });
}

function summaryOf(
  measure: UncertaintyMeasure,
  questions: readonly QuestionUncertainty[],
  random: RandomSource,
  threshold: number,
) {
  const known = questions.filter((question) => measure.of(question) !== undefined);
  const value = (question: QuestionUncertainty) => measure.of(question)!;
  const mean = (right: boolean) =>
    meanOf(known.filter((question) => question.right === right), value) ??
      unavailable(right ? "no answer is right" : "no answer is wrong");
  const area = (drawn: readonly QuestionUncertainty[]) => {
    const rights = drawn.filter(({ right }) => right).length;
    if (rights === 0 || rights === drawn.length) return unavailable("all answers are alike");
    return areaUnderCurve(
      drawn.map((one) => ({ supported: !one.right, score: value(one) })),
    );
  };
  const high = (drawn: readonly QuestionUncertainty[]) =>
    meanOf(drawn, (one) => (isHighUncertainty(value(one), threshold) ? 1 : 0)) ??
      unavailable("no answers");
  return {
    name: measure.name,
    meanRight: mean(true),
    meanWrong: mean(false),
    /** How often a wrong answer has more of it than a right one: 0.5 as by chance. */
    area: figureInterval(known, area, random),
    /** Share of answers above the threshold; unavailable for what is not normalised. */
    high: measure.normalised
      ? figureInterval(known, high, random)
      : unavailable("it is no share of a greatest value"),
  };
}

function brierOf(drawn: readonly QuestionUncertainty[]): number | Unavailable {
  const labels = drawn[0]?.meanProbabilities.map((_, k) => `${k}`) ?? [];
  return brierScore(
    labels,
    drawn.map(({ meanProbabilities }) => ({
      probabilities: Object.fromEntries(meanProbabilities.map((p, k) => [`${k}`, Math.min(1, p)])),
      truth: "0",
    })),
  );
}

function meanOf<T>(items: readonly T[], value: (item: T) => number): number | undefined {
  if (items.length === 0) return undefined;
  return items.reduce((sum, item) => sum + value(item), 0) / items.length;
}
