/**
 * Views of notebook 45: training claims, loss, one claim, ablation, and reliability of verdicts.
 */
import type { LineChart } from "../../figures/scatter.ts";
import type { MeasuredRow, ValueAxis } from "../../figures/rows.ts";
import { type Measure, share } from "../../stats/measure.ts";
import type { LabelledCase } from "../../factuality/labelled_case.ts";
import { isAccepted } from "../../factuality/decision.ts";
import type { ComponentRun } from "../../factuality/own/compare_components.ts";
import type { HumanLabelledRow } from "../../factuality/own/human_labelled.ts";
import { KNOWLEDGE_SET } from "./claims/knowledge_claims.ts";
import { claimKey, judgedClaims } from "./generation/response_claims.ts";
import type { ClaimRatingRow, ResponseClaimLabel, ResponseClaimRow } from "./generation/tables.ts";
import {
  balancedAccuracy,
  balancedAccuracyInterval,
  BINARY_LABELS,
  binaryLabel,
  confusionTable,
  figureInterval,
  reliabilityBins,
} from "../../factuality/metrics/classification.ts";
import { LABELLED, MEASURED_ALONE, VERIFIER } from "../../factuality/own/training/results.ts";
import { standardise } from "../../factuality/own/training/logistic.ts";
import type {
  LossRow,
  TrainingResult,
  VerifierAnswer,
  VerifierSourceRow,
} from "../../factuality/own/training/tables.ts";
import { HEAD_INPUTS, type LogisticHead } from "../../factuality/verifiers/head.ts";
import type { LargeCalibration } from "../../factuality/verifiers/large.ts";
import type { CaseLabel } from "../../factuality/types.ts";
import { decimal, figureOf, headedTable, measureOfEstimate } from "./tables.ts";

/** Returns the sentence that shares most words with the claim. */
export function nearestSentence(claim: string, texts: readonly string[]): string {
  const wordsIn = (text: string) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []);
  const words = wordsIn(claim);
  const share = (sentence: string) => {
    const sentenceWords = wordsIn(sentence);
    return sentenceWords.intersection(words).size / sentenceWords.union(words).size;
  };
  return texts.flatMap((text) => text.split(/(?<=[.!?])\s+/u))
    .reduce((best, one) => share(one) > share(best) ? one : best, "");
}

/**
 * Loss by step on training batches and on development claims. Stages of training have different
 * development claims and separate lines.
 */
export function lossChart(rows: readonly LossRow[]): Pick<LineChart, "lines" | "x" | "y"> {
  // A network whose training continues has seen these cases before.
  let seen = 0;
  const begins = new Map(
    [...new Map(rows.map(({ model, steps }) => [model, steps]))].map(([model, steps]) => {
      seen += steps;
      return [model, seen - steps];
    }),
  );
  const placed = rows.map((row) => ({ ...row, step: begins.get(row.model)! + row.step }));
  const pointsOf = (some: readonly LossRow[]) =>
    some.map(({ step, loss }) => ({ x: step, measure: measureOfEstimate(loss, "", "") }));
  const { train = [], development = [] } = Object.groupBy(placed, ({ split }) => split);
  const stages = [...Map.groupBy(development, ({ model }) => model).values()];
  const most = Math.max(...rows.map(({ loss }) => loss));
  const last = Math.max(...placed.map(({ step }) => step));
  return {
    lines: [
      { label: "training batches", points: pointsOf(train) },
      ...stages.map((stage, i) => ({
        label: `development, stage ${i + 1}`,
        points: pointsOf(stage),
      })),
    ],
    x: { label: "batches seen", format: "count", domain: [0, Math.ceil(1.02 * last)] },
    y: { label: "loss (nats)", format: "decimal", domain: [0, Math.ceil(10 * most) / 10] },
  };
}

/**
 * Table of the head's inputs with the largest contributions to the log-odds of supported:
 * standardised value × coefficient.
 */
export function weighedTable(inputs: readonly number[], head: LogisticHead, count: number) {
  const [supported] = head.coefficients;
  const weighed = standardise(inputs, head)
    .map((value, i) => ({ i, adds: value * supported![i]! }))
    .toSorted((a, b) => Math.abs(b.adds) - Math.abs(a.adds)).slice(0, count)
    .map(({ i, adds }) => [HEAD_INPUTS[i], inputs[i]!.toFixed(2), adds.toFixed(2)]);
  return headedTable("input | value | adds to the log-odds", weighed);
}

