import type { RandomSource } from "./random.ts";
import { drawnTail, exactTail } from "./sign_flip_tail.ts";
import { type Unavailable, unavailable } from "./unavailable.ts";

/** What speaks against the hypothesis that nothing but chance is at work. */
export interface PermutationTest {
  readonly kind: "test";
  /** What was observed, in the units of the data. */
  readonly statistic: number;
  readonly p: number;
  /** All arrangements counted, or as many as were drawn. */
  readonly method: "exact" | "monte-carlo";
  /** The smallest p that the test could have given. */
  readonly resolution: number;
  /** Pairs or blocks. */
  readonly n: number;
}

/** What {@link signFlipTest} needs. */
export interface SignFlipOptions {
  /** `greater`: the mean difference is above 0. */
  readonly alternative: "two-sided" | "greater";
  /** Drawn from only where the exact distribution is out of reach. */
  readonly random: RandomSource;
  /** Arrangements drawn there; 10,000 unless told, at least 100. */
  readonly permutations?: number;
}

/** What {@link blockPermutationTest} needs. */
export interface BlockPermutationOptions {
  /** A block's values in the order of the places they stood at. */
  readonly blocks: readonly (readonly number[])[];
  /** The larger, the more it speaks against chance. */
  readonly statistic: (blocks: readonly (readonly number[])[]) => number;
  /** At least 100. */
  readonly permutations: number;
  readonly random: RandomSource;
}

/** Statistics that are equal but for rounding count as equal. */
const TIE = 1e-10;

/**
 * Fisher's paired permutation test: under the hypothesis that the two sides are alike, each
 * difference is as likely to have the other sign (Fisher 1935, The Design of Experiments, §21). The
 * statistic is the mean difference.
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
  { alternative, random, permutations = 10_000 }: SignFlipOptions,
): PermutationTest | Unavailable {
  requirePermutations(permutations);
  const wrong = differences.find((difference) => !Number.isFinite(difference));
  if (wrong !== undefined) throw new RangeError(`Cannot test: ${wrong} is no difference.`);
  const n = differences.length;
  if (n === 0) return unavailable("no pairs");
  const observed = differences.reduce((sum, difference) => sum + difference, 0);
  const magnitudes = differences.map(Math.abs).filter((magnitude) => magnitude > 0);
  const statistic = observed / n;
  // By symmetry both tails together are twice the upper one, but for the point 0 they share.
  const bound = alternative === "greater" ? observed : Math.abs(observed);
  const sides = alternative === "greater" ? 1 : 2;
  const tail = exactTail(magnitudes, bound);
  if (tail === undefined) {
    const draws = { twoSided: sides === 2, permutations, random };
    return drawn(statistic, drawnTail(magnitudes, bound, draws), permutations, n);
  }
  const p = Math.min(1, sides * tail);
  const resolution = Math.min(1, sides / 2 ** magnitudes.length);
  return { kind: "test", statistic, p, method: "exact", resolution, n };
}

/**
 * Whether values depend on their place within a block, where places were dealt out at random: the
 * share of rearrangements within blocks whose statistic is at least the observed one, which counts
 * as one of them. Unavailable without blocks of at least two values.
 *
 * Throws RangeError for fewer than 100 permutations.
 */
export function blockPermutationTest(
  { blocks, statistic, permutations, random }: BlockPermutationOptions,
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
  const resolution = 1 / (permutations + 1);
  const p = (reached + 1) / (permutations + 1);
  return { kind: "test", statistic, p, method: "monte-carlo", resolution, n };
}

function requirePermutations(permutations: number): void {
  if (!Number.isInteger(permutations) || permutations < 100) {
    throw new RangeError(
      `Cannot test: ${permutations} permutations are too few, 100 is the least.`,
    );
  }
}
