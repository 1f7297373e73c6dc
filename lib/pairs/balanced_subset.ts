/** The largest part of the pairs on which no rule without grammar is better than chance. */
import { randomSource } from "../stats/random.ts";
import type { Baseline } from "./artefacts.ts";
import { compareText } from "../files/table.ts";
import type { MinimalPair } from "./pair.ts";

/**
 * The ids of the largest subset on which every baseline is exactly at chance within every phenomenon: as
 * many pairs right as wrong, ties aside. Which of several like pairs stay is drawn with the seed,
 * whatever the order of the pairs. Meant for up to three or four baselines.
 */
export function balancedSubset(
  pairs: readonly MinimalPair[],
  baselines: readonly Baseline[],
  seed: number | string,
): readonly string[] {
  const dropped = new Set<string>();
  for (const [phenomenon, group] of Map.groupBy(pairs, (pair) => pair.phenomenon)) {
    const byOutcome = Map.groupBy(
      group,
      (pair) => baselines.map(({ choose }) => VALUE[choose(pair)]).join(),
    );
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

/** Items that are alike: what each adds to every sum (−1, 0 or 1), and how many there are. */
export interface Cell {
  readonly vector: readonly number[];
  readonly count: number;
}

interface Step {
  readonly sums: readonly number[];
  readonly removed: number;
  /** Items taken of the last cell, and the state before. */
  readonly taken: number;
  readonly before: string;
}

/**
 * How many items to remove of each cell so that every sum becomes 0 and as few as possible are removed:
 * exact, by dynamic programming over the cells. A state is dropped where its removals and a lower bound
 * on those to come exceed a limit, which is raised until a solution is found.
 */
export function fewestRemovals(cells: readonly Cell[]): readonly number[] {
  const sums = (cells[0]?.vector ?? []).map((_, i) =>
    cells.reduce((sum, { vector, count }) => sum + vector[i]! * count, 0)
  );
  // One bound for each number of cells still to come.
  const bounds = Array.from(
    { length: cells.length + 1 },
    (_, done) => removalBound(cells.slice(done), sums.length),
  );
  const least = bounds[0]!(sums);
  for (let slack = 0;; slack = 2 * slack + 1) {
    const layers: ReadonlyMap<string, Step>[] = [
      new Map([[sums.join(), { sums, removed: 0, taken: 0, before: "" }]]),
    ];
    for (const [index, cell] of cells.entries()) {
      layers.push(nextLayer(layers[index]!, cell, bounds[index + 1]!, least + slack));
    }
    let state = sums.map(() => 0).join();
    if (!layers.at(-1)!.has(state)) continue;
    const taken: number[] = [];
    for (const layer of layers.slice(1).reverse()) {
      const step = layer.get(state)!;
      taken.unshift(step.taken);
      state = step.before;
    }
    return taken;
  }
}

function nextLayer(
  layer: ReadonlyMap<string, Step>,
  { vector, count }: Cell,
  bound: (sums: readonly number[]) => number,
  limit: number,
): ReadonlyMap<string, Step> {
  const next = new Map<string, Step>();
  // Items that add to no sum are never removed.
  const most = vector.some((value) => value !== 0) ? count : 0;
  for (const [before, step] of layer) {
    for (let taken = 0; taken <= most; taken++) {
      const sums = step.sums.map((sum, i) => sum - taken * vector[i]!);
      const removed = step.removed + taken;
      if (removed + bound(sums) > limit) continue;
      const key = sums.join();
      if (removed < (next.get(key)?.removed ?? Infinity)) {
        next.set(key, { sums, removed, taken, before });
      }
    }
  }
  return next;
}

/**
 * A lower bound on the items to be removed from these cells until all sums are 0: along every
 * weighting of the sums by −1, 0 and 1, the items that give most are taken first. Infinity where
 * the cells cannot give what is needed, so that no search begins there.
 */
function removalBound(cells: readonly Cell[], width: number) {
  const weightings = Array.from({ length: width }).reduce<readonly (readonly number[])[]>(
    (shorter) => shorter.flatMap((weights) => [-1, 0, 1].map((next) => [...weights, next])),
    [[]],
  );
  const directions = weightings.map((weights) => {
    const byGain = new Map<number, number>();
    for (const { vector, count } of cells) {
      const gain = dot(weights, vector);
      if (gain > 0) byGain.set(gain, (byGain.get(gain) ?? 0) + count);
    }
    // Items by gain, the highest gain first.
    return { weights, capacity: [...byGain].sort(([a], [b]) => b - a) };
  });
  return (sums: readonly number[]): number =>
    Math.max(...directions.map(({ weights, capacity }) => {
      let [left, removed] = [dot(weights, sums), 0];
      for (const [gain, items] of capacity) {
        if (left <= 0) break;
        const taken = Math.min(items, Math.ceil(left / gain));
        removed += taken;
        left -= taken * gain;
      }
      return left > 0 ? Infinity : removed;
    }));
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
