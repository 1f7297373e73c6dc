import { writeBytesAtomic } from "../../files/atomic.ts";
import type { Unavailable } from "../../stats/agreement.ts";
import type { PermutationTest } from "../../stats/permutation.ts";
import type { RunConfig } from "../configuration.ts";
import type { Quartiles } from "../session/summary.ts";
import { PAIRWISE_TESTS, RELIABILITY, SYSTEM_RATINGS, systemMeans } from "../tables.ts";
import { canonicalText } from "../text.ts";
import { writeSheets } from "../workbook/sheets.ts";
import type { InterRater } from "./agreement.ts";
import type { SystemRating, UnblindedRun } from "./ratings.ts";
import type { RaterReliability } from "./reliability.ts";
import type { SystemComparison } from "./systems.ts";
import { cellsOf, type Figure } from "./views.ts";

/** Writes `system_means.csv`: a system's mean score, place and buckets, best mean first. */
export function writeSystemMeans(
  { systems }: SystemComparison,
  { buckets }: RunConfig,
  path?: string,
): void {
  const table = systemMeans(buckets);
  (path === undefined ? table : table.at(path)).write(systems.map((result) => {
    const { system, cluster, rank, rankInterval, items, ratings } = result;
    const [da, z] = [cellsOf(result.meanDa), cellsOf(result.meanZ)];
    const ends = "kind" in rankInterval ? { low: "", high: "" } : rankInterval;
    return {
      system,
      cluster,
      rank,
      rank_low: ends.low,
      rank_high: ends.high,
      items,
      ratings,
      mean_da: da.estimate,
      mean_da_low: da.low,
      mean_da_high: da.high,
      mean_z: z.estimate,
      mean_z_low: z.low,
      mean_z_high: z.high,
      ...Object.fromEntries(result.buckets.map((it) => [`share_${it.bucket}`, it.share])),
    };
  }));
}

/** Writes `pairwise_tests.csv`: every two systems, the better first, tested and adjusted. */
export function writePairwiseTests(
  { pairs, alpha }: SystemComparison,
  path = PAIRWISE_TESTS.path,
): void {
  PAIRWISE_TESTS.at(path).write(pairs.map(({ first, second, items, test, ...pair }) => {
    const { estimate: difference, low, high } = cellsOf(pair.difference);
    const adjusted_p = typeof pair.adjustedP === "number" ? pair.adjustedP : "";
    const found = test.kind === "test" ? test : { p: "" as const, method: test.reason };
    const different = adjusted_p !== "" && adjusted_p <= alpha;
    const { p, method } = found;
    return { first, second, items, difference, low, high, p, method, adjusted_p, different };
  }));
}

/** Writes `reliability.csv`: everything that ratings say of raters, one by one and together. */
export function writeReliability(
  raters: readonly RaterReliability[],
  together: InterRater,
  path = RELIABILITY.path,
): void {
  const { alphaDa, alphaZ, alphaBucket } = together;
  const alphas = { alpha_da: alphaDa, alpha_z: alphaZ, alpha_bucket: alphaBucket };
  const rows = (rater: string, figures: Readonly<Record<string, Figure>>) =>
    Object.entries(figures)
      .map(([measure, figure]) => ({ rater, measure, ...cellsOf(figure) }));
  RELIABILITY.at(path).write([
    ...raters.flatMap((one) => rows(one.rater, figuresOf(one))),
    ...rows("(all)", alphas),
    ...together.pairs.flatMap(({ first, second, spearman, beyondSystems, systemRanking }) =>
      rows(`${first} vs ${second}`, {
        score_spearman: spearman,
        score_correlation_beyond_systems: beyondSystems,
        system_ranking_tau_b: systemRanking,
      })
    ),
  ]);
}

function figuresOf(one: RaterReliability): Readonly<Record<string, Figure>> {
  const { bucketAndScore, position, repeats, attention, time, drift } = one;
  return {
    mean_da: one.meanDa,
    bucket_score_spearman: bucketAndScore.spearman,
    bucket_score_kendall: bucketAndScore.kendall,
    bucket_score_eta_squared: bucketAndScore.etaSquared,
    ...Object.fromEntries(
      one.heaping.map(({ name, share }) => [`share_${name.replaceAll(" ", "_")}`, share]),
    ),
    ...Object.fromEntries(
      position.positions.map((it) => [`deviation_at_row_${it.position}`, it.deviation]),
    ),
    position_slope: position.slope,
    position_slope_p: pOf(position.slopeTest),
    position_spread_p: pOf(position.spreadTest),
    repeat_mean_absolute_difference: repeats.meanAbsoluteDifference,
    repeat_pearson: repeats.pearson,
    repeat_spearman: repeats.spearman,
    repeat_same_bucket: repeats.sameBucket,
    repeat_weighted_kappa: repeats.kappa,
    attention_passed: attention.passed,
    active_seconds_median: medianOf(time.activeSeconds),
    wall_clock_seconds_median: medianOf(time.wallClockSeconds),
    drift_da_per_ten_items: drift.da,
    drift_seconds_per_ten_items: drift.seconds,
  };
}

/** A test's p has no interval, and needs no reason for that. */
function pOf(test: PermutationTest | Unavailable): Figure {
  return test.kind === "test" ? { kind: "point", estimate: test.p, n: test.n, reason: "" } : test;
}

/** Median, with the quartiles where an interval would stand. */
function medianOf(quartiles: Quartiles | Unavailable): Figure {
  if (quartiles.kind === "unavailable") return quartiles;
  const { median, lowerQuartile: low, upperQuartile: high, n } = quartiles;
  return { kind: "interval", estimate: median, low, high, confidence: 0.5, n };
}

/** In characters, how wide a workbook shows the columns of {@link SYSTEM_RATINGS}. */
const WIDTHS = [20, 8, 14, 14, 10, 8, 20, 11, 9, 10, 11, 7, 25, 25, 14, 40];

/** Writes item-level rows as CSV and XLSX, in neither of which a spreadsheet runs any text. */
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
  const { rater, document, segment, system, position, bucket, da, comment } = rating;
  return {
    rater,
    item_id: rating.itemId,
    document,
    segment,
    role: role.kind,
    role_of: role.kind === "rated" ? "" as const : role.of,
    system,
    translation: rating.translation + 1,
    position,
    bucket,
    bucket_rank: rating.bucketRank,
    da,
    started_at: rating.startedAt ?? "",
    committed_at: rating.committedAt,
    active_seconds: rating.activeSeconds,
    comment,
  };
}
