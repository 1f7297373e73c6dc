import { sha256Hex } from "../../../files/checksum.ts";
import { randomSource } from "../../../stats/random.ts";
import type { LabelledCase } from "../../cases/labelled_case.ts";
import { FEATURE_NAMES } from "../../features/features.ts";
import {
  classOf,
  type LabelScheme,
  restLabel,
  SCHEME_LABELS,
} from "../../verifiers/head_labels.ts";
import {
  type HeadContent,
  type HeadPart,
  headVerdict,
  type HeadWeights,
  sealedHead,
} from "../../verifiers/head_weights.ts";
import type { NetworkHead } from "../../verifiers/network_head.ts";
import { type FeatureSet, headInput } from "../../verifiers/pair_vector.ts";
import type { Vector } from "../case_vectors.ts";
import { type Split, SPLITS } from "../country_split.ts";
import { type ClassWeighting, classWeights } from "./class_weights.ts";
import { fitNetwork, type FitProgress } from "./fit_network.ts";
import { measureHead } from "./head_measures.ts";
import type { HeadRow } from "./training_table.ts";

/** A labelled claim with its numbers and its part in the training. */
export interface SplitCase {
  readonly case: LabelledCase;
  /** A `pairVector`, or its readable part where nothing else is read; undefined without evidence. */
  readonly vector: Vector;
  readonly split: Split;
}

/** How a head of one's own is trained. */
export interface HeadSettings {
  readonly labels: LabelScheme;
  readonly features: FeatureSet;
  /** Hidden units; 0 for a logistic head. */
  readonly hidden: number;
  readonly l2: number;
  readonly classWeights: ClassWeighting;
  readonly patience: number;
  readonly maxIterations: number;
  readonly seed: number;
}

/** What else the weights tell. */
export interface HeadOrigin {
  /** What was trained on, in words. */
  readonly data: string;
  readonly encoder: { readonly name: string; readonly dimensions: number };
  readonly gazetteer: HeadWeights["gazetteer"];
}

/** Everything of a trained head but its origin and what was measured of it. */
export type TrainedOwnHead = Pick<HeadContent, HeadPart> & {
  readonly bestIteration: number;
  readonly iterations: number;
};

/**
 * Trains a head on the cases in train, with development for stopping and temperature.
 * @throws {RangeError} where a part is empty, a class has no case in training, or a label does not fit
 * the scheme, naming the case.
 */
export function trainOwnHead(
  cases: readonly SplitCase[],
  settings: HeadSettings,
  onIteration?: (progress: FitProgress) => void,
): TrainedOwnHead {
  const { labels, features, hidden, l2, patience, maxIterations, seed } = settings;
  const [train, development] = (["train", "development"] as const)
    .map((split) => headRows(cases.filter((one) => one.split === split), settings));
  requireClasses(train!, labels);
  const { head, bestIteration, iterations } = fitNetwork(train!, development!, {
    ...{ classes: SCHEME_LABELS[labels].length, hidden, l2, patience, maxIterations },
    random: randomSource(`${seed}/head`),
    ...onIteration === undefined ? {} : { onIteration },
  });
  const learnt = cases.filter(({ split }) => split === "train");
  const rest = restLabel(learnt.map((one) => one.case.label));
  return { ...{ labels, rest, features, bestIteration, iterations }, ...shortened(head) };
}

/** Trains a head, measures it on the cases in test, and seals both with their hash. */
export function ownHeadWeights(
  cases: readonly SplitCase[],
  settings: HeadSettings,
  { data, encoder, gazetteer }: HeadOrigin,
  onIteration?: (progress: FitProgress) => void,
): HeadWeights {
  const trained = trainOwnHead(cases, settings, onIteration);
  const { bestIteration, iterations, labels, rest, features, ...numbers } = trained;
  const judged = judgedBy(trained, cases.filter(({ split }) => split === "test"));
  const [train, development, test] = SPLITS.map((split) =>
    cases.filter((one) => one.split === split).length
  ) as [number, number, number];
  const { seed, l2, hidden, patience } = settings;
  return sealedHead({
    ...{ version: 2, labels, rest, features, featureNames: [...FEATURE_NAMES], encoder },
    ...numbers,
    training: {
      ...{ seed, l2, hidden, classWeights: settings.classWeights, patience },
      ...{ bestIteration, iterations, cases: { train, development, test }, data },
      dataSha256: dataHash(cases),
    },
    heldOut: measureHead(judged, labels, randomSource(`${seed}/held-out`)),
    gazetteer,
  });
}

/** What a head says of cases. */
export function judgedBy(head: TrainedOwnHead, cases: readonly SplitCase[]) {
  return cases.map(({ case: { label, cluster }, vector }) => ({
    ...{ label, cluster },
    probabilities: vector === undefined ? undefined : headVerdict(vector, head),
  }));
}

function headRows(
  cases: readonly SplitCase[],
  { labels, features, classWeights: weighting }: HeadSettings,
): readonly HeadRow[] {
  const rows = cases.flatMap(({ case: { id, label }, vector }) => {
    const index = classOf(label, labels);
    if (index === undefined) {
      throw new RangeError(
        `Cannot train a three-way head: ${id} is labelled "${label}", which does not tell refuted ` +
          "from not enough info. Train a binary head.",
      );
    }
    return vector === undefined ? [] : [{ input: headInput(vector, features), label: index }];
  });
  const weights = classWeights(
    rows.map(({ label }) => label),
    SCHEME_LABELS[labels].length,
    weighting,
  );
  return rows.map((row) => ({ ...row, weight: weights[row.label]! }));
}

function requireClasses(rows: readonly HeadRow[], scheme: LabelScheme): void {
  const missing = SCHEME_LABELS[scheme].find((_, k) => !rows.some(({ label }) => label === k));
  if (missing === undefined) return;
  throw new RangeError(
    `Cannot train a ${scheme} head: no claim to learn from is ${missing}.` +
      (scheme === "three-way" ? " Train a binary head." : ""),
  );
}

/** Eight digits are far more than the training knows, and keep the file readable. */
function shortened({ hidden, output, means, scales, temperature }: NetworkHead) {
  const short = (value: number) => Number(value.toPrecision(8));
  const rows = (values: readonly (readonly number[])[]) => values.map((row) => row.map(short));
  return {
    means: means.map(short),
    scales: scales.map(short),
    hidden: hidden === undefined
      ? null
      : { weights: rows(hidden.weights), biases: hidden.biases.map(short) },
    output: { coefficients: rows(output.coefficients), intercepts: output.intercepts.map(short) },
    temperature: short(temperature),
  };
}

function dataHash(cases: readonly SplitCase[]): string {
  return sha256Hex(
    JSON.stringify(
      cases.map(({ case: { claim, passages, label }, split }) => [claim, passages, label, split]),
    ),
  );
}
