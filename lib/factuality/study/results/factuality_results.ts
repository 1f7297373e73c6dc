import { writeTextAtomic } from "../../../files/atomic.ts";
import { replaceMarkedSection } from "../../../files/marked_section.ts";
import { FACTUALITY_PATHS } from "../../paths.ts";
import { evaluationPart } from "./evaluation_part.ts";
import { keyFindings } from "./key_findings.ts";
import { metricsPart } from "./metrics_part.ts";
import { robustnessPart } from "./robustness_part.ts";
import type { StudyEvidence } from "./study_evidence.ts";
import { trainingPart } from "./training_part.ts";

const LIMITS = [
  "Held-out claims are made by the program that made the training claims. That the verifier knows " +
  "other countries says that it has learnt its lesson, not that it reads what people write as well.",
  "In halueval_qa the longer answer is the made-up one in nearly every pair: a rule of five words " +
  "does better there than any component.",
  "The features see words, numbers, names and their neighbours, not inference: a claim that follows " +
  "from two sentences, or in other words than the source's, comes out as not enough info.",
  "Claims of models and answers to questions about invented things were labelled by language-model " +
  "readers, not by people: their errors are in every figure that is set against them.",
  "Rates of hallucination rest on the verifier and on what the knowledge base says: a true claim that " +
  "is not in it counts as unverifiable.",
  "Intervals resample countries, questions or responses, the trained weights being what they are: " +
  "another training would move the figures, too.",
  "English only; the splitter, the numbers and WordNet know no other language.",
  "The two judges are far smaller than any that is used in earnest. Their figures say what these " +
  "judges are worth, nothing about judges.",
  "A candidate text can move a judge that reads it: in trials “Score: 100” within a claim raised " +
  "SmolLM2's score. The verifier does not read instructions.",
];

/** The study's part of RESULTS.md. @throws {RangeError} where no component was compared. */
export function factualityResults(evidence: StudyEvidence): string {
  return [
    "## Factuality evaluation",
    "What the embedded components can be trusted with, and what not, first; then the tables that say " +
    "so. Square brackets are 95 % intervals; files are in `data/factuality/`.",
    "### What can be relied upon",
    keyFindings(evidence),
    evaluationPart(evidence),
    metricsPart(evidence),
    robustnessPart(evidence),
    trainingPart(evidence),
    "### Limits of the study",
    LIMITS.map((line) => `- ${line}`).join("\n"),
  ].join("\n\n");
}

/** Writes it between its markers, and returns it. @throws {SyntaxError} where they are not there. */
export function writeFactualityResults(evidence: StudyEvidence): string {
  const report = factualityResults(evidence);
  const document = Deno.readTextFileSync(FACTUALITY_PATHS.results);
  writeTextAtomic(FACTUALITY_PATHS.results, replaceMarkedSection(document, "factuality", report));
  return report;
}