/** Returns a row's balanced accuracy with its interval. */
export const rowMeasure = (row: Pick<TrainingResult, "balanced_accuracy" | "low" | "high">) =>
  measureOfEstimate(row.balanced_accuracy, row.low, row.high);

/**
 * Returns a verifier's binary result on a set: supported against not supported.
 * @throws {RangeError} where it was not measured.
 */
export function resultOf(rows: readonly TrainingResult[], set: string, verifier: string) {
  const match = rows.find((row) =>
    row.set === set && row.verifier === verifier && row.reading === "binary"
  );
  if (match !== undefined) return match;
  throw new RangeError(
    `Cannot tell of ${verifier} on ${set}: verifier_training.csv has no such row; run "deno task ` +
      'factcheck train verifier" with labelled claims.',
  );
}

/** Axis of balanced accuracy, from the tenth below the minimum (at most chance) to 1. */
export function accuracyAxis(rows: readonly MeasuredRow[]): ValueAxis {
  const lows = rows.flatMap(({ measure }) =>
    measure.kind === "unavailable" ? [] : [measure.kind === "interval" ? measure.low : 0.5]
  );
  const floor = Math.floor(10 * Math.min(0.5, ...lows)) / 10;
  const reference = { value: 0.5, label: "chance" };
  return { label: "balanced accuracy", format: "decimal", domain: [floor, 1], reference };
}

/** Set of rule-made claims about countries outside all training data, as tables name it. */
const MADE_CLAIMS = `${KNOWLEDGE_SET}, test`;

const WITHOUT = `${VERIFIER} without `;

/** The verifier, its parts alone, and the verifier without each part. */
const partsOf = (rows: readonly TrainingResult[]) =>
  rows.filter(({ step, verifier, reading }) =>
    reading === "binary" &&
    (step === "ablation" || [VERIFIER, "network alone", "features alone"].includes(verifier))
  ).map((row) => ({ ...row, label: row.verifier.replace(WITHOUT, "without ") }));

/** Forest-plot rows of the ablation, for each set with an ablated group of inputs. */
export const ablationRows = (rows: readonly TrainingResult[]): readonly MeasuredRow[] =>
  [...Map.groupBy(partsOf(rows), ({ set }) => set)]
    .filter(([, parts]) => parts.some(({ verifier }) => verifier.startsWith(WITHOUT)))
    .flatMap(([group, parts]) =>
      parts.map((row) => (
        { group: originName(group), label: row.label, measure: rowMeasure(row) }
      ))
    );

/** Table of the verifier's verdicts on labelled claims by source, per cent of n. */
export const sourcesTable = (rows: readonly VerifierSourceRow[]) =>
  headedTable(
    "source | label | n | supported | refuted | not enough info",
    rows.map(({ source, label, n, supported, refuted, not_enough_info: open }) => [
      ...[source, label, n],
      ...[supported, refuted, open].map((count) => `${(100 * count / n).toFixed(0)} %`),
    ]),
  );

/** Baselines that do not use meaning. */
const SIMPLE = ["word overlap", "sentence cosine", "claim length"];

/** Pairs the verifier with the best baseline, for each source in order. */
const heldOutPairs = (rows: readonly TrainingResult[]) =>
  [...Map.groupBy(rows.filter(({ reading }) => reading === "binary"), ({ set }) => set)]
    .flatMap(([set, results]) => {
      const mine = results.find(({ verifier }) => verifier === VERIFIER);
      const simple = results.filter(({ verifier }) => SIMPLE.includes(verifier))
        .toSorted((a, b) => b.balanced_accuracy - a.balanced_accuracy)[0];
      return mine && simple ? [{ set, mine, simple }] : [];
    });

/** Results by source, each from a fit without that source. */
const sourceRows = (rows: readonly TrainingResult[]) =>
  heldOutPairs(rows.filter(({ step }) => step === "source"));

/**
 * Paired difference between two verifiers' balanced accuracies, −1 to 1. It is over the claims that
 * both answered (supported or not), with its 95 % interval by cluster. Positive values favour the
 * first.
 */
export function pairedBalanced(
  first: readonly VerifierAnswer[],
  second: readonly VerifierAnswer[],
): Measure {
  const others = new Map(second.map((row) => [row.case_id, row.supported]));
  const answered = first.flatMap(({ case_id, cluster, label, supported }) => {
    const other = others.get(case_id) ?? "";
    const truth = binaryLabel(label === "supported");
    return supported === "" || other === "" ? [] : [{ cluster, truth, both: [supported, other] }];
  });
  return figureInterval(answered, (drawn) => {
    const [one, other] = [0, 1].map((which) => {
      const outcomes = drawn.map(({ truth, both }) => {
        return { truth, predicted: binaryLabel(isAccepted(both[which]!)) };
      });
      return balancedAccuracy(confusionTable(BINARY_LABELS, outcomes));
    });
    if (typeof one !== "number") return one!;
    return typeof other === "number" ? one - other : other!;
  }, [-1, 1]);
}

