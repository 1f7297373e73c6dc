import { binomialDistribution, bisect, sum } from "simple-statistics";
import { normalQuantile } from "./normal.ts";
import { type Unavailable, unavailable } from "./unavailable.ts";

/** The smallest accuracy a test against guessing would find. */
export interface DetectableEffect {
  readonly kind: "effect";
  /** True accuracy (0.5 … 1) found with the wanted power. */
  readonly accuracy: number;
  /** The same as a distance from 0.5. */
  readonly difference: number;
  /** Correct answers from which the test rejects guessing. */
  readonly rejectsFrom: number;
  /** n divided by the design effect, rounded down: what the test counts as independent trials. */
  readonly effectiveN: number;
}

/** What {@link minimumDetectableEffect} needs. */
export interface PowerOptions {
  /** Number of trials. */
  readonly n: number;
  /** Two-sided level; 0.05 unless told. */
  readonly alpha?: number;
  /** Wanted chance of finding the effect; 0.8 unless told. */
  readonly power?: number;
  /** ≥ 1, by {@link designEffect}; 1 unless told, for independent trials. */
  readonly designEffect?: number;
}

/**
 * The smallest accuracy above 0.5 that the exact two-sided binomial test against 0.5 detects, found
 * by bisection of the test's exact power to 1e-9. Unavailable where no outcome could reject.
 *
 * Throws RangeError for an n below 1, a design effect below 1 or a chance outside 0 … 1.
 */
export function minimumDetectableEffect(options: PowerOptions): DetectableEffect | Unavailable {
  const { n, alpha = 0.05, power = 0.8, designEffect: effect = 1 } = options;
  requireTrials(n, effect);
  if (![alpha, power].every((chance) => chance > 0 && chance < 1)) {
    throw new RangeError(
      `Cannot find an effect: alpha ${alpha} or power ${power} is not in 0 … 1.`,
    );
  }
  const effectiveN = Math.floor(n / effect);
  const rejectsFrom = effectiveN - mostRejectedBelow(effectiveN, alpha);
  if (rejectsFrom > effectiveN) {
    return unavailable(`no outcome of ${effectiveN} trials rejects guessing at α = ${alpha}`);
  }
  const lacking = (accuracy: number) => chanceOfAtLeast(rejectsFrom, effectiveN, accuracy) - power;
  const accuracy = bisect(lacking, 0.5, 1, 100, 1e-9);
  return { kind: "effect", accuracy, difference: accuracy - 0.5, rejectsFrom, effectiveN };
}

/**
 * How many times fewer independent trials n clustered ones are worth: 1 + (m − 1) ρ (Kish 1965).
 * `clusterSize` m is the mean size ≥ 1, `correlation` ρ (0 … 1) the intra-cluster correlation.
 */
export function designEffect(clusterSize: number, correlation: number): number {
  if (!(clusterSize >= 1) || !(correlation >= 0 && correlation <= 1)) {
    throw new RangeError(`Cannot give a design effect: size ${clusterSize}, ρ ${correlation}.`);
  }
  return 1 + (clusterSize - 1) * correlation;
}

/**
 * Half the width of the normal 95 % interval of a proportion near one half, the widest there is:
 * 0.088 at n = 125, 0.044 at n = 500. For planning; reported intervals come from `intervals.ts`.
 */
export function halfWidth(n: number, effect = 1): number {
  requireTrials(n, effect);
  return normalQuantile(0.975) * Math.sqrt(0.25 * effect / n);
}

/** The largest count whose lower tail, doubled, is at most alpha under guessing; −1 if there is none. */
function mostRejectedBelow(n: number, alpha: number): number {
  let tail = 0;
  // The lower half of simple-statistics' table is whole; it is cut only beyond 99.99 %.
  const cells = n === 0 ? [1] : binomialDistribution(n, 0.5)!;
  return cells.findIndex((cell) => 2 * (tail += cell) > alpha) - 1;
}

/** Where the table was cut, the chance left is below 1e-4 and taken as 0: far below any power asked. */
function chanceOfAtLeast(count: number, n: number, probability: number): number {
  return 1 - sum(binomialDistribution(n, probability)!.slice(0, count));
}

function requireTrials(n: number, effect: number): void {
  if (!(Number.isInteger(n) && n >= 1)) throw new RangeError(`Cannot plan: n = ${n} is below 1.`);
  if (!(effect >= 1)) throw new RangeError(`Cannot plan: a design effect of ${effect} is below 1.`);
}
