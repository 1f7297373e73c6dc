import { lookUp } from "../../pairs/statistic_lookup.ts";
import { NORSE_STUDY } from "../study.ts";
import { artefactSection, precisionSection } from "./audit_sections.ts";
import { datasetSection, reviewSection } from "./data_sections.ts";
import { errorSection } from "./error_examples.ts";
import type { Evidence } from "./evidence.ts";
import { hostedSection } from "../../pairs/report/hosted_section.ts";
import { lengthSection } from "./length_section.ts";
import { accuracySection, modelSection } from "./model_sections.ts";
import { phenomenonSection } from "./phenomenon_section.ts";
import { sourcesSection } from "./sources_section.ts";

/** The study's part of RESULTS.md, every number from the evidence. */
export function norseReport(evidence: Evidence, seed: number): string {
  const found = lookUp(evidence.statistics);
  return [
    "## Old Norse minimal pairs",
    datasetSection(evidence),
    reviewSection(evidence),
    sourcesSection(evidence),
    accuracySection(evidence, found),
    lengthSection(evidence, found),
    modelSection(evidence, found),
    phenomenonSection(evidence, found),
    hostedSection(NORSE_STUDY, evidence),
    artefactSection(evidence),
    precisionSection(evidence),
    errorSection(evidence, seed),
    limits(evidence),
  ].filter((section) => section !== undefined).join("\n\n");
}

/** What the figures do not show; the first depends on whose they are. */
function limits({ panels }: Evidence): string {
  const small = panels.some(({ title }) => title === "local")
    ? ["- The models of the local panel are small and have seen little or no Old Norse."]
    : [];
  return ["### Limits", "", ...small, LIMITS].join("\n");
}

const LIMITS = [
  "- Where a table says that a result is not told apart from chance, no ranking of the models " +
  "follows from it.",
  "- A likelihood above chance shows that a model finds unseen spellings less probable. Beside a " +
  "counting rule that does as well, it is no evidence of grammar.",
  "- A few slips of the edition stand in good members (*Nu* for *Nú*, *þu* for *þú*, *kemur* for " +
  "*kemr*); both members of those pairs have them.",
  "- One saga, one edition, one reconstruction of the spelling. In quirky case most first- and " +
  "second-person pairs break the verb's agreement as well (`verb_person_clash`); they are marked.",
  "- The pairs were certified by rules and reviewed blind by language models instructed as " +
  "philologists; no human expert has read them yet.",
  "- The specification's four hosted models are in these figures only where *Hosted models* says so.",
].join("\n");
