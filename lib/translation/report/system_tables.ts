import { type CsvValue, formatCsv } from "../../files/csv.ts";
import { inertText } from "../../files/inert_text.ts";
import type { SystemComparison, SystemPair, SystemResult } from "../analysis/results.ts";
import { longRow, tidy } from "./long_rows.ts";

/**
 * `system_means.csv`: a system's mean score, place and buckets, best mean first. A figure that the
 * ratings do not give is an empty cell.
 */
export function systemMeansCsv({ systems }: SystemComparison): string {
  const rows = systems.map(meansRow);
  return formatCsv(Object.keys(rows[0] ?? {}), rows);
}

function meansRow(result: SystemResult): Readonly<Record<string, CsvValue>> {
  const [da, z] = [longRow(result.meanDa), longRow(result.meanZ)];
  const { rank, interval } = result.rank;
  const ends = "kind" in interval ? { low: "", high: "" } : interval;
  const shares = result.buckets.map(({ bucket, share }) => [`share_${bucket}`, tidy(share)]);
  return {
    system: inertText(result.system),
    cluster: result.cluster,
    rank,
    rank_low: ends.low,
    rank_high: ends.high,
    items: result.items,
    ratings: result.ratings,
    mean_da: da.estimate,
    mean_da_low: da.low,
    mean_da_high: da.high,
    mean_z: z.estimate,
    mean_z_low: z.low,
    mean_z_high: z.high,
    ...Object.fromEntries(shares),
  };
}

const PAIR_COLUMNS = [
  "first",
  "second",
  "items",
  "difference",
  "low",
  "high",
  "p",
  "method",
  "adjusted_p",
  "different",
] as const;

/** `pairwise_tests.csv`: every two systems, the better first, tested and adjusted. */
export function pairwiseTestsCsv({ pairs, alpha }: SystemComparison): string {
  return formatCsv(PAIR_COLUMNS, pairs.map((pair) => pairRow(pair, alpha)));
}

function pairRow(pair: SystemPair, alpha: number) {
  const { first, second, items, test, adjustedP } = pair;
  const { estimate, low, high } = longRow(pair.difference);
  return {
    first: inertText(first),
    second: inertText(second),
    ...{ items, difference: estimate, low, high },
    p: test.kind === "test" ? test.p : "",
    method: test.kind === "test" ? test.method : test.reason,
    adjusted_p: typeof adjustedP === "number" ? adjustedP : "",
    different: typeof adjustedP === "number" && adjustedP <= alpha,
  };
}
