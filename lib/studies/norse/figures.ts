/** Data for the study's figures and examples. */
import type { StackedBar } from "../../figures/bars.ts";
import type { PairLikelihood, Response } from "../../pairs/answers.ts";
import type { DatasetItem } from "../../pairs/dataset.ts";
import { variantForm } from "../../pairs/pair.ts";
import { interleaved } from "../../pairs/select.ts";
import { randomSource } from "../../stats/random.ts";
import { PHENOMENA, type Phenomenon, PHENOMENON_NAMES } from "./rules.ts";

type Item = DatasetItem<Phenomenon>;

/** Counts answers A, B and invalid by model label and order. */
export function letterRows(
  models: readonly { readonly model: string; readonly label: string }[],
  responses: readonly Response[],
): readonly StackedBar[] {
  return models.flatMap(({ model, label: group }) =>
    (["A_gram", "B_gram"] as const).map((order) => {
      const rows = responses.filter((row) => row.model === model && row.order === order);
      const count = (what: string) => rows.filter(({ response }) => response === what).length;
      const label = order === "A_gram" ? "grammatical at A" : "grammatical at B";
      return { label, group, amounts: ["A", "B", "INVALID"].map(count) };
    })
  );
}

/** Counts pairs of each phenomenon in each of the saga's 42 chapters. */
export function chapterColumns(items: readonly Item[]): readonly StackedBar[] {
  return Array.from({ length: 42 }, (_, index) => {
    const inChapter = items.filter(({ certificate }) => certificate.source.chapter === index + 1);
    const countOf = (name: string) =>
      inChapter.filter(({ pair }) => pair.phenomenon === name).length;
    return { label: String(index + 1), amounts: PHENOMENA.map(countOf) };
  });
}

/** Samples pairs with errors, spread over the phenomena. Sentences have at most 180 characters. */
export function errorExamples<Error>(
  items: readonly Item[],
  errorsOf: (pairId: string) => readonly Error[],
  { count, seed }: { readonly count: number; readonly seed: number },
): readonly { readonly item: Item; readonly errors: readonly Error[] }[] {
  const random = randomSource(seed);
  const wrong = items.filter(({ pair }) => pair.grammatical.length <= 180)
    .map((item) => ({ item, errors: errorsOf(item.pair.id) }))
    .filter(({ errors }) => errors.length > 0);
  const pools = PHENOMENA.map((phenomenon) =>
    random.shuffle(wrong.filter(({ item }) => item.pair.phenomenon === phenomenon))
      .toSorted((a, b) => b.errors.length - a.errors.length)
  );
  return interleaved(pools).slice(0, count);
}

/**
 * Returns the introductory pair: u-umlaut in the shortest sentence.
 * @throws RangeError without one.
 */
export function tourPair(items: readonly Item[]): Item {
  const [shortest] = items
    .filter(({ pair }) => pair.phenomenon === "UMLAUT")
    .toSorted((a, b) => a.pair.grammatical.length - b.pair.grammatical.length);
  if (shortest) return shortest;
  throw new RangeError("Cannot begin the tour: the data set has no pair of u-umlaut.");
}

/**
 * Samples pairs of each phenomenon by seed. Each has log P(grammatical) − log P(ungrammatical) in
 * nats.
 */
export function tourRows(
  items: readonly Item[],
  likelihoods: readonly PairLikelihood[],
  model: string,
  { perPhenomenon, seed }: { readonly perPhenomenon: number; readonly seed: number },
) {
  const random = randomSource(seed);
  const rows = likelihoods.filter((row) => row.model === model);
  const scored = new Map(rows.map((row) => [row.pairId, row]));
  return PHENOMENA.flatMap((phenomenon) => {
    const pairs = items.map(({ pair }) => pair)
      .filter((pair) => pair.phenomenon === phenomenon && scored.has(pair.id));
    return random.sample(pairs, Math.min(perPhenomenon, pairs.length)).map((pair) => {
      const { grammatical, ungrammatical } = scored.get(pair.id)!;
      const difference = grammatical.logProbability - ungrammatical.logProbability;
      return {
        label: `${pair.target} · *${variantForm(pair)}`,
        group: PHENOMENON_NAMES[phenomenon],
        difference,
        measure: { kind: "value" as const, estimate: difference },
      };
    });
  });
}
