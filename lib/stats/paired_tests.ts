import {
  binomialDistribution,
  bisect,
  errorFunction,
  sum as correctedSum,
} from "simple-statistics";
import { type Unavailable, unavailable } from "./agreement.ts";
import { averageRanks } from "./correlation.ts";
import type { RandomSource } from "./random.ts";

/**
 * The two-sided p-value of McNemar's exact test: a binomial test of the discordant items against
 * one half (McNemar 1947; Fagerland, Lydersen & Laake 2013, BMC Med. Res. Methodol. 13:91). Without
 * discordant items p is 1: nothing speaks against equality. Items must be independent; two answers to
 * one item are to be combined first.
 *
 * Throws RangeError unless both counts are whole numbers ≥ 0.
 */
export function exactMcNemar(
  /** Items that only the first of two judges has right, and only the second. */
  { onlyFirst, onlySecond }: { readonly onlyFirst: number; readonly onlySecond: number },
): number {
  const discordant = onlyFirst + onlySecond;
  if (![onlyFirst, onlySecond].every((count) => Number.isInteger(count) && count >= 0)) {
    throw new RangeError(`Cannot test: ${onlyFirst} and ${onlySecond} are no counts.`);
  }
  if (discordant === 0) return 1;
  const fewer = Math.min(onlyFirst, onlySecond);
  // simple-statistics cuts the table where 99.99 % is reached; the lower half is always whole.
  return Math.min(1, 2 * correctedSum(binomialDistribution(discordant, 0.5)!.slice(0, fewer + 1)));
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

/** Number of non-zero differences up to which all 2^n sign patterns are enumerated. */
const MOST_ENUMERATED = 20;

/** Most steps of the shift algorithm: differences × the sum of their magnitudes. */
const MOST_STEPS = 50_000_000;
const COMMON_DENOMINATORS = Array.from({ length: 12 }, (_, index) => index + 1);

/** P(S ≥ bound) of magnitudes > 0 under random signs; undefined where it cannot be counted. */
function exactTail(magnitudes: readonly number[], bound: number): number | undefined {
  const total = sum(magnitudes);
  const denominator = COMMON_DENOMINATORS.find((times) =>
    magnitudes.every((magnitude) => isWhole(magnitude * times))
  );
  if (denominator !== undefined && total * denominator * magnitudes.length <= MOST_STEPS) {
    const units = magnitudes.map((magnitude) => Math.round(magnitude * denominator));
    return shiftedTail(units, Math.round(bound * denominator));
  }
  return magnitudes.length <= MOST_ENUMERATED
    ? enumeratedTail(magnitudes, bound - TIE * total)
    : undefined;
}

/** The distribution of the sum of positive magnitudes; the signed sum is twice it less all. */
function shiftedTail(units: readonly number[], bound: number): number {
  const total = sum(units);
  const chance = new Float64Array(total + 1);
  chance[0] = 1;
  let highest = 0;
  for (const unit of units) {
    highest += unit;
    for (let plus = highest; plus >= 0; plus--) {
      chance[plus] = (chance[plus]! + (plus >= unit ? chance[plus - unit]! : 0)) / 2;
    }
  }
  // From the far end, so that small chances are not lost in large ones.
  let tail = 0;
  for (let plus = total; plus >= 0 && 2 * plus - total >= bound; plus--) tail += chance[plus]!;
  return Math.min(1, tail);
}

/** All sign patterns in the order of a Gray code: one sign changes at each step. */
function enumeratedTail(magnitudes: readonly number[], bound: number): number {
  const plus = magnitudes.map(() => true);
  let signed = sum(magnitudes);
  const patterns = 2 ** magnitudes.length;
  let reached = signed >= bound ? 1 : 0;
  for (let pattern = 1; pattern < patterns; pattern++) {
    const changed = 31 - Math.clz32(pattern & -pattern);
    plus[changed] = !plus[changed];
    signed += (plus[changed] ? 2 : -2) * magnitudes[changed]!;
    if (signed >= bound) reached++;
  }
  return reached / patterns;
}

/** Counts drawn sign patterns whose |sum| is at least `bound`. */
function drawnTail(
  magnitudes: readonly number[],
  bound: number,
  permutations: number,
  random: RandomSource,
): number {
  const enough = bound - TIE * sum(magnitudes);
  let reached = 0;
  for (let i = 0; i < permutations; i++) {
    let [signed, signs] = [0, 0];
    for (const [index, magnitude] of magnitudes.entries()) {
      if (index % 32 === 0) signs = random.integer(0x100000000);
      signed += (signs >>> index % 32) & 1 ? magnitude : -magnitude;
    }
    if (Math.abs(signed) >= enough) reached++;
  }
  return reached;
}

/** But for rounding; what is far below 1 is no 0. */
const isWhole = (value: number) => Math.abs(value - Math.round(value)) <= 1e-9 * value;

/** Plain sum. simple-statistics' corrects roundings and so differs from sums made step by step. */
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Observed statistic and p-value of a permutation test. */
export interface PermutationTest {
  readonly kind: "test";
  /** Observed statistic, in the units of the data. */
  readonly statistic: number;
  readonly p: number;
  /** All arrangements counted, or as many as were drawn. */
  readonly method: "exact" | "monte-carlo";
  /** Pairs or blocks. */
  readonly n: number;
}

/** Statistics that are equal but for rounding count as equal. */
const TIE = 1e-10;

/**
 * Fisher's paired permutation test: under the hypothesis that the two sides are alike, each
 * difference is as likely to have the other sign (Fisher 1935, The Design of Experiments, §21). The
 * statistic is the mean difference; both sides count.
 *
 * Exact where the differences are multiples of 1, ½, … 1⁄12, as those of whole scores or of their
 * means over up to twelve raters are, by the shift algorithm (Pagano & Tritchler 1983, JASA 78,
 * 435–440), and where at most 20 are not 0, by enumeration. Otherwise by drawing signs, the observed
 * arrangement counted among the drawn ones (Phipson & Smyth 2010, SAGMB 9(1), 39). p is 1 where all
 * differences are 0. Unavailable without pairs.
 *
 * Throws RangeError for a difference that is not finite or fewer than 100 permutations.
 */
export function signFlipTest(
  differences: readonly number[],
  { random, permutations = 10_000 }: {
    /** Drawn from only where the exact distribution is out of reach. */
    readonly random: RandomSource;
    /** Number of random permutations, ≥ 100; 10,000 by default. */
    readonly permutations?: number;
  },
): PermutationTest | Unavailable {
  requirePermutations(permutations);
  const wrong = differences.find((difference) => !Number.isFinite(difference));
  if (wrong !== undefined) throw new RangeError(`Cannot test: ${wrong} is no difference.`);
  const n = differences.length;
  if (n === 0) return unavailable("no pairs");
  const observed = sum(differences);
  const magnitudes = differences.map(Math.abs).filter((magnitude) => magnitude > 0);
  const statistic = observed / n;
  const tail = exactTail(magnitudes, Math.abs(observed));
  if (tail === undefined) {
    const reached = drawnTail(magnitudes, Math.abs(observed), permutations, random);
    return drawn(statistic, reached, permutations, n);
  }
  // By symmetry both tails together are twice the upper one, but for the point 0 they share.
  const p = Math.min(1, 2 * tail);
  return { kind: "test", statistic, p, method: "exact", n };
}

/**
 * Returns the one-sided p-value of Wilcoxon's signed-rank test (differences above 0).
 *
 * Zeros are left out, ties have the mean of their ranks. Exact, given the ties, by the shift
 * algorithm up to some 360 differences; beyond that by the normal approximation without continuity
 * correction (Wilcoxon 1945, Biometrics Bulletin 1, 80–83). p is 1 where all differences are 0.
 *
 * Unavailable without pairs. @throws {RangeError} for a difference that is not finite.
 */
export function wilcoxonSignedRank(
  differences: readonly number[],
): { readonly kind: "test"; readonly p: number; readonly n: number } | Unavailable {
  const wrong = differences.find((difference) => !Number.isFinite(difference));
  if (wrong !== undefined) throw new RangeError(`Cannot test: ${wrong} is no difference.`);
  if (differences.length === 0) return unavailable("no pairs");
  const kept = differences.filter((difference) => difference !== 0);
  if (kept.length === 0) return { kind: "test", p: 1, n: 0 };
  const ranks = averageRanks(kept.map(Math.abs));
  const signed = sum(ranks.map((rank, index) => Math.sign(kept[index]!) * rank));
  const approximate = () =>
    (1 - errorFunction(signed / Math.sqrt(2 * sum(ranks.map((rank) => rank ** 2))))) / 2;
  return { kind: "test", p: exactTail(ranks, signed) ?? approximate(), n: kept.length };
}

/**
 * Tests whether values depend on their position within a block (permutation test).
 *
 * Positions were assigned at random. p is the share of rearrangements within blocks whose statistic
 * is at least the observed one, which counts as one of them. Unavailable without blocks of at least
 * two values.
 *
 * Throws RangeError for fewer than 100 permutations.
 */
export function blockPermutationTest(
  { blocks, statistic, permutations, random }: {
    /** A block's values in the order of the places they stood at. */
    readonly blocks: readonly (readonly number[])[];
    /** The larger, the more it speaks against chance. */
    readonly statistic: (blocks: readonly (readonly number[])[]) => number;
    /** At least 100. */
    readonly permutations: number;
    readonly random: RandomSource;
  },
): PermutationTest | Unavailable {
  requirePermutations(permutations);
  const n = blocks.filter((block) => block.length > 1).length;
  if (n === 0) return unavailable("no block has two values to exchange");
  const observed = statistic(blocks);
  const enough = observed - TIE * Math.abs(observed);
  let reached = 0;
  for (let i = 0; i < permutations; i++) {
    if (statistic(blocks.map((block) => random.shuffle(block))) >= enough) reached++;
  }
  return drawn(observed, reached, permutations, n);
}

/** The observed arrangement is one of those that reach it. */
function drawn(
  statistic: number,
  reached: number,
  permutations: number,
  n: number,
): PermutationTest {
  const p = (reached + 1) / (permutations + 1);
  return { kind: "test", statistic, p, method: "monte-carlo", n };
}

function requirePermutations(permutations: number): void {
  if (!Number.isInteger(permutations) || permutations < 100) {
    throw new RangeError(
      `Cannot test: ${permutations} permutations are too few, 100 is the least.`,
    );
  }
}

/** The smallest accuracy a test against guessing would find. */
interface DetectableEffect {
  readonly kind: "effect";
  /** True accuracy (0.5 … 1) found with the power of 0.8. */
  readonly accuracy: number;
}

/** Two-sided level, and the wanted chance of finding the effect. */
const [ALPHA, POWER] = [0.05, 0.8];

/**
 * Returns the smallest accuracy above 0.5 that n trials detect with power 0.8.
 *
 * The test is the exact two-sided binomial test of n independent trials against 0.5 at 5 %; the
 * accuracy is found by bisection of the test's exact power to 1e-9. Unavailable where no outcome
 * could reject. Throws RangeError for an n below 1.
 */
export function minimumDetectableEffect(n: number): DetectableEffect | Unavailable {
  if (!(Number.isInteger(n) && n >= 1)) {
    throw new RangeError(`Cannot find an effect: n = ${n} is below 1.`);
  }
  // Below this, a lower tail doubled is at most alpha under guessing. The lower half of
  // simple-statistics' table is whole; it is cut only beyond 99.99 %.
  let tail = 0;
  const cells = binomialDistribution(n, 0.5)!;
  const rejectsFrom = n - cells.findIndex((cell) => 2 * (tail += cell) > ALPHA) + 1;
  if (rejectsFrom > n) {
    return unavailable(`no outcome of ${n} trials rejects guessing at α = ${ALPHA}`);
  }
  // Where the table was cut, the chance left is below 1e-4 and taken as 0: far below any power asked.
  const lacking = (accuracy: number) =>
    1 - correctedSum(binomialDistribution(n, accuracy)!.slice(0, rejectsFrom)) - POWER;
  return { kind: "effect", accuracy: bisect(lacking, 0.5, 1, 100, 1e-9) };
}
