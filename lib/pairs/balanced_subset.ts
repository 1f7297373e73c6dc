/** The largest part of the pairs on which no rule without grammar is better than chance. */
import { randomSource } from "../stats/random.ts";
import type { Baseline } from "./artefacts.ts";
import { compareText } from "../files/table.ts";
import type { MinimalPair } from "./pair.ts";

/**
 * The largest subset on which every baseline is exactly at chance within every phenomenon: as many
 * pairs right as wrong, ties aside. Which of several like pairs stay is drawn with the seed; the
 * order of the pairs does not matter. Meant for up to three or four baselines.
 *
 * @returns the ids that stay, in the order of the pairs
 */
export function balancedSubset(
  pairs: readonly MinimalPair[],
  baselines: readonly Baseline[],
  seed: number | string,
): readonly string[] {
  const dropped = new Set<string>();
  for (const [phenomenon, group] of Map.groupBy(pairs, (pair) => pair.phenomenon)) {
    const byOutcome = Map.groupBy(group, (pair) => outcomeOf(pair, baselines).join());
    const outcomes = [...byOutcome.keys()].sort(compareText);
    const cells = outcomes.map((outcome) => ({
      vector: outcome === "" ? [] : outcome.split(",").map(Number),
      count: byOutcome.get(outcome)?.length ?? 0,
    }));
    for (const [index, removals] of fewestRemovals(cells).entries()) {
      const outcome = outcomes[index] ?? "";
      const ids = (byOutcome.get(outcome) ?? []).map(({ id }) => id).sort(compareText);
      const random = randomSource(`${seed}|${phenomenon}|${outcome}`);
      for (const id of random.sample(ids, removals)) dropped.add(id);
    }
  }
  return pairs.map(({ id }) => id).filter((id) => !dropped.has(id));
}

const VALUE = { grammatical: 1, ungrammatical: -1, tie: 0 } as const;

function outcomeOf(pair: MinimalPair, baselines: readonly Baseline[]): readonly number[] {
  return baselines.map(({ choose }) => VALUE[choose(pair)]);
}

/** Items that are alike: what each adds to every sum, and how many there are. */
export interface Cell {
  /** −1, 0 or 1 for each sum. */
  readonly vector: readonly number[];
  readonly count: number;
}

/** The best way found to a state: what is left of the sums. */
interface Step {
  readonly sums: readonly number[];
  readonly removed: number;
  /** Items taken of the last cell, and the state before. */
  readonly taken: number;
  readonly before: string;
}

type Bound = (sums: readonly number[]) => number;

/**
 * How many items to remove of each cell so that every sum becomes 0 and as few as possible are
 * removed: exact, by dynamic programming over the cells. A state is dropped where the removals so
 * far and a lower bound on those to come exceed a limit. The limit starts at the least that could
 * do and is raised until a solution is found; removing everything always is one.
 */
export function fewestRemovals(cells: readonly Cell[]): readonly number[] {
  const width = cells[0]?.vector.length ?? 0;
  const sums = Array.from(
    { length: width },
    (_, i) => cells.reduce((sum, { vector, count }) => sum + (vector[i] ?? 0) * count, 0),
  );
  // One bound for each number of cells still to come.
  const bounds = Array.from(
    { length: cells.length + 1 },
    (_, done) => removalBound(cells.slice(done), width),
  );
  const least = bounds[0]?.(sums) ?? 0;
  for (let slack = 0;; slack = 2 * slack + 1) {
    const found = removalsWithin(cells, sums, bounds, least + slack);
    if (found) return found;
  }
}

function removalsWithin(
  cells: readonly Cell[],
  sums: readonly number[],
  bounds: readonly Bound[],
  limit: number,
): readonly number[] | undefined {
  const start: Step = { sums, removed: 0, taken: 0, before: "" };
  const layers: ReadonlyMap<string, Step>[] = [new Map([[sums.join(), start]])];
  for (const [index, cell] of cells.entries()) {
    const bound = bounds[index + 1] ?? (() => 0);
    layers.push(nextLayer(layers[index] ?? new Map(), cell, bound, limit));
  }
  let state = sums.map(() => 0).join();
  if (!layers.at(-1)?.has(state)) return undefined;
  const taken: number[] = [];
  for (const layer of layers.slice(1).reverse()) {
    const step = layer.get(state);
    taken.unshift(step?.taken ?? 0);
    state = step?.before ?? "";
  }
  return taken;
}

function nextLayer(
  layer: ReadonlyMap<string, Step>,
  { vector, count }: Cell,
  bound: Bound,
  limit: number,
): Map<string, Step> {
  const next = new Map<string, Step>();
  // Items that add to no sum are never removed.
  const most = vector.some((value) => value !== 0) ? count : 0;
  for (const [before, step] of layer) {
    for (let taken = 0; taken <= most; taken++) {
      const sums = step.sums.map((sum, i) => sum - taken * (vector[i] ?? 0));
      const removed = step.removed + taken;
      if (removed + bound(sums) > limit) continue;
      const key = sums.join();
      const known = next.get(key);
      if (known === undefined || removed < known.removed) {
        next.set(key, { sums, removed, taken, before });
      }
    }
  }
  return next;
}

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
function removalBound(cells: readonly Cell[], width: number) {
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
