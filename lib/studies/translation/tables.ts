/** All files of `data/translation` for the manifest, in the notebooks' order. */
import { type DataFile, fileEntry, flag, number, oneOf } from "../../files/table.ts";
import { type OutsideSet, type RowOf, table, text, wholeNumber } from "../../files/table.ts";
import { ESTIMATE, HIGH, inData, LOW, PAIRWISE_TESTS } from "../../translation/tables.ts";
import {
  PREPARATION,
  RATER,
  RELIABILITY,
  sixDecimals,
  sixDecimalsOrBlank,
} from "../../translation/tables.ts";
import { SYSTEM, SYSTEM_RATINGS, systemMeans } from "../../translation/tables.ts";
import { TRANSLATION_PATHS } from "../../translation/tables.ts";

const LAYOUT =
  "two sheets, described under [The rater's workbook](translation/README.md#the-raters-workbook)";

export const DEMO_OUTPUTS = table({
  path: TRANSLATION_PATHS.demoOutputs,
  about:
    "a Claude model instructed as a translator, 22 November 2026: 20 English sentences in five documents, each in twelve German versions with known faults",
  maker: "nothing",
  columns: {
    document: text("type of document: email, letter, news, recipe or story"),
    segment: text("document and number of the sentence"),
    system: text(SYSTEM),
    degradation: text("planted fault of this system's texts; `careful` has none"),
    source: text("English source sentence"),
    translation: text("German version"),
  },
});

const PLANTED = {
  rater: text(RATER),
  effect: text("planted effect with its unit"),
  planted: sixDecimals("size of the planted effect"),
};

export const PLANTED_EFFECTS = table({
  path: inData("planted_effects.csv"),
  about: "notebook 32: planted effects of simulated raters and their estimates",
  maker: "notebook 32",
  columns: {
    ...PLANTED,
    found: sixDecimalsOrBlank(ESTIMATE),
    low: sixDecimalsOrBlank(LOW),
    high: sixDecimalsOrBlank(HIGH),
    covered: flag("True where the interval contains the planted effect"),
  },
});

export const REPEATED_SESSIONS = table({
  path: inData("repeated_sessions.csv"),
  about: "notebook 32: the same over repeated simulated sessions",
  maker: "notebook 32",
  columns: {
    ...PLANTED,
    found: sixDecimals("mean of the estimates over sessions"),
    standard_error: sixDecimalsOrBlank(
      "standard error of this mean: standard deviation over sessions / √sessions",
    ),
    covered: wholeNumber("number of sessions whose 95 % interval contains the planted effect"),
    sessions: wholeNumber("number of sessions"),
  },
});
export type RepeatedEffect = RowOf<typeof REPEATED_SESSIONS>;

export const REPEATED_CHECKS = table({
  path: inData("repeated_checks.csv"),
  about: "notebook 32: attention checks in the same sessions",
  maker: "notebook 32",
  columns: {
    rater: text(RATER),
    unread: number("planted probability that a translation is not read, 0–1"),
    sessions: wholeNumber("number of sessions in which a check counted"),
    checks: wholeNumber("number of checks over all sessions"),
    passed: wholeNumber("number of checks passed"),
    all_passed: wholeNumber("number of sessions in which every check was passed"),
    all_read: sixDecimals(
      "expected share of sessions in which every spoiled translation is read, 0–1",
    ),
  },
});
export type RepeatedChecks = RowOf<typeof REPEATED_CHECKS>;

const WMT23 = {
  about:
    "`deno task study wmt23`: aggregates of WMT23 English–German scores (ESA by Kocmi et al. 2024; DA+SQM and MQM of WMT23). The scores are not part of this repository; `deno task study wmt23 --help` names their columns",
  licence: "MIT; the scores that they were computed from are their authors'",
  maker: "deno task study wmt23",
};

/** Real ratings of WMT23's English–German task. */
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
const measure = oneOf(WMT23_MEASURES, "protocol: esa1, esa2, da_sqm or mqm");
const BY_DOCUMENT = {
  low: sixDecimals("lower end of the 95 % interval, clustered by document"),
  high: sixDecimals("upper end of the 95 % interval"),
};

export const WMT23_SYSTEMS = table({
  ...WMT23,
  path: inData("wmt23_systems.csv"),
  columns: {
    measure,
    rank: wholeNumber("rank by mean, 1 for the best"),
    system: text("name of the system in WMT23; the human reference is excluded"),
    segments: wholeNumber("number of rated segments"),
    documents: wholeNumber("number of documents that contain these segments"),
    mean: sixDecimals("mean of raw scores: ESA and DA+SQM 0–100, MQM a penalty of 0 or less"),
    ...BY_DOCUMENT,
    cluster: wholeNumber("cluster of systems, 1 for the best, from tests with Holm's adjustment"),
    cluster_wmt: wholeNumber(
      "cluster by WMT's rule: one-sided Wilcoxon test over segments, unadjusted",
    ),
  },
});
export type Wmt23System = RowOf<typeof WMT23_SYSTEMS>;

export const WMT23_PAIRS = table({
  ...WMT23,
  path: inData("wmt23_pairs.csv"),
  columns: {
    measure,
    first: text("system with the higher mean"),
    second: text("system with the lower mean"),
    difference: sixDecimals("mean of first − mean of second, in points of the protocol"),
    p: number("two-sided p-value of a paired permutation test that flips whole documents"),
    adjusted_p: number("p-value adjusted by Holm's method over the protocol's 66 pairs"),
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
    systems: wholeNumber("number of systems ranked by both protocols"),
    segments: wholeNumber("number of segments behind the means"),
    documents: wholeNumber("number of documents that contain these segments"),
    kendall_tau_b: sixDecimals("Kendall's tau-b of the systems' means"),
    ...BY_DOCUMENT,
    pairwise_accuracy: sixDecimals("share of pairs of systems that both protocols order alike"),
    difference: sixDecimalsOrBlank("tau-b minus that of esa1 and esa2; empty for esa1 and esa2"),
    difference_low: sixDecimalsOrBlank(
      "lower end of the difference's 95 % interval, on the same resamples",
    ),
    difference_high: sixDecimalsOrBlank("upper end of the difference's 95 % interval"),
  },
});
export type RankAgreement = RowOf<typeof WMT23_RANK_AGREEMENT>;

export const WMT23_PYTHON = table({
  ...WMT23,
  path: inData("wmt23_python.csv"),
  about:
    "`deno task bench metrics`: agreement figures of the two rounds of ESA, as two raters, against Python's",
  maker: "deno task bench metrics",
  columns: {
    figure: text("compared figure"),
    reference: text("reference implementation"),
    compared: wholeNumber("number of values compared"),
    largest_difference: number("largest absolute difference"),
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
    "notebook 31: the demo's sealed key, published with its secret so that notebook 32 runs; a real key must stay private",
  ),
  PREPARATION,
  ...["strict", "lenient", "tired", "careless"].map((name) =>
    fileEntry(
      inData(`simulated_${name}.xlsx`),
      "notebook 32: `demo_workbook.xlsx` rated by a program with known faults " +
        `(lib/studies/translation/simulation), not by a person; ${LAYOUT}`,
    )
  ),
  SYSTEM_RATINGS,
  fileEntry(
    TRANSLATION_PATHS.systemRatingsWorkbook,
    "notebook 32: the same as text and number cells, with unchanged texts",
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
