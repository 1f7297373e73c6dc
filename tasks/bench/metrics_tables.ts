/** Random tables of varied shape: ties, missing ratings, labels that never occur, constant columns. */
import { type RandomSource, randomSource } from "../../lib/stats/random.ts";

export interface PairedTable {
  readonly first: readonly number[];
  readonly second: readonly number[];
  /** Values are whole numbers from 0 below this. */
  readonly classes: number;
}

export interface RatedTable {
  /** A row a unit, a column a rater; null where there is no rating. */
  readonly units: readonly (readonly (number | null)[])[];
  readonly classes: number;
}

export interface OutcomeTable {
  readonly truth: readonly number[];
  readonly predicted: readonly number[];
  readonly classes: number;
}

export interface ForecastTable {
  readonly probabilities: readonly (readonly number[])[];
  readonly truth: readonly number[];
}

export interface CurveTable {
  readonly confidence: readonly number[];
  readonly right: readonly number[];
}

/** One table in so many has a constant column, or is constant altogether. */
const DEGENERATE = 20;

/** From `low` to `high`, both included. */
function between(random: RandomSource, low: number, high: number): number {
  return low + random.integer(high - low + 1);
}

function times<T>(n: number, make: (i: number) => T): T[] {
  return Array.from({ length: n }, (_, i) => make(i));
}

/** Two columns that agree more or less. */
export function pairedTable(random: RandomSource): PairedTable {
  const classes = between(random, 2, 6);
  const n = between(random, 2, 60);
  const agreement = random.next();
  const draw = drawer(random, classes);
  const first = times(n, draw);
  const draws = random.integer(DEGENERATE) === 0 ? () => first[0]! : draw;
  return {
    first,
    second: first.map((value) => (random.next() < agreement ? value : draws())),
    classes,
  };
}

/** A constant now and then. */
function drawer(random: RandomSource, classes: number): () => number {
  const constant = random.integer(DEGENERATE) === 0;
  // Some labels are rare, as they are in life.
  const skew = between(random, 1, 3);
  return () => (constant ? 0 : Math.floor(random.next() ** skew * classes));
}

/** Units with as many ratings each: counts of labels for Fleiss' kappa. */
export function countTable(random: RandomSource): readonly (readonly number[])[] {
  const { units, classes } = ratedTable(random, 0);
  return units.map((unit) => times(classes, (k) => unit.filter((value) => value === k).length));
}

/** Ratings around a true value of the unit's own; this share of them is missing. */
export function ratedTable(random: RandomSource, missing = 0.2): RatedTable {
  const classes = between(random, 2, 6);
  const raters = between(random, 2, 6);
  const agreement = random.next();
  const draw = drawer(random, classes);
  const units = times(between(random, 2, 40), () => {
    const own = draw();
    const rating = () => (random.next() < agreement ? own : draw());
    return times(raters, () => (random.next() < missing ? null : rating()));
  });
  return { units, classes };
}

/** Probabilities that sum to 1, some of them 0. */
export function distribution(random: RandomSource): readonly number[] {
  const weights = times(
    between(random, 1, 12),
    () => random.integer(5) === 0 ? 0 : random.next() ** 3,
  );
  const sum = weights.reduce((a, b) => a + b, 0);
  return sum === 0 ? [1] : weights.map((weight) => weight / sum);
}

/** True and predicted labels. */
export function outcomeTable(random: RandomSource): OutcomeTable {
  const { first, second, classes } = pairedTable(random);
  return { truth: first, predicted: second, classes };
}

/** Probabilities of two to five labels, and which was true. */
export function forecastTable(random: RandomSource): ForecastTable {
  const classes = between(random, 2, 5);
  const probabilities = times(between(random, 1, 40), () => {
    const weights = times(classes, () => random.next() ** 4 + 1e-9);
    const sum = weights.reduce((a, b) => a + b, 0);
    return weights.map((weight) => weight / sum);
  });
  return { probabilities, truth: probabilities.map(() => random.integer(classes)) };
}

/** Confidences, none on the end of a bin: there the definitions differ. */
export function curveTable(random: RandomSource): CurveTable {
  const confidence = times(between(random, 1, 200), () => random.next());
  return { confidence, right: confidence.map((p) => (random.next() < p ? 1 : 0)) };
}

/** So many tables, the same for the same seed. */
export function tables<T>(
  seed: string,
  n: number,
  make: (random: RandomSource) => T,
): readonly T[] {
  const random = randomSource(seed);
  return times(n, () => make(random));
}
