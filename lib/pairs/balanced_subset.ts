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

/** How many items were taken of each cell so far, and what the sums are without them. */
interface State {
  readonly sums: readonly number[];
  readonly removed: number;
  readonly taken: readonly number[];
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
    let states: ReadonlyMap<string, State> = new Map([["", { sums, removed: 0, taken: [] }]]);
    for (const [index, { vector, count }] of cells.entries()) {
      const next = new Map<string, State>();
      // Items that add to no sum are never removed.
      const most = vector.some((value) => value !== 0) ? count : 0;
      for (const { sums, removed: before, taken } of states.values()) {
        for (let more = 0; more <= most; more++) {
          const left = sums.map((sum, i) => sum - more * vector[i]!);
          const removed = before + more;
          if (removed + bounds[index + 1]!(left) > least + slack) continue;
          const key = left.join();
          if (removed < (next.get(key)?.removed ?? Infinity)) {
            next.set(key, { sums: left, removed, taken: [...taken, more] });
          }
        }
      }
      states = next;
    }
    // Behind the last cell no other sums than 0 are within any bound.
    const [solution] = states.values();
    if (solution) return solution.taken;
  }
}

/**
 * A lower bound on the items to be removed from these cells until all sums are 0: along every
 * weighting of the sums by −1, 0 and 1, the items that give most are taken first. Infinity where
 * the cells cannot give what is needed, so that no search begins there.
 */
function removalBound(cells: readonly Cell[], width: number) {
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  const weightings = Array.from({ length: width }).reduce<readonly (readonly number[])[]>(
    (shorter) => shorter.flatMap((weights) => [-1, 0, 1].map((next) => [...weights, next])),
    [[]],
  );
  const directions = weightings.map((weights) => {
    const gains = cells.map(({ vector, count }) => ({ gain: dot(weights, vector), count }));
    const useful = gains.filter(({ gain }) => gain > 0).sort((a, b) => b.gain - a.gain);
    return { weights, useful };
  });
  return (sums: readonly number[]): number =>
    Math.max(...directions.map(({ weights, useful }) => {
      let [left, removed] = [dot(weights, sums), 0];
      for (const { gain, count } of useful) {
        if (left <= 0) break;
        const taken = Math.min(count, Math.ceil(left / gain));
        removed += taken;
        left -= taken * gain;
      }
      return left > 0 ? Infinity : removed;
    }));
}
