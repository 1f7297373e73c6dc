import type { RandomSource } from "../../stats/random.ts";

/** One of the items, each as likely. Throws RangeError where there is none. */
export function choose<T>(random: RandomSource, items: readonly T[]): T {
  return items[random.integer(items.length)]!;
}

/** True in so many of 1. */
export function chance(random: RandomSource, share: number): boolean {
  return random.next() < share;
}

/** One of the names, by its weight. */
export function chooseWeighted<Name extends string>(
  random: RandomSource,
  weights: Readonly<Record<Name, number>>,
): Name {
  const entries = Object.entries(weights) as [Name, number][];
  let rest = random.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  const drawn = entries.find(([, weight]) => (rest -= weight) < 0);
  return (drawn ?? entries.at(-1)!)[0];
}
