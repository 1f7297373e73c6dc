import type { StatisticLookup } from "../../pairs/statistic_lookup.ts";
import { RESAMPLES } from "../study.ts";
import { comparisonSentences, modelParagraphs } from "../../pairs/report/model_sentences.ts";
import { scoredModels } from "../../pairs/report/panel_evidence.ts";
import { type Evidence, figure, GROUP_NAMES } from "./evidence.ts";
import { DESIGN_WORDS, perPanel } from "../../pairs/report/per_panel.ts";
import { percentTable } from "../../pairs/report/metric_tables.ts";

/** Both accuracies of every model, with figures. */
export function accuracySection(evidence: Evidence, found: StatisticLookup): string {
  const { panels } = evidence;
  const designs = panels.length === 1
    ? DESIGN_WORDS[panels[0]!.design]
    : panels.map(({ title, design }) => `${DESIGN_WORDS[design]} (${title} panel)`).join(", ");
  const scored = scoredModels(evidence);
  return [
    "### Accuracy",
    "",
    `In per cent, with 95 % intervals (cluster bootstrap by lemma, ${RESAMPLES} resamples; ` +
    "`data/norse/statistics.csv`, notebook 14). Chance is 50. Forced choice: " +
    `${evidence.items.length} pairs in ${designs}; an invalid answer counts as not correct.`,
    "",
    perPanel(
      panels,
      (models) => percentTable("forced choice", "accuracy", models, found, GROUP_NAMES),
    ),
    "",
    "Likelihood: the grammatical member has the higher total log-probability; a tie is not right.",
    "",
    percentTable("likelihood", "likelihood_accuracy_total", scored, found, GROUP_NAMES),
    "",
    figure("overall_accuracy", "Overall accuracy of each model with intervals and chance line"),
    "",
    figure("accuracy_heatmap", "Accuracy of each model on each phenomenon"),
    "",
    figure("choice_against_likelihood", "Forced choice against likelihood, model by phenomenon"),
  ].join("\n");
}

/** Model by model, in words, and every two models compared. */
export function modelSection(evidence: Evidence, found: StatisticLookup): string {
  return [
    "### Model by model",
    "",
    ...modelParagraphs(evidence, found).flatMap((paragraph) => [paragraph, ""]),
    figure("position_bias", "Share of answers A, B and invalid in each order"),
    "",
    comparisonSentences(evidence.statistics, found),
  ].join("\n");
}
