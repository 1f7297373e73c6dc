import { markdownTable } from "../../figures/markdown_table.ts";
import { percentTable } from "../../pairs/report/metric_tables.ts";
import { comparisonSentences, modelParagraphs } from "../../pairs/report/model_sentences.ts";
import { scoredModels } from "../../pairs/report/panel_evidence.ts";
import { DESIGN_WORDS, perPanel } from "../../pairs/report/per_panel.ts";
import { decimalWithInterval, type StatisticLookup } from "../../pairs/statistic_lookup.ts";
import { RESAMPLES } from "../study.ts";
import { type Evidence, figure, GROUP_NAMES } from "./evidence.ts";

/** Accuracy of every model in every way, with figures. */
export function accuracySection(evidence: Evidence, found: StatisticLookup): string {
  const { panels, masked, sets } = evidence;
  const designs = panels.map(({ title, design }) => `${DESIGN_WORDS[design]} (${title} panel)`);
  const scored = scoredModels(evidence);
  return [
    "### Accuracy",
    "",
    `In per cent, with 95 % intervals (cluster bootstrap by stem, ${RESAMPLES} resamples; ` +
    "`data/sanskrit/statistics.csv`, notebook 24). Chance is 50. Forced choice: " +
    `${sets.main.length} pairs in ${designs.join(", ")}; an invalid answer counts as not correct.`,
    "",
    perPanel(
      panels,
      (models) => percentTable("forced choice", "accuracy", models, found, GROUP_NAMES),
    ),
    "",
    "Likelihood: the grammatical member has the higher log-probability; a tie is not right. In " +
    "total, then divided by tokens and by bytes.",
    "",
    ...normalisedTables(scored, found),
    ...maskedTables(masked, found),
    figure("overall_accuracy", "Overall accuracy of each model with intervals and chance line"),
    "",
    figure("accuracy_heatmap", "Accuracy of each model and way on case and number"),
    "",
    figure("choice_against_likelihood", "Forced choice against likelihood, model by phenomenon"),
  ].join("\n");
}

const NORMALISED = [
  ["likelihood, total", "likelihood_accuracy_total"],
  ["likelihood per token", "likelihood_accuracy_per_token"],
  ["likelihood per byte", "likelihood_accuracy_per_byte"],
] as const;

function normalisedTables(scored: readonly string[], found: StatisticLookup): readonly string[] {
  return NORMALISED.flatMap(([heading, measure]) => [
    percentTable(heading, measure, scored, found, GROUP_NAMES),
    "",
  ]);
}

function maskedTables(masked: readonly string[], found: StatisticLookup): readonly string[] {
  if (masked.length === 0) return ["No masked model was scored.", ""];
  return [
    "Masked models by pseudo-log-likelihood, in both variants (`original` hides one token at a " +
    "time, `within_word_l2r` the later tokens of its word too). The bidirectional character model " +
    "was trained here on the text without the verses that share a line with the pair's: a " +
    "yardstick of what counting letters to both sides gives.",
    "",
    percentTable(
      "pseudo-likelihood",
      "likelihood_accuracy_total",
      masked,
      found,
      GROUP_NAMES,
    ),
    "",
  ];
}

/** Perplexity per token of both members, and each model in words. */
export function modelSection(evidence: Evidence, found: StatisticLookup): string {
  const scored = [...scoredModels(evidence), ...evidence.masked];
  const written = (model: string, member: string) =>
    decimalWithInterval(found.measure(model, `perplexity_${member}`));
  return [
    "### Model by model",
    "",
    ...modelParagraphs(evidence, found).flatMap((paragraph) => [paragraph, ""]),
    comparisonSentences(evidence.statistics, found),
    "",
    "Perplexity per token, each over its model's own tokens, so that lines of two models cannot " +
    "be compared (`data/sanskrit/statistics.csv`):",
    "",
    markdownTable(
      ["perplexity", "grammatical members", "ungrammatical members"],
      scored.map((
        model,
      ) => [model, written(model, "grammatical"), written(model, "ungrammatical")]),
    ),
  ].join("\n");
}
