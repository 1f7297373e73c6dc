/** Items that are alike: what each adds to every sum, and how many there are. */
export interface Cell {
  /** −1, 0 or 1 for each sum. */
  readonly vector: readonly number[];
  readonly count: number;
}

interface Step {
  readonly removed: number;
  /** Items taken of this cell, and the state before. */
  readonly taken: number;
  readonly before: string;
}

/**
 * How many items to remove of each cell so that every sum becomes 0 and as few as possible are
 * removed: exact, by dynamic programming over the cells. A state is what is left of the sums; it is
 * dropped where even the best further removals, each lowering the largest sum by one, would exceed
 * the bound. The bound starts at the least that could do and is raised until a solution is found;
 * removing everything always is one.
 */
export function fewestRemovals(cells: readonly Cell[]): readonly number[] {
  const width = cells[0]?.vector.length ?? 0;
  const sums = Array.from(
    { length: width },
    (_, i) => cells.reduce((sum, { vector, count }) => sum + (vector[i] ?? 0) * count, 0),
  );
  const least = largest(sums);
  for (let slack = 0;; slack = 2 * slack + 1) {
    const found = removalsWithin(cells, sums, least + slack);
    if (found) return found;
  }
}

function removalsWithin(
  cells: readonly Cell[],
  sums: readonly number[],
  bound: number,
): readonly number[] | undefined {
  const start = new Map<string, Step>([[sums.join(), { removed: 0, taken: 0, before: "" }]]);
  const layers = [start];
  for (const cell of cells) layers.push(nextLayer(layers.at(-1) ?? start, cell, bound));
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
  bound: number,
): Map<string, Step> {
  const next = new Map<string, Step>();
  // Items that add to no sum are never removed.
  const most = vector.some((value) => value !== 0) ? count : 0;
  for (const [before, step] of layer) {
    const left = before === "" ? [] : before.split(",").map(Number);
    for (let taken = 0; taken <= most; taken++) {
      const sums = left.map((sum, i) => sum - taken * (vector[i] ?? 0));
      const removed = step.removed + taken;
      if (removed + largest(sums) > bound) break; // It never falls again as more are taken.
      const key = sums.join();
      const known = next.get(key);
      if (known === undefined || removed < known.removed) next.set(key, { removed, taken, before });
    }
  }
  return next;
}

function largest(sums: readonly number[]): number {
  return Math.max(0, ...sums.map(Math.abs));
}
