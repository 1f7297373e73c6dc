import { sha256Hex } from "../../files/atomic.ts";
import { randomSource } from "../../stats/random.ts";
import type { LabelledCase } from "../datasets/labelled_case.ts";
import { FEATURE_NAMES } from "../features/features.ts";
import * as heads from "../verifiers/head.ts";
import { fitNetwork, type FitProgress, type TrainingRow } from "./fit_head.ts";
import { measureHead } from "./measures.ts";
import type { Split } from "./splits.ts";
import type { Vector } from "./vectors.ts";

/** A labelled claim with its numbers and its part in the training. */
export interface SplitCase {
  readonly case: LabelledCase;
  /** A `pairVector`, or its readable part where nothing else is read; undefined without evidence. */
  readonly vector: Vector;
  readonly split: Split;
}

/** How a head of one's own is trained. */
export interface HeadSettings {
  readonly labels: heads.LabelScheme;
  readonly features: heads.FeatureSet;
  /** Hidden units; 0 for a logistic head. */
  readonly hidden: number;
  readonly l2: number;
  readonly classWeights: "balanced" | "as found";
  readonly patience: number;
  readonly maxIterations: number;
  readonly seed: number;
}

export type TrainedOwnHead = ReturnType<typeof trainOwnHead>;

/**
 * Trains a head on the cases in train, with development for stopping and temperature.
 * @throws {RangeError} where a part is empty, a class has no case in training, or a label does not fit
 * the scheme, naming the case.
 */
export function trainOwnHead(
  cases: readonly SplitCase[],
  settings: HeadSettings,
  onIteration?: (progress: FitProgress) => void,
) {
  const { labels, features, seed } = settings;
  const rows = (split: Split) => headRows(cases.filter((one) => one.split === split), settings);
  const [train, development] = [rows("train"), rows("development")];
  const missing = heads.SCHEME_LABELS[labels].find((_, k) =>
    !train.some(({ label }) => label === k)
  );
  if (missing !== undefined) {
    throw new RangeError(
      `Cannot train a ${labels} head: no claim to learn from is ${missing}.` +
        (labels === "three-way" ? " Train a binary head." : ""),
    );
  }
  const { head, bestIteration, iterations } = fitNetwork(train, development, {
    ...settings,
    classes: heads.SCHEME_LABELS[labels].length,
    random: randomSource(`${seed}/head`),
    onIteration,
  });
  const learnt = cases.filter(({ split }) => split === "train");
  const rest = heads.restLabel(learnt.map((one) => one.case.label));
  return { ...shortened(head), labels, rest, features, bestIteration, iterations };
}

/**
 * Trains a head, measures it on the cases in test, and seals both with their hash.
 * @param origin What else the file tells; `data` is what was trained on, in words.
 */
export function ownHeadFile(
  cases: readonly SplitCase[],
  settings: HeadSettings,
  origin: Pick<heads.OwnContent, "encoder"> & Pick<heads.TrainedWeights, "gazetteer"> & {
    readonly data: string;
  },
  onIteration?: (progress: FitProgress) => void,
): heads.Sealed<heads.OwnContent> {
  const trained = trainOwnHead(cases, settings, onIteration);
  const { bestIteration, iterations, labels, rest, features, output, temperature } = trained;
  const { seed, l2, hidden, patience, classWeights } = settings;
  const data = cases.map(({ case: one, split }) => [one.claim, one.passages, one.label, split]);
  const dataSha256 = sha256Hex(JSON.stringify(data));
  const judged = judgedBy(trained, cases.filter(({ split }) => split === "test"));
  const fit = { seed, l2, hidden, classWeights, patience, bestIteration, iterations };
  const content = {
    version: 2,
    labels,
    rest,
    features,
    featureNames: [...FEATURE_NAMES],
    encoder: origin.encoder,
    means: trained.means,
    scales: trained.scales,
    hidden: trained.hidden ?? null,
    output,
    temperature,
    training: { ...fit, cases: splitCounts(cases), data: origin.data, dataSha256 },
    heldOut: measureHead(judged, labels, randomSource(`${seed}/held-out`)),
    gazetteer: origin.gazetteer,
  };
  return heads.sealed(content as unknown as heads.OwnContent);
}

/** How many cases are in each split. */
export function splitCounts(cases: readonly { readonly split: Split }[]) {
  const count = (wanted: Split) => cases.filter(({ split }) => split === wanted).length;
  return { train: count("train"), development: count("development"), test: count("test") };
}

/** What a head says of cases. */
export function judgedBy(head: heads.Head, cases: readonly Pick<SplitCase, "case" | "vector">[]) {
  return cases.map(({ case: { label, cluster }, vector }) => ({
    label,
    cluster,
    probabilities: vector && heads.headVerdict(vector, head),
  }));
}

function headRows(
  cases: readonly SplitCase[],
  { labels, features, classWeights: weighting }: HeadSettings,
): readonly TrainingRow[] {
  const rows = cases.flatMap(({ case: { id, label }, vector }) => {
    const index = heads.classOf(label, labels);
    if (index === undefined) {
      throw new RangeError(
        `Cannot train a three-way head: ${id} is labelled "${label}", which does not tell refuted ` +
          "from not enough info. Train a binary head.",
      );
    }
    return vector === undefined
      ? []
      : [{ features: heads.headInput(vector, features), label: index }];
  });
  const { length: classes } = heads.SCHEME_LABELS[labels];
  const weights = classWeights(rows.map(({ label }) => label), classes, weighting);
  return rows.map((row) => ({ ...row, weight: weights[row.label]! }));
}

/** Eight digits are far more than the training knows, and keep the file readable. */
export function shortened({ hidden, output, means, scales, temperature }: heads.NetworkHead) {
  const short = (value: number) => Number(value.toPrecision(8));
  const list = (values: readonly number[]) => values.map(short);
  return {
    means: list(means),
    scales: list(scales),
    hidden: hidden && { weights: hidden.weights.map(list), biases: list(hidden.biases) },
    output: { coefficients: output.coefficients.map(list), intercepts: list(output.intercepts) },
    temperature: short(temperature),
  };
}

/**
 * What a case of each class counts, by index; the cases together count as many as they are. Balanced,
 * half of the weight is supported's, the rest shared evenly: P(supported) ≥ ½ is where as much speaks
 * for as against, whatever the shares of the labels. A class without cases has weight 0 and its share
 * goes to the others.
 */
export function classWeights(
  labels: readonly number[],
  classes: number,
  weighting: HeadSettings["classWeights"],
): readonly number[] {
  const counted = (k: number) => labels.filter((label) => label === k).length;
  const counts = Array.from({ length: classes }, (_, k) => counted(k));
  if (weighting === "as found") return counts.map((count) => Number(count > 0));
  const shares = counts.map((count, k) => count && (k === 0 ? 0.5 : 0.5 / (classes - 1)));
  const total = shares.reduce((a, b) => a + b, 0);
  return counts.map((count, k) => count && shares[k]! / total * labels.length / count);
}

/**
 * Penalty λ of a head by what it reads: the best of 0.001, 0.01 and 0.1 on the development countries,
 * logistic heads learning from all training countries. 1,536 numbers of sentence vectors want more
 * restraint than 27 features.
 */
export const USUAL_PENALTY: Readonly<Record<heads.FeatureSet, number>> = {
  readable: 0.001,
  embeddings: 0.1,
  both: 0.1,
};
