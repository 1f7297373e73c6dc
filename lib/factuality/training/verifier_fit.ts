/** The verifier that ships: its penalty chosen, its head fitted, and its weights sealed. */
import { sha256Hex } from "../../files/atomic.ts";
import { randomSource } from "../../stats/random.ts";
import { FEATURE_NAMES, type FeatureGroup, FEATURES } from "../features/features.ts";
import { VERDICT_LABELS, type VerdictLabel } from "../types.ts";
import { type BaselineSettings, scoreProbabilities } from "../verifiers/baselines.ts";
import * as heads from "../verifiers/head.ts";
import { fitLogistic } from "./fit_head.ts";
import type { KnowledgeCase } from "./knowledge_claims.ts";
import { fitScoreCalibration, type MeasuredVerdicts } from "./measures.ts";
import { measureVerdicts, type Reading } from "./measures.ts";
import { fitTemperature } from "./optimise.ts";
import { classWeights, judgedBy, shortened, splitCounts } from "./own_head.ts";
import type { Split } from "./splits.ts";
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

/** The cases of a split. */
export const ofSplit = (cases: readonly VectorCase[], split: Split): readonly VectorCase[] =>
  cases.filter((one) => one.case.split === split);

/** Penalties tried; the selection is by what the head has not seen. */
const PENALTIES: readonly number[] = [0.0001, 0.001, 0.003, 0.01, 0.03, 0.1, 0.3];

/**
 * For each penalty: trained without one form of source or one kind of statement, measured on it in
 * the development split (binary reading), averaged. The penalty that carries over best to what was
 * never seen is the one for texts of other people.
 */
function tryPenalties(cases: readonly VectorCase[]) {
  const leftOut = (["form", "kind"] as const).flatMap((what) => {
    const values = [...new Set(cases.map((one) => one.case[what]))].sort();
    // Of one value nothing would be left to learn from.
    if (values.length < 2) return [];
    return values.map((value) => (one: VectorCase) => one.case[what] === value);
  });
  return PENALTIES.map((l2) => {
    const values = leftOut.map((isLeftOut) => {
      const head = fitHead(cases.filter((one) => !isLeftOut(one)), l2, FEATURE_GROUPS);
      const unseen = ofSplit(cases, "development").filter(isLeftOut);
      return measuredHead(unseen, head, "binary").balancedAccuracy;
    }).filter((value) => typeof value === "number");
    return { l2, balancedAccuracy: values.reduce((a, b) => a + b, 0) / values.length };
  });
}

/**
 * Fits a head on the train and development splits of the cases: standardised by the training split,
 * fitted on it, its temperature on the development split. Groups that are left out have weight 0. The
 * labels count ½, ¼, ¼ whatever the shares of the cases made: so P(supported) ≥ 0.5 is where as much
 * speaks for as against.
 * @throws {RangeError} where a split is empty.
 */
export function fitHead(cases: readonly VectorCase[], l2: number, groups: readonly FeatureGroup[]) {
  const rows = (split: Split) => {
    const own = ofSplit(cases, split).filter(({ vector }) => vector !== undefined);
    const labels = own.map((one) => VERDICT_LABELS.indexOf(one.case.label));
    const weights = classWeights(labels, VERDICT_LABELS.length, "balanced");
    return own.map(({ vector }, i) => {
      const [values, label] = [vector!.slice(0, FEATURE_NAMES.length), labels[i]!];
      return { values, label, weight: weights[label]! };
    });
  };
  const train = rows("train");
  const scaling = heads.standardisationOf(train.map(({ values }) => values));
  const used = FEATURES.map(({ group }) => groups.includes(group));
  const { coefficients, intercepts } = fitLogistic(
    train.map(({ values, ...row }) => ({
      ...row,
      features: heads.standardise(values, scaling).filter((_, i) => used[i]),
    })),
    { classes: VERDICT_LABELS.length, l2 },
  );
  const widened = coefficients.map((row) => {
    let next = 0;
    return used.map((isUsed) => isUsed ? row[next++]! : 0);
  });
  const head = { ...scaling, hidden: undefined, output: { coefficients: widened, intercepts } };
  const temperature = fitTemperature(
    rows("development").map(({ values, ...row }) => {
      return { ...row, logits: heads.headLogits(values, head) };
    }),
  );
  const reading = { labels: "three-way", rest: "not enough info", features: "readable" } as const;
  return { ...head, temperature, ...reading };
}

