import { mean } from "simple-statistics";
import { clusterBootstrap, type ClusteredValue } from "../../stats/intervals.ts";
import { randomSource } from "../../stats/random.ts";
import { type SwapRow, UNCHANGED } from "./swap_rows.ts";

/** A mean or share with its interval by portrait. */
export type Estimate = ReturnType<typeof clusterBootstrap>;

/** A score of a portrait and of the same about somebody else. */
export interface ScorePair {
  readonly portrait: string;
  readonly claim: SwapRow["claim"];
  readonly from: string;
  readonly to: string;
  readonly before: number;
  readonly after: number;
}

const RESAMPLES = 2_000;

/** A figure with its interval; the same rows give the same one. */
export function estimated<T>(
  what: string,
  items: readonly ClusteredValue<T>[],
  statistic: (values: readonly T[]) => number | undefined,
): Estimate {
  const random = randomSource(`swaps/${what}`);
  return clusterBootstrap({ items, statistic, resamples: RESAMPLES, confidence: 0.95, random });
}

/** The mean; undefined of nothing. */
export const average = (values: readonly number[]) =>
  values.length === 0 ? undefined : mean([...values]);

/** One claim about one portrait. */
export const claimKey = ({ portrait, claim }: Pick<SwapRow, "portrait" | "claim">) =>
  `${portrait}/${claim}`;

/** Each change's score beside that of the portrait as it was drawn; those without both are counted. */
export function pairsOf(rows: readonly SwapRow[], change: SwapRow["change"]) {
  const drawn = rows.filter((row) => row.change === UNCHANGED);
  const before = new Map(drawn.map((row) => [claimKey(row), row.score]));
  const changed = rows.filter((row) => row.change === change && before.has(claimKey(row)));
  const pairs = changed.flatMap((row): readonly ScorePair[] => {
    const first = before.get(claimKey(row))!;
    if (first === "" || row.score === "") return [];
    const { portrait, claim, from, to, score } = row;
    return [{ portrait, claim, from, to, before: first, after: score }];
  });
  return { pairs, unscored: changed.length - pairs.length };
}

/** A value of each pair, for the bootstrap. */
export const byPortrait = <T>(pairs: readonly ScorePair[], value: (pair: ScorePair) => T) =>
  pairs.map((pair): ClusteredValue<T> => ({ cluster: pair.portrait, value: value(pair) }));

/** The rows of each component, in their order. */
export function componentsOf(rows: readonly SwapRow[]) {
  return [...Map.groupBy(rows, ({ component }) => component)];
}
