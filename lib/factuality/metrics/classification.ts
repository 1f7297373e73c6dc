/** Classification metrics, and measures of claims, responses and queries with their intervals. */
import { type Unavailable, unavailable } from "../../stats/agreement.ts";
import { averageRanks } from "../../stats/correlation.ts";
import { type Bounds, type Measure, share, statistic } from "../../stats/measure.ts";

/** A number, or the reason why there is none. */
export type PointEstimate = number | Unavailable;

/** The true and the predicted label of one case. */
export interface LabelledPrediction<Label extends string> {
  readonly truth: Label;
  readonly predicted: Label;
}

/** Counts of cases by true and predicted label. */
export interface ConfusionTable<Label extends string> {
  readonly labels: readonly Label[];
  /** `counts[i][j]`: cases of label i predicted as label j. */
  readonly counts: readonly (readonly number[])[];
  readonly n: number;
}

/** Counts outcomes. @throws {RangeError} for a label outside `labels`, a mistake in the data. */
export function confusionTable<Label extends string>(
  labels: readonly Label[],
  outcomes: readonly LabelledPrediction<Label>[],
): ConfusionTable<Label> {
  const counts = labels.map(() => labels.map(() => 0));
  for (const { truth, predicted } of outcomes) {
    counts[labelIndex(labels, truth)]![labelIndex(labels, predicted)]!++;
  }
  return { labels, counts, n: outcomes.length };
}

/** Correct cases / all cases, 0–1. Unavailable without cases. */
export function accuracy<Label extends string>(
  { counts, n }: ConfusionTable<Label>,
): PointEstimate {
  return n === 0 ? unavailable("no cases") : sum(counts.map((row, i) => row[i]!)) / n;
}

type LabelStatistic = <Label extends string>(
  table: ConfusionTable<Label>,
  label: Label,
) => PointEstimate;
type TableStatistic = <Label extends string>(table: ConfusionTable<Label>) => PointEstimate;

/** Correct cases of a label / its cases, 0–1. Unavailable where no case has the label. */
export const recall: LabelStatistic = (table, label) => {
  const { right, actual } = tally(table, label);
  return actual === 0 ? unavailable(`no case is ${label}`) : right / actual;
};

/** Correct cases of a label / cases predicted as it, 0–1. Unavailable without such predictions. */
export const precision: LabelStatistic = (table, label) => {
  const { right, predicted } = tally(table, label);
  return predicted === 0 ? unavailable(`no case was taken for ${label}`) : right / predicted;
};

/**
 * F1 of a label, 2·correct / (its cases + its predictions), 0–1 (van Rijsbergen 1979). It is 0
 * where the label has cases without a correct prediction. Unavailable where it neither occurs nor
 * is predicted.
 */
export const f1: LabelStatistic = (table, label) => {
  const { right, predicted, actual } = tally(table, label);
  if (predicted + actual === 0) return unavailable(`${label} neither occurs nor was predicted`);
  return (2 * right) / (predicted + actual);
};

/**
 * Mean recall over the labels, 0–1. Chance is 1 / number of labels at any prevalence (Brodersen et
 * al. 2010). Unavailable where a label has no case.
 */
export const balancedAccuracy: TableStatistic = (table) =>
  meanOf(table.labels.map((label) => recall(table, label)));

/** Mean F1 over the labels, 0–1. Unavailable where the F1 of a label is. */
export const macroF1: TableStatistic = (table) =>
  meanOf(table.labels.map((label) => f1(table, label)));

const meanOf = (values: readonly PointEstimate[]): PointEstimate =>
  values.find((value) => typeof value !== "number") ??
    meanOrUndefined(values as readonly number[]) ??
    unavailable("no labels");

function tally<Label extends string>({ labels, counts }: ConfusionTable<Label>, label: Label) {
  const i = labelIndex(labels, label);
  const predicted = sum(counts.map((row) => row[i]!));
  return { right: counts[i]![i]!, actual: sum(counts[i]!), predicted };
}

