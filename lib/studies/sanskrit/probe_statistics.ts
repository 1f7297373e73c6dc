import type { PairLikelihood } from "../../pairs/answers.ts";
import {
  clusteredStatistics,
  type CountStatistic,
  type Statistic,
  type Tally,
} from "../../pairs/clustered.ts";
import {
  countLikelihood,
  LIKELIHOOD_MEASURES,
  preference,
  ratioOrUndefined,
} from "../../pairs/measures.ts";
import type { Bounds } from "../../stats/measure.ts";
import { PHENOMENA, type Phenomenon } from "./contrasts.ts";
import { formatCell } from "./paradigms.ts";
import { type ContrastSets, transliterated } from "./probes.ts";
import { cellsOfRecord, type ContrastRecord } from "./records.ts";

/** Compared sets in the order of the rows, named as in `probe_statistics.csv`. */
export const PROBE_SETS = ["text", "control", "iast"] as const;
type ProbeSet = (typeof PROBE_SETS)[number];

/** A pair as the probe statistics need it. */
interface ProbeItem {
  readonly id: string;
  readonly phenomenon: Phenomenon;
  /** Stem in Devanagari, the cluster of a noun in all sets. */
  readonly stem: string;
  /** The verse, or the frame of a control sentence, which several nouns share. */
  readonly sentence: string;
  /** Stem, correct cell and wrong cell, which match pairs across sets. */
  readonly change: string;
}

/** Returns all pairs of all sets. Pairs in IAST have the stems of their originals. */
export function probeItems(
  { main, controls }: ContrastSets,
): Readonly<Record<ProbeSet, readonly ProbeItem[]>> {
  const text = main.map(({ record }) => itemOf(record));
  const inIast = transliterated(main.map(({ pair }) => pair));
  return {
    text,
    control: controls.map(itemOf),
    iast: text.map((item, index) => ({ ...item, id: inIast[index]!.id })),
  };
}

function itemOf(record: ContrastRecord): ProbeItem {
  const { id, phenomenon, stem, context, grammatical } = record;
  const sentence = context || grammatical.slice(grammatical.indexOf(" "));
  const cells = cellsOfRecord(record);
  const change = cells
    ? `${formatCell(cells.from)} > ${formatCell(cells.to)}`
    : record.metadata.incorrect_cells[0]!;
  return { id, phenomenon, stem, sentence, change: `${stem} ${change}` };
}

/** A pair with a model's scores. */
interface ScoredItem extends ProbeItem {
  readonly row: PairLikelihood;
}

/** A ratio of sums over a set's pairs. */
interface Ratio {
  readonly name: string;
  readonly method: string;
  readonly of: (row: PairLikelihood) => { readonly part: number; readonly whole: number };
  readonly bounds?: Bounds;
}

/** Share of pairs whose grammatical member has the higher total log-probability. Ties are wrong. */
const ACCURACY: Ratio = {
  name: "accuracy",
  method: "share of pairs whose grammatical member has the higher total log-probability",
  of: (row) => ({ part: Number(preference(row, "total") === "grammatical"), whole: 1 }),
  bounds: [0, 1],
};

/** Log-probability of grammatical members in nats per byte, each counted once per pair. */
const LOGPROB_PER_BYTE: Ratio = {
  name: "logprob_per_byte",
  method: "sum of log-probabilities / sum of UTF-8 bytes of the grammatical members, nats a byte",
  of: ({ grammatical: { logProbability, bytes } }) => ({ part: logProbability, whole: bytes }),
};

type SetCounts = Tally<`${"first" | "second"}_${"pairs" | "part" | "whole"}`>;

const NOTHING: SetCounts = {
  ...{ first_pairs: 0, first_part: 0, first_whole: 0 },
  ...{ second_pairs: 0, second_part: 0, second_whole: 0 },
};

/** Returns the pairs' contributions to a ratio by stem and sentence. */
const countAs = (place: "first" | "second", items: readonly ScoredItem[], ratio: Ratio) =>
  items.map(({ stem: lemma, sentence, row }) => {
    const { part, whole } = ratio.of(row);
    const added = { [`${place}_pairs`]: 1, [`${place}_part`]: part, [`${place}_whole`]: whole };
    return { lemma, sentence, counts: { ...NOTHING, ...added } };
  });

