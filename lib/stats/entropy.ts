import { type Unavailable, unavailable } from "./unavailable.ts";

/** Further from 1 than this a sum of probabilities is no rounding; float32 softmax keeps within it. */
const ROUNDING = 1e-6;

/**
 * Shannon's entropy −Σ pᵢ ln pᵢ in nats, 0 to ln K for K places; 0 · ln 0 counts as 0 (Shannon 1948,
 * Bell System Technical Journal 27, 379–423).
 *
 * @throws {RangeError} for no probabilities, one outside 0–1, or a sum that is not 1.
 */
export function shannonEntropy(probabilities: readonly number[]): number {
  requireDistribution(probabilities);
  const entropy = probabilities.reduce((sum, p) => (p === 0 ? sum : sum - p * Math.log(p)), 0);
  // A rounded 1 + 1e-16 would give less than nothing.
  return Math.max(0, entropy);
}

/**
 * Entropy as a share of the most there can be, H(p) / ln K, 0–1: the same whatever the base of the
 * logarithm. Unavailable for a single place, which leaves nothing to be unsure about: 0 / 0.
 *
 * @throws {RangeError} as {@link shannonEntropy} does.
 */
export function normalisedEntropy(probabilities: readonly number[]): number | Unavailable {
  const entropy = shannonEntropy(probabilities);
  if (probabilities.length === 1) return unavailable("there is a single option");
  return Math.min(1, entropy / Math.log(probabilities.length));
}

/** @throws {RangeError} unless these are probabilities that sum to 1 within 10⁻⁶. */
export function requireDistribution(probabilities: readonly number[]): void {
  const wrong = probabilities.find((p) => !(p >= 0 && p <= 1 + ROUNDING));
  if (wrong !== undefined) {
    throw new RangeError(`Cannot measure uncertainty: ${wrong} is no probability.`);
  }
  const sum = probabilities.reduce((all, p) => all + p, 0);
  if (Math.abs(sum - 1) <= ROUNDING) return;
  throw new RangeError(`Cannot measure uncertainty: the probabilities sum to ${sum}, not to 1.`);
}
