/**
 * Shared parts of the benchmarks: material, alternating timing, and output of results.
 * @module
 */
import { join } from "node:path";
import { median, quantile } from "simple-statistics";
import { modelFile } from "../../lib/models/llama/local_models.ts";
import { expandedWeights } from "../../lib/models/llama/weights.ts";
import { ggufEntries, type GgufEntry, parsePanel } from "../../lib/models/panel.ts";
import { SENTENCES } from "../../lib/studies/norse/dataset.ts";
import { readOwnPairs } from "../../lib/pairs/own_pairs.ts";
import type { MinimalPair } from "../../lib/pairs/pair.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { int } from "../command.ts";
import { CACHE_DIRECTORY } from "../python_environment.ts";

export const PAIRS = "data/norse/minimal_pairs.csv";
const PANEL = "data/panels/local.yaml";
const SEED = 20251121;

/** Parser and default of `--threads`. */
export const THREADS = [
  int({ min: 1, max: 1024 }),
  Math.min(2, navigator.hardwareConcurrency),
] as const;

/** Prints a measurement and whether it is within its limit. @returns true within the limit. */
export function printMeasurement(
  what: string,
  value: number,
  limit: number,
  text: string,
): boolean {
  const kept = value <= limit;
  console.log(`${kept ? "kept  " : "MISSED"} ${what}: ${text}; at most ${limit}`);
  return kept;
}

/** Two sentences that are scored as one pair. */
export type BenchPair = Pick<MinimalPair, "id" | "phenomenon" | "grammatical" | "ungrammatical">;

/** Reads all pairs of a file or folder, in any format that `readOwnPairs` accepts. */
export async function readPairs(path: string): Promise<readonly BenchPair[]> {
  return (await readOwnPairs(path)).pairs.map(({ pair }) => pair);
}

/** Samples `count` sentences of the saga in normalised spelling. */
export const sagaSentences = (count: number) => seededSample(SENTENCES.read(), count);

/** Samples the same `count` items in every run. All of them where there are fewer. */
export function seededSample<T>(items: readonly T[], count: number): readonly T[] {
  return randomSource(SEED).sample(items, Math.min(count, items.length));
}

/** Entries of the panel's local models. */
export const panelEntries = () => ggufEntries(parsePanel(Deno.readTextFileSync(PANEL), PANEL));

/** Returns the selected local models with published weights and weights expanded to float32. */
export async function panelWeights(
  threads: number,
  wanted: (entry: GgufEntry) => boolean = () => true,
) {
  const directory = join(CACHE_DIRECTORY, "models");
  return await Array.fromAsync(panelEntries().filter(wanted), async (entry) => {
    const shipped = await modelFile(entry, CACHE_DIRECTORY);
    const expanded = await expandedWeights(shipped, { directory, precision: "F32", threads });
    return { entry, shipped, expanded };
  });
}

/**
 * Returns the duration of some work in milliseconds; a duration that it returns itself takes
 * precedence.
 */
export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  const reported = await work();
  return typeof reported === "number" ? reported : performance.now() - begun;
}

/**
 * Times all contestants on every item, in alternating order.
 *
 * Other processes on the machine thus affect all equally. A contestant may report its own
 * milliseconds. The first item is also run once as a warm-up.
 *
 * @returns one list of milliseconds per contestant
 * @throws {RangeError} where there are no items.
 */
export async function takeTurns<T>(
  items: readonly T[],
  contestants: readonly ((item: T) => Promise<number | void>)[],
): Promise<readonly (readonly number[])[]> {
  const [first] = items;
  if (first === undefined) throw new RangeError("Cannot compare: there is nothing to measure");
  for (const contestant of contestants) await contestant(first);
  const times = contestants.map((): number[] => []);
  for (const [index, item] of items.entries()) {
    for (const turn of contestants.keys()) {
      const at = (index + turn) % contestants.length;
      times[at]!.push(await milliseconds(() => contestants[at]!(item)));
    }
  }
  return times;
}

/** Computes median times per item in ms, and the median ratio ours / theirs with its quartiles. */
export function medianComparison(own: readonly number[], others: readonly number[]) {
  const ratios = own.map((time, i) => time / others[i]!);
  const at = (share: number) => quantile(ratios, share);
  const medians = { ours: median([...own]), theirs: median([...others]), ratio: at(0.5) };
  return { items: own.length, ...medians, ratioLow: at(0.25), ratioHigh: at(0.75) };
}

/**
 * Times two contestants alternately and compares their medians. @throws as {@link takeTurns} does.
 */
export async function compareAlternating<T>(
  items: readonly T[],
  ours: (item: T) => Promise<number | void>,
  theirs: (item: T) => Promise<number | void>,
) {
  const [own, others] = await takeTurns(items, [ours, theirs]);
  return medianComparison(own!, others!);
}

/** Formats a comparison: `0.93 (middle half 0.91–0.97, 40 items, 101 against 108 ms)`. */
export function formatComparison(
  { ratio, ratioLow, ratioHigh, items, ours, theirs }: ReturnType<typeof medianComparison>,
): string {
  return `${ratio.toFixed(2)} (middle half ${ratioLow.toFixed(2)}–${ratioHigh.toFixed(2)}, ` +
    `${items} items, ${ours.toFixed(0)} against ${theirs.toFixed(0)} ms)`;
}
