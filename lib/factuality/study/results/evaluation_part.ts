import { figuresTable, kindsTable, latencyTable } from "../evaluation/comparison_views.ts";
import { humanTable } from "../evaluation/human_views.ts";
import {
  chanceSentence,
  humanSentences,
  rivalsSentence,
  verifierSentence,
} from "../evaluation/takeaways.ts";
import { testResultsTable } from "../evaluation/training_results.ts";
import type { StudyEvidence } from "./study_evidence.ts";

/** The verifier that ships, as the tables name it. */
export const VERIFIER = "trained verifier";

/**
 * Verifier, baselines and judges on the same labelled claims.
 * @throws {RangeError} without a comparison on all claims.
 */
export function evaluationPart(
  { comparisons, human, test }: Pick<StudyEvidence, "comparisons" | "human" | "test">,
): string {
  const [all] = comparisons;
  if (all === undefined) throw new RangeError("Cannot report: no component was compared.");
  const [whole, drawn] = (["all", "draw"] as const).map((scope) =>
    human.filter(({ cases }) => cases === scope)
  );
  return [
    "### Verifier, baselines and judges on the same claims",
    "Notebook 42; files: `data/factuality/component_answers.csv`, `human_labelled.csv`, " +
    "`verifier_training.csv`. All claims about held-out countries, the verifier and the baselines; in " +
    "the binary reading a claim is supported or not:",
    testResultsTable(test),
    "A draw of them, every component:",
    `${verifierSentence(all, VERIFIER)} ${chanceSentence(all)} ${rivalsSentence(all, VERIFIER)}`,
    "![Balanced accuracy of each component on held-out claims](figures/factuality/components_held_out.png)",
    figuresTable(all),
    "By kind of claim:",
    kindsTable(comparisons),
    "Milliseconds a claim on the machine that made the file, which had other work to do; on a quiet one " +
    "`deno task bench verifier` measures:",
    latencyTable(all),
    "#### Sets labelled by people",
    "Not part of the project; aggregates only. The verifier was trained on none of them, but its " +
    "features were chosen by people who had looked at its mistakes there, so that the figures are " +
    "somewhat too good.",
    humanSentences(whole!, VERIFIER),
    "![Balanced accuracy on sets labelled by people](figures/factuality/components_human_labelled.png)",
    "All cases, the verifier and the baselines:",
    humanTable(whole!),
    "A balanced draw of each set, every component:",
    humanTable(drawn!),
  ].join("\n\n");
}
