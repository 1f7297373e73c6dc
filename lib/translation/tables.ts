/** Every file of `data/translation`, described once, in the order in which notebooks write them. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";
import { inertText } from "../files/csv.ts";
import {
  blankOr,
  type Column,
  type DataFile,
  field,
  fileEntry,
  flag,
  number,
  oneOf,
  type OutsideSet,
  type RowOf,
  table,
  text,
  whole,
} from "../files/table.ts";
import { type Bucket, DEFAULT_RUN_CONFIG } from "./configuration.ts";

const PROJECT = fileURLToPath(new URL("../..", import.meta.url));
const inData = (file: string) => join(PROJECT, "data", "translation", file);

/** The study's files that are no tables. Never imported by the page. */
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

const SYSTEM = "system of the demo, a tree's name; none is a real product";
const RATER = "simulated rater; the name begins with `simulated_`";
const ESTIMATE = "empty where the ratings give none";
const LOW = "lower end of the 95 % interval, by `unit`; may be empty";
const HIGH = "upper end; may be empty";
const UNIT = oneOf(
  ["segment", "document"],
  "what intervals cluster by, and tests exchange as a whole",
);
const LAYOUT = "two sheets, laid out as *The rater's workbook* above says";

/** Six decimal places: fewer than processors differ in. */
const six = (sentence: string): Column<number> => ({
  ...number(sentence),
  write: (value) => Number(value.toFixed(6)),
});

const sixOrBlank = (sentence: string): Column<number | ""> => blankOr(six(sentence));

/** Text of people's, which no spreadsheet may run: see {@link inertText}. */
const inert = (sentence: string): Column<string> => field(z.string(), sentence, inertText);

export const DEMO_OUTPUTS = table({
  path: TRANSLATION_PATHS.demoOutputs,
  about:
    "made outside the notebooks on 22 November 2026 for this project, by a Claude model instructed as " +
    "a translator: 20 English sentences in five documents, each in twelve German versions that " +
    "are spoilt in known ways",
  maker: "nothing",
  columns: {
    document: text("email, letter, news, recipe or story"),
    segment: text("document and number of the sentence"),
    system: text(SYSTEM),
    degradation: text("in which way this system's texts are spoilt; `careful` is not"),
    source: text("the English sentence"),
    translation: text("the German version"),
  },
});

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
    active_seconds: number("on the whole item, idle gaps capped; a simulated clock"),
    highlight_seconds: number("of these, with differences shown"),
    edit_count: whole("how often the item was changed or confirmed again after Next"),
    comment: inert(
      "the rater's; a text that begins like a formula has an apostrophe in front in all text columns",
    ),
    source: inert("the sentence"),
    text: inert("the translation that was rated"),
  },
});

/** Systems' means, best first, with a column for each bucket of the run. */
export const systemMeans = (buckets: readonly Bucket[] = DEFAULT_RUN_CONFIG.buckets) =>
  table<Readonly<Record<string, Column<string | number>>>>({
    path: inData("system_means.csv"),
    about: "notebook 32, from simulated raters: says nothing about any system",
    maker: "notebook 32",
    columns: {
      system: inert(SYSTEM),
      cluster: whole("1 the best; all above significantly better than all below"),
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
  },
});

export const RELIABILITY = table({
  path: inData("reliability.csv"),
  about: "notebook 32: what the ratings say of the simulated raters",
  maker: "notebook 32",
  columns: {
    rater: inert(`${RATER}; \`first vs second\`, or \`(all)\``),
    measure: text("what was measured"),
    estimate: sixOrBlank(ESTIMATE),
    low: sixOrBlank("lower end of the 95 % interval, of seconds the lower quartile; may be empty"),
    high: sixOrBlank("upper end, of seconds the upper quartile; may be empty"),
    n: blankOr(whole("what it rests on: ratings, items, checks or systems")),
    unit: blankOr(UNIT),
    units: blankOr(whole("number of these, where the estimate has an interval by them")),
    unavailable: text("why there is no estimate, or none with an interval"),
  },
});

const PLANTED = {
  rater: text(RATER),
  effect: text("what was planted, in which unit"),
  planted: six("its size"),
};

export const PLANTED_EFFECTS = table({
  path: inData("planted_effects.csv"),
  about: "notebook 32: effects put into simulated raters, and what is found",
  maker: "notebook 32",
  columns: {
    ...PLANTED,
    found: sixOrBlank(ESTIMATE),
    low: sixOrBlank(LOW),
    high: sixOrBlank(HIGH),
    covered: flag("True where the interval holds what was planted"),
  },
});

export const REPEATED_SESSIONS = table({
  path: inData("repeated_sessions.csv"),
  about: "notebook 32: the same over many simulated sessions",
  maker: "notebook 32",
  columns: {
    ...PLANTED,
    found: six("mean over sessions"),
    standard_error: sixOrBlank(
      "of this mean: standard deviation over sessions by the root of their number",
    ),
    covered: whole("sessions whose 95 % interval holds what was planted"),
    sessions: whole("of how many"),
  },
});
export type RepeatedEffect = RowOf<typeof REPEATED_SESSIONS>;

export const REPEATED_CHECKS = table({
  path: inData("repeated_checks.csv"),
  about: "notebook 32: attention checks in the same sessions",
  maker: "notebook 32",
  columns: {
    rater: text(RATER),
    unread: number("planted: chance that a translation is not read, 0–1"),
    sessions: whole("in which a check counted"),
    checks: whole("over all sessions"),
    passed: whole("of these"),
    all_passed: whole("sessions in which every check was passed"),
    all_read: six("share of sessions expected to have every spoiled translation read, 0–1"),
  },
});
export type RepeatedChecks = RowOf<typeof REPEATED_CHECKS>;

