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

/** The sets that are set side by side, in the order of the rows; their names in `probe_statistics.csv`. */
export const PROBE_SETS = ["text", "control", "iast"] as const;
type ProbeSet = (typeof PROBE_SETS)[number];

/** What the figures of a probe need to know of a pair. */
interface ProbeItem {
  readonly id: string;
  readonly phenomenon: Phenomenon;
  /** In Devanagari, the same for a noun in whatever set: a cluster. */
  readonly stem: string;
  /** The verse, or what stands behind the noun of a control sentence: the same for several nouns. */
  readonly sentence: string;
  /** Stem, correct cell and wrong cell: what pairs of two sets may have in common. */
  readonly change: string;
}

/** Every pair of every set. The pairs in IAST have the stems of the pairs that they are. */
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

/** A pair with what a model gave its members. */
interface ScoredItem extends ProbeItem {
  readonly row: PairLikelihood;
}

/** A figure of a set is the sum of parts over the sum of wholes of its pairs. */
interface Ratio {
  readonly name: string;
  readonly method: string;
  readonly of: (row: PairLikelihood) => { readonly part: number; readonly whole: number };
  readonly bounds?: Bounds;
}

/** How often the grammatical member has the higher total log-probability; a tie is not right. */
const ACCURACY: Ratio = {
  name: "accuracy",
  method: "share of pairs whose grammatical member has the higher total log-probability",
  of: (row) => ({ part: Number(preference(row, "total") === "grammatical"), whole: 1 }),
  bounds: [0, 1],
};

/** How probable the grammatical members are: nats a byte, each counted as often as it has a pair. */
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

/** What pairs of a set add to a ratio, each under its stem and sentence. */
const countAs = (place: "first" | "second", items: readonly ScoredItem[], ratio: Ratio) =>
  items.map(({ stem: lemma, sentence, row }) => {
    const { part, whole } = ratio.of(row);
    const own = { [`${place}_pairs`]: 1, [`${place}_part`]: part, [`${place}_whole`]: whole };
    return { lemma, sentence, counts: { ...NOTHING, ...own } };
  });

const BYTES: CountStatistic<SetCounts> = {
  ...LOGPROB_PER_BYTE,
  of: ({ first_part, first_whole }) => ratioOrUndefined(first_part, first_whole),
  n: ({ first_pairs }) => first_pairs,
};

/** A ratio of the first set less that of the second: a stem brings its pairs of both. */
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
  /** In the order of the rows. Each has scored every pair of every set. */
  readonly models: readonly string[];
}

/** What is compared: the second sets have the text's nouns and cells in other words or letters. */
const COMPARISONS = [
  { second: "control", ratio: ACCURACY },
  { second: "iast", ratio: ACCURACY },
  // Bytes are not comparable between scripts, nor words with sentences.
  { second: "control", ratio: LOGPROB_PER_BYTE },
] as const;

/**
 * Every row of `probe_statistics.csv`, model by model: for each set, whole and by phenomenon (`control.case`),
 * how often the grammatical member is the more probable one; how probable attested lines and control
 * sentences are; the text less each other set, over pairs of both that change the same noun alike.
 * @throws {RangeError} where a model has not scored a pair: the share of some would pass for that of all.
 */
export function probeStatistics(options: ProbeStatisticsOptions): readonly Statistic[] {
  const { sets, likelihoods, models } = options;
  return models.flatMap((model) => {
    const own = likelihoods.filter((row) => row.model === model);
    const rows = new Map(own.map((row) => [row.pairId, row]));
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
