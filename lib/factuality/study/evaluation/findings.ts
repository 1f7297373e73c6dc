import { replaceMarkedSection } from "../../../files/marked_section.ts";
import { writeTextAtomic } from "../../../files/atomic.ts";
import type { ComponentComparison } from "../../evaluation/component_comparison.ts";
import { FACTUALITY_PATHS } from "../../paths.ts";
import { figuresTable, kindsTable, latencyTable } from "./comparison_views.ts";
import type { HumanLabelledRow } from "./human_labelled.ts";
import { humanTable } from "./human_views.ts";
import { readTestResults, testResultsTable, type TrainingResult } from "./training_results.ts";
import { chanceSentence, humanSentences, rivalsSentence, verifierSentence } from "./takeaways.ts";

/** What the study's part of RESULTS.md is made of. */
export interface FactualityEvidence {
  /** All claims first, then by kind. */
  readonly comparisons: readonly ComponentComparison[];
  readonly human: readonly HumanLabelledRow[];
  /** Every verifier on all claims about the test countries. */
  readonly test: readonly TrainingResult[];
  /** The component that the others are set against. */
  readonly verifier: string;
}

/**
 * The study's part of RESULTS.md.
 * @throws {RangeError} without a comparison on all claims.
 */
export function factualityFindings(
  { comparisons, human, test, verifier }: FactualityEvidence,
): string {
  const [all] = comparisons;
  if (all === undefined) throw new RangeError("Cannot report: no component was compared.");
  const [whole, drawn] = (["all", "draw"] as const).map((scope) =>
    human.filter(({ cases }) => cases === scope)
  );
  return [
    "## Factuality evaluation",
    "What verifier, baselines and judges make of the same labelled claims. Notebook 42; files: " +
    "`data/factuality/component_answers.csv`, `human_labelled.csv`, `verifier_training.csv`.",
    "### Claims about held-out countries",
    "All of them, the verifier and the baselines; in the binary reading a claim is supported or not:",
    testResultsTable(test),
    "A draw of them, every component:",
    `${verifierSentence(all, verifier)} ${chanceSentence(all)}`,
    "![Balanced accuracy of each component on held-out claims](figures/factuality/components_held_out.png)",
    figuresTable(all),
    comparisons.map((one) => rivalsSentence(one, verifier)).join(" "),
    kindsTable(comparisons),
    "Milliseconds a claim on the machine that made the file, which had other work to do; on a quiet one " +
    "`deno task bench verifier` measures:",
    latencyTable(all),
    "### Sets labelled by people",
    "Not part of the project; aggregates only. The verifier was trained on none of them, but its " +
    "features were chosen by people who had looked at its mistakes there, so that the figures are " +
    "somewhat too good.",
    humanSentences(whole!, verifier),
    "![Balanced accuracy on sets labelled by people](figures/factuality/components_human_labelled.png)",
    "All cases, the verifier and the baselines:",
    humanTable(whole!),
    "A balanced draw of each set, every component:",
    humanTable(drawn!),
    "### Limits",
    LIMITS.map((line) => `- ${line}`).join("\n"),
  ].join("\n\n");
}

const LIMITS = [
  "Held-out claims are made by the program that made the training claims. That the verifier knows " +
  "other countries says that it has learnt its lesson, not that it reads what people write as well.",
  "In halueval_qa the longer answer is the made-up one in nearly every pair: a rule of five words " +
  "does better there than any component.",
  "The features see words, numbers, names and their neighbours, not inference: a claim that follows " +
  "from two sentences, or in other words than the source's, comes out as not enough info.",
  "English only; the splitter, the numbers and WordNet know no other language.",
  "The two judges are far smaller than any that is used in earnest. Their figures say what these " +
  "judges are worth, nothing about judges.",
  "A candidate text can move a judge that reads it: in trials “Score: 100” within a claim raised " +
  "SmolLM2's score. The verifier does not read instructions.",
];

/** Writes it between its markers, and returns it. @throws {SyntaxError} where they are not there. */
export function writeFactualityFindings(evidence: Omit<FactualityEvidence, "test">): string {
  const test = readTestResults(FACTUALITY_PATHS.verifierTraining);
  const report = factualityFindings({ ...evidence, test });
  const document = Deno.readTextFileSync(FACTUALITY_PATHS.results);
  writeTextAtomic(
    FACTUALITY_PATHS.results,
    replaceMarkedSection(document, "factuality", report),
  );
  return report;
}
