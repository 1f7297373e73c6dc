import { randomSource } from "../stats/random.ts";
import {
  extremeInterval,
  type IntervalSettings,
  percentileInterval,
  type Percentiles,
  resampleSums,
} from "./resampled_sums.ts";
import type { Statistic } from "./statistics_row.ts";
import { type Counted, type CountTable, countTable, sumRows, type Tally } from "./tally.ts";

/** A measure of counts that can be added up over lemmas. */
export interface Measure<Counts> {
  readonly name: string;
  /** In words: what is counted, and how undefined cases are treated. */
  readonly method: string;
  /** The figure, or nothing where the counts do not determine it. */
  readonly of: (counts: Counts) => number | undefined;
  /** What it is a share or mean of. */
  readonly n: (counts: Counts) => number;
  /** A count of what happened, not an estimate: it gets no interval. */
  readonly descriptive?: boolean;
  /** A share of `n`, 0 … 1: where it is 0 or 1 throughout, its interval is not a bootstrap's. */
  readonly isShare?: boolean;
}

/**
 * One row for each measure: the measure over all items, with a bootstrap interval over lemmas
 * (percentiles). The measures share their resamples. Their seed is made of the row's names, so that
 * a row does not change when others are added. A share that is 0 or 1 on every lemma has Wilson's
 * interval with the lemmas as trials: resampling what is all alike would give a width of nought.
 */
export function clusteredStatistics<Name extends string>(
  place: Pick<Statistic, "model" | "phenomenon">,
  items: readonly Counted<Name>[],
  measures: readonly Measure<Tally<Name>>[],
  { seed, resamples = 2000, confidence = 0.95 }: IntervalSettings,
): readonly Statistic[] {
  const table = countTable(items);
  if (table === undefined) {
    const none = { value: { kind: "unavailable" }, n: 0, clusters: 0, method: "no items" } as const;
    return measures.map(({ name }) => ({ ...place, measure: name, ...none }));
  }
  const clusters = table.lemmas.length;
  const total = sumRows(table, table.lemmas.keys());
  const random = randomSource([seed, place.model, place.phenomenon].join("|"));
  const sums = resampleSums(table, resamples, random);
  return measures.map((measure) => ({
    ...{ ...place, measure: measure.name, n: measure.n(total), clusters },
    ...estimated(measure, total, () => {
      const extreme = extremeOf(measure, measure.of(total), table, confidence);
      if (extreme) return { ...extreme, how: "Wilson interval on lemmas" };
      const interval = percentileInterval(sums, clusters, measure.of, confidence);
      return { ...interval, how: "cluster bootstrap by lemma" };
    }),
  }));
}

/** A measure's value, with the interval where one can be given, and how it was computed. */
function estimated<Counts>(
  { method, of, descriptive }: Measure<Counts>,
  total: Counts,
  intervalOf: () => Percentiles & { readonly how: string },
): Pick<Statistic, "value" | "method"> {
  const estimate = of(total);
  if (estimate === undefined) {
    return { value: { kind: "unavailable" }, method: "not defined on these answers" };
  }
  if (descriptive) return { value: { kind: "point", estimate }, method };
  const interval = intervalOf();
  if (interval.kind === "unavailable") {
    const why = `${method}; no interval: ${interval.reason}`;
    return { value: { kind: "point", estimate }, method: why };
  }
  const { low, high, how } = interval;
  return { value: { kind: "interval", estimate, low, high }, method: `${method}; ${how}` };
}

/** The interval of a share that is 0 or 1, where there are several lemmas; nothing of others. */
function extremeOf<Name extends string>(
  { n, isShare }: Measure<Tally<Name>>,
  estimate: number | undefined,
  table: CountTable<Name>,
  confidence: number,
): Percentiles | undefined {
  if (!isShare || (estimate !== 0 && estimate !== 1)) return undefined;
  const measured = table.lemmas.keys().filter((lemma) => n(sumRows(table, [lemma])) > 0);
  return extremeInterval(estimate, measured.toArray().length, confidence);
}
