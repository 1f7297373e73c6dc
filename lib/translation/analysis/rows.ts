import { join } from "node:path";
import { saveFigure } from "../../figures/frame.ts";
import { makeFolder, writeBytesAtomic, writeTextAtomic } from "../../files/atomic.ts";
import { formatCsvRow, withoutFormulas } from "../../files/csv.ts";
import type { Unavailable } from "../../stats/agreement.ts";
import type { PermutationTest } from "../../stats/paired_tests.ts";
import type { Quartiles } from "../session/summary.ts";
import { PAIRWISE_TESTS, RELIABILITY, SYSTEM_RATINGS, systemMeans } from "../tables.ts";
import { canonicalText } from "../text.ts";
import { writeSheets } from "../workbook/sheets.ts";
import type { RatingAnalysis } from "./analyse.ts";
import {
  average,
  cellsOf,
  groupedBy,
  itemKey,
  type ReportedStatistic,
  standardised,
} from "./estimate.ts";
import type { SystemRating } from "./ratings.ts";
import { formatNotCounted, type RaterReliability } from "./reliability.ts";
import { ratingFigures, reportPage } from "./report.ts";

/** Writes the study's tables into a folder, by default `data/translation`. */
export async function writeTables(
  analysis: RatingAnalysis,
  folder: string,
): Promise<void> {
  const at = (file: string) => join(folder, file);
  systemMeans(analysis.config.buckets).at(at("system_means.csv")).write(meansRows(analysis));
  PAIRWISE_TESTS.at(at("pairwise_tests.csv")).write(pairRows(analysis));
  RELIABILITY.at(at("reliability.csv")).write(reliabilityRows(analysis));
  const ratings = analysis.runs.flatMap((run) => run.ratings);
  SYSTEM_RATINGS.at(at("system_ratings.csv")).write(ratings);
  // Text and number cells, which no spreadsheet executes.
  const workbook = await writeSheets([{
    name: "system_ratings",
    columns: SYSTEM_RATINGS.columns.map((heading) => {
      return { heading, width: ["comment", "source", "text"].includes(heading) ? 40 : 14 };
    }),
    rows: ratings.map((row) => {
      const cells = { ...row, role_of: row.role_of || undefined };
      return SYSTEM_RATINGS.columns.map((column) => {
        const value = cells[column as keyof typeof cells];
        return typeof value === "string" ? canonicalText(value) : value;
      });
    }),
    isProtected: false,
  }]);
  writeBytesAtomic(at("system_ratings.xlsx"), workbook);
}

/**
 * Writes the whole study into a new folder.
 * Tables, figures, `report.html`, and files for other tools ({@link metricsEvalFiles}, {@link
 * appraiseCsv}).
 */
export async function writeStudy(analysis: RatingAnalysis, folder: string): Promise<void> {
  makeFolder(folder);
  await writeTables(analysis, folder);
  for (const [name, figure] of Object.entries(ratingFigures(analysis))) {
    saveFigure(join(folder, `${name}.png`), figure);
  }
  const texts = [["report.html", reportPage(analysis)], ["appraise.csv", appraiseCsv(analysis)]];
  for (const [path, text] of [...texts, ...metricsEvalFiles(analysis)] as const) {
    writeTextAtomic(join(folder, path!), text!);
  }
}

function meansRows({ comparison: { systems }, unit }: RatingAnalysis) {
  return systems.map((result) => {
    const { system, cluster, clusterWmt, rank, rankInterval, items, ratings } = result;
    const [da, z] = [cellsOf(result.meanDa), cellsOf(result.meanZ)];
    const ends = "kind" in rankInterval ? { low: "", high: "" } : rankInterval;
    return {
      system,
      cluster,
      cluster_wmt: clusterWmt,
      better_than: result.betterThan.join("; "),
      not_different_from: result.notDifferent.join("; "),
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
      unit,
      units: da.units,
      ...Object.fromEntries(result.buckets.map((it) => [`share_${it.bucket}`, it.share])),
    };
  });
}

