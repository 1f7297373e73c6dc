/**
 * Groups of pairs for statistics: all pairs, phenomena, subsets, and means of subsets.
 * @module
 */
import type { PairLikelihood } from "./answers.ts";
import {
  ALL,
  clusteredStatistics,
  type CountedItem,
  type CountStatistic,
  type Statistic,
  type Tally,
} from "./clustered.ts";
import type { DatasetItem } from "./dataset.ts";
import type { MinimalPair } from "./pair.ts";

export interface PairPart<Phenomenon extends string> {
  /** Name in the column for phenomena, distinct from theirs and from that of all pairs. */
  readonly name: string;
  /**
   * Tests whether a pair belongs to the subset. For some subsets this depends on the model's
   * tokens.
   */
  readonly has: (item: DatasetItem<Phenomenon>, scored?: PairLikelihood) => boolean;
  /** Returns an item's stratum. Measures are then means over strata with equal weights. */
  readonly stratumOf?: (item: DatasetItem<Phenomenon>) => string;
  /** True to report accuracies only, without agreement and sensitivity. */
  readonly accuraciesOnly?: boolean;
}

/** Pairs with their phenomena and subsets. */
export interface GroupedPairs<Phenomenon extends string> {
  readonly items: readonly DatasetItem<Phenomenon>[];
  readonly phenomena: readonly Phenomenon[];
  /** Subsets of the pairs, such as one case, by name. */
  readonly parts?: readonly PairPart<Phenomenon>[];
  /** Pairs that count in subsets only, for example a set in the other direction. */
  readonly further?: readonly DatasetItem<Phenomenon>[];
}

export interface GroupItem {
  readonly pair: MinimalPair;
  readonly lemma: string;
  readonly sentence: string;
  readonly form?: string;
  readonly stratum: string | undefined;
}

export interface PairGroup {
  readonly phenomenon: string;
  readonly accuraciesOnly: boolean;
  /** Returns the group's pairs. With a model's likelihoods, membership is by its tokens. */
  readonly items: (scored?: ReadonlyMap<string, PairLikelihood>) => readonly GroupItem[];
  /**
   * True to report the group only when all its pairs are answered, since the composition of a part
   * would differ.
   */
  readonly isWhole: boolean;
}

/**
 * Returns the clusters of a pair: its lemma, source sentence, changed word and, optionally, the
 * change.
 */
export function clustersOf(
  { pair: { target, errorType }, certificate: { lemma, source } }: DatasetItem,
) {
  const sentence = JSON.stringify([source.text, source.chapter, source.sentence]);
  return { lemma, sentence, ...errorType && { form: `${target.toLowerCase()} ${errorType}` } };
}

/** Classes of the variant's length relative to the grammatical sentence. */
const LENGTHS = [["longer", 1], ["same", 0], ["shorter", -1]] as const;

/**
 * Returns subsets by the variant's length: longer, same or shorter.
 *
 * `characters.longer` etc. count code points, `tokens.longer` etc. tokens of the model.
 */
export function lengthParts<Phenomenon extends string>(
  items: readonly DatasetItem<Phenomenon>[],
): readonly PairPart<Phenomenon>[] {
  const own = new Set<unknown>(items);
  const characters = (sentence: string) => [...sentence.normalize("NFC")].length;
  const by = (
    unit: string,
    longer: (item: DatasetItem<Phenomenon>, scored?: PairLikelihood) => number | undefined,
  ) =>
    LENGTHS.map(([word, sign]): PairPart<Phenomenon> => ({
      name: `${unit}.${word}`,
      has: (item, scored) => own.has(item) && Math.sign(longer(item, scored) ?? NaN) === sign,
    }));
  return [
    ...by(
      "characters",
      ({ pair }) => characters(pair.ungrammatical) - characters(pair.grammatical),
    ),
    ...by(
      "tokens",
      (_, scored) => scored && scored.ungrammatical.tokens - scored.grammatical.tokens,
    ),
  ];
}

/** Groups all pairs, then those of each phenomenon, then the parts. */
export function pairGroups<Phenomenon extends string>(
  { items, phenomena, parts = [], further = [] }: GroupedPairs<Phenomenon>,
): { readonly designed: readonly PairGroup[]; readonly parts: readonly PairGroup[] } {
  const everything = [...items, ...further];
  const added = new Set(further);
  const group = ({ name, has, stratumOf, accuraciesOnly = false }: PairPart<Phenomenon>) => ({
    phenomenon: name,
    accuraciesOnly,
    isWhole: stratumOf !== undefined || further.some((item) => has(item)),
    items: (scored?: ReadonlyMap<string, PairLikelihood>) =>
      everything.filter((item) => has(item, scored?.get(item.pair.id))).map((item) => {
        return { pair: item.pair, ...clustersOf(item), stratum: stratumOf?.(item) };
      }),
  });
  return {
    designed: [ALL, ...phenomena].map((name) =>
      group({
        name,
        has: (item) => !added.has(item) && (name === ALL || item.pair.phenomenon === name),
      })
    ),
    parts: parts.map(group),
  };
}

/** Computes {@link clusteredStatistics} of a group of pairs; for strata, their mean. */
export function groupedStatistics<Name extends string>(
  place: Pick<Statistic, "model" | "phenomenon">,
  items: readonly (CountedItem<Name> & Pick<GroupItem, "stratum">)[],
  measures: readonly CountStatistic<Tally<Name>>[],
): readonly Statistic[] {
  if (items[0]?.stratum === undefined) return clusteredStatistics(place, items, measures);
  const mean = meanOfStrata(items, measures);
  return clusteredStatistics(place, mean.items, mean.measures);
}

/**
 * Computes stratified means with equal weights of strata (Cochran 1977, ch. 5).
 *
 * The size of a stratum has no effect. Undefined where a stratum has no value.
 */
function meanOfStrata<Name extends string>(
  items: readonly (CountedItem<Name> & Pick<GroupItem, "stratum">)[],
  measures: readonly CountStatistic<Tally<Name>>[],
) {
  const strata = [...new Set(items.map(({ stratum = "" }) => stratum))].sort();
  const names = Object.keys(items[0]?.counts ?? {}) as Name[];
  // Every measure asks for the parts of the same resamples.
  const found = new WeakMap<Tally<string>, readonly Tally<Name>[]>();
  const parts = (counts: Tally<string>) => {
    const known = found.get(counts) ??
      strata.map((stratum) =>
        Object.fromEntries(names.map((name) => [name, counts[`${stratum} ${name}`]])) as Tally<Name>
      );
    found.set(counts, known);
    return known;
  };
  const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  return {
    items: items.map(({ stratum, counts, ...own }): CountedItem<string> => ({
      ...own,
      counts: Object.fromEntries(
        strata.flatMap((other) =>
          names.map((name) => [`${other} ${name}`, other === stratum ? counts[name] : 0])
        ),
      ),
    })),
    measures: measures.map((measure): CountStatistic<Tally<string>> => ({
      ...measure,
      method: `${measure.method}; mean of ${strata.length} strata (${strata.join(", ")})`,
      of(counts) {
        const values = parts(counts).map(measure.of).filter((value) => value !== undefined);
        return values.length < strata.length ? undefined : total(values) / strata.length;
      },
      n: (counts) => total(parts(counts).map(measure.n)),
      constructed(counts) {
        const why = parts(counts).map((own) => measure.constructed?.(own));
        return why.every((one) => one !== undefined) ? why[0] : undefined;
      },
    })),
  };
}
