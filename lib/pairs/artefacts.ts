/**
 * Audit of pairs by grammar-free baselines. Where a baseline beats chance, pairs can be solved
 * without grammar. A balanced subset of pairs has all baselines at chance.
 */
import { resolve } from "node:path";
import {
  compareText,
  decimalOrBlank,
  name,
  type RowOf,
  table,
  wholeNumber,
} from "../files/table.ts";
import { preferMoreProbable, RANDOM } from "../models/baselines.ts";
import type {
  HeldOutBaseline,
  PositionPreference,
  PreferenceBaseline,
} from "../models/baselines.ts";
import { type Measure, measureFields, measureOfFields } from "../stats/measure.ts";
import { randomSource } from "../stats/random.ts";
import { type CountStatistic, NO_PREFERENCE, type Tally } from "./clustered.ts";
import type { DatasetItem } from "./dataset.ts";
import { type GroupedPairs, groupedStatistics, type GroupItem, pairGroups } from "./groups.ts";
import { type Preference, shareStatistic } from "./measures.ts";
import type { MinimalPair } from "./pair.ts";
import type { TableMetadata } from "./study.ts";

/** A grammar-free baseline. If it beats chance, the pairs can be solved without grammar. */
export interface Baseline {
  readonly name: string;
  /** Chooses a member. It must not use which member is grammatical. */
  readonly choose: (pair: MinimalPair) => Preference;
}

/** Defines `artefacts.csv`. Unavailable values are empty. */
export function artefactsTable(
  { path, about = "baselines", maker = "the metrics" }: TableMetadata,
) {
  return table({
    path: resolve(path),
    about,
    maker,
    columns: {
      baseline: name("name of the baseline"),
      phenomenon: name("ALL, a phenomenon or a part of the pairs, as in `statistics.csv`"),
      n: wholeNumber("number of pairs"),
      correct: wholeNumber(
        "number of pairs on which the baseline prefers the grammatical sentence",
      ),
      ties: wholeNumber("number of pairs on which the baseline prefers neither sentence"),
      // A rule that cannot distinguish the members guesses.
      accuracy: decimalOrBlank(
        "accuracy, (correct + ties / 2) / n; the mean over directions where there are several",
      ),
      low: decimalOrBlank("lower end of the 95 % interval, clustered as in `statistics.csv`"),
      high: decimalOrBlank("upper end of the 95 % interval"),
    },
    key: ["baseline", "phenomenon"],
  });
}

export type Artefact = RowOf<ReturnType<typeof artefactsTable>>;

const ACCURACY: CountStatistic<Tally<"correct" | "ties" | "pairs">> = {
  ...shareStatistic(
    "artefact_accuracy",
    "(correct + ties / 2) / pairs",
    ({ correct, ties }: Tally<"correct" | "ties" | "pairs">) => correct + ties / 2,
    ({ pairs }) => pairs,
  ),
  constructed: ({ ties, pairs }) => ties === pairs ? NO_PREFERENCE : undefined,
};

/** Scores by baseline and pair id: 1 for the grammatical member, ½ for neither. */
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
 * Returns the baseline with the highest accuracy on these pairs, or highest mean over strata.
 *
 * Undefined without pairs or baselines. The random baseline is excluded. The choice on the same
 * pairs favours the best baseline, so that a model's lead over it is slightly underestimated.
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

/**
 * Measures every baseline on all pairs, each phenomenon and each subset.
 *
 * Empty subsets are left out.
 */
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

/**
 * Returns the results of a group's best baseline, excluding the random one. Undefined without
 * results.
 */
export function bestArtefact(artefacts: readonly Artefact[], phenomenon: string) {
  return artefacts
    .filter((row) => row.phenomenon === phenomenon && row.baseline !== RANDOM)
    .toSorted((a, b) => Number(b.accuracy) - Number(a.accuracy))[0];
}

/** Returns a baseline's name for readers: `character_5gram` as `character 5-grams`. */
export const baselineLabel = (name: string): string =>
  name.replaceAll("_", " ").replace(/(\d)gram$/, "$1-grams");

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