/** What a head says of cases, measured. The seed of the interval is fixed: it is no result. */
export function measuredHead(cases: readonly VectorCase[], head: heads.Head, reading: Reading) {
  return measureVerdicts(judgedBy(head, cases), reading, randomSource("measured head"));
}

/** Thresholds of the baselines from the development split. */
export function fitBaselines(cases: readonly VectorCase[]): BaselineSettings {
  const development = ofSplit(cases, "development").flatMap(({ case: { label }, vector }) =>
    vector === undefined ? [] : [{ label, scores: vector.slice(FEATURE_NAMES.length) }]
  );
  const scored = (place: number) =>
    fitScoreCalibration(development.map(({ label, scores }) => ({ label, score: scores[place]! })));
  const share = (wanted: VerdictLabel) =>
    development.filter(({ label }) => label === wanted).length / development.length;
  const majority = {
    supported: share("supported"),
    refuted: share("refuted"),
    "not enough info": share("not enough info"),
  };
  return { majority, overlap: scored(0), cosine: scored(1) };
}

/** What each baseline says of a vector. */
export function baselineProbabilities(vector: readonly number[], settings: BaselineSettings) {
  const [overlap, cosine] = vector.slice(FEATURE_NAMES.length) as [number, number];
  return {
    majority: settings.majority,
    "word overlap": scoreProbabilities(overlap, settings.overlap),
    "sentence cosine": scoreProbabilities(cosine, settings.cosine),
  };
}

export type TrainingRun = ReturnType<typeof runTraining>;

/**
 * Chooses the penalty (the best on what was left out, the strongest of equals), fits the head, and
 * fits it again without each group of features: what the rest can do, on the development split.
 */
export function runTraining(cases: readonly VectorCase[]) {
  const trials = tryPenalties(cases);
  const { l2 } = trials.reduce((best, trial) =>
    trial.balancedAccuracy >= best.balancedAccuracy ? trial : best
  );
  const development = ofSplit(cases, "development");
  const ablations = FEATURE_GROUPS.map((group) => {
    const rest = FEATURE_GROUPS.filter((other) => other !== group);
    return { group, measured: measuredHead(development, fitHead(cases, l2, rest), "three-way") };
  });
  return { trials, l2, head: fitHead(cases, l2, FEATURE_GROUPS), ablations };
}

/** The file of a run's weights, sealed with their hash. */
export function weightsFile(
  cases: readonly VectorCase[],
  { head, l2 }: TrainingRun,
  { seed, encoder, gazetteer }: Pick<heads.TrainedWeights, "gazetteer"> & {
    readonly seed: number;
    readonly encoder: string;
  },
): heads.Sealed<heads.ShippedContent> {
  const { means, scales, output, temperature } = shortened(head);
  const measured = measuredHead(ofSplit(cases, "development"), head, "binary");
  const figure = (value: MeasuredVerdicts["accuracy"]) => {
    if (typeof value === "number") return Number(value.toPrecision(8));
    throw new RangeError(`Cannot describe the weights: ${value.reason} in the development split.`);
  };
  return heads.sealed({
    version: 1,
    features: [...FEATURE_NAMES],
    labels: [...VERDICT_LABELS],
    means,
    scales,
    ...output,
    temperature,
    training: {
      seed,
      l2,
      groups: [...FEATURE_GROUPS],
      cases: splitCounts(cases.map((one) => one.case)),
      dataSha256: sha256Hex(
        JSON.stringify(cases.map((one) => [one.case.claim, one.case.passages, one.case.label])),
      ),
      encoder,
      development: {
        accuracy: figure(measured.accuracy),
        balancedAccuracy: figure(measured.balancedAccuracy),
        calibrationError: figure(measured.calibrationError),
      },
    },
    gazetteer,
  } as heads.ShippedContent);
}
