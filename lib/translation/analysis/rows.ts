import { writeBytesAtomic } from "../../files/atomic.ts";
import type { Unavailable } from "../../stats/agreement.ts";
import type { PermutationTest } from "../../stats/permutation.ts";
import type { RunConfig } from "../configuration.ts";
import type { Quartiles } from "../session/summary.ts";
import {
  PAIRWISE_TESTS,
  RELIABILITY,
  type ReliabilityRow,
  SYSTEM_RATINGS,
  systemMeans,
} from "../tables.ts";
import { canonicalText } from "../text.ts";
import { writeSheets } from "../workbook/sheets.ts";
import type { InterRater } from "./agreement.ts";
import type { SystemRating, UnblindedRun } from "./ratings.ts";
import type { RaterReliability } from "./reliability.ts";
import type { SystemComparison } from "./systems.ts";
import type { Figure } from "./views.ts";

/** A figure as cells of a table: empty where there is none, with the reason. */
interface FigureCells {
  readonly estimate: number | "";
  readonly low: number | "";
  readonly high: number | "";
  readonly n: number | "";
  /** Why there is no figure, or a figure without the interval it should have; else empty. */
  readonly unavailable: string;
}

/** The cells of a figure. */
export function cellsOf(figure: Figure | Counted): FigureCells {
  const none = { estimate: "", low: "", high: "", n: "", unavailable: "" } as const;
  if (!("kind" in figure)) return { ...none, estimate: figure.value, n: figure.n };
  switch (figure.kind) {
    case "unavailable":
      return { ...none, unavailable: figure.reason };
    case "point":
      return { ...none, estimate: figure.estimate, n: figure.n, unavailable: figure.reason };
    case "correlation":
      return { ...none, estimate: figure.coefficient, n: figure.n };
    case "kappa":
      return { ...none, estimate: figure.kappa, n: figure.n };
    case "interval": {
      const { estimate, low, high, n } = figure;
      return { estimate, low, high, n, unavailable: "" };
    }
  }
}

/** A value with what it rests on. */
interface Counted {
  readonly value: number;
  readonly n: number;
}

/** Writes `system_means.csv`: a system's mean score, place and buckets, best mean first. */
export function writeSystemMeans(
  { systems }: SystemComparison,
  { buckets }: RunConfig,
  path?: string,
): void {
  const table = systemMeans(buckets);
  (path === undefined ? table : table.at(path)).write(systems.map((result) => {
    const [da, z] = [cellsOf(result.meanDa), cellsOf(result.meanZ)];
    const { rankInterval, buckets } = result;
    const ends = "kind" in rankInterval ? { low: "", high: "" } : rankInterval;
    return {
      system: result.system,
      cluster: result.cluster,
      rank: result.rank,
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
      ...Object.fromEntries(buckets.map(({ bucket, share }) => [`share_${bucket}`, share])),
    };
  }));
}

/** Writes `pairwise_tests.csv`: every two systems, the better first, tested and adjusted. */
export function writePairwiseTests(
  { pairs, alpha }: SystemComparison,
  path = PAIRWISE_TESTS.path,
): void {
  PAIRWISE_TESTS.at(path).write(pairs.map((pair) => {
    const { first, second, items, test } = pair;
    const { estimate, low, high } = cellsOf(pair.difference);
    const adjusted = typeof pair.adjustedP === "number" ? pair.adjustedP : "";
    return {
      first,
      second,
      items,
      difference: estimate,
      low,
      high,
      p: test.kind === "test" ? test.p : "",
      method: test.kind === "test" ? test.method : test.reason,
      adjusted_p: adjusted,
      different: adjusted !== "" && adjusted <= alpha,
    };
  }));
}

/** Writes `reliability.csv`: everything that ratings say of raters, one by one and together. */
export function writeReliability(
  raters: readonly RaterReliability[],
  together: InterRater,
  path = RELIABILITY.path,
): void {
  RELIABILITY.at(path).write([...raters.flatMap(rowsOfRater), ...rowsTogether(together)]);
}

