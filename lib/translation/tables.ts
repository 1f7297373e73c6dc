/** Tables of ratings and of their analysis, as in `data/translation`. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { inertText } from "../files/csv.ts";
import { blankOr, type Column, field, flag, number, oneOf, type RowOf } from "../files/table.ts";
import { table, text, whole } from "../files/table.ts";
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

export const SYSTEM = "system of the demo, a tree's name; none is a real product";
export const RATER = "simulated rater; the name begins with `simulated_`";
export const ESTIMATE = "empty where the ratings give none";
export const LOW = "lower end of the 95 % interval, by `unit`; may be empty";
export const HIGH = "upper end; may be empty";
const UNIT = oneOf(
  ["segment", "document"],
  "what intervals cluster by, and tests exchange as a whole",
);

/** A number column rounded to six decimal places, so that all processors write the same. */
export const six = (sentence: string): Column<number> => ({
  ...number(sentence),
  write: (value) => Number(value.toFixed(6)),
});

export const sixOrBlank = (sentence: string): Column<number | ""> => blankOr(six(sentence));

/** A column of people's text, which no spreadsheet can execute (see {@link inertText}). */
const inert = (sentence: string): Column<string> => field(z.string(), sentence, inertText);

export const PREPARATION = table({
  path: inData("preparation.csv"),
  about: "notebook 31: what the rater will see, one row an item",
  maker: "notebook 31",
  columns: {
    item_id: whole("as in the workbook"),
    source_characters: whole("length of the source in Unicode code points"),
    shortest_characters: whole("of the twelve translations"),
    median_characters: number("of the twelve"),
    longest_characters: whole("of the twelve"),
    distinct: whole("different texts among the twelve"),
    empty: whole("translations without text"),
    script: text("that most of the translations are in"),
    other_script: whole("translations in another script"),
  },
});
export type ItemReport = RowOf<typeof PREPARATION>;

export const SYSTEM_RATINGS = table({
  path: inData("system_ratings.csv"),
  about: "notebook 32: one row a rater, item and translation, with its system",
  maker: "notebook 32",
  columns: {
    rater: inert(RATER),
    run_id: text("of the workbook; with it an item_id is one item's"),
    item_id: whole("as in the workbook"),
    document: inert("as in `demo_outputs.csv`"),
    segment: inert("as in `demo_outputs.csv`"),
    role: oneOf(
      ["rated", "repeat", "attention"],
      "rated, repeat or attention; only rated items count for systems",
    ),
    role_of: blankOr(whole("for a repeat or a check, the item that it repeats")),
    system: inert(SYSTEM),
    translation: whole("1–12, as in t1 … t12"),
    position: whole("row of the screen, 1 the top"),
    bucket: text("best, good, ok or poor"),
    bucket_rank: whole("1 the best"),
    da: number("Direct Assessment, 0–100"),
    started_at: text("ISO 8601 in UTC; a simulated clock"),
    committed_at: text("ISO 8601 in UTC; a simulated clock"),
    active_seconds: number("on the whole item, gaps up to its reading time; a simulated clock"),
    highlight_seconds: number("of these, with differences shown"),
    idle_seconds: number("in longer gaps, not among these"),
    edit_count: whole("how often the item was changed or confirmed again after Next"),
    comment: inert(
      "the rater's; a text that begins like a formula has an apostrophe in front in all text columns",
    ),
    source: inert("the sentence"),
    text: inert("the translation that was rated"),
  },
});

/** The table of system means, best first, with a column per bucket of the run. */
export const systemMeans = (buckets: readonly Bucket[] = DEFAULT_RUN_CONFIG.buckets) =>
  table<Readonly<Record<string, Column<string | number>>>>({
    path: inData("system_means.csv"),
    about: "notebook 32, from simulated raters: says nothing about any system",
    maker: "notebook 32",
    columns: {
      system: inert(SYSTEM),
      cluster: whole("1 the best; all above significantly better than all below, by Holm"),
      cluster_wmt: whole("the same by WMT's rule: one-sided Wilcoxon over segments, unadjusted"),
      better_than: inert("systems that it is significantly better than (Holm), by semicolons"),
      not_different_from: inert("systems that do not differ significantly from it (Holm)"),
      rank: whole("by mean score"),
      rank_low: blankOr(whole("best rank of the 95 % interval")),
      rank_high: blankOr(whole("poorest rank of it")),
      items: whole("rated items"),
      ratings: whole("items × raters"),
      mean_da: sixOrBlank("mean over items of the mean over raters"),
      mean_da_low: sixOrBlank(LOW),
      mean_da_high: sixOrBlank(HIGH),
      mean_z: sixOrBlank("the same of scores standardised per rater"),
      mean_z_low: sixOrBlank(LOW),
      mean_z_high: sixOrBlank(HIGH),
      unit: UNIT,
      units: whole("how many of these; the tests' sample size"),
      ...Object.fromEntries(buckets.map(({ key }, index) => [
        `share_${key}`,
        six(index === 0 ? "share of ratings in this bucket, 0–1" : "the same"),
      ])),
    },
  });

export const PAIRWISE_TESTS = table({
  path: inData("pairwise_tests.csv"),
  about: "notebook 32, from simulated raters: every two systems",
  maker: "notebook 32",
  columns: {
    first: inert("the one with the higher mean"),
    second: inert("the other"),
    items: whole("rated in common"),
    difference: sixOrBlank("mean of first less second, in points"),
    low: sixOrBlank(LOW),
    high: sixOrBlank(HIGH),
    unit: UNIT,
    units: blankOr(whole("rated in common")),
    p: blankOr(number("paired permutation test by `unit`, two-sided")),
    method: text("exact or monte-carlo, or why there was no test"),
    adjusted_p: blankOr(number("Holm's, over all pairs")),
    different: flag("True where adjusted_p is at most 0.05"),
    p_wmt: blankOr(
      number("WMT's: one-sided Wilcoxon signed-rank over segments, first above second"),
    ),
  },
});

export const RELIABILITY = table({
  path: inData("reliability.csv"),
  about: "notebook 32: what the ratings say of the simulated raters",
  maker: "notebook 32",
  columns: {
    rater: inert(`${RATER}; \`first vs second\`, or \`(all)\``),
    batch: inert("which of the rater's workbooks; empty where there is one"),
    measure: text("what was measured"),
    estimate: sixOrBlank(ESTIMATE),
    low: sixOrBlank("lower end of the 95 % interval, of seconds the lower quartile; may be empty"),
    high: sixOrBlank("upper end, of seconds the upper quartile; may be empty"),
    n: blankOr(whole("what it rests on: ratings, items, checks or systems")),
    unit: blankOr(UNIT),
    units: blankOr(whole("number of these, where the estimate has an interval by them")),
    unavailable: text("why there is no estimate, or none with an interval, or what does not count"),
    warning: text("what has to be known of the rater before any figure; may be empty"),
  },
});