const WMT23 = {
  about: "`deno task study wmt23`, from WMT23 English–German scores: ESA by Kocmi et al. 2024 " +
    "(ErrorSpanAnnotations), DA+SQM and MQM of WMT23, joined by segment and system into one TSV that is " +
    "no part of this project (its columns: `deno task study wmt23 --help`); aggregates only, no text and no " +
    "single score",
  licence: "MIT; the scores that they were computed from are their authors'",
  maker: "deno task study wmt23",
};

/** Real ratings of the WMT23 task, English to German. */
export const WMT23_SCORES: OutsideSet = {
  name: "wmt23_ende_scores",
  file: "wmt23_ende_scores.tsv",
  sha256: "1b6b5aa7ef531c45d3c8155bc8fe0758d2e7566851b3fec65ffbe1796a8cb5c8",
  licence: "research use",
  origin: "campaign-ruction-rc5/en-de.ESA-1.seg.score at commit " +
    "9425c0e5fb67355d41e04074e34079b84d4bfc53 and en-de.ESA-2.seg.score at commit " +
    "a971838d80959880df8cb2dab3c8803239ce0efc of wmt-conference/ErrorSpanAnnotation, and the English–" +
    "German texts, DA+SQM and MQM of WMT23 as google-research/mt-metrics-eval distributes them",
  made:
    "110 segments of 13 systems, tab-separated, joined by segment and system before this project; " +
    "that the scores are those of these two commits was not checked. `deno task study wmt23 --help` " +
    "names the columns.",
};

export const WMT23_MEASURES = ["esa1", "esa2", "da_sqm", "mqm"] as const;
const measure = oneOf(WMT23_MEASURES, "esa1, esa2, da_sqm or mqm");
const BY_DOCUMENT = {
  low: six("lower end of the 95 % interval, by document"),
  high: six("upper end"),
};

export const WMT23_SYSTEMS = table({
  ...WMT23,
  path: inData("wmt23_systems.csv"),
  columns: {
    measure,
    rank: whole("by mean, 1 the best"),
    system: text("as WMT23 names it; the human reference is left out"),
    segments: whole("rated"),
    documents: whole("that these segments belong to"),
    mean: six("of raw scores; ESA and DA+SQM 0–100, MQM a penalty of nought or less"),
    ...BY_DOCUMENT,
    cluster: whole("1 the best; by tests with Holm's adjustment"),
    cluster_unadjusted: whole("the same by tests without adjustment, as in WMT's tables"),
  },
});
export type Wmt23System = RowOf<typeof WMT23_SYSTEMS>;

export const WMT23_PAIRS = table({
  ...WMT23,
  path: inData("wmt23_pairs.csv"),
  columns: {
    measure,
    first: text("the one with the higher mean"),
    second: text("the other"),
    difference: six("mean of first less second, in the measure's points"),
    p: number("paired permutation test that flips whole documents, two-sided"),
    adjusted_p: number("Holm's, over the measure's 66 pairs"),
    different: flag("True where adjusted_p is at most 0.05"),
  },
});

export const WMT23_RANK_AGREEMENT = table({
  ...WMT23,
  path: inData("wmt23_rank_agreement.csv"),
  columns: {
    first: measure,
    second: measure,
    systems: whole("ranked by both"),
    segments: whole("behind the means"),
    documents: whole("that these segments belong to"),
    kendall_tau_b: six("of the systems' means"),
    ...BY_DOCUMENT,
    pairwise_accuracy: six("share of pairs of systems that both put in the same order"),
    difference: sixOrBlank("tau-b less that of esa1 and esa2, which is empty"),
    difference_low: sixOrBlank("lower end of its 95 % interval, on the same resamples"),
    difference_high: sixOrBlank("upper end"),
  },
});

export const WMT23_PYTHON = table({
  ...WMT23,
  path: inData("wmt23_python.csv"),
  about:
    "`deno task bench metrics`: figures of the two rounds of ESA, as two raters, against Python's",
  maker: "deno task bench metrics",
  columns: {
    figure: text("what was computed here and there"),
    reference: text("whose computation it was held against"),
    compared: whole("numbers"),
    largest_difference: number("between the two"),
  },
});

export const TABLES: readonly DataFile[] = [
  DEMO_OUTPUTS,
  fileEntry(TRANSLATION_PATHS.demoRun, "written by hand: the demo's run configuration"),
  fileEntry(
    TRANSLATION_PATHS.demoWorkbook,
    `notebook 31: the demo's blind workbook, unrated; ${LAYOUT}`,
  ),
  fileEntry(
    TRANSLATION_PATHS.demoKey,
    "notebook 31: the demo's sealed key; published, secret and all, so that notebook 32 can be run, " +
      "which a real one must not be",
  ),
  PREPARATION,
  ...["strict", "lenient", "tired", "careless"].map((name) =>
    fileEntry(
      inData(`simulated_${name}.xlsx`),
      "notebook 32: `demo_workbook.xlsx` rated by a program with known faults " +
        `(lib/studies/translation/simulation); no person rated it; ${LAYOUT}`,
    )
  ),
  SYSTEM_RATINGS,
  fileEntry(
    TRANSLATION_PATHS.systemRatingsWorkbook,
    "notebook 32: the same as text and number cells, texts as they are",
  ),
  systemMeans(),
  PAIRWISE_TESTS,
  RELIABILITY,
  PLANTED_EFFECTS,
  REPEATED_SESSIONS,
  REPEATED_CHECKS,
  WMT23_SYSTEMS,
  WMT23_PAIRS,
  WMT23_RANK_AGREEMENT,
  WMT23_PYTHON,
];
