import { mean } from "simple-statistics";
import { type Unavailable, unavailable } from "./agreement.ts";

/** Correlation of two variables of the same items, with n. */
export interface Correlation {
  readonly kind: "correlation";
  /** Coefficient, −1 to 1. */
  readonly coefficient: number;
  /** Number of items. */
  readonly n: number;
}

/**
 * Pearson's correlation. Unavailable for fewer than two items or where one variable is constant.
 */
export function pearson(
  first: readonly number[],
  second: readonly number[],
): Correlation | Unavailable {
  const reason = whyUndefined(first, second);
  if (reason !== undefined) return unavailable(reason);
  const [x, y] = [first, second].map((values) => {
    const centre = mean([...values]);
    return values.map((value) => value - centre);
  }) as [number[], number[]];
  const products = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, index) => sum + value * b[index]!, 0);
  const product = products(x, y) / Math.sqrt(products(x, x) * products(y, y));
  // Rounding may carry a perfect correlation past 1.
  const coefficient = Math.max(-1, Math.min(1, product));
  return { kind: "correlation", coefficient, n: first.length };
}

/**
 * Spearman's ρ: Pearson's correlation of ranks, with mean ranks for ties (Kendall & Gibbons 1990,
 * Rank Correlation Methods, ch. 3). Unavailable as {@link pearson} is.
 */
export function spearman(
  first: readonly number[],
  second: readonly number[],
): Correlation | Unavailable {
  const reason = whyUndefined(first, second);
  return reason === undefined
    ? pearson(averageRanks(first), averageRanks(second))
    : unavailable(reason);
}

/**
 * Kendall's τ-b: (concordant − discordant pairs) / geometric mean of the untied pairs on each side
 * (Kendall 1945, Biometrika 33, 239–251). Time is O(n²). Unavailable as {@link pearson} is.
 */
export function kendallTauB(
  first: readonly number[],
  second: readonly number[],
): Correlation | Unavailable {
  const reason = whyUndefined(first, second);
  if (reason !== undefined) return unavailable(reason);
  let [score, untiedFirst, untiedSecond] = [0, 0, 0];
  for (let i = 1; i < first.length; i++) {
    for (let j = 0; j < i; j++) {
      const one = Math.sign(first[i]! - first[j]!);
      const other = Math.sign(second[i]! - second[j]!);
      score += one * other;
      untiedFirst += Math.abs(one);
      untiedSecond += Math.abs(other);
    }
  }
  const coefficient = score / Math.sqrt(untiedFirst * untiedSecond);
  return { kind: "correlation", coefficient, n: first.length };
}

/** Ranks values from 1 for the smallest; ties get their mean rank. */
export function averageRanks(values: readonly number[]): number[] {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const ranks = new Map<number, number>();
  let before = 0;
  for (const value of Float64Array.from(counts.keys()).sort()) {
    const count = counts.get(value)!;
    ranks.set(value, before + (count + 1) / 2);
    before += count;
  }
  return values.map((value) => ranks.get(value)!);
}

function whyUndefined(first: readonly number[], second: readonly number[]): string | undefined {
  if (first.length !== second.length) {
    throw new RangeError(
      `Cannot correlate: there are ${first.length} values on one side, ${second.length} on the other.`,
    );
  }
  const isWrong = (value: number) => !Number.isFinite(value);
  const wrong = first.find(isWrong) ?? second.find(isWrong);
  if (wrong !== undefined) throw new RangeError(`Cannot correlate: ${wrong} is no finite number.`);
  if (first.length < 2) return `${first.length === 0 ? "no" : "a single"} pair`;
  const constant = (values: readonly number[]) => values.every((value) => value === values[0]);
  return constant(first) || constant(second) ? "all values on one side are equal" : undefined;
}
