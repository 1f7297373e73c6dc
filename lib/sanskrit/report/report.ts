import { hostedSection } from "../../pairs/report/hosted_section.ts";
import { lookUp } from "../../pairs/statistic_lookup.ts";
import { SANSKRIT_STUDY } from "../study.ts";
import { accuracySection, modelSection } from "./accuracy_sections.ts";
import { cellSection } from "./cell_section.ts";
import { cueSection } from "./cue_section.ts";
import { certificateSection, datasetSection, reviewSection } from "./data_section.ts";
import { errorSection } from "./error_section.ts";
import type { Evidence } from "./evidence.ts";
import { probeSection } from "./probe_section.ts";

/** The study's part of RESULTS.md, every number from the evidence; the seed draws the errors. */
export function sanskritReport(evidence: Evidence, seed: number): string {
  const found = lookUp(evidence.statistics);
  return [
    "## Sanskrit contrast sets",
    datasetSection(evidence),
    certificateSection(evidence),
    reviewSection(evidence),
    accuracySection(evidence, found),
    modelSection(evidence, found),
    cellSection(evidence, found),
    probeSection(evidence),
    cueSection(evidence),
    hostedSection(SANSKRIT_STUDY, evidence),
    errorSection(evidence, found, seed),
    LIMITS,
  ].join("\n\n");
}

const LIMITS = [
  "### Limits",
  "",
  "- One text, and a famous one: a model of some size has very probably read it. What stands under " +
  "*Text, new sentences, bare forms, script* is a sign of what that does, and no proof.",
  "- Verse. Word order is free, ellipsis is common, and a case that no grammar forbids may be " +
  "merely strange. The reader's rating stands against that, and only the reader's.",
  "- Metre is a cue: a variant with another number of syllables is no verse. The pairs are marked, " +
  "and the table by metre tells them apart.",
  "- Parses and ratings are those of language models instructed as Sanskritists; no human expert " +
  "has read them. Nouns in sandhi are in no pair, so that forms which sandhi always joins are rare.",
  "- Two declensions with three genders, and i-stems as a second set; no consonant stems, no verbs.",
  "- A likelihood above chance shows that a model finds a form less probable in its line. Beside a " +
  "counting rule that does as well, it is no evidence of grammar.",
  "- The specification's four hosted models are in these figures only where *Hosted models* says so.",
].join("\n");
