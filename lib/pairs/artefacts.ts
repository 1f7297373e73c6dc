/** Rules that know no grammar: where they beat chance, the pairs give themselves away. */
import { resolve } from "node:path";
import { decimalOrBlank, name, type RowOf, table, whole } from "../files/table.ts";
import { type Measure, measureFields, measureOfFields } from "../stats/measure.ts";
import {
  type HeldOutBaseline,
  type PlaceBaseline,
  type PlacePreference,
  preferMoreProbable,
  RANDOM,
} from "../models/baselines.ts";
import { type CountedMeasure, NO_PREFERENCE, type Tally } from "./clustered.ts";
import type { DatasetItem } from "./dataset.ts";
import { type GroupedPairs, groupedStatistics, type GroupItem, pairGroups } from "./groups.ts";
import { type Preference, shareMeasure } from "./measures.ts";
import type { MinimalPair } from "./pair.ts";
import type { TablePlace } from "./study.ts";

/** A rule that knows no grammar. Where it beats chance, the pairs give themselves away. */
export interface Baseline {
  readonly name: string;
  /** Which member it prefers. It must not know which is which: the names are only the answer's. */
  readonly choose: (pair: MinimalPair) => Preference;
}

/** `artefacts.csv`; what is not available is an empty field. */
export function artefactsTable(
  { path, about = "baselines", maker = "the metrics" }: TablePlace,
) {
  return table({
    path: resolve(path),
    about,
    maker,
    columns: {
      baseline: name("name of the rule"),
      phenomenon: name("ALL, a phenomenon or a part, as in `statistics.csv`"),
      n: whole("pairs"),
      correct: whole("pairs on which it prefers the grammatical sentence"),
      ties: whole("pairs on which it prefers neither"),
      // Who cannot tell the members apart guesses.
      accuracy: decimalOrBlank("(correct + ties / 2) / n; of several directions their mean"),
      low: decimalOrBlank("lower end of the 95 % interval, clustered as in `statistics.csv`"),
      high: decimalOrBlank("upper end"),
    },
    key: ["baseline", "phenomenon"],
  });
}

export type Artefact = RowOf<ReturnType<typeof artefactsTable>>;

const ACCURACY: CountedMeasure<Tally<"correct" | "ties" | "pairs">> = {
  ...shareMeasure(
    "artefact_accuracy",
    "(correct + ties / 2) / pairs",
    ({ correct, ties }: Tally<"correct" | "ties" | "pairs">) => correct + ties / 2,
    ({ pairs }) => pairs,
  ),
  constructed: ({ ties, pairs }) => ties === pairs ? NO_PREFERENCE : undefined,
};

/** What each rule scores on each pair, by its id: 1 for the grammatical member, ½ for neither. */
export type RuleValues = ReadonlyMap<string, ReadonlyMap<string, number>>;

const VALUE = { grammatical: 1, tie: 0.5, ungrammatical: 0 } as const;

export function ruleValues(
  baselines: readonly Baseline[],
  pairs: readonly MinimalPair[],
): RuleValues {
  return new Map(
    baselines.map(({ name, choose }) => [
      name,
      new Map(pairs.map((pair) => [pair.id, VALUE[choose(pair)]])),
    ]),
  );
}

/**
 * The rule with the highest accuracy on these pairs, of strata the mean; nothing without pairs or rules. A
 * coin is none: it wins by luck alone. The best of several on the very pairs is flattered a little,
 * so that a model's lead over it is rather too small.
 */
export function bestRule(
  values: RuleValues,
  items: readonly Pick<GroupItem, "pair" | "stratum">[],
) {
  const strata = [...Map.groupBy(items, ({ stratum }) => stratum).values()];
  const mean = (numbers: readonly number[]) =>
    numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
  const rules = [...values].filter(([name]) => name !== RANDOM).map(([name, own]) => {
    const ofStrata = strata.map((some) => mean(some.map(({ pair }) => own.get(pair.id)!)));
    return { name, values: own, accuracy: mean(ofStrata) };
  });
  return items.length === 0 ? undefined : rules.toSorted((a, b) => b.accuracy - a.accuracy)[0];
}

