/** Every file of `data/translation`, described once, in the order in which notebooks write them. */
import { type DataFile, fileEntry, flag, number, oneOf } from "../../files/table.ts";
import { type OutsideSet, type RowOf, table, text, whole } from "../../files/table.ts";
import { ESTIMATE, HIGH, inData, LOW, PAIRWISE_TESTS } from "../../translation/tables.ts";
import { PREPARATION, RATER, RELIABILITY, six, sixOrBlank } from "../../translation/tables.ts";
import { SYSTEM, SYSTEM_RATINGS, systemMeans } from "../../translation/tables.ts";
import { TRANSLATION_PATHS } from "../../translation/tables.ts";

const LAYOUT = "two sheets, laid out as *The rater's workbook* above says";

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
    cluster_wmt: whole("the same by WMT's rule: one-sided Wilcoxon over segments, unadjusted"),
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
export type Wmt23Pair = RowOf<typeof WMT23_PAIRS>;

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
export type RankAgreement = RowOf<typeof WMT23_RANK_AGREEMENT>;

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
