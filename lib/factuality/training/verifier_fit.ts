import { sha256Hex } from "../../files/atomic.ts";
import { randomSource } from "../../stats/random.ts";
import { FEATURE_NAMES, type FeatureGroup, FEATURES } from "../features/features.ts";
import { VERDICT_LABELS, type VerdictLabel, type VerdictProbabilities } from "../types.ts";
import { type BaselineSettings, scoreProbabilities } from "../verifiers/baselines.ts";
import {
  type Head,
  headLogits,
  headVerdict,
  type Sealed,
  sealed,
  type ShippedContent,
  standardisationOf,
  standardise,
  type TrainedWeights,
} from "../verifiers/head.ts";
import { fitLogistic } from "./fit_head.ts";
import type { KnowledgeCase } from "./knowledge_claims.ts";
import {
  fitScoreCalibration,
  type MeasuredVerdicts,
  measureVerdicts,
  type Reading,
} from "./measures.ts";
import { fitTemperature } from "./optimise.ts";
import { SPLITS } from "./splits.ts";
import type { Vector } from "./vectors.ts";

/** A case with its vector: the features; outside training also word overlap and sentence cosine. */
export interface VectorCase {
  readonly case: KnowledgeCase;
  readonly vector: Vector;
}

/** All groups of features, in the order of the table. */
export const FEATURE_GROUPS: readonly FeatureGroup[] = [
  ...new Set(FEATURES.map(({ group }) => group)),
];

/** Penalties tried; the selection is by what the head has not seen. */
const PENALTIES: readonly number[] = [0.0001, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3];

/** Balanced accuracy of a penalty on what was left out of training. */
interface PenaltyTrial {
  readonly l2: number;
  readonly balancedAccuracy: number;
}

/**
 * For each penalty: trained without one form of source or one kind of statement, measured on it in
 * the development split (binary reading), averaged. The penalty that carries over best to what was
 * never seen is the one for texts of other people.
 */
function tryPenalties(cases: readonly VectorCase[]): readonly PenaltyTrial[] {
  const leftOut = [...sharing(cases, "form"), ...sharing(cases, "kind")];
  return PENALTIES.map((l2) => {
    const values = leftOut.map((isLeftOut) => {
      const head = fitHead(cases.filter((one) => !isLeftOut(one)), l2, FEATURE_GROUPS);
      const unseen = cases.filter((one) => isLeftOut(one) && one.case.split === "development");
      return measuredHead(unseen, head, "binary").balancedAccuracy;
    }).filter((value) => typeof value === "number");
    return { l2, balancedAccuracy: values.reduce((a, b) => a + b, 0) / values.length };
  });
}

/** A test for each form of source, or each kind of statement, where the cases have several. */
function sharing(
  cases: readonly VectorCase[],
  what: "form" | "kind",
): readonly ((one: VectorCase) => boolean)[] {
  const values = [...new Set(cases.map((one) => one.case[what]))].sort();
  // Of one value nothing would be left to learn from.
  return values.length < 2 ? [] : values.map((value) => (one) => one.case[what] === value);
}

/** The trial with the best balanced accuracy; the strongest penalty of equals. */
export function bestPenalty(trials: readonly PenaltyTrial[]): number {
  return trials.reduce((best, trial) =>
    trial.balancedAccuracy >= best.balancedAccuracy ? trial : best
  ).l2;
}

/**
 * Fits a head on the train and development splits of the cases: standardised by the training split,
 * fitted on it, its temperature on the development split. Groups that are left out have weight 0.
 * @throws {RangeError} where a split is empty.
 */
export function fitHead(
  cases: readonly VectorCase[],
  l2: number,
  groups: readonly FeatureGroup[],
): Head {
  const rows = (split: string) => {
    const own = cases.filter((one) => one.case.split === split && one.vector !== undefined);
    const counts = new Map(VERDICT_LABELS.map((label) => [label, countOf(own, label)]));
    return own.map(({ vector, case: { label } }) => ({
      values: vector!.slice(0, FEATURE_NAMES.length),
      label: VERDICT_LABELS.indexOf(label),
      weight: PRIOR[label] * own.length / counts.get(label)!,
    }));
  };
  const train = rows("train");
  const scaling = standardisationOf(train.map(({ values }) => values));
  const used = FEATURES.map(({ group }) => groups.includes(group));
  const { coefficients, intercepts } = fitLogistic(
    train.map(({ values, ...row }) => ({
      ...row,
      features: standardise(values, scaling).filter((_, i) => used[i]),
    })),
    { classes: VERDICT_LABELS.length, l2 },
  );
  const widened = coefficients.map((row) => {
    let next = 0;
    return used.map((isUsed) => isUsed ? row[next++]! : 0);
  });
  const head = { ...scaling, hidden: undefined, output: { coefficients: widened, intercepts } };
  const temperature = fitTemperature(
    rows("development").map(({ values, ...row }) => ({ ...row, logits: headLogits(values, head) })),
  );
  return {
    ...head,
    temperature,
    labels: "three-way",
    rest: "not enough info",
    features: "readable",
  };
}

/**
 * Of the labels in training, whatever the shares of the cases made: so P(supported) ≥ 0.5 is where
 * as much speaks for as against, and neither kind of the rest is favoured.
 */