function rowsOfRater(one: RaterReliability): readonly ReliabilityRow[] {
  const { rater, bucketAndScore, position, repeats, attention, time, drift } = one;
  const figures: readonly (readonly [string, Figure | Counted])[] = [
    ["mean_da", one.meanDa],
    ["bucket_score_spearman", bucketAndScore.spearman],
    ["bucket_score_kendall", bucketAndScore.kendall],
    ["bucket_score_eta_squared", bucketAndScore.etaSquared],
    ...one.heaping.map(({ name, share }) => [`share_${name.replaceAll(" ", "_")}`, share] as const),
    ...position.positions.map(({ position: row, deviation }) =>
      [`deviation_at_row_${row}`, deviation] as const
    ),
    ["position_slope", position.slope],
    ["position_slope_p", pOf(position.slopeTest)],
    ["position_spread_p", pOf(position.spreadTest)],
    ["repeat_mean_absolute_difference", repeats.meanAbsoluteDifference],
    ["repeat_pearson", repeats.pearson],
    ["repeat_spearman", repeats.spearman],
    ["repeat_same_bucket", repeats.sameBucket],
    ["repeat_weighted_kappa", repeats.kappa],
    ["attention_passed", attention.passed],
    ["active_seconds_median", medianOf(time.activeSeconds)],
    ["wall_clock_seconds_median", medianOf(time.wallClockSeconds)],
    ["drift_da_per_ten_items", drift.da],
    ["drift_seconds_per_ten_items", drift.seconds],
  ];
  return figures.map(([measure, figure]) => ({ rater, measure, ...cellsOf(figure) }));
}

function pOf(test: PermutationTest | Unavailable): Counted | Unavailable {
  return test.kind === "test" ? { value: test.p, n: test.n } : test;
}

/** Median, with the quartiles where an interval would stand. */
function medianOf(quartiles: Quartiles | Unavailable): Figure {
  if (quartiles.kind === "unavailable") return quartiles;
  const { median, lowerQuartile: low, upperQuartile: high, n } = quartiles;
  return { kind: "interval", estimate: median, low, high, confidence: 0.5, n };
}

function rowsTogether({ alphaDa, alphaZ, alphaBucket, pairs }: InterRater): ReliabilityRow[] {
  const row = (rater: string, measure: string, figure: Figure) => ({
    rater,
    measure,
    ...cellsOf(figure),
  });
  return [
    row("(all)", "alpha_da", alphaDa),
    row("(all)", "alpha_z", alphaZ),
    row("(all)", "alpha_bucket", alphaBucket),
    ...pairs.flatMap(({ first, second, spearman, beyondSystems, systemRanking }) => [
      row(`${first} vs ${second}`, "score_spearman", spearman),
      row(`${first} vs ${second}`, "score_correlation_beyond_systems", beyondSystems),
      row(`${first} vs ${second}`, "system_ranking_tau_b", systemRanking),
    ]),
  ];
}

/** In characters, how wide a workbook shows the columns of {@link SYSTEM_RATINGS}. */
const WIDTHS = [20, 8, 14, 14, 10, 8, 20, 11, 9, 10, 11, 7, 25, 25, 14, 40];

/**
 * Writes item-level rows, one a rater, item and system, as CSV, where a text that begins like a
 * formula gets an apostrophe in front, and as XLSX, where every text is a text cell, `=1+1` too: no
 * spreadsheet runs anything in either.
 */
export async function writeSystemRatings(
  runs: readonly Pick<UnblindedRun, "ratings">[],
  paths: { readonly csv: string; readonly workbook: string },
): Promise<number> {
  const rows = runs.flatMap(({ ratings }) => ratings.map(ratingRow));
  SYSTEM_RATINGS.at(paths.csv).write(rows);
  const workbook = await writeSheets([{
    name: "system_ratings",
    columns: SYSTEM_RATINGS.columns.map((heading, index) => ({ heading, width: WIDTHS[index]! })),
    rows: rows.map((row) =>
      Object.values({ ...row, role_of: row.role_of || undefined })
        .map((value) => typeof value === "string" ? canonicalText(value) : value)
    ),
    isProtected: false,
  }]);
  writeBytesAtomic(paths.workbook, workbook);
  return rows.length;
}

function ratingRow({ role, ...rating }: SystemRating) {
  return {
    rater: rating.rater,
    item_id: rating.itemId,
    document: rating.document,
    segment: rating.segment,
    role: role.kind,
    role_of: role.kind === "rated" ? "" as const : role.of,
    system: rating.system,
    translation: rating.translation + 1,
    position: rating.position,
    bucket: rating.bucket,
    bucket_rank: rating.bucketRank,
    da: rating.da,
    started_at: rating.startedAt ?? "",
    committed_at: rating.committedAt,
    active_seconds: rating.activeSeconds,
    comment: rating.comment,
  };
}
