import { averageRanks } from "./rank_correlation.ts";
import { type Unavailable, unavailable } from "./unavailable.ts";

/** What differences between values mean. */
export type MeasurementLevel = "nominal" | "ordinal" | "interval";

/** Agreement of any number of raters beyond chance. */
export interface KrippendorffAlpha {
  readonly kind: "alpha";
  /** 1 = full agreement, 0 = as by chance, below 0 = systematic disagreement. */
  readonly alpha: number;
  readonly level: MeasurementLevel;
  /** Units that at least two raters gave a value. */
  readonly units: number;
  /** Values in these units. */
  readonly n: number;
}

/**
 * Krippendorff's α = 1 − Dₒ / Dₑ for values that may be missing (Krippendorff 2011, Computing
 * Krippendorff's alpha-reliability). A unit holds one value per rater, undefined where there is
 * none; units with fewer than two values tell nothing and are left out.
 *
 * The ordinal difference of two values, the values between them and half of themselves counted, is
 * the difference of their average ranks; so ordinal α is interval α of ranks, and neither needs the
 * matrix of coincidences.
 *
 * Unavailable without such units and where all values are equal (0 / 0). Throws RangeError for a
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
  return { kind: "alpha", alpha, level, units: pairable.length, n: values.length };
}

/** Σ (a − b)² over ordered pairs: 2 n Σ (a − mean)². */
function squaredDifferences(values: readonly number[]): number {
  let [total, squares] = [0, 0];
  for (const value of values) total += value;
  // Taken off before squaring, so that large values lose no digits.
  const centre = total / values.length;
  for (const value of values) squares += (value - centre) ** 2;
  return 2 * values.length * squares;
}

/** Ordered pairs of unequal values. */
function unequalPairs(values: readonly number[]): number {
  const counts = Map.groupBy(values, (value) => value).values();
  return counts.reduce((left, { length }) => left - length ** 2, values.length ** 2);
}
