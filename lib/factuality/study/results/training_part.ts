import {
  ablationSentence,
  claimAloneSentence,
  curveSentence,
  domainSentences,
  fineTuningSentences,
  shippedSentence,
} from "../training/training_takeaways.ts";
import { fineTuningTable, tuningWorkTable } from "../training/fine_tuning_views.ts";
import { ablationTable, domainTable, learningCurveTable } from "../training/training_tables.ts";
import { whereMeasured } from "./part_of_results.ts";
import type { StudyEvidence } from "./study_evidence.ts";

const STUDY = "deno task train --study";
/** The head of the domain study that is told of: everything read, nothing hidden. */
export const DOMAIN_HEAD = { features: "both", head: "logistic" } as const;

/** What training gives, and what it does not. */
export function trainingPart(
  { curve, ablation, domain, fineTuning }: Pick<
    StudyEvidence,
    "curve" | "ablation" | "domain" | "fineTuning"
  >,
): string {
  return [
    "### Training",
    "Notebook 45. Heads on the readable features, on sentence vectors of the frozen MiniLM, and on " +
    "both (`learning_curve.csv`; mean of five seeds, held-out countries, intervals by country):",
    whereMeasured(curve, { file: "learning_curve.csv", task: STUDY }, (rows) =>
      [
        curveSentence(rows, "binary"),
        "![Balanced accuracy by number of training countries](figures/factuality/learning_curve.png)",
        learningCurveTable(rows, "binary"),
      ].join("\n\n")),
    "What each group of features is worth, and what the claim alone gives away " +
    "(`verifier_ablation.csv`):",
    whereMeasured(ablation, { file: "verifier_ablation.csv", task: STUDY }, (rows) =>
      [
        `${ablationSentence(rows, "three-way")} ${claimAloneSentence(rows)}`,
        "![Change of balanced accuracy without each group of features](figures/factuality/ablation.png)",
        ablationTable(rows, "three-way"),
      ].join("\n\n")),
    "MiniLM's own weights fine-tuned as a cross-encoder, converted to GGUF and run in process " +
    "(`fine_tuning_results.csv`); balanced accuracy, supported or not:",
    whereMeasured(
      fineTuning,
      { file: "fine_tuning_results.csv", task: "deno task finetune" },
      (rows) =>
        [
          fineTuningSentences(rows),
          shippedSentence(rows),
          "![Balanced accuracy before and after fine-tuning](figures/factuality/fine_tuning_results.png)",
          fineTuningTable(rows, { labels: "binary", metric: "balanced accuracy" }),
          "Calibration error:",
          fineTuningTable(rows, { labels: "binary", metric: "calibration error" }),
          tuningWorkTable(rows),
        ].join("\n\n"),
    ),
    "Texts of one's own kind to learn from (`domain_training.csv`, aggregates only): balanced accuracy " +
    "of a logistic head on features and sentence vectors, never measured on what it learnt from.",
    whereMeasured(domain, { file: "domain_training.csv", task: STUDY }, (rows) =>
      [
        domainTable(rows, DOMAIN_HEAD),
        "In points of balanced accuracy, against the head trained on claims of the knowledge base:",
        domainSentences(rows, DOMAIN_HEAD),
      ].join("\n\n")),
  ].join("\n\n");
}