const PRIOR: VerdictProbabilities = { supported: 0.5, refuted: 0.25, "not enough info": 0.25 };

function countOf(cases: readonly VectorCase[], label: VerdictLabel): number {
  return cases.filter((one) => one.case.label === label).length;
}

/** What a head says of cases, measured. The seed of the interval is fixed: it is no result. */
export function measuredHead(
  cases: readonly VectorCase[],
  head: Head,
  reading: Reading,
): MeasuredVerdicts {
  const judged = cases.map((one) => ({
    label: one.case.label,
    cluster: one.case.cluster,
    probabilities: one.vector && headVerdict(one.vector, head),
  }));
  return measureVerdicts(judged, reading, randomSource("measured head"));
}

/** Thresholds of the baselines from the development split. */
export function fitBaselines(cases: readonly VectorCase[]): BaselineSettings {
  const development = cases.filter((one) =>
    one.case.split === "development" && one.vector !== undefined
  );
  const scored = (place: number) =>
    fitScoreCalibration(development.map((one) => ({
      score: one.vector![FEATURE_NAMES.length + place]!,
      label: one.case.label,
    })));
  const share = (label: VerdictLabel) =>
    development.filter((one) => one.case.label === label).length / development.length;
  const [supported, refuted, missing] = VERDICT_LABELS.map(share) as [number, number, number];
  return {
    majority: { supported, refuted, "not enough info": missing },
    overlap: scored(0),
    cosine: scored(1),
  };
}

/** What each baseline says of a vector. */
export function baselineProbabilities(
  vector: readonly number[],
  settings: BaselineSettings,
): Readonly<Record<"majority" | "word overlap" | "sentence cosine", VerdictProbabilities>> {
  const [overlap, cosine] = vector.slice(FEATURE_NAMES.length) as [number, number];
  return {
    majority: settings.majority,
    "word overlap": scoreProbabilities(overlap, settings.overlap),
    "sentence cosine": scoreProbabilities(cosine, settings.cosine),
  };
}

/** What a run of training gives. */
export interface TrainingRun {
  readonly trials: readonly PenaltyTrial[];
  readonly l2: number;
  readonly head: Head;
  /** Without each group of features: what the rest can do, on the development split. */
  readonly ablations: readonly {
    readonly group: FeatureGroup;
    readonly measured: MeasuredVerdicts;
  }[];
}

/** Chooses the penalty, fits the head, and fits it again without each group of features. */
export function runTraining(cases: readonly VectorCase[]): TrainingRun {
  const trials = tryPenalties(cases);
  const l2 = bestPenalty(trials);
  const development = ofSplit(cases, "development");
  const ablations = FEATURE_GROUPS.map((group) => {
    const rest = FEATURE_GROUPS.filter((other) => other !== group);
    return { group, measured: measuredHead(development, fitHead(cases, l2, rest), "three-way") };
  });
  return { trials, l2, head: fitHead(cases, l2, FEATURE_GROUPS), ablations };
}

/** The cases of a split. */
export function ofSplit(
  cases: readonly VectorCase[],
  split: (typeof SPLITS)[number],
): readonly VectorCase[] {
  return cases.filter((one) => one.case.split === split);
}

/** What else the weights file tells. */
interface WeightsOrigin {
  readonly seed: number;
  readonly encoder: string;
  readonly gazetteer: TrainedWeights["gazetteer"];
}

/** The file of a run's weights, sealed with their hash. */
export function weightsFile(
  cases: readonly VectorCase[],
  { head, l2 }: TrainingRun,
  { seed, encoder, gazetteer }: WeightsOrigin,
): Sealed<ShippedContent> {
  const [train, development, test] = SPLITS.map((split) => ofSplit(cases, split).length);
  return sealed({
    version: 1,
    features: [...FEATURE_NAMES],
    labels: [...VERDICT_LABELS],
    means: head.means.map(short),
    scales: head.scales.map(short),
    coefficients: head.output.coefficients.map((row) => row.map(short)),
    intercepts: head.output.intercepts.map(short),
    temperature: short(head.temperature),
    training: {
      seed,
      l2,
      groups: [...FEATURE_GROUPS],
      cases: { train: train!, development: development!, test: test! },
      dataSha256: casesHash(cases),
      encoder,
      development: developmentFigures(measuredHead(ofSplit(cases, "development"), head, "binary")),
    },
    gazetteer,
  });
}

function developmentFigures(measured: MeasuredVerdicts) {
  const figure = (value: MeasuredVerdicts["accuracy"]) => {
    if (typeof value === "number") return short(value);
    throw new RangeError(`Cannot describe the weights: ${value.reason} in the development split.`);
  };
  return {
    accuracy: figure(measured.accuracy),
    balancedAccuracy: figure(measured.balancedAccuracy),
    calibrationError: figure(measured.calibrationError),
  };
}

/** Eight digits are far more than the training knows, and keep the file readable. */
function short(value: number): number {
  return Number(value.toPrecision(8));
}

function casesHash(cases: readonly VectorCase[]): string {
  return sha256Hex(
    JSON.stringify(cases.map((one) => [one.case.claim, one.case.passages, one.case.label])),
  );
}
