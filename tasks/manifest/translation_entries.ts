import type { ManifestEntry } from "./entries.ts";

const SYSTEM = "system of the demo, a tree's name; none is a real product";
const RATER = "simulated rater; the name begins with `simulated_`";
const ESTIMATE = "empty where the ratings give none";
const LOW = "lower end of the 95 % interval, bootstrap by item; may be empty";
const HIGH = "upper end; may be empty";
const LAYOUT = "two sheets, laid out as *The rater's workbook* above says";
const WMT23 = "`deno task wmt23`, from WMT23 English–German scores: ESA by Kocmi et al. 2024 " +
  "(ErrorSpanAnnotations), DA+SQM and MQM of WMT23, joined by segment and system into one TSV that is " +
  "no part of this project (its columns: `deno task wmt23 --help`); aggregates only, no text and no " +
  "single score";
const WMT23_LICENCE = "MIT; the scores that they were computed from are their authors'";
const MEASURE = "esa1, esa2, da_sqm or mqm";

const file = (
  name: string,
  source: string,
  columns: ManifestEntry["columns"] = {},
  licence = "MIT",
): ManifestEntry => ({ file: `translation/${name}`, source, licence, columns });

const WORKBOOKS: readonly ManifestEntry[] = ["strict", "lenient", "tired", "careless"].map((name) =>
  file(
    `simulated_${name}.xlsx`,
    "notebook 32: `demo_workbook.xlsx` rated by a program with known faults " +
      `(lib/translation/simulation); no person rated it; ${LAYOUT}`,
  )
);