function labelIndex<Label extends string>(labels: readonly Label[], label: Label): number {
  const index = labels.indexOf(label);
  if (index >= 0) return index;
  throw new RangeError(`Cannot count outcomes: "${label}" is none of ${labels.join(", ")}.`);
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

/** Arithmetic mean; undefined without values. */
export const meanOrUndefined = (values: readonly number[]) =>
  values.length === 0 ? undefined : sum(values) / values.length;

/** Area under the ROC curve: Mann and Whitney's U over its maximum, 0–1. Chance is 0.5. */
export function areaUnderCurve(
  cases: readonly { readonly supported: boolean; readonly score: number }[],
): number {
  const ranks = averageRanks(cases.map(({ score }) => score));
  const positive = cases.filter(({ supported }) => supported).length;
  const total = sum(ranks.filter((_, i) => cases[i]!.supported));
  return (total - positive * (positive + 1) / 2) / (positive * (cases.length - positive));
}

/** A forecast with its confidence and its outcome. */
interface Forecast {
  /** Probability of the predicted label, 0–1. */
  readonly confidence: number;
  readonly right: boolean;
}

/** Number of bins of equal width, the usual ten. */
const RELIABILITY_BINS = 10;

/**
 * Groups forecasts into bins of equal width over 0–1 (DeGroot & Fienberg 1983). The last bin
 * includes 1. `share` is the proportion of correct forecasts. It and the mean confidence are
 * undefined in an empty bin.
 */
export function reliabilityBins(forecasts: readonly Forecast[], bins = RELIABILITY_BINS) {
  const filled = Map.groupBy(
    forecasts,
    ({ confidence }) => Math.min(bins - 1, Math.floor(confidence * bins)),
  );
  return Array.from({ length: bins }, (_, i) => {
    const members = filled.get(i) ?? [];
    return {
      low: i / bins,
      high: (i + 1) / bins,
      n: members.length,
      meanConfidence: meanOrUndefined(members.map((member) => member.confidence)),
      share: meanOrUndefined(members.map((member) => Number(member.right))),
    };
  });
}

/**
 * Expected calibration error, Σ (nᵦ/n)·|share − mean confidence| over the bins, 0–1; 0 is perfect
 * (Naeini, Cooper & Hauskrecht 2015; Guo et al. 2017). Unavailable without forecasts.
 */
export function calibrationError(forecasts: readonly Forecast[], bins = RELIABILITY_BINS) {
  if (forecasts.length === 0) return unavailable("no forecasts");
  return reliabilityBins(forecasts, bins).reduce((total, { n, share, meanConfidence }) => {
    const gap = n === 0 ? 0 : Math.abs(share! - meanConfidence!);
    return total + (n / forecasts.length) * gap;
  }, 0);
}

/**
 * Brier score: the mean of Σₖ (pₖ − yₖ)² over forecasts, 0–2, lower is better (Brier 1950). Uniform
 * forecasts over K labels score 1 − 1/K. Unavailable without forecasts.
 */
export function brierScore<Label extends string>(
  labels: readonly Label[],
  forecasts: readonly { probabilities: Readonly<Record<Label, number>>; truth: Label }[],
): PointEstimate {
  const scores = forecasts.map(({ probabilities, truth }) =>
    sum(labels.map((label) => (probabilities[label] - (label === truth ? 1 : 0)) ** 2))
  );
  return meanOrUndefined(scores) ?? unavailable("no forecasts");
}

/** An item of a cluster (response, question, country or source) whose items are not independent. */
interface Clustered {
  readonly cluster: string;
}

/** A statistic of items. */
export type StatisticOf<Item> = (items: readonly Item[]) => PointEstimate;

/**
 * Returns a statistic with its interval by cluster. Claims of one response are not independent. The
 * statistic must be a smooth function of sums. `bounds` are those of a share by default.
 */
export function figureInterval<Item extends Clustered>(
  items: readonly Item[],
  figure: StatisticOf<Item>,
  bounds: Bounds | undefined = [0, 1],
): Measure {
  return statistic(
    items.map((value) => ({ cluster: value.cluster, value })),
    (drawn) => figure(drawn),
    { bounds },
  );
}

/** Returns a measure of a confusion table with its interval by cluster. */
export const classificationInterval = <Label extends string>(
  labels: readonly Label[],
  outcomes: readonly (LabelledPrediction<Label> & Clustered)[],
  measure: (table: ConfusionTable<Label>) => PointEstimate,
) => figureInterval(outcomes, (drawn) => measure(confusionTable(labels, drawn)));

/**
 * Returns the precision of a label (0–1) with its interval: the share of its predictions that are
 * correct.
 */
export const precisionInterval = <Label extends string>(
  outcomes: readonly (LabelledPrediction<Label> & Clustered)[],
  label: Label,
) =>
  shareOf(outcomes.filter(({ predicted }) => predicted === label), ({ truth }) => truth === label);

/**
 * Returns the recall of a label (0–1) with its interval: the share of its cases that are predicted.
 */
export const recallInterval = <Label extends string>(
  outcomes: readonly (LabelledPrediction<Label> & Clustered)[],
  label: Label,
) =>
  shareOf(outcomes.filter(({ truth }) => truth === label), ({ predicted }) => predicted === label);

/** Returns the share (0–1) of items for which a predicate holds. */
export const shareOf = <Item extends Clustered>(
  items: readonly Item[],
  holds: (item: Item) => boolean,
): Measure => share(items.map((item) => ({ cluster: item.cluster, value: holds(item) })));

/** Binary labels that merge refuted claims with those without enough info. */
export const BINARY_LABELS = ["supported", "not supported"] as const;
export const binaryLabel = (isSupported: boolean) => BINARY_LABELS[isSupported ? 0 : 1];

/** Returns the balanced accuracy of "supported" against "not supported", by cluster. */
export const balancedAccuracyInterval = (
  claims: readonly (Clustered & { readonly isSupported: boolean; readonly isAccepted: boolean })[],
) => {
  const outcomes = claims.map(({ cluster, isSupported, isAccepted }) => {
    return { cluster, truth: binaryLabel(isSupported), predicted: binaryLabel(isAccepted) };
  });
  return classificationInterval(BINARY_LABELS, outcomes, balancedAccuracy);
};

/** A result of one model for one query. */
export interface QueryResult extends Clustered {
  readonly query: string;
}

/**
 * Paired difference between two models: the first's share minus the second's on shared queries.
 * Pairing removes the queries' difficulty. `n` counts the shared queries. Unavailable without any,
 * and as {@link figureInterval}. A model has one result per query.
 */
export function pairedDifference<Result extends QueryResult>(
  first: readonly Result[],
  second: readonly Result[],
  figure: StatisticOf<Result>,
): Measure {
  const others = new Map(second.map((result) => [result.query, result]));
  const shared = first.flatMap((one) => {
    const other = others.get(one.query);
    return other === undefined ? [] : [{ cluster: one.cluster, one, other }];
  });
  if (shared.length === 0) return unavailable("no query was answered by both");
  const has = (result: Result) => typeof figure([result]) === "number";
  const both = shared.filter(({ one, other }) => has(one) && has(other));
  if (both.length === 0) return unavailable("on no shared query do both have the figure");
  const difference = (drawn: readonly typeof both[number][]) => {
    const one = figure(drawn.map(({ one }) => one));
    const other = figure(drawn.map(({ other }) => other));
    if (typeof one !== "number") return one;
    return typeof other === "number" ? one - other : other;
  };
  return figureInterval(both, difference, [-1, 1]);
}
