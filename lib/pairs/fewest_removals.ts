import { removalBound } from "./removal_bound.ts";

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
