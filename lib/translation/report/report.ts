import type { InterRater, RaterReliability, SystemComparison } from "../analysis/results.ts";
import type { RepeatedChecks } from "../simulation/repeated_checks.ts";
import type { RepeatedEffect } from "../simulation/repeated_sessions.ts";
import type { PlantedEffect } from "../simulation/recovery.ts";
import { CHECKS_EXPLAINED, repeatedChecksTable } from "./checks_section.ts";
import { findingsSummary } from "./findings_summary.ts";
import {
  alphaTable,
  consistencyTable,
  heapingTable,
  positionTable,
  raterPairTable,
  scaleTable,
  timeTable,
} from "./rater_sections.ts";
import { picture } from "./picture.ts";
import { coverageSentence, orderSentence, type PlantedQuality } from "./recovery_section.ts";
import { biasSentence, repeatedSentence, repeatedTable } from "./repeated_section.ts";
import { neighbourTable, systemTable, toldApart } from "./system_sections.ts";
import type { Wmt23 } from "./wmt23.ts";
import { wmt23Section } from "./wmt23_section.ts";

/** Everything that the study's part of RESULTS.md is written from. */
export interface TranslationEvidence {
  readonly comparison: SystemComparison;
  readonly raters: readonly RaterReliability[];
  readonly together: InterRater;
  readonly effects: readonly PlantedEffect[];
  readonly repeated: readonly RepeatedEffect[];
  readonly checks: readonly RepeatedChecks[];
  readonly qualities: readonly PlantedQuality[];
  readonly wmt23: Wmt23;
}

/** The study's part of RESULTS.md. */
export function translationReport(evidence: TranslationEvidence): string {
  return [
    "## Human evaluation of machine translation",
    INTRODUCTION,
    `**In short.** ${findingsSummary(evidence)}`,
    ...wmt23Section(evidence.wmt23),
    ...recoverySection(evidence),
    ...systemSection(evidence),
    ...raterSection(evidence),
    LIMITS,
  ].join("\n\n");
}

const INTRODUCTION =
  "**The raters of the demo are simulated**, and its twelve systems are texts written for this " +
  "project and spoilt in known ways. Those numbers say whether the method finds what was planted; " +
  "they say nothing about any system or any person. Only the first section, of WMT23, rests on " +
  "ratings by people. All of it is written by notebook 32.";

function recoverySection(
  { effects, repeated, checks, qualities, raters }: TranslationEvidence,
): string[] {
  return [
    "### What was planted, and what is found (simulated raters)",
    "What is planted acts on perceived quality; the ends of the scale and the order of the buckets " +
    "draw what is found towards nought. The same raters many times over, texts and errors drawn " +
    "anew, display order and systems not (`data/translation/repeated_sessions.csv`); a mean is " +
    "right as far as its standard error over sessions can tell. " +
    `${biasSentence(repeated)} ${repeatedSentence(repeated)} Repeats are ` +
    `${raters[0]?.repeats.items ?? 0} items a session, and intervals from so few are too narrow.`,
    repeatedTable(repeated),
    `Of the one session whose workbooks are kept (\`planted_effects.csv\`), ` +
    coverageSentence(effects),
    CHECKS_EXPLAINED,
    repeatedChecksTable(checks),
    orderSentence(qualities),
    picture("planted_quality", "Mean score of each system against its planted quality"),
  ];
}

function systemSection({ comparison }: TranslationEvidence): string[] {
  return [
    "### Systems of the demo (simulated raters)",
    "Means over raters and items, intervals by item (`data/translation/system_means.csv`). They are " +
    "for these raters, who are taken as given.",
    systemTable(comparison),
    `${
      toldApart(comparison)
    } All pairs are in \`pairwise_tests.csv\`; neighbours below. Intervals ` +
    "of differences and of ranks are unadjusted, one at a time: a difference may have its interval " +
    "above nought where the adjusted test does not tell the two apart, and a system may have one " +
    "rank throughout and yet share a cluster, for a cluster asks of all pairs at once. Where they " +
    "seem to disagree, the adjusted test is the claim.",
    neighbourTable(comparison),
    picture("system_means", "Mean score of each system with its interval"),
    picture("buckets", "Share of each bucket by system"),
    picture("pairwise_tests", "Adjusted p of every two systems"),
  ];
}

function raterSection({ raters, together }: TranslationEvidence): string[] {
  return [
    "### Raters of the demo (simulated)",
    "All figures are in `data/translation/reliability.csv`. Bucket and score, and the scale:",
    scaleTable(raters),
    "Round scores, in per cent:",
    heapingTable(raters),
    picture("heaping", "Share of round scores by rater"),
    "Row of the screen, in points beyond what item and system explain, permutation tests within " +
    "items. All raters saw one order, and the tests are not adjusted for one another: a p of 0.01 " +
    "among them is no discovery by itself.",
    positionTable(raters),
    picture("position_slope", "Points per row of the screen by rater, with intervals"),
    picture("position", "Deviation of scores by rater and row of the screen"),
    "Items rated twice, and attention checks; κ with quadratic weights:",
    consistencyTable(raters),
    "Agreement. Most of α and ρ is that systems lie far apart and every rater sees it; r beyond " +
    "item and system is agreement on single translations:",
    alphaTable(together),
    raterPairTable(together),
    "Seconds an item, median and quartiles, and change over ten items (a simulated clock):",
    timeTable(raters),
  ];
}

const LIMITS = [
  "### Limits",
  "",
  "- Simulated raters err as their program says. People also differ in what they take for an error, " +
  "tire of one kind of text, and talk to one another.",
  "- The qualities of the degradations are made up; that their order is found says that the analysis " +
  "can find an order, not that raters would see this one.",
  "- Intervals of systems' means are for the raters who rated: new ones, harsher or milder, would " +
  "move the means of all systems together by more than these intervals.",
  "- Twenty sentences in five documents: intervals resample sentences as if they were independent, " +
  "which those of one document are not.",
  "- In WMT23 a segment had other raters from measure to measure; agreement of rankings mixes that of " +
  "measures with that of people. Its tests and intervals take documents as drawn, and raters as " +
  "given there too.",
  "- A rater who can compute SHA-256 can forge a workbook. The hashes show accidents and careless " +
  "edits, not determined fraud.",
].join("\n");
