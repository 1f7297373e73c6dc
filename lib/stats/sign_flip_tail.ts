import type { RandomSource } from "./random.ts";

/** Differences that are not 0, up to which 2^n sign patterns are gone through. */
const MOST_ENUMERATED = 20;
/** Of the shift algorithm: differences × the sum of their magnitudes. */
const MOST_STEPS = 50_000_000;
const COMMON_DENOMINATORS = Array.from({ length: 12 }, (_, index) => index + 1);
/** Sums that are equal but for rounding count as equal, relative to the sum of all magnitudes. */
const TIE = 1e-10;

/**
 * P(S ≥ bound), S the sum of the magnitudes under random signs; undefined where it cannot be counted
 * out. `magnitudes` are above 0.
 */
export function exactTail(magnitudes: readonly number[], bound: number): number | undefined {
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

/**
 * The distribution of the sum of those magnitudes whose sign is plus, one magnitude at a time; the
 * signed sum is twice it less the total.
 */
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

/** How signs are drawn where they cannot be counted out. */
interface Draws {
  readonly twoSided: boolean;
  readonly permutations: number;
  readonly random: RandomSource;
}

/** How many of the drawn sign patterns have a sum, or with two sides a |sum|, of at least `bound`. */
export function drawnTail(
  magnitudes: readonly number[],
  bound: number,
  { twoSided, permutations, random }: Draws,
): number {
  const enough = bound - TIE * sum(magnitudes);
  let reached = 0;
  for (let i = 0; i < permutations; i++) {
    let [signed, signs] = [0, 0];
    for (const [index, magnitude] of magnitudes.entries()) {
      if (index % 32 === 0) signs = random.integer(0x100000000);
      signed += (signs >>> index % 32) & 1 ? magnitude : -magnitude;
    }
    if ((twoSided ? Math.abs(signed) : signed) >= enough) reached++;
  }
  return reached;
}

/** But for rounding; what is far below 1 is no 0. */
function isWhole(value: number): boolean {
  return Math.abs(value - Math.round(value)) <= 1e-9 * value;
}

/** Not simple-statistics' sum, which corrects roundings and so differs from sums made step by step. */
function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
