import { sha256Hex } from "../../files/checksum.ts";
import { FEATURE_NAMES, type FeatureGroup } from "../features/features.ts";
import { VERDICT_LABELS } from "../verdicts/verdict.ts";
import {
  sealed,
  type VerifierContent,
  type VerifierWeights,
} from "../verifiers/verifier_weights.ts";
import { SPLITS } from "./country_split.ts";
import type { MeasuredVerdicts } from "./measured_verdicts.ts";
import type { TrainedHead } from "./train_head.ts";
import {
  bestPenalty,
  FEATURE_GROUPS,
  fitHead,
  measuredHead,
  type PenaltyTrial,
  tryPenalties,
  type VectorCase,
} from "./verifier_fit.ts";

/** What a run of training gives. */
export interface TrainingRun {
  readonly trials: readonly PenaltyTrial[];
  readonly l2: number;
  readonly head: TrainedHead;
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
export interface WeightsOrigin {
  readonly seed: number;
  readonly encoder: string;
  readonly gazetteer: VerifierWeights["gazetteer"];
}

/** The weights of a run, sealed with their hash. */
export function weightsOf(
  cases: readonly VectorCase[],
  { head, l2 }: TrainingRun,
  { seed, encoder, gazetteer }: WeightsOrigin,
): VerifierWeights {
  const [train, development, test] = SPLITS.map((split) => ofSplit(cases, split).length);
  const content: VerifierContent = {
    version: 1,
    features: [...FEATURE_NAMES],
    labels: [...VERDICT_LABELS],
    means: head.means.map(short),
    scales: head.scales.map(short),
    coefficients: head.coefficients.map((row) => row.map(short)),
    intercepts: head.intercepts.map(short),
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
  };
  return sealed(content);
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
