import type { RandomSource } from "../../stats/random.ts";
import { clusterFolds, FOLDS } from "../judges/calibrate_judges.ts";
import { fitLogistic } from "../training/multinomial_logistic.ts";
import { standardisationOf, standardise } from "../training/standardisation.ts";
import { fitTemperature } from "../training/temperature.ts";
import { type AnswerFeatureGroup, type AnswerFeatures, FEATURE_GROUPS } from "./answer_features.ts";

/** A labelled answer in numbers. */
export interface LabelledFeatures {
  readonly features: AnswerFeatures;
  readonly abstains: boolean;
  /** Rows of one cluster are never on both sides of a fold. */
  readonly cluster: string;
}

/** What was tried, and what came of it on rows that the fit had not seen. */
export interface TriedSetting {
  readonly groups: readonly AnswerFeatureGroup[];
  readonly l2: number;
  /** Mean of −ln p(label), in nats. */
  readonly logLoss: number;
}

/** A linear head over the features of the chosen groups, in the order of {@link FEATURE_GROUPS}. */
export interface AbstentionHead {
  readonly groups: readonly AnswerFeatureGroup[];
  /** Log-odds that it abstains: weights · features + intercept; scaling and temperature are in it. */
  readonly weights: readonly number[];
  readonly intercept: number;
}

export interface TrainedAbstention extends AbstentionHead {
  readonly l2: number;
  readonly temperature: number;
  readonly tried: readonly TriedSetting[];
}

const GROUP_SETS: readonly (readonly AnswerFeatureGroup[])[] = [
  ...[["form"], ["first"], ["first", "form"], ["mean", "form"], FEATURE_GROUPS] as const,
];
const PENALTIES = [0.01, 0.03, 0.1, 0.3] as const;

/**
 * Chooses groups of features and penalty by cross-validation over clusters (the least log loss),
 * fits the temperature on the held-out log-odds, and the head on all rows. Both labels count alike
 * in all, however many answers have them.
 * @throws {RangeError} without rows of either label.
 */
export function trainAbstention(
  rows: readonly LabelledFeatures[],
  random: RandomSource,
): TrainedAbstention {
  const folds = foldsOf(rows, random);
  const tried = GROUP_SETS.flatMap((groups) =>
    PENALTIES.map((l2) => {
      const scored = folds.flatMap((fold) => heldOut(rows, fold, { groups, l2 }));
      return { groups, l2, scored, logLoss: logLossOf(scored) };
    })
  );
  const best = tried.reduce((a, b) => (b.logLoss < a.logLoss ? b : a));
  const temperature = fitTemperature(best.scored);
  const { weights, intercept } = fitHead(rows, best);
  return {
    ...{ groups: best.groups, l2: best.l2, temperature },
    weights: weights.map((weight) => weight / temperature),
    intercept: intercept / temperature,
    tried: tried.map(({ groups, l2, logLoss }) => ({ groups, l2, logLoss })),
  };
}

/** Probability that an answer of these features abstains. */
export function abstentionProbability(
  features: AnswerFeatures,
  { groups, weights, intercept }: AbstentionHead,
): number {
  return 1 / (1 + Math.exp(-logOdds(valuesOf(features, groups), { weights, intercept })));
}

type Setting = Pick<TriedSetting, "groups" | "l2">;
type Line = Pick<AbstentionHead, "weights" | "intercept">;
type Scored = ReturnType<typeof heldOut>[number];

const valuesOf = (features: AnswerFeatures, groups: readonly AnswerFeatureGroup[]) =>
  groups.flatMap((group) => features[group]);

function logOdds(values: readonly number[], { weights, intercept }: Line): number {
  return weights.reduce((sum, weight, i) => sum + weight * values[i]!, intercept);
}

/** Row numbers of each fold. */
function foldsOf(rows: readonly LabelledFeatures[], random: RandomSource): readonly Set<number>[] {
  const fold = clusterFolds(rows, random);
  return Array.from(
    { length: FOLDS },
    (_, k) => new Set([...rows.keys()].filter((i) => fold.get(rows[i]!.cluster) === k)),
  );
}

/** Log-odds of a fold's rows under a head that was fitted on the others. */
function heldOut(rows: readonly LabelledFeatures[], fold: ReadonlySet<number>, setting: Setting) {
  const line = fitHead(rows.filter((_, i) => !fold.has(i)), setting);
  const weights = weightsOf(rows);
  return [...fold].map((i) => {
    const { features, abstains } = rows[i]!;
    const odds = logOdds(valuesOf(features, setting.groups), line);
    return { logits: [0, odds] as const, label: Number(abstains), weight: weights[i]! };
  });
}

function fitHead(rows: readonly LabelledFeatures[], { groups, l2 }: Setting): Line {
  const values = rows.map(({ features }) => valuesOf(features, groups));
  const scaling = standardisationOf(values);
  const weights = weightsOf(rows);
  const training = rows.map(({ abstains }, i) => ({
    ...{ features: standardise(values[i]!, scaling), label: Number(abstains), weight: weights[i]! },
  }));
  const { coefficients: [no, yes], intercepts: [noBias, yesBias] } = fitLogistic(training, {
    classes: 2,
    l2,
  });
  const scaled = yes!.map((weight, i) => (weight - no![i]!) / scaling.scales[i]!);
  const shift = scaled.reduce((sum, weight, i) => sum + weight * scaling.means[i]!, 0);
  return { weights: scaled, intercept: yesBias! - noBias! - shift };
}

/** Each label's rows weigh half of all. */
function weightsOf(rows: readonly LabelledFeatures[]): readonly number[] {
  const abstaining = rows.filter(({ abstains }) => abstains).length;
  const shares = { yes: abstaining, no: rows.length - abstaining };
  if (shares.yes === 0 || shares.no === 0) {
    throw new RangeError("Cannot train: all answers have one label.");
  }
  return rows.map(({ abstains }) => rows.length / (2 * (abstains ? shares.yes : shares.no)));
}

function logLossOf(scored: readonly Scored[]): number {
  const total = scored.reduce((sum, { weight }) => sum + weight, 0);
  return scored.reduce((sum, { logits, label, weight }) => {
    const odds = logits[1];
    return sum + weight * Math.log1p(Math.exp(label === 1 ? -odds : odds)) / total;
  }, 0);
}
