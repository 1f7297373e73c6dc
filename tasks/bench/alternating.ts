import { median, quantile } from "simple-statistics";

/** How two contestants compare over the same items, in milliseconds an item. */
export interface Comparison {
  readonly items: number;
  readonly ours: number;
  readonly theirs: number;
  /** Median over items of ours / theirs, with the middle half of the items. */
  readonly ratio: number;
  readonly ratioLow: number;
  readonly ratioHigh: number;
}

async function timed(work: () => Promise<number | void>): Promise<number> {
  const begun = performance.now();
  const reported = await work();
  return reported ?? performance.now() - begun;
}

/**
 * Measures both contestants on every item, taking turns at being first, so that whatever else runs
 * on the machine hits both alike; medians, because it hits now and then. A contestant may report
 * its own milliseconds. The first item is done once more beforehand, to warm up.
 *
 * @throws {RangeError} where there are no items.
 */
export async function compareAlternating<T>(
  items: readonly T[],
  ours: (item: T) => Promise<number | void>,
  theirs: (item: T) => Promise<number | void>,
): Promise<Comparison> {
  const [first] = items;
  if (first === undefined) throw new RangeError("Cannot compare: there is nothing to measure");
  await ours(first);
  await theirs(first);
  const times: { ours: number; theirs: number }[] = [];
  for (const [index, item] of items.entries()) {
    const early = index % 2 === 0 ? await timed(() => ours(item)) : undefined;
    const other = await timed(() => theirs(item));
    times.push({ ours: early ?? await timed(() => ours(item)), theirs: other });
  }
  const ratios = times.map((time) => time.ours / time.theirs);
  return {
    items: items.length,
    ours: median(times.map((time) => time.ours)),
    theirs: median(times.map((time) => time.theirs)),
    ratio: median(ratios),
    ratioLow: quantile(ratios, 0.25),
    ratioHigh: quantile(ratios, 0.75),
  };
}

/** `0.93 (middle half 0.91–0.97, 40 items, 101 against 108 ms)`. */
export function formatComparison(comparison: Comparison): string {
  const { ratio, ratioLow, ratioHigh, items, ours, theirs } = comparison;
  return `${ratio.toFixed(2)} (middle half ${ratioLow.toFixed(2)}–${ratioHigh.toFixed(2)}, ` +
    `${items} items, ${ours.toFixed(0)} against ${theirs.toFixed(0)} ms)`;
}
