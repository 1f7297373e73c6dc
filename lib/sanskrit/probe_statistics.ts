import type { ProbeItem } from "./metrics.ts";
import type { ScoredItem } from "./metrics.ts";
import type { PairLikelihood } from "../pairs/answers.ts";
import { clusteredStatistics, type IntervalSettings, type Statistic } from "../pairs/clustered.ts";
import { countLikelihood, LIKELIHOOD_MEASURES } from "../pairs/measures.ts";
import { PHENOMENA } from "./contrasts.ts";
import { cellsOfRecord, type ContrastRecord } from "./records.ts";
import {
  ACCURACY,
  countSet,
  countTwoSets,
  differenceMeasure,
  LOGPROB_PER_BYTE,
  ratioMeasure,
} from "./metrics.ts";
import { formatCell } from "./paradigms.ts";
import { type ContrastSets, transliterated } from "./probes.ts";

/** The sets that are set side by side, in the order of the rows; their names in `probe_statistics.csv`. */
export const PROBE_SETS = ["text", "control", "bare", "iast", "istem"] as const;
export type ProbeSet = (typeof PROBE_SETS)[number];

/** Every pair of every set. The pairs in IAST have the stems of the pairs that they are. */
export function probeItems(
  { main, controls, bareForms, iStems }: ContrastSets,
): Readonly<Record<ProbeSet, readonly ProbeItem[]>> {
  const text = main.map(({ record }) => itemOf(record));
  const inIast = transliterated(main.map(({ pair }) => pair));
  return {
    text,
    control: controls.map(itemOf),
    bare: bareForms.map(itemOf),
    iast: text.flatMap((item, index) => {
      const id = inIast[index]?.id;
      return id === undefined ? [] : [{ ...item, id }];
    }),
    istem: iStems.map(({ record }) => itemOf(record)),
  };
}

function itemOf(record: ContrastRecord): ProbeItem {
  const { id, phenomenon, stem } = record;
  const { from, to } = cellsOfRecord(record);
  return { id, phenomenon, stem, change: `${stem} ${formatCell(from)} > ${formatCell(to)}` };
}

interface ProbeStatisticsOptions extends IntervalSettings {
  readonly sets: Readonly<Record<ProbeSet, readonly ProbeItem[]>>;
  /** Those of the pairs and those of the probes. */
  readonly likelihoods: readonly PairLikelihood[];
  /** In the order of the rows. Each has scored every pair of every set. */
  readonly models: readonly string[];
}

/** What is compared: the second sets have the text's nouns and cells in other words or letters. */
const COMPARISONS = [
  { second: "control", ratio: ACCURACY },
  { second: "iast", ratio: ACCURACY },
  { second: "bare", ratio: ACCURACY },
  // Bytes are not comparable between scripts, nor words with sentences.
  { second: "control", ratio: LOGPROB_PER_BYTE },
] as const;

/**
 * Every row of `probe_statistics.csv`, model by model: for each set, as a whole and by phenomenon
 * (`control`, `control.case`), how often the grammatical member is the more probable one; how
 * probable attested lines and control sentences are; and the text less each other set, over those
 * pairs of both that change the same noun from and to the same cells.
 *
 * Throws RangeError where a model has not scored a pair: the share of some would pass for that of all.
 */
export function probeStatistics(options: ProbeStatisticsOptions): readonly Statistic[] {
  return options.models.flatMap((model) => {
    const scored = scoredSets(model, options);
    return [
      ...PROBE_SETS.flatMap((set) => accuracyRows({ model, set, items: scored(set) }, options)),
      ...(["text", "control"] as const).flatMap((set) => {
        const counted = countSet(scored(set), LOGPROB_PER_BYTE);
        const measures = [ratioMeasure(LOGPROB_PER_BYTE)];
        return clusteredStatistics({ model, phenomenon: set }, counted, measures, options);
      }),
      ...COMPARISONS.flatMap(({ second, ratio }) => {
        const [text, other] = inCommon(scored("text"), scored(second));
        const counted = countTwoSets(text, other, ratio);
        const place = { model, phenomenon: `text-${second}` };
        return clusteredStatistics(place, counted, [differenceMeasure(ratio)], options);
      }),
    ];
  });
}

/** Of two sets the pairs that change the same noun from and to the same cells: like against like. */
function inCommon(
  first: readonly ScoredItem[],
  second: readonly ScoredItem[],
): readonly [readonly ScoredItem[], readonly ScoredItem[]] {
  const changes = (items: readonly ScoredItem[]) => new Set(items.map(({ change }) => change));
  const common = changes(first).intersection(changes(second));
  const kept = (items: readonly ScoredItem[]) => items.filter(({ change }) => common.has(change));
  return [kept(first), kept(second)];
}

interface ScoredSet {
  readonly model: string;
  readonly set: ProbeSet;
  readonly items: readonly ScoredItem[];
}

function accuracyRows(
  { model, set, items }: ScoredSet,
  settings: IntervalSettings,
): readonly Statistic[] {
  return [undefined, ...PHENOMENA].flatMap((phenomenon) => {
    const counted = items
      .filter((item) => phenomenon === undefined || item.phenomenon === phenomenon)
      .map(({ stem, row }) => ({ lemma: stem, counts: countLikelihood(row) }));
    const name = phenomenon === undefined ? set : `${set}.${phenomenon}`;
    return clusteredStatistics({ model, phenomenon: name }, counted, LIKELIHOOD_MEASURES, settings);
  });
}

function scoredSets(
  model: string,
  { sets, likelihoods }: ProbeStatisticsOptions,
): (set: ProbeSet) => readonly ScoredItem[] {
  const own = likelihoods.filter((row) => row.model === model);
  const rows = new Map(own.map((row) => [row.pairId, row]));
  return (set) =>
    sets[set].map((item) => {
      const row = rows.get(item.id);
      if (row !== undefined) return { ...item, row };
      throw new RangeError(`Cannot compare sets: ${model} has not scored ${item.id}.`);
    });
}