/** Every file of data/translation, in the order in which notebooks write them. */
export const TRANSLATION_MANIFEST: readonly ManifestEntry[] = [
  file(
    "demo_outputs.csv",
    "made outside the notebooks on 22 November 2026 for this project, by a Claude model instructed as " +
      "a translator: 20 English sentences in five documents, each in twelve German versions that " +
      "are spoilt in known ways",
    {
      document: "email, letter, news, recipe or story",
      segment: "document and number of the sentence",
      system: SYSTEM,
      degradation: "in which way this system's texts are spoilt; `careful` is not",
      source: "the English sentence",
      translation: "the German version",
    },
  ),
  file("demo_run.yaml", "written by hand: the demo's run configuration"),
  file("demo_workbook.xlsx", `notebook 31: the demo's blind workbook, unrated; ${LAYOUT}`),
  file(
    "demo_key.json",
    "notebook 31: the demo's sealed key; published, secret and all, so that notebook 32 can be run, " +
      "which a real one must not be",
  ),
  file("preparation.csv", "notebook 31: what the rater will see, one row an item", {
    item_id: "as in the workbook",
    source_characters: "length of the source in Unicode code points",
    shortest_characters: "of the twelve translations",
    median_characters: "of the twelve",
    longest_characters: "of the twelve",
    distinct: "different texts among the twelve",
    empty: "translations without text",
    script: "that most of the translations are in",
    other_script: "translations in another script",
  }),
  ...WORKBOOKS,
  file(
    "system_ratings.csv",
    "notebook 32: one row a rater, item and translation, with its system",
    {
      rater: RATER,
      item_id: "as in the workbook",
      document: "as in `demo_outputs.csv`",
      segment: "as in `demo_outputs.csv`",
      role: "rated, repeat or attention; only rated items count for systems",
      role_of: "for a repeat or a check, the item that it repeats",
      system: SYSTEM,
      translation: "1–12, as in t1 … t12",
      position: "row of the screen, 1 the top",
      bucket: "best, good, ok or poor",
      bucket_rank: "1 the best",
      da: "Direct Assessment, 0–100",
      started_at: "ISO 8601 in UTC; a simulated clock",
      committed_at: "ISO 8601 in UTC; a simulated clock",
      active_seconds: "on the whole item, idle gaps capped; a simulated clock",
      comment:
        "the rater's; a text that begins like a formula has an apostrophe in front in all text columns",
    },
  ),
  file("system_ratings.xlsx", "notebook 32: the same as text and number cells, texts as they are"),
  file("system_means.csv", "notebook 32, from simulated raters: says nothing about any system", {
    system: SYSTEM,
    cluster: "1 the best; all above significantly better than all below",
    rank: "by mean score",
    rank_low: "best rank of the 95 % interval",
    rank_high: "poorest rank of it",
    items: "rated items",
    ratings: "items × raters",
    mean_da: "mean over items of the mean over raters",
    mean_da_low: LOW,
    mean_da_high: HIGH,
    mean_z: "the same of scores standardised per rater",
    mean_z_low: LOW,
    mean_z_high: HIGH,
    share_best: "share of ratings in this bucket, 0–1",
    share_good: "the same",
    share_ok: "the same",
    share_poor: "the same",
  }),
  file("pairwise_tests.csv", "notebook 32, from simulated raters: every two systems", {
    first: "the one with the higher mean",
    second: "the other",
    items: "rated in common",
    difference: "mean of first less second, in points",
    low: LOW,
    high: HIGH,
    p: "paired permutation test by item, two-sided",
    method: "exact or monte-carlo, or why there was no test",
    adjusted_p: "Holm's, over all pairs",
    different: "True where adjusted_p is at most 0.05",
  }),
  file("reliability.csv", "notebook 32: what the ratings say of the simulated raters", {
    rater: `${RATER}; \`first vs second\`, or \`(all)\``,
    measure: "what was measured",
    estimate: ESTIMATE,
    low: "lower end of the 95 % interval, of seconds the lower quartile; may be empty",
    high: "upper end, of seconds the upper quartile; may be empty",
    n: "what it rests on: ratings, items, checks or systems",
    unavailable: "why there is no estimate, or none with an interval",
  }),
  file("planted_effects.csv", "notebook 32: effects put into simulated raters, and what is found", {
    rater: RATER,
    effect: "what was planted, in which unit",
    planted: "its size",
    found: ESTIMATE,
    low: LOW,
    high: HIGH,
    covered: "True where the interval holds what was planted",
  }),
  file("repeated_sessions.csv", "notebook 32: the same over many simulated sessions", {
    rater: RATER,
    effect: "what was planted, in which unit",
    planted: "its size",
    found: "mean over sessions",
    standard_error: "of this mean: standard deviation over sessions by the root of their number",
    covered: "sessions whose 95 % interval holds what was planted",
    sessions: "of how many",
  }),
  file("repeated_checks.csv", "notebook 32: attention checks in the same sessions", {
    rater: RATER,
    unread: "planted: chance that a translation is not read, 0–1",
    sessions: "in which a check counted",
    checks: "over all sessions",
    passed: "of these",
    all_passed: "sessions in which every check was passed",
    all_read: "share of sessions expected to have every spoiled translation read, 0–1",
  }),
  file("wmt23_systems.csv", WMT23, {
    measure: MEASURE,
    rank: "by mean, 1 the best",
    system: "as WMT23 names it; the human reference is left out",
    segments: "rated",
    documents: "that these segments belong to",
    mean: "of raw scores; ESA and DA+SQM 0–100, MQM a penalty of nought or less",
    low: "lower end of the 95 % interval, bootstrap by document",
    high: "upper end",
    cluster: "1 the best; by tests with Holm's adjustment",
    cluster_unadjusted: "the same by tests without adjustment, as in WMT's tables",
  }, WMT23_LICENCE),
  file("wmt23_pairs.csv", WMT23, {
    measure: MEASURE,
    first: "the one with the higher mean",
    second: "the other",
    difference: "mean of first less second, in the measure's points",
    p: "paired permutation test that flips whole documents, two-sided",
    adjusted_p: "Holm's, over the measure's 66 pairs",
    different: "True where adjusted_p is at most 0.05",
  }, WMT23_LICENCE),
  file("wmt23_rank_agreement.csv", WMT23, {
    first: MEASURE,
    second: MEASURE,
    systems: "ranked by both",
    segments: "behind the means",
    documents: "that these segments belong to",
    kendall_tau_b: "of the systems' means",
    low: "lower end of the 95 % interval, bootstrap by document",
    high: "upper end",
    pairwise_accuracy: "share of pairs of systems that both put in the same order",
    difference: "tau-b less that of esa1 and esa2, which is empty",
    difference_low: "lower end of its 95 % interval, on the same resamples",
    difference_high: "upper end",
  }, WMT23_LICENCE),
];
