/** Tables of ratings and of their analysis, as in `data/translation`. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { withoutFormulas } from "../files/csv.ts";
import { blankOr, type Column, field, flag, number, oneOf, type RowOf } from "../files/table.ts";
import { table, text, wholeNumber } from "../files/table.ts";
import { type Bucket, DEFAULT_RUN_CONFIG } from "./configuration.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
export const inData = (file: string) => join(PROJECT, "data", "translation", file);

/** Paths of the study's other files. The page must not import this module. */
export const TRANSLATION_PATHS = {
  data: inData(""),
  demoOutputs: inData("demo_outputs.csv"),
  demoRun: inData("demo_run.yaml"),
  demoWorkbook: inData("demo_workbook.xlsx"),
  demoKey: inData("demo_key.json"),
  systemRatingsWorkbook: inData("system_ratings.xlsx"),
  figures: join(PROJECT, "figures", "translation"),
  results: join(PROJECT, "RESULTS.md"),
} as const;

export const SYSTEM = "system of the demo, named after a tree; none is a real product";
export const RATER = "simulated rater, with a name that begins with `simulated_`";
export const ESTIMATE = "value of the estimate; empty if the ratings give none";
export const LOW = "lower end of the 95 % interval, clustered by `unit`; may be empty";
export const HIGH = "upper end of the 95 % interval; may be empty";
const UNIT = oneOf(
  ["segment", "document"],
  "unit by which intervals cluster and tests permute",
);

/** A number column with six decimals, so that all processors write equal files. */
export const sixDecimals = (sentence: string): Column<number> => ({
  ...number(sentence),
  write: (value) => Number(value.toFixed(6)),
});

export const sixDecimalsOrBlank = (sentence: string): Column<number | ""> =>
  blankOr(sixDecimals(sentence));

/** A column of people's text, which no spreadsheet can execute (see {@link withoutFormulas}). */
const inert = (sentence: string): Column<string> => field(z.string(), sentence, withoutFormulas);

export const PREPARATION = table({
  path: inData("preparation.csv"),
  about: "notebook 31: properties of the items that the rater will see, one row per item",
  maker: "notebook 31",
  columns: {
    item_id: wholeNumber("id of the item in the workbook"),
    source_characters: wholeNumber("length of the source in Unicode code points"),
    shortest_characters: wholeNumber("length of the shortest translation in Unicode code points"),
    median_characters: number("median length of the translations"),
    longest_characters: wholeNumber("length of the longest translation"),
    distinct: wholeNumber("number of different texts among the twelve"),
    empty: wholeNumber("number of translations without text"),
    script: text("script of most of the translations"),
    other_script: wholeNumber("number of translations in another script"),
  },
});
export type ItemReport = RowOf<typeof PREPARATION>;

export const SYSTEM_RATINGS = table({
  path: inData("system_ratings.csv"),
  about: "notebook 32: one row per rater, item and translation, with its system",
  maker: "notebook 32",
  columns: {
    rater: inert(RATER),
    run_id: text("UUID of the workbook's run; run_id and item_id together identify an item"),
    item_id: wholeNumber("id of the item in the workbook"),
    document: inert("document, as in `demo_outputs.csv`"),
    segment: inert("segment, as in `demo_outputs.csv`"),
    role: oneOf(
      ["rated", "repeat", "attention"],
      "rated, repeat or attention; only rated items count towards systems",
    ),
    role_of: blankOr(wholeNumber("item that a repeat or check repeats; otherwise empty")),
    system: inert(SYSTEM),
    translation: wholeNumber("number of the translation, 1–12, as in t1 … t12"),
    position: wholeNumber("row on the screen, 1 at the top"),
    bucket: text("bucket: best, good, ok or poor"),
    bucket_rank: wholeNumber("rank of the bucket, 1 for the best"),
    da: number("Direct Assessment score, 0–100"),
    started_at: text("time of first opening, ISO 8601 in UTC, from a simulated clock"),
    committed_at: text("time of last confirmation, ISO 8601 in UTC, from a simulated clock"),
    active_seconds: number(
      "seconds at work on the item by a simulated clock; gaps count up to the item's reading time",
    ),
    highlight_seconds: number("seconds of these with differences highlighted"),
    idle_seconds: number("seconds of longer gaps, not included in active_seconds"),
    edit_count: wholeNumber("number of changes or new confirmations after Next"),
    comment: inert(
      "comment of the rater; in all text columns an apostrophe precedes text that looks like a formula",
    ),
    source: inert("source sentence"),
    text: inert("rated translation"),
  },
});