/** Returns a row per pair of systems, the better first, with adjusted test. */
function pairRows({ comparison: { pairs, alpha }, unit }: RatingAnalysis) {
  return pairs.map(({ first, second, items, test, ...pair }) => {
    const { estimate: difference, low, high } = cellsOf(pair.difference);
    const adjusted_p = typeof pair.adjustedP === "number" ? pair.adjustedP : "" as const;
    const testCells = test.kind === "test"
      ? { units: test.n, p: test.p, method: test.method }
      : { units: "" as const, p: "" as const, method: test.reason };
    const different = adjusted_p !== "" && adjusted_p <= alpha;
    const p_wmt = typeof pair.pWmt === "number" ? pair.pWmt : "" as const;
    const ends = { difference, low, high };
    return { first, second, items, ...ends, unit, ...testCells, adjusted_p, different, p_wmt };
  });
}

/** Returns rows of the raters' reliability, one by one and together. */
function reliabilityRows({ raters, together, unit }: RatingAnalysis) {
  const { alphaDa, alphaZ, alphaBucket } = together;
  const alphas = { alpha_da: alphaDa, alpha_z: alphaZ, alpha_bucket: alphaBucket };
  const rows = (
    rater: string,
    figures: Readonly<Record<string, ReportedStatistic>>,
    { batch = "", warnings = {} }: {
      readonly batch?: string | undefined;
      readonly warnings?: Readonly<Record<string, string>>;
    } = {},
  ) =>
    Object.entries(figures).map(([measure, figure]) => {
      const cells = cellsOf(figure);
      const warning = warnings[measure] ?? "";
      return {
        rater,
        batch,
        measure,
        ...cells,
        unit: cells.units === "" ? "" as const : unit,
        warning,
      };
    });
  return [
    ...raters.flatMap((one) => rows(one.rater, figuresOf(one), one)),
    ...rows("(all)", alphas),
    ...together.pairs.flatMap(({ first, second, spearman, beyondSystems, systemRanking }) =>
      rows(`${first} vs ${second}`, {
        score_spearman: spearman,
        score_correlation_beyond_systems: beyondSystems,
        system_ranking_tau_b: systemRanking,
      })
    ),
  ];
}

function figuresOf(one: RaterReliability): Readonly<Record<string, ReportedStatistic>> {
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
    distinct_scores: { kind: "value", estimate: one.distinctScores },
    items_hasty: one.hasty.share,
    attention_passed: attention.passed,
    attention_not_counted: {
      kind: "value",
      estimate: attention.notCounted.length,
      n: attention.checks.length + attention.notCounted.length,
      reason: formatNotCounted(attention.notCounted),
    },
    active_seconds_median: medianOf(time.activeSeconds),
    idle_seconds_median: medianOf(time.idleSeconds),
    wall_clock_seconds_median: medianOf(time.wallClockSeconds),
    drift_da_per_ten_items: drift.da,
    drift_seconds_per_ten_items: drift.seconds,
  };
}

/** Returns a test's p as an estimate without interval. */
function pOf(test: PermutationTest | Unavailable): ReportedStatistic {
  return test.kind === "test" ? { kind: "value", estimate: test.p, n: test.n } : test;
}

/** Returns a median with quartiles in the interval's place. */
function medianOf(quartiles: Quartiles | Unavailable): ReportedStatistic {
  if (quartiles.kind === "unavailable") return quartiles;
  const { median, lowerQuartile: low, upperQuartile: high, n } = quartiles;
  return { kind: "interval", estimate: median, low, high, n };
}

// Ratings in the formats of other tools of the field.

/** Replaces white space and slashes in a name. They would split a line or path. */
const fileNameOf = (name: string) => name.trim().replace(/[\s/\\]+/gu, "_");
const asLine = (text: string) => `${text.replace(/\s+/gu, " ")}\n`;

/**
 * Returns an evaluation set of mt-metrics-eval as texts by path.
 * The format is version 2 ("File organization and naming convention" of its README).
 * `human-scores/SRC-TGT.da.seg.score` has a block per system and a line per segment,
 * `system<TAB>score`: the mean over raters, `None` if unrated. `.sys.score` has a line per system,
 * the mean over its segments; `z` files hold scores standardised per rater. Segments of a document
 * are adjacent. Throws RangeError if two systems or documents get the same name.
 */
