import type { PairLikelihood } from "../../pairs/likelihood_rows.ts";
import type { DatasetItem } from "../../pairs/number_pairs.ts";
import { variantForm } from "../../pairs/sentence_difference.ts";
import { randomSource } from "../../stats/random.ts";
import { PHENOMENA, type Phenomenon } from "../candidate.ts";
import { PHENOMENON_NAMES } from "./evidence.ts";

/** Pairs of each phenomenon that the tour shows. */
const PER_PHENOMENON = 3;

/** The pair a newcomer sees first: u-umlaut, in the shortest sentence. Throws RangeError without one. */
export function tourPair(items: readonly DatasetItem<Phenomenon>[]): DatasetItem<Phenomenon> {
  const [shortest] = items
    .filter(({ pair }) => pair.phenomenon === "UMLAUT")
    .toSorted((a, b) => a.pair.grammatical.length - b.pair.grammatical.length);
  if (shortest) return shortest;
  throw new RangeError("Cannot begin the tour: the data set has no pair of u-umlaut.");
}

/** A pair's difference in log-probability, as the forest plot shows it. */
export interface TourRow {
  readonly label: string;
  readonly group: string;
  /** log P(grammatical) − log P(ungrammatical), nats. */
  readonly difference: number;
  readonly measure: { readonly kind: "value"; readonly estimate: number };
}

/** Some pairs of each phenomenon, drawn by seed, with the model's preference. */
export function tourRows(
  items: readonly DatasetItem<Phenomenon>[],
  likelihoods: readonly PairLikelihood[],
  model: string,
  seed: number,
): readonly TourRow[] {
  const random = randomSource(seed);
  const scored = new Map(
    likelihoods.filter((row) => row.model === model).map((row) => [row.pairId, row]),
  );
  return PHENOMENA.flatMap((phenomenon) => {
    const own = items.filter(({ pair }) => pair.phenomenon === phenomenon && scored.has(pair.id));
    return random.sample(own, Math.min(PER_PHENOMENON, own.length)).map(({ pair }) => {
      const row = scored.get(pair.id)!;
      const difference = row.grammatical.logProbability - row.ungrammatical.logProbability;
      return {
        label: `${pair.target} · *${variantForm(pair)}`,
        group: PHENOMENON_NAMES[phenomenon],
        difference,
        measure: { kind: "value" as const, estimate: difference },
      };
    });
  });
}
