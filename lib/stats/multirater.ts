import {
  agreeingPairs,
  type AgreementBand,
  agreementBand,
  type RatedItem,
  ratingCount,
  type RatingCounts,
  ratingCounts,
  type Unavailable,
  unavailable,
} from "./agreement.ts";
import { averageRanks } from "./correlation.ts";

/** Fleiss' κ with observed and expected agreement. */
interface FleissKappa {
  readonly kind: "fleiss";
  /** (Po − Pe) / (1 − Pe): 1 = full agreement, 0 = as by chance, below 0 = less than by chance. */
  readonly kappa: number;
  readonly band: AgreementBand;
  /** Po: the share of pairs of raters who agree, 0–1. */
  readonly observed: number;
  /** Pe: the share expected from the frequencies of the labels alone, 0–1. */
  readonly expected: number;
  readonly items: number;
  readonly raters: number;
}

/** Reason for an undefined κ (0 / 0), with Po and Pe. These are undefined without items. */
interface UndefinedFleissKappa extends Unavailable {
  readonly observed: number | undefined;
  readonly expected: number | undefined;
}

/**
 * Returns Fleiss' κ and n for items with equal numbers of ratings.
 *
 * κ = (Po − Pe) / (1 − Pe), −1/(n − 1) to 1 for n raters per item. Items may have different raters
 * (Fleiss 1971, Psychological Bulletin 76, 378–382). Unused labels have no effect. If nearly all
 * ratings have one label, κ is low in spite of high agreement: report Gwet's AC1 with it.
 *
 * Unavailable without items, and (with Po) where all ratings have one label: then Pe = 1 and κ is 0
 * / 0.
 *
 * @throws {RangeError} naming the item, for fewer than two raters, a different number of raters
 * than the first item has, or an unknown label.
 */
export function fleissKappa<Label extends string>(
  items: readonly RatedItem<Label>[],
  labels: readonly Label[],
): FleissKappa | UndefinedFleissKappa {
  const counts = ratingCounts(items, labels);
  const raters = ratersOf(items);
  if (raters === undefined) {
    return { ...unavailable("no items"), observed: undefined, expected: undefined };
  }
  const totals = labels.map(() => 0);
  for (const item of counts) item.forEach((count, label) => totals[label]! += count);
  const agreeing = counts.reduce((sum, item) => sum + agreeingPairs(item), 0);
  // Whole numbers up to the divisions, so that equal tables give equal bits.
  const ratings = counts.length * raters;
  const byChance = totals.reduce((sum, total) => sum + total ** 2, 0);
  const all = ratings ** 2;
  const observed = agreeing / (ratings * (raters - 1));
  const expected = byChance / all;
  if (byChance === all) {
    return { ...unavailable("all ratings are one label"), observed, expected };
  }
  const kappa = (agreeing * ratings - byChance * (raters - 1)) / ((raters - 1) * (all - byChance));
  return {
    kind: "fleiss",
    kappa,
    band: agreementBand(kappa),
    observed,
    expected,
    items: items.length,
    raters,
  };
}

/** Returns the number of raters per item; undefined without items. */
function ratersOf<Label extends string>(items: readonly RatedItem<Label>[]): number | undefined {
  const [first] = items;
  if (first === undefined) return undefined;
  const raters = first.labels.length;
  if (raters < 2) {
    throw new RangeError(
      `Cannot compute Fleiss' kappa: item ${first.id} was rated by ${raters}; two raters are the least.`,
    );
  }
  const odd = items.find(({ labels }) => labels.length !== raters);
  if (odd === undefined) return raters;
  throw new RangeError(
    `Cannot compute Fleiss' kappa: item ${odd.id} has ${odd.labels.length} raters, item ` +
      `${first.id} ${raters}. Krippendorff's alpha and Gwet's AC1 bear missing ratings.`,
  );
}

/** Gwet's AC1, agreement beyond chance on items that are hard to rate. */
interface GwetAc1 {
  readonly kind: "ac1";
  /** 1 = full agreement, 0 = as by chance, below 0 = less than by chance. */
  readonly ac1: number;
  /** Number of items with at least two ratings. */
  readonly items: number;
}