function metricsEvalFiles(
  { runs, config, comparison }: Pick<RatingAnalysis, "runs" | "config" | "comparison">,
): ReadonlyMap<string, string> {
  const { sourceLanguage = "src", targetLanguage = "tgt" } = config;
  const pair = `${sourceLanguage}-${targetLanguage}`;
  const items = groupedBy(standardised(runs), itemKey);
  const ordered = [...Map.groupBy(items, ({ document }) => document).values()].flat();
  const systems = comparison.systems.map(({ system }) => system).sort();
  const documents = [...new Set(ordered.map(({ document }) => document))];
  for (const [names, what] of [[systems, "systems"], [documents, "documents"]] as const) {
    if (new Set(names.map(fileNameOf)).size === names.length) continue;
    throw new RangeError(`Cannot export: two ${what} have one name but for spaces and slashes.`);
  }
  type Rating = typeof items[number]["value"][number];
  type Score = (rating: Rating) => number | undefined;
  const known = (scores: readonly (number | undefined)[]) =>
    average(scores.filter((it) => it !== undefined));
  /** Returns a system's score of each segment: the mean over raters. */
  const segmentsOf = (system: string, score: Score) =>
    ordered.map(({ value }) =>
      known(value.filter((rating) => rating.system === system).map(score))
    );
  const written = (system: string, score: number | undefined) =>
    `${fileNameOf(system)}\t${score ?? "None"}\n`;
  const bySegment = (score: Score) =>
    systems.flatMap((system) => segmentsOf(system, score).map((it) => written(system, it))).join(
      "",
    );
  const bySystem = (score: Score) =>
    systems.map((system) => written(system, known(segmentsOf(system, score)))).join("");
  const texts = (choose: (itemRatings: readonly Rating[]) => string | undefined) =>
    ordered.map(({ value }) => asLine(choose(value) ?? "")).join("");
  return new Map([
    [`sources/${pair}.txt`, texts(([first]) => first!.source)],
    [
      `documents/${pair}.docs`,
      ordered.map(({ document }) => `all\t${fileNameOf(document)}\n`).join(""),
    ],
    ...systems.map((system) =>
      [
        `system-outputs/${pair}/${fileNameOf(system)}.txt`,
        texts((itemRatings) => itemRatings.find((rating) => rating.system === system)?.text),
      ] as const
    ),
    [`human-scores/${pair}.da.seg.score`, bySegment(({ da }) => da)],
    [`human-scores/${pair}.da.sys.score`, bySystem(({ da }) => da)],
    [`human-scores/${pair}.z.seg.score`, bySegment(({ z }) => z)],
    [`human-scores/${pair}.z.sys.score`, bySystem(({ z }) => z)],
  ].map(([path, text]) => [`mt-metrics-eval/${path}`, text!]));
}

/**
 * Returns the CSV of Appraise's document tasks (`ExportSystemScoresToCSV`), without headings.
 * Columns: annotator, system, segment, kind, source and target language, score, document,
 * document-level score (yes or no), and the times of opening and confirmation in Unix seconds.
 * Kinds: repeats and the intact texts of attention checks are `CHK`, spoiled texts `BAD`, all
 * others `TGT`.
 */
function appraiseCsv({ runs, config }: Pick<RatingAnalysis, "runs" | "config">): string {
  const { sourceLanguage = "src", targetLanguage = "tgt" } = config;
  const kindOf = ({ role, spoiled_by }: SystemRating) =>
    role === "rated" ? "TGT" : spoiled_by === undefined ? "CHK" : "BAD";
  const seconds = (time: string) => time === "" ? "" : Date.parse(time) / 1000;
  return runs.flatMap(({ ratings }) => ratings).map((rating) => {
    const cells = {
      annotator: withoutFormulas(rating.rater),
      system: withoutFormulas(rating.system),
      segment: withoutFormulas(rating.segment),
      kind: kindOf(rating),
      source: sourceLanguage,
      target: targetLanguage,
      score: rating.da,
      document: withoutFormulas(rating.document),
      isDocument: false,
      opened: seconds(rating.started_at),
      confirmed: seconds(rating.committed_at),
    };
    return formatCsvRow(Object.keys(cells) as (keyof typeof cells)[], cells);
  }).join("");
}
