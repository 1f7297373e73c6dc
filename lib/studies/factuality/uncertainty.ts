/** Uncertainty of a model from several sampled thoughts, and its relation to wrong answers. */
import { unavailable } from "../../stats/agreement.ts";
import { isHighUncertainty, meanDistribution, softmax } from "../../stats/uncertainty.ts";
import { uncertaintyByEntropy, uncertaintyByVariance } from "../../stats/uncertainty.ts";
import {
  areaUnderCurve,
  brierScore,
  calibrationError,
} from "../../factuality/metrics/classification.ts";
import { figureInterval, meanOrUndefined } from "../../factuality/metrics/classification.ts";

/** A sampled thought with the options' probabilities after it, the right option first. */
export interface SampledThought {
  readonly model: string;
  readonly question_id: string;
  readonly cluster: string;
  readonly kind: string;
  /** Log-probabilities of the options in nats. */
  readonly logProbabilities: readonly number[];
  /** Mean token entropy of the thought in nats; empty for an empty thought. */
  readonly token_entropy: number | "";
}

/** Combines the thoughts about each question. Questions with too few samples are left out. */
export function questionUncertainties(rows: readonly SampledThought[]) {
  const perModel = [...Map.groupBy(rows, ({ model }) => model).values()].map((ofModel) => {
    const groups = [...Map.groupBy(ofModel, ({ question_id }) => question_id).values()];
    const most = Math.max(...groups.map(({ length }) => length));
    const complete = groups.filter(({ length }) => length === most);
    return { questions: complete.map(ofQuestion), incomplete: groups.length - complete.length };
  });
  return {
    questions: perModel.flatMap(({ questions }) => questions),
    incomplete: perModel.reduce((sum, { incomplete }) => sum + incomplete, 0),
  };
}

/** A model's answer to a question, from all thoughts together. */
export type QuestionUncertainty = ReturnType<typeof ofQuestion>;

function ofQuestion(rows: readonly SampledThought[]) {
  const { model, question_id, cluster, kind } = rows[0]!;
  // The model's P(option | one of the options), fixed before any held-out country was asked about:
  // on
  // 32 questions about training countries SmolLM2 was right 17 times by the sum, 17
  // per character and 16 by pointwise mutual information, with Brier scores of 0.63, 0.61 and 0.74.
  const samples = rows.map((row) => softmax(row.logProbabilities));
  const meanProbabilities = meanDistribution(samples);
  const confidence = Math.max(...meanProbabilities);
  return {
    model,
    questionId: question_id,
    cluster,
    kind,
    samples: samples.length,
    /** Mean probabilities of the options, the right one first. */
    meanProbabilities,
    /** True where the most probable option is right. Of several equal ones the first counts. */
    right: meanProbabilities[0] === confidence,
    /** Probability of the most probable option. */
    confidence,
    byEntropy: uncertaintyByEntropy(samples),
    byVariance: uncertaintyByVariance(samples),
    /** Mean token entropy of non-empty thoughts in nats. Undefined where all were empty. */
    tokenEntropy: meanOrUndefined(
      rows.map((row) => row.token_entropy).filter((value) => value !== ""),
    ),
  };
}

/** A measure meant to be higher for wrong answers. Undefined where it is unavailable. */
type UncertaintyOf = (question: QuestionUncertainty) => number | undefined;

/**
 * Uncertainties as shares of their maximum, by both decompositions. A threshold on them is
 * meaningful.
 */
const SHARES = (["byEntropy", "byVariance"] as const).flatMap((key) =>
  (["total", "aleatoric", "epistemic"] as const).map((part): [string, UncertaintyOf] => [
    `${part}, by ${key.slice(2).toLowerCase()}`,
    ({ [key]: decomposition }) =>
      decomposition.kind === "uncertainty" ? decomposition.normalised[part] : undefined,
  ])
);

/** Measures that need no samples: the doubt of one answer, and the thought's entropy. */
const OTHERS: readonly [string, UncertaintyOf][] = [
  ["1 − confidence", ({ confidence }) => 1 - confidence],
  ["token entropy of the thoughts", ({ tokenEntropy }) => tokenEntropy],
];

/** One model's accuracy, confidence and uncertainty. */
export type UncertaintySummary = ReturnType<typeof uncertaintySummaries>[number];

/** Summarises each model, with intervals by country. */
export function uncertaintySummaries(
  questions: readonly QuestionUncertainty[],
) {
  return [...Map.groupBy(questions, ({ model }) => model)].map(([model, ofModel]) => {
    const accuracy = (drawn: readonly QuestionUncertainty[]) =>
      meanOrUndefined(drawn.map(({ right }) => Number(right)))!;
    return {
      model,
      questions: ofModel.length,
      samples: ofModel[0]!.samples,
      clusters: new Set(ofModel.map(({ cluster }) => cluster)).size,
      accuracy: figureInterval(ofModel, accuracy),
      /** Brier score over all options, 0–2; equal probabilities give 1 − 1/K. */
      brier: figureInterval(ofModel, brierOf, [0, 2]),
      calibrationError: calibrationError(ofModel),
      measures: [...SHARES, ...OTHERS].map(([name, valueOf], i) =>
        summaryOf(name, valueOf, i < SHARES.length, ofModel)
      ),
    };
  });
}

function summaryOf(
  name: string,
  valueOf: UncertaintyOf,
  isShare: boolean,
  questions: readonly QuestionUncertainty[],
) {
  const known = questions.flatMap(({ cluster, right }, i) => {
    const value = valueOf(questions[i]!);
    return value === undefined ? [] : [{ cluster, right, value }];
  });
  const meanOf = (right: boolean) =>
    meanOrUndefined(known.filter((one) => one.right === right).map(({ value }) => value)) ??
      unavailable(right ? "no answer is right" : "no answer is wrong");
  const area = (drawn: readonly typeof known[number][]) => {
    const rights = drawn.filter(({ right }) => right).length;
    if (rights === 0 || rights === drawn.length) return unavailable("all answers are alike");
    return areaUnderCurve(drawn.map(({ right, value }) => ({ supported: !right, score: value })));
  };
  const high = (drawn: readonly typeof known[number][]) =>
    meanOrUndefined(drawn.map(({ value }) => Number(isHighUncertainty(value))))!;
  return {
    name,
    meanRight: meanOf(true),
    meanWrong: meanOf(false),
    /** Probability that a wrong answer is more uncertain than a right one. Chance is 0.5. */
    area: figureInterval(known, area),
    /** Share of answers above the threshold. Unavailable for measures that are no shares. */
    high: isShare ? figureInterval(known, high) : unavailable("it is no share of a greatest value"),
  };
}

const brierOf = (drawn: readonly QuestionUncertainty[]) =>
  brierScore(
    drawn[0]?.meanProbabilities.map((_, k) => `${k}`) ?? [],
    drawn.map(({ meanProbabilities }) => ({
      probabilities: Object.fromEntries(meanProbabilities.map((p, k) => [`${k}`, Math.min(1, p)])),
      truth: "0",
    })),
  );