/** The table of system means, best first. It has a column per bucket of the run. */
export const systemMeans = (buckets: readonly Bucket[] = DEFAULT_RUN_CONFIG.buckets) =>
  table<Readonly<Record<string, Column<string | number>>>>({
    path: inData("system_means.csv"),
    about:
      "notebook 32: means of the systems from simulated raters; they are evidence about no system",
    maker: "notebook 32",
    columns: {
      system: inert(SYSTEM),
      cluster: wholeNumber(
        "cluster of systems, 1 for the best; all above are significantly better than all below (Holm)",
      ),
      cluster_wmt: wholeNumber(
        "cluster by WMT's rule: one-sided Wilcoxon test over segments, unadjusted",
      ),
      better_than: inert(
        "systems that this one significantly outperforms (Holm), separated by semicolons",
      ),
      not_different_from: inert("systems without a significant difference from this one (Holm)"),
      rank: wholeNumber("rank by mean score, 1 for the best"),
      rank_low: blankOr(wholeNumber("best rank in the 95 % interval")),
      rank_high: blankOr(wholeNumber("worst rank in the 95 % interval")),
      items: wholeNumber("number of rated items"),
      ratings: wholeNumber("number of ratings, items × raters"),
      mean_da: sixDecimalsOrBlank("mean score over items of the means over raters"),
      mean_da_low: sixDecimalsOrBlank(LOW),
      mean_da_high: sixDecimalsOrBlank(HIGH),
      mean_z: sixDecimalsOrBlank("mean score standardised per rater"),
      mean_z_low: sixDecimalsOrBlank(LOW),
      mean_z_high: sixDecimalsOrBlank(HIGH),
      unit: UNIT,
      units: wholeNumber("number of these units, which is the tests' sample size"),
      ...Object.fromEntries(buckets.map(({ key }) => [
        `share_${key}`,
        sixDecimals(`share of ratings in the bucket ${key}, 0–1`),
      ])),
    },
  });

export const PAIRWISE_TESTS = table({
  path: inData("pairwise_tests.csv"),
  about: "notebook 32: tests of all pairs of systems, from simulated raters",
  maker: "notebook 32",
  columns: {
    first: inert("system with the higher mean"),
    second: inert("system with the lower mean"),
    items: wholeNumber("number of items rated for both"),
    difference: sixDecimalsOrBlank("mean of first − mean of second, in points"),
    low: sixDecimalsOrBlank(LOW),
    high: sixDecimalsOrBlank(HIGH),
    unit: UNIT,
    units: blankOr(wholeNumber("number of these units")),
    p: blankOr(number("two-sided p-value of a paired permutation test by `unit`")),
    method: text("exact or monte-carlo, or the reason why there was no test"),
    adjusted_p: blankOr(number("p-value adjusted by Holm's method over all pairs")),
    different: flag("True where adjusted_p is at most 0.05"),
    p_wmt: blankOr(
      number(
        "p-value by WMT's rule: one-sided Wilcoxon signed-rank test over segments, first above second",
      ),
    ),
  },
});

export const RELIABILITY = table({
  path: inData("reliability.csv"),
  about: "notebook 32: reliability of the simulated raters",
  maker: "notebook 32",
  columns: {
    rater: inert(`${RATER}; \`first vs second\` for a comparison; \`(all)\` for all raters`),
    batch: inert("workbook of the rater; empty if there is one only"),
    measure: text("name of the measure"),
    estimate: sixDecimalsOrBlank(ESTIMATE),
    low: sixDecimalsOrBlank(
      "lower end of the 95 % interval, or the lower quartile of seconds; may be empty",
    ),
    high: sixDecimalsOrBlank(
      "upper end of the 95 % interval, or the upper quartile of seconds; may be empty",
    ),
    n: blankOr(wholeNumber("number of ratings, items, checks or systems behind the estimate")),
    unit: blankOr(UNIT),
    units: blankOr(wholeNumber("number of these units, where the interval clusters by them")),
    unavailable: text(
      "reason for a missing estimate or interval, or a note on uncounted ratings",
    ),
    warning: text("warning about the rater that precedes all figures; may be empty"),
  },
});
