import { type Unavailable, unavailable } from "../../stats/unavailable.ts";

/** One case: what it is and what it was taken for. */
export interface Outcome<Label extends string> {
  readonly truth: Label;
  readonly predicted: Label;
}

/** How often each true label was given each predicted one. */
export interface ConfusionTable<Label extends string> {
  readonly labels: readonly Label[];
  /** `counts[i][j]`: cases of label i taken for label j. */
  readonly counts: readonly (readonly number[])[];
  readonly n: number;
}

/**
 * Counts outcomes.
 * @throws {RangeError} for a label that is not among `labels`: it is no wrong answer, it is a
 * mistake in the data.
 */
export function confusionTable<Label extends string>(
  labels: readonly Label[],
  outcomes: readonly Outcome<Label>[],
): ConfusionTable<Label> {
  const counts = labels.map(() => labels.map(() => 0));
  for (const { truth, predicted } of outcomes) {
    counts[labelIndex(labels, truth)]![labelIndex(labels, predicted)]!++;
  }
  return { labels, counts, n: outcomes.length };
}

/** Right cases / all cases, 0–1. Unavailable without cases. */
export function accuracy<Label extends string>(
  { counts, n }: ConfusionTable<Label>,
): number | Unavailable {
  if (n === 0) return unavailable("no cases");
  return sum(counts.map((row, i) => row[i]!)) / n;
}

/** Right cases of a label / its cases, 0–1. Unavailable where no case has the label. */
export function recall<Label extends string>(
  table: ConfusionTable<Label>,
  label: Label,
): number | Unavailable {
  const { right, actual } = tally(table, label);
  return actual === 0 ? unavailable(`no case is ${label}`) : right / actual;
}

/** Right cases of a label / cases taken for it, 0–1. Unavailable where none was taken for it. */
export function precision<Label extends string>(
  table: ConfusionTable<Label>,
  label: Label,
): number | Unavailable {
  const { right, predicted } = tally(table, label);
  return predicted === 0 ? unavailable(`no case was taken for ${label}`) : right / predicted;
}

/**
 * 2·right / (cases of the label + cases taken for it), 0–1: the harmonic mean of precision and
 * recall (van Rijsbergen 1979), and 0 where the label has cases but none was found. Unavailable
 * where the label neither occurs nor was predicted.
 */
export function f1<Label extends string>(
  table: ConfusionTable<Label>,
  label: Label,
): number | Unavailable {
  const { right, predicted, actual } = tally(table, label);
  if (predicted + actual === 0) return unavailable(`${label} neither occurs nor was predicted`);
  return (2 * right) / (predicted + actual);
}

/**
 * Mean recall over the labels, 0–1; chance is 1 / number of labels whatever their shares
 * (Brodersen et al. 2010). Unavailable where a label has no case: its recall cannot be known.
 */
export function balancedAccuracy<Label extends string>(
  table: ConfusionTable<Label>,
): number | Unavailable {
  return meanOf(table.labels.map((label) => recall(table, label)));
}

/** Mean F1 over the labels, 0–1. Unavailable where one label's is. */
export function macroF1<Label extends string>(
  table: ConfusionTable<Label>,
): number | Unavailable {
  return meanOf(table.labels.map((label) => f1(table, label)));
}

function meanOf(values: readonly (number | Unavailable)[]): number | Unavailable {
  if (values.length === 0) return unavailable("no labels");
  let total = 0;
  for (const value of values) {
    if (typeof value !== "number") return value;
    total += value;
  }
  return total / values.length;
}

function tally<Label extends string>(
  { labels, counts }: ConfusionTable<Label>,
  label: Label,
) {
  const i = labelIndex(labels, label);
  return {
    right: counts[i]![i]!,
    actual: sum(counts[i]!),
    predicted: sum(counts.map((row) => row[i]!)),
  };
}

function labelIndex<Label extends string>(labels: readonly Label[], label: Label): number {
  const index = labels.indexOf(label);
  if (index >= 0) return index;
  throw new RangeError(`Cannot count outcomes: "${label}" is none of ${labels.join(", ")}.`);
}

function sum(values: readonly number[]): number {
  return values.reduce((a, b) => a + b, 0);
}