/**
 * Returns Gwet's AC1 for any number of raters per item.
 *
 * AC1 = (Pa − Pe) / (1 − Pe), Pe = Σ πₖ (1 − πₖ) / (K − 1) (Gwet 2008, British Journal of
 * Mathematical and Statistical Psychology 61, 29–48). πₖ is the mean over items of the share of
 * ratings with label k. AC1 stays high where nearly all ratings have one label and κ approaches 0.
 * Items with a single rating count in πₖ only; items without ratings are ignored.
 *
 * K is the number of `labels`, including unused ones: more labels make chance agreement rarer and
 * AC1 higher. Unavailable if no item has two ratings.
 *
 * @throws {RangeError} naming the item with an unknown label.
 */
export function gwetAc1<Label extends string>(
  items: readonly RatedItem<Label>[],
  labels: readonly Label[],
): GwetAc1 | Unavailable {
  const counts = ratingCounts(items, labels);
  const rated = counts.filter((item) => ratingCount(item) > 0);
  const paired = rated.filter((item) => ratingCount(item) > 1);
  if (paired.length === 0) return unavailable("no item has two ratings");
  const agreement = (item: RatingCounts) =>
    agreeingPairs(item) / (ratingCount(item) * (ratingCount(item) - 1));
  const observed = meanOf(paired, agreement);
  const classes = rated[0]!.length;
  let spread = 0;
  for (let label = 0; label < classes; label++) {
    const share = meanOf(rated, (item) => item[label]! / ratingCount(item));
    spread += share * (1 - share);
  }
  const expected = spread / (classes - 1);
  const ac1 = (observed - expected) / (1 - expected);
  return { kind: "ac1", ac1, items: paired.length };
}

const meanOf = (items: readonly RatingCounts[], measure: (item: RatingCounts) => number) =>
  items.reduce((sum, item) => sum + measure(item), 0) / items.length;

/** Level of measurement, which defines the difference between values. */
export type MeasurementLevel = "nominal" | "ordinal" | "interval";

/** Krippendorff's α for any number of raters. */
interface KrippendorffAlpha {
  readonly kind: "alpha";
  /** 1 = full agreement, 0 = as by chance, below 0 = systematic disagreement. */
  readonly alpha: number;
  /** Number of units with at least two values. */
  readonly units: number;
}

/**
 * Returns Krippendorff's α = 1 − Dₒ / Dₑ; values may be missing.
 *
 * A unit has one value per rater, undefined for a missing one. Units with fewer than two values are
 * ignored (Krippendorff 2011, Computing Krippendorff's alpha-reliability).
 *
 * Ordinal α is computed as interval α of mean ranks, because the ordinal difference of two values
 * equals the difference of their mean ranks. No coincidence matrix is needed.
 *
 * Unavailable without such units, or where all values are equal (0 / 0). Throws RangeError for a
 * value that is not finite.
 */
export function krippendorffAlpha(
  units: readonly (readonly (number | undefined)[])[],
  level: MeasurementLevel,
): KrippendorffAlpha | Unavailable {
  const pairable = units
    .map((unit) => unit.filter((value) => value !== undefined))
    .filter((unit) => unit.length > 1);
  const values = pairable.flat();
  const wrong = values.find((value) => !Number.isFinite(value));
  if (wrong !== undefined) throw new RangeError(`Cannot compare raters: ${wrong} is no number.`);
  if (values.length === 0) return unavailable("no unit has the values of two raters");
  if (values.every((value) => value === values[0])) return unavailable("all values are equal");
  const scaled = level === "ordinal" ? averageRanks(values) : values;
  const within = level === "nominal" ? unequalPairs : squaredDifferences;
  let [observed, start] = [0, 0];
  for (const { length } of pairable) {
    observed += within(scaled.slice(start, start + length)) / (length - 1);
    start += length;
  }
  const expected = within(scaled) / (values.length - 1);
  const alpha = 1 - observed / expected;
  return { kind: "alpha", alpha, units: pairable.length };
}

/** Σ (a − b)² over ordered pairs, computed as 2 n Σ (a − mean)². */
function squaredDifferences(values: readonly number[]): number {
  let [total, squares] = [0, 0];
  for (const value of values) total += value;
  // Taken off before squaring, so that large values lose no digits.
  const centre = total / values.length;
  for (const value of values) squares += (value - centre) ** 2;
  return 2 * values.length * squares;
}

/** Counts ordered pairs of unequal values. */
function unequalPairs(values: readonly number[]): number {
  const counts = Map.groupBy(values, (value) => value).values();
  return counts.reduce((left, { length }) => left - length ** 2, values.length ** 2);
}
