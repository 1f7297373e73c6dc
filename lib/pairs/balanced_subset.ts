import { randomSource } from "../stats/random.ts";
import type { Baseline } from "./artefacts.ts";
import { fewestRemovals } from "./fewest_removals.ts";
import { compareText } from "./keyed_table.ts";
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
