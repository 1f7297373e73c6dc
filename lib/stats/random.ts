import { sample, shuffle } from "simple-statistics";

/** A seeded random number generator, reproducible on every machine. */
export interface RandomSource {
  /** Returns the next number in [0, 1), a multiple of 2⁻⁵³. */
  next(): number;
  /** Returns an integer in [0, n). Throws RangeError unless n is an integer in 1 … 2³². */
  integer(n: number): number;
  /** Returns a shuffled copy (Fisher–Yates). */
  shuffle<T>(items: readonly T[]): T[];
  /**
   * Samples k items without replacement, in random order. Throws RangeError for fewer than k items.
   */
  sample<T>(items: readonly T[], k: number): T[];
}

/**
 * Returns a random source from an integer or string seed.
 *
 * The generator is xoshiro128** (Blackman & Vigna 2021, ACM TOMS 47(4)), initialised by splitmix64
 * as its authors recommend. A string is hashed to 64 bits by FNV-1a over its UTF-8 bytes. Not for
 * cryptography.
 *
 * Throws RangeError if a numeric seed is no safe integer.
 */
export function randomSource(seed: number | string): RandomSource {
  if (typeof seed === "number" && !Number.isSafeInteger(seed)) {
    throw new RangeError(`Cannot seed a random source: ${seed} is no safe whole number.`);
  }
  const words = splitmix64(typeof seed === "string" ? fnv1a64(seed) : BigInt(seed));
  const [low, high] = [words(), words()];
  const word = xoshiro128StarStar([
    Number(low & 0xffffffffn),
    Number(low >> 32n),
    Number(high & 0xffffffffn),
    Number(high >> 32n),
  ]);
  // 27 + 26 bits of two words: the full precision of a double.
  const next = () => ((word() >>> 5) * 0x4000000 + (word() >>> 6)) / 0x20000000000000;
  return {
    next,
    integer(n) {
      if (!Number.isInteger(n) || n < 1 || n > 0x100000000) {
        throw new RangeError(`Cannot draw an integer: ${n} is no whole number in 1 … 2^32.`);
      }
      // With 53 bits the bias of flooring is below n × 2⁻⁵³, far under anything measurable here.
      return Math.floor(next() * n);
    },
    shuffle: (items) => shuffle([...items], next),
    sample(items, k) {
      if (!Number.isInteger(k) || k < 0 || k > items.length) {
        throw new RangeError(`Cannot sample ${k} items: there are ${items.length}.`);
      }
      return sample([...items], k, next);
    },
  };
}

/** Returns the xoshiro128** generator for a state of unsigned 32-bit words, not all zero. */
export function xoshiro128StarStar(
  [a, b, c, d]: readonly [number, number, number, number],
): () => number {
  return () => {
    const result = Math.imul(rotateLeft(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotateLeft(d, 11);
    return result;
  };
}

/** Returns the splitmix64 generator of unsigned 64-bit words. */
export function splitmix64(seed: bigint): () => bigint {
  let state = BigInt.asUintN(64, seed);
  return () => {
    state = BigInt.asUintN(64, state + 0x9e3779b97f4a7c15n);
    let word = state;
    word = BigInt.asUintN(64, (word ^ (word >> 30n)) * 0xbf58476d1ce4e5b9n);
    word = BigInt.asUintN(64, (word ^ (word >> 27n)) * 0x94d049bb133111ebn);
    return word ^ (word >> 31n);
  };
}

/** Returns the 64-bit FNV-1a hash of a string's UTF-8 bytes. */
export function fnv1a64(text: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  }
  return hash;
}

const rotateLeft = (word: number, bits: number) => (word << bits) | (word >>> (32 - bits));

/** Draws one of the items with equal probability. Throws RangeError for an empty list. */
export function choose<T>(random: RandomSource, items: readonly T[]): T {
  return items[random.integer(items.length)]!;
}

/** Returns true with probability `share`, 0–1. */
export const bernoulli = (random: RandomSource, share: number) => random.next() < share;

/** Draws a name with probability proportional to its weight. */
export function sampleWeighted<Name extends string>(
  random: RandomSource,
  weights: Readonly<Record<Name, number>>,
): Name {
  const entries = Object.entries(weights) as [Name, number][];
  let rest = random.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  const drawn = entries.find(([, weight]) => (rest -= weight) < 0);
  return (drawn ?? entries.at(-1)!)[0];
}
