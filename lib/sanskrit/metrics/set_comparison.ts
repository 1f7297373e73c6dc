import type { Measure } from "../../pairs/clustered_statistic.ts";
import { share } from "../../pairs/forced_choice_measures.ts";
import { preference } from "../../pairs/likelihood_measures.ts";
import type { PairLikelihood } from "../../pairs/likelihood_rows.ts";
import type { Counted, Tally } from "../../pairs/tally.ts";
import type { ScoredItem } from "./probe_items.ts";

/** A figure of a set is the sum of parts over the sum of wholes of its pairs. */
export interface Ratio {
  readonly name: string;
  readonly method: string;
  readonly of: (row: PairLikelihood) => { readonly part: number; readonly whole: number };
}

/** How often the grammatical member has the higher total log-probability; a tie is not right. */
export const ACCURACY: Ratio = {
  name: "accuracy",
  method: "share of pairs whose grammatical member has the higher total log-probability",
  of: (row) => ({ part: Number(preference(row, "total") === "grammatical"), whole: 1 }),
};

/** How probable the grammatical members are: nats a byte, each counted as often as it has a pair. */
export const LOGPROB_PER_BYTE: Ratio = {
  name: "logprob_per_byte",
  method: "sum of log-probabilities / sum of UTF-8 bytes of the grammatical members, nats a byte",
  of: ({ grammatical: { logProbability, bytes } }) => ({ part: logProbability, whole: bytes }),
};

type SetCounts = Tally<"pairs" | "part" | "whole">;
type TwoSetCounts = Tally<`${"first" | "second"}_${"pairs" | "part" | "whole"}`>;

/** A ratio as a measure of one set's counts. */
export function ratioMeasure({ name, method }: Ratio): Measure<SetCounts> {
  return {
    name,
    method,
    of: ({ part, whole }) => share(part, whole),
    n: ({ pairs }) => pairs,
  };
}

/** What the pairs of one set add to a ratio, each under its stem. */
export function countSet(
  items: readonly ScoredItem[],
  ratio: Ratio,
): readonly Counted<keyof SetCounts>[] {
  return items.map(({ stem, row }) => ({ lemma: stem, counts: { pairs: 1, ...ratio.of(row) } }));
}

/** A ratio of the first set less that of the second. */
export function differenceMeasure({ name, method }: Ratio): Measure<TwoSetCounts> {
  return {
    name: `${name}_difference`,
    method:
      `first set less second, pairs of the same noun and cells, stems drawn for both: ${method}`,
    of: (counts) => {
      const first = share(counts.first_part, counts.first_whole);
      const second = share(counts.second_part, counts.second_whole);
      return first === undefined || second === undefined ? undefined : first - second;
    },
    n: ({ first_pairs, second_pairs }) => first_pairs + second_pairs,
  };
}

/** What the pairs of two sets add to the difference of a ratio: a stem brings its pairs of both. */
export function countTwoSets(
  first: readonly ScoredItem[],
  second: readonly ScoredItem[],
  ratio: Ratio,
): readonly Counted<keyof TwoSetCounts>[] {
  const none = { pairs: 0, part: 0, whole: 0 };
  const counted = (lemma: string, one: SetCounts, other: SetCounts) => ({
    lemma,
    counts: {
      ...{ first_pairs: one.pairs, first_part: one.part, first_whole: one.whole },
      ...{ second_pairs: other.pairs, second_part: other.part, second_whole: other.whole },
    },
  });
  return [
    ...countSet(first, ratio).map(({ lemma, counts }) => counted(lemma, counts, none)),
    ...countSet(second, ratio).map(({ lemma, counts }) => counted(lemma, none, counts)),
  ];
}
