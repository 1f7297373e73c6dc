import type { Cell } from "./fewest_removals.ts";

/** A weighting of the sums and how many items there are by what each gives it. */
interface Direction {
  readonly weights: readonly number[];
  /** Items by gain, the highest gain first. */
  readonly capacity: readonly (readonly [gain: number, items: number])[];
}

/**
 * A lower bound on the items to be removed from these cells until all sums are 0: along every
 * weighting of the sums by −1, 0 and 1, the items that give most are taken first. Infinity where
 * the cells cannot give what is needed, so that no search begins there.
 */
export function removalBound(cells: readonly Cell[], width: number) {
  const directions = weightings(width).map((weights) => directionOf(weights, cells));
  return (sums: readonly number[]): number =>
    Math.max(0, ...directions.map((direction) => needed(direction, dot(direction.weights, sums))));
}

function weightings(width: number): readonly (readonly number[])[] {
  const all = Array.from({ length: width }).reduce<readonly (readonly number[])[]>(
    (shorter) => shorter.flatMap((weights) => [-1, 0, 1].map((next) => [...weights, next])),
    [[]],
  );
  return all.filter((weights) => weights.some((weight) => weight !== 0));
}

function directionOf(weights: readonly number[], cells: readonly Cell[]): Direction {
  const byGain = new Map<number, number>();
  for (const { vector, count } of cells) {
    const gain = dot(weights, vector);
    if (gain > 0) byGain.set(gain, (byGain.get(gain) ?? 0) + count);
  }
  return { weights, capacity: [...byGain].sort(([a], [b]) => b - a) };
}

function needed({ capacity }: Direction, amount: number): number {
  let [left, removed] = [amount, 0];
  for (const [gain, items] of capacity) {
    if (left <= 0) break;
    const taken = Math.min(items, Math.ceil(left / gain));
    removed += taken;
    left -= taken * gain;
  }
  return left > 0 ? Infinity : removed;
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
