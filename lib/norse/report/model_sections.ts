import {
  decimalWithInterval,
  type DrawnMeasure,
  percentWithInterval,
  pValue,
  type StatisticLookup,
} from "../../pairs/statistic_lookup.ts";
import { RESAMPLES } from "../study.ts";
import { against, type Evidence, figure, GROUP_NAMES, scoredModels } from "./evidence.ts";
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

/** Model by model, in words; what a model was not asked for is left out. */
export function modelSection(evidence: Evidence, found: StatisticLookup): string {
  const paragraphs = evidence.models.map((model) =>
    [`**${model}.**`, choiceSentences(evidence, model, found), likelihoodSentence(model, found)]
      .filter((part) => part !== "").join(" ")
  );
  return [
    "### Model by model",
    "",
    ...paragraphs.flatMap((paragraph) => [paragraph, ""]),
    figure("position_bias", "Share of answers A, B and invalid in each order"),
    "",
    comparison(evidence, found),
  ].join("\n");
}

function choiceSentences(evidence: Evidence, model: string, found: StatisticLookup): string {
  const choice = found.measure(model, "accuracy");
  if (choice.kind === "unavailable") return "";
  const decimal = (measure: string) => decimalWithInterval(found.measure(model, measure));
  const begin =
    `Asked to choose, it is right in ${percentWithInterval(choice)} % of the answers: ` +
    `${against(choice, 0.5)}. ${letterHabit(evidence, model)}`;
  if (found.measure(model, "d_prime").kind === "unavailable") {
    return `${begin} Its answers give no d′.`;
  }
  const detection = `Its d′ is ${decimal("d_prime")} and its bias towards A ${
    decimal("position_bias")
  }`;
  const consistency = found.measure(model, "consistency");
  return consistency.kind === "unavailable"
    ? `${begin} ${detection}; where one order a pair is asked, nothing is known of its consistency.`
    : `${begin} ${detection}; it keeps to the same sentence in both orders for ${
      percentWithInterval(consistency)
    } % of the pairs.`;
}

function likelihoodSentence(model: string, found: StatisticLookup): string {
  const likelihood = found.measure(model, "likelihood_accuracy_total");
  if (likelihood.kind === "unavailable") return "";
  return `By likelihood it prefers the grammatical member in ` +
    `${percentWithInterval(likelihood)} %: ${against(likelihood, 0.5)}.`;
}

function letterHabit({ responses }: Evidence, model: string): string {
  const own = responses.filter((response) => response.model === model);
  const share = (letter: string) =>
    ((100 * own.filter(({ response }) => response === letter).length) / own.length).toFixed(1);
  const invalid = own.filter(({ response }) => response === "INVALID").length;
  return `Of ${own.length} answers ${share("A")} % are A, ${share("B")} % B` +
    (invalid === 0 ? "; none is invalid." : `; ${invalid} chose nothing.`);
}

function comparison({ statistics }: Evidence, found: StatisticLookup): string {
  const pairs = new Set(
    statistics.filter(({ measure }) => measure === "mcnemar_p").map(({ model }) => model),
  );
  return [...pairs].map((pair) => {
    const value = (measure: string) => found.measure(pair, measure);
    const difference = value("accuracy_difference");
    const points: DrawnMeasure = difference.kind === "interval"
      ? {
        kind: "interval",
        estimate: 100 * difference.estimate,
        low: 100 * difference.low,
        high: 100 * difference.high,
      }
      : difference;
    return `**${pair}**, forced choice: difference ${decimalWithInterval(points, 1)} points; ` +
      `exact McNemar on pairs p ${equals(pValue(value("mcnemar_p")))}, ` +
      `Holm-adjusted within its panel ${pValue(value("mcnemar_p_holm"))}.`;
  }).join("\n\n");
}

const equals = (written: string) => (written.startsWith("<") ? written : `= ${written}`);