const BYTES: CountStatistic<SetCounts> = {
  ...LOGPROB_PER_BYTE,
  of: ({ first_part, first_whole }) => ratioOrUndefined(first_part, first_whole),
  n: ({ first_pairs }) => first_pairs,
};

/**
 * Returns the difference of a ratio between two sets.
 * A stem is resampled together with its pairs of both sets.
 */
const differenceMeasure = ({ name, method, bounds }: Ratio): CountStatistic<SetCounts> => ({
  name: `${name}_difference`,
  method:
    `first set less second, pairs of the same noun and cells, stems drawn for both: ${method}`,
  of: (counts) => {
    const first = ratioOrUndefined(counts.first_part, counts.first_whole);
    const second = ratioOrUndefined(counts.second_part, counts.second_whole);
    return first === undefined || second === undefined ? undefined : first - second;
  },
  n: ({ first_pairs, second_pairs }) => first_pairs + second_pairs,
  ...bounds && { bounds: [bounds[0] - bounds[1], bounds[1] - bounds[0]] },
});

interface ProbeStatisticsOptions {
  readonly sets: Readonly<Record<ProbeSet, readonly ProbeItem[]>>;
  readonly likelihoods: readonly PairLikelihood[];
  /** Models in the order of the rows. Each has scored all pairs of all sets. */
  readonly models: readonly string[];
}

/**
 * Comparisons of the text with another set. That set has its nouns and cells in other sentences or
 * script.
 */
const COMPARISONS = [
  { second: "control", ratio: ACCURACY },
  { second: "iast", ratio: ACCURACY },
  // Bytes of different scripts are not comparable, nor are words with sentences.
  { second: "control", ratio: LOGPROB_PER_BYTE },
] as const;

/**
 * Returns all rows of `probe_statistics.csv` by model.
 * For each set, whole and by phenomenon (`control.case`): accuracy; the probability of attested
 * lines and control sentences; and the text's value minus each other set's, over pairs with the
 * same change of the same noun.
 * @throws {RangeError} if a model has not scored a pair: a partial share would pass for a complete
 * one.
 */
export function probeStatistics(options: ProbeStatisticsOptions): readonly Statistic[] {
  const { sets, likelihoods, models } = options;
  return models.flatMap((model) => {
    const scoredRows = likelihoods.filter((row) => row.model === model);
    const rows = new Map(scoredRows.map((row) => [row.pairId, row]));
    const scored = (set: ProbeSet) =>
      sets[set].map((item): ScoredItem => {
        const row = rows.get(item.id);
        if (row !== undefined) return { ...item, row };
        throw new RangeError(`Cannot compare sets: ${model} has not scored ${item.id}.`);
      });
    const accuracies = PROBE_SETS.flatMap((set) =>
      [undefined, ...PHENOMENA].flatMap((only) => {
        const counted = scored(set).filter(({ phenomenon }) => !only || phenomenon === only)
          .map(({ stem: lemma, sentence, row }) => (
            { lemma, sentence, counts: countLikelihood(row) }
          ));
        const place = { model, phenomenon: only ? `${set}.${only}` : set };
        return clusteredStatistics(place, counted, LIKELIHOOD_MEASURES);
      })
    );
    const perByte = (["text", "control"] as const).flatMap((set) => {
      const counted = countAs("first", scored(set), LOGPROB_PER_BYTE);
      return clusteredStatistics({ model, phenomenon: set }, counted, [BYTES]);
    });
    const differences = COMPARISONS.flatMap(({ second, ratio }) => {
      const [text, other] = [scored("text"), scored(second)];
      const common = changes(text).intersection(changes(other));
      const isCommon = ({ change }: ScoredItem) => common.has(change);
      const counted = [
        ...countAs("first", text.filter(isCommon), ratio),
        ...countAs("second", other.filter(isCommon), ratio),
      ];
      const place = { model, phenomenon: `text-${second}` };
      return clusteredStatistics(place, counted, [differenceMeasure(ratio)]);
    });
    return [...accuracies, ...perByte, ...differences];
  });
}

const changes = (items: readonly ScoredItem[]) => new Set(items.map(({ change }) => change));