/** Every rule on all pairs, on those of each phenomenon and on each part; parts without pairs are left out. */
export function auditArtefacts<Phenomenon extends string>(
  items: readonly DatasetItem<Phenomenon>[],
  phenomena: readonly Phenomenon[],
  baselines: readonly Baseline[],
  { parts: wanted = [], further = [] }: Pick<GroupedPairs<Phenomenon>, "parts" | "further"> = {},
): readonly Artefact[] {
  const { designed, parts } = pairGroups({ items, phenomena, parts: wanted, further });
  const groups = [...designed, ...parts.filter(({ items }) => items().length > 0)];
  const values = ruleValues(baselines, [...items, ...further].map(({ pair }) => pair));
  return [...values].flatMap(([baseline, own]) =>
    groups.map(({ phenomenon, items: itemsOf }) => {
      const counted = itemsOf().map(({ pair, ...item }) => {
        const value = own.get(pair.id)!;
        const counts = { pairs: 1, correct: Number(value === 1), ties: Number(value === 0.5) };
        return { ...item, counts };
      });
      const place = { model: baseline, phenomenon };
      const [row] = groupedStatistics(place, counted, [ACCURACY]);
      const { estimate: accuracy, low, high } = measureFields(row!.value);
      const sum = (what: "correct" | "ties") =>
        counted.reduce((n, { counts }) => n + counts[what], 0);
      const counts = { n: counted.length, correct: sum("correct"), ties: sum("ties") };
      return { baseline, phenomenon, ...counts, accuracy, low, high };
    })
  );
}

/** The row of the best rule on a group, as {@link bestRule} finds it; nothing for a group without rows. */
export function bestArtefact(artefacts: readonly Artefact[], phenomenon: string) {
  return artefacts
    .filter((row) => row.phenomenon === phenomenon && row.baseline !== RANDOM)
    .toSorted((a, b) => Number(b.accuracy) - Number(a.accuracy))[0];
}

export function artefactMeasure(
  artefacts: readonly Artefact[],
  baseline: string,
  phenomenon: string,
): Measure {
  const row = artefacts.find((own) => own.baseline === baseline && own.phenomenon === phenomenon);
  if (row === undefined) return { kind: "unavailable", reason: "not measured" };
  const why = row.n === 0 ? "no such pairs" : row.ties === row.n ? NO_PREFERENCE : "no interval";
  return measureOfFields({ ...row, estimate: row.accuracy }, why);
}

/** A rule of places asked in both orders; where it chooses another member in each, it has none: a tie. */
export function inBothOrders({ name, prefer }: PlaceBaseline): Baseline {
  return {
    name,
    choose: ({ grammatical, ungrammatical }) => {
      const [forth, back] = [
        prefer(grammatical, ungrammatical),
        prefer(ungrammatical, grammatical),
      ];
      return forth === back || back === "tie" ? "tie" : asMember(forth!);
    },
  };
}

/**
 * A counted rule asked by what it learned outside a pair's own fold.
 * @param folds the fold of every pair, by its id; a pair without one is refused with a RangeError.
 */
export function heldOut(baseline: HeldOutBaseline, folds: ReadonlyMap<string, string>): Baseline {
  // Counting takes its time, and a pair is asked about by every table.
  const chosen = new WeakMap<MinimalPair, Preference>();
  return {
    name: baseline.name,
    choose: (pair) => {
      const { id, grammatical, ungrammatical } = pair;
      const fold = folds.get(id);
      if (fold === undefined) {
        throw new RangeError(`Cannot hold out the text of ${id}: its place in it is not known.`);
      }
      const choice = chosen.get(pair) ??
        asMember(preferMoreProbable(baseline, grammatical, ungrammatical, fold));
      chosen.set(pair, choice);
      return choice;
    },
  };
}

/** The grammatical member stands first. */
function asMember(preferred: PlacePreference): Preference {
  if (preferred === "tie") return "tie";
  return preferred === "first" ? "grammatical" : "ungrammatical";
}