/**
 * Table of the verifier against the best baseline, by source. It includes claims about held-out
 * countries; each row is from a fit without its source and has the paired difference of balanced
 * accuracies. The best baseline is chosen on these claims, which favours it.
 */
export function heldOutSourcesTable(
  rows: readonly TrainingResult[],
  answers: readonly VerifierAnswer[],
) {
  const made = rows.filter(({ step, set }) => step === "result" && set === MADE_CLAIMS);
  const answersOf = Map.groupBy(
    answers.filter(({ set }) => [LABELLED, MEASURED_ALONE, MADE_CLAIMS].includes(set)),
    ({ set, source, verifier }) => `${set === MADE_CLAIMS ? set : source}/${verifier}`,
  );
  const accuracy = ({ balanced_accuracy: balanced, low, high }: TrainingResult) =>
    `${balanced.toFixed(2)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
  const area = (row: TrainingResult) => row.area_under_curve.toFixed(2);
  const sources = [...sourceRows(rows), ...heldOutPairs(made)].map(({ set, mine, simple }) => {
    const [first, second] = [mine, simple].map(({ verifier }) =>
      answersOf.get(`${set}/${verifier}`) ?? []
    );
    return [
      ...[`${set} (${mine.n})`, accuracy(mine), area(mine)],
      ...[simple.verifier, accuracy(simple), area(simple)],
      decimal(pairedBalanced(first!, second!)),
    ];
  });
  return headedTable(
    "source (n) | verifier | AUC | best baseline | its balanced accuracy | its AUC | difference",
    sources,
  );
}

/** Means over the sources of balanced accuracy and area under the curve. */
export function meanOverSources(rows: readonly TrainingResult[]) {
  const sources = sourceRows(rows);
  const mean = (valueOf: (row: (typeof sources)[number]) => number) =>
    sources.reduce((sum, row) => sum + valueOf(row), 0) / sources.length;
  return {
    sources: sources.length,
    balanced: mean(({ mine }) => mine.balanced_accuracy),
    area: mean(({ mine }) => mine.area_under_curve),
    simple: mean(({ simple }) => simple.balanced_accuracy),
  };
}

/** A labelled claim with its predicted P(supported), 0–1. */
export interface PredictedClaim {
  readonly cluster: string;
  readonly label: CaseLabel;
  readonly supported: number;
}

/** Returns {@link balancedAccuracyInterval} with acceptance by `decision.ts`. */
export const binaryBalancedAccuracy = (predictions: readonly PredictedClaim[]) =>
  balancedAccuracyInterval(
    predictions.map(({ cluster, label, supported }) => (
      { cluster, isSupported: label === "supported", isAccepted: isAccepted(supported) }
    )),
  );

/** Predictions of a component; cases without an answer are left out. */
export const classificationsBy = (
  cases: readonly LabelledCase[],
  { answers }: ComponentRun,
): readonly PredictedClaim[] =>
  cases.flatMap(({ id, label, cluster }) => {
    const supported = answers.get(id)?.supported;
    return supported === undefined ? [] : [{ label, cluster, supported }];
  });

/**
 * Predictions of the verifier for claims that models wrote. Throws as `judgedClaims` does. @param
 * by Cluster: the country asked about, or the field of the knowledge base (of any country) that the
 * verdict is based on.
 */
export function responseClassifications(
  labels: readonly ResponseClaimLabel[],
  claims: readonly ResponseClaimRow[],
  by: "country" | "field" = "country",
): readonly PredictedClaim[] {
  const passages = new Map(claims.map((row) => [claimKey(row), row.evidence_passage]));
  const fieldOf = (row: ResponseClaimLabel) => passages.get(claimKey(row))!.replace(/^[^/]*\//, "");
  return judgedClaims(labels, claims).flatMap(({ label, cluster, probabilities }, i) => {
    if (probabilities === undefined) return [];
    const claimCluster = by === "country" ? cluster : fieldOf(labels[i]!);
    return [{ label, cluster: claimCluster, supported: probabilities.supported }];
  });
}

/** Predictions of a rater for the claims that it rated. */
export function predictionsByRater(
  rater: string,
  ratings: readonly ClaimRatingRow[],
  labels: readonly ResponseClaimLabel[],
): readonly PredictedClaim[] {
  const raterRows = ratings.filter((row) => row.rater === rater);
  const scores = new Map(raterRows.map((row) => [claimKey(row), row.score]));
  return labels.flatMap((row) => {
    const supported = scores.get(claimKey(row)) ?? "";
    return supported === "" ? [] : [{ label: row.label, cluster: row.question_id, supported }];
  });
}

/** Share of refuted claims predicted as supported; unavailable without refuted claims. */
export function passedShare(predictions: readonly PredictedClaim[]) {
  const refuted = predictions.filter(({ label }) => label === "refuted");
  return share(refuted.map(({ cluster, supported }) => (
    { cluster, value: isAccepted(supported) }
  )));
}

/** Readable names of the training's sets of claims. */
const ORIGINS: Readonly<Record<string, string>> = {
  "labelled claims, held out": "development sources, evidence alone",
  "labelled claims among other evidence, held out": "development sources, evidence in a text",
  "factbook claims, test": "claims made by rule",
};

/** Returns the readable name of a set of claims. Other names stay unchanged. */
export const originName = (set: string): string => ORIGINS[set] ?? set;

/** Accuracy of one verifier on one set of claims. */
export interface TrustRow {
  readonly claims: string;
  readonly verifier: string;
  readonly n: number;
  /** Balanced accuracy of supported against not supported. */
  readonly accuracy: Measure;
  /** Share of refuted claims predicted as supported. Undefined where only aggregates are stored. */
  readonly passed?: Measure;
}

/** Computes a row from predictions for single claims. */
export function trustOf(
  claims: string,
  verifier: string,
  predictions: readonly PredictedClaim[],
): TrustRow {
  const accuracy = binaryBalancedAccuracy(predictions);
  return { claims, verifier, n: predictions.length, accuracy, passed: passedShare(predictions) };
}

/** Rows from training results of the named verifiers. */
export const trustOfTraining = (
  rows: readonly TrainingResult[],
  verifiers: readonly string[],
): readonly TrustRow[] =>
  rows.filter(({ step, verifier, reading }) =>
    step === "result" && reading === "binary" && verifiers.includes(verifier)
  ).map((row) => (
    { claims: row.set, verifier: row.verifier, n: row.n, accuracy: rowMeasure(row) }
  ));

/** Rows from human-labelled sets. */
export const trustOfPeople = (rows: readonly HumanLabelledRow[]): readonly TrustRow[] =>
  rows.map((row) => {
    const accuracy = figureOf(row, "balanced_accuracy", "one label only");
    return { claims: row.set, verifier: row.component, n: row.n, accuracy };
  });

/** Rows from the measurements of `verifier: large`. */
export const trustOfLarge = ({ id, measured }: LargeCalibration): readonly TrustRow[] =>
  measured.map(({ on: claims, n, balancedAccuracy, low, high }) => (
    {
      claims,
      verifier: `large (${id})`,
      n,
      accuracy: measureOfEstimate(balancedAccuracy, low, high),
    }
  ));

/** Forest-plot rows of each verifier's accuracy by origin, with n in brackets. */
export const trustRows = (rows: readonly TrustRow[]): readonly MeasuredRow[] =>
  [...Map.groupBy(rows, ({ claims }) => originName(claims))].flatMap(([group, groupRows]) =>
    groupRows.map(({ verifier, n, accuracy: measure }) => ({
      group,
      label: `${verifier} (${n})`,
      measure,
    }))
  );

/** Table with one row per verifier and set, grouped by set. */
export function trustTable(rows: readonly TrustRow[]) {
  const cells = [...Map.groupBy(rows, ({ claims }) => claims).values()].flatMap((setRows) =>
    setRows.map(({ claims, verifier, n, accuracy, passed }) => {
      const rate = passed?.kind === "interval" ? `${decimal(passed)} of ${passed.n}` : undefined;
      return [claims, verifier, n, decimal(accuracy), rate];
    })
  );
  return headedTable("claims | verifier | n | balanced accuracy | refuted ones that pass", cells);
}

/** Calibration of P(supported) in bins, ten by default. */
export function reliabilityOf(
  component: string,
  predictions: readonly PredictedClaim[],
  bins?: number,
) {
  const forecasts = predictions.map(({ label, supported: confidence }) => (
    { confidence, right: label === "supported" }
  ));
  return { component, forecasts, bins: reliabilityBins(forecasts, bins) };
}
