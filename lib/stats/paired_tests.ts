import { binomialDistribution, sum } from "simple-statistics";

/**
 * The two-sided p-value of McNemar's exact test: a binomial test of the discordant items against
 * one half (McNemar 1947; Fagerland, Lydersen & Laake 2013, BMC Med. Res. Methodol. 13:91). Without
 * discordant items p is 1: nothing speaks against equality. Items must be independent; two answers to
 * one item are to be combined first.
 *
 * Throws RangeError unless both counts are whole numbers ≥ 0.
 */
export function exactMcNemar(
  /** Items only the first of two judges has right, and only the second. */
  { onlyFirst, onlySecond }: { readonly onlyFirst: number; readonly onlySecond: number },
): number {
  const discordant = onlyFirst + onlySecond;
  if (![onlyFirst, onlySecond].every((count) => Number.isInteger(count) && count >= 0)) {
    throw new RangeError(`Cannot test: ${onlyFirst} and ${onlySecond} are no counts.`);
  }
  if (discordant === 0) return 1;
  const fewer = Math.min(onlyFirst, onlySecond);
  // simple-statistics cuts the table where 99.99 % is reached; the lower half is always whole.
  return Math.min(1, 2 * sum(binomialDistribution(discordant, 0.5)!.slice(0, fewer + 1)));
}

/**
 * Holm's step-down adjustment (Holm 1979, Scand. J. Statist. 6, 65–70), in the order of the input:
 * rejecting where the adjusted p ≤ α keeps the family-wise error at α.
 *
 * Throws RangeError for a p-value outside 0 … 1.
 */
export function holmAdjust(pValues: readonly number[]): number[] {
  const wrong = pValues.find((p) => !(p >= 0 && p <= 1));
  if (wrong !== undefined) throw new RangeError(`Cannot adjust: ${wrong} is no p-value.`);
  const adjusted = new Array<number>(pValues.length);
  const ascending = [...pValues.entries()].sort(([, p], [, q]) => p - q);
  let highest = 0;
  for (const [rank, [index, p]] of ascending.entries()) {
    highest = Math.max(highest, Math.min(1, p * (pValues.length - rank)));
    adjusted[index] = highest;
  }
  return adjusted;
}