/** Asks a positional baseline in both orders. Different choices count as a tie. */
export function inBothOrders({ name, prefer }: PreferenceBaseline): Baseline {
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
 * Wraps a count-based baseline. Each pair is scored by counts outside its fold.
 * @param folds Fold of every pair by id; a pair without one causes a RangeError.
 */
export function heldOutBaseline(
  baseline: HeldOutBaseline,
  folds: ReadonlyMap<string, string>,
): Baseline {
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

/** Maps a position to a member: the grammatical member is first. */
function asMember(preferred: PositionPreference): Preference {
  if (preferred === "tie") return "tie";
  return preferred === "first" ? "grammatical" : "ungrammatical";
}

/**
 * Selects the largest subset on which every baseline is at chance, as ids.
 *
 * Within each phenomenon a baseline has as many pairs right as wrong, ignoring ties. The seed
 * decides which of several equivalent pairs remain, independent of their order. Suitable for up to
 * four baselines.
 */
export function balancedSubset(
  pairs: readonly MinimalPair[],
  baselines: readonly Baseline[],
  seed: number | string,
): readonly string[] {
  const dropped = new Set<string>();
  for (const [phenomenon, group] of Map.groupBy(pairs, (pair) => pair.phenomenon)) {
    const byOutcome = Map.groupBy(
      group,
      (pair) => baselines.map(({ choose }) => SIGN[choose(pair)]).join(),
    );
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

const SIGN = { grammatical: 1, ungrammatical: -1, tie: 0 } as const;

/** Pattern of equivalent items: their contribution to each sum (−1, 0 or 1), and their number. */
export interface ItemPattern {
  readonly vector: readonly number[];
  readonly count: number;
}

/** Search state: items removed per pattern, and the remaining sums. */
interface State {
  readonly sums: readonly number[];
  readonly removed: number;
  readonly taken: readonly number[];
}

/**
 * Returns the minimum number of items to remove per pattern so that all sums are 0.
 *
 * The solution is exact (dynamic programming over the patterns). States whose removals plus a lower
 * bound of the remaining ones exceed a limit are pruned. The limit is raised until there is a
 * solution.
 */
export function fewestRemovals(cells: readonly ItemPattern[]): readonly number[] {
  const sums = (cells[0]?.vector ?? []).map((_, i) =>
    cells.reduce((sum, { vector, count }) => sum + vector[i]! * count, 0)
  );
  // One bound for each number of cells still to come.
  const bounds = Array.from(
    { length: cells.length + 1 },
    (_, done) => removalBound(cells.slice(done), sums.length),
  );
  const least = bounds[0]!(sums);
  for (let slack = 0;; slack = 2 * slack + 1) {
    let states: ReadonlyMap<string, State> = new Map([["", { sums, removed: 0, taken: [] }]]);
    for (const [index, { vector, count }] of cells.entries()) {
      const next = new Map<string, State>();
      // Items that add to no sum are never removed.
      const most = vector.some((value) => value !== 0) ? count : 0;
      for (const { sums, removed: before, taken } of states.values()) {
        for (let more = 0; more <= most; more++) {
          const left = sums.map((sum, i) => sum - more * vector[i]!);
          const removed = before + more;
          if (removed + bounds[index + 1]!(left) > least + slack) continue;
          const key = left.join();
          if (removed < (next.get(key)?.removed ?? Infinity)) {
            next.set(key, { sums: left, removed, taken: [...taken, more] });
          }
        }
      }
      states = next;
    }
    // Behind the last cell no other sums than 0 are within any bound.
    const [solution] = states.values();
    if (solution) return solution.taken;
  }
}

/**
 * Returns a lower bound on the items to remove so that all sums are 0.
 *
 * The sums are weighted by every combination of −1, 0 and 1, and the items with the greatest gain
 * are removed first. The bound is infinite if the patterns cannot reach 0.
 */
function removalBound(cells: readonly ItemPattern[], width: number) {
  const dot = (a: readonly number[], b: readonly number[]) =>
    a.reduce((sum, value, i) => sum + value * b[i]!, 0);
  const weightings = Array.from({ length: width }).reduce<readonly (readonly number[])[]>(
    (shorter) => shorter.flatMap((weights) => [-1, 0, 1].map((next) => [...weights, next])),
    [[]],
  );
  const directions = weightings.map((weights) => {
    const gains = cells.map(({ vector, count }) => ({ gain: dot(weights, vector), count }));
    const useful = gains.filter(({ gain }) => gain > 0).sort((a, b) => b.gain - a.gain);
    return { weights, useful };
  });
  return (sums: readonly number[]): number =>
    Math.max(...directions.map(({ weights, useful }) => {
      let [left, removed] = [dot(weights, sums), 0];
      for (const { gain, count } of useful) {
        if (left <= 0) break;
        const taken = Math.min(count, Math.ceil(left / gain));
        removed += taken;
        left -= taken * gain;
      }
      return left > 0 ? Infinity : removed;
    }));
}
