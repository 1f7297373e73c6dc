import type { Response } from "../responses.ts";
import {
  decimalWithInterval,
  type DrawnMeasure,
  percentWithInterval,
  pValue,
  type StatisticLookup,
} from "../statistic_lookup.ts";
import type { Statistic } from "../statistics_row.ts";

/** What is told of a model's answers. */
interface ChoiceEvidence {
  readonly models: readonly string[];
  readonly responses: readonly Response[];
}

/** Where an interval lies against a line such as chance, in words that claim no more than it says. */
export function against(measure: DrawnMeasure, line: number): string {
  if (measure.kind === "unavailable") return "not measured";
  if (measure.kind === "value") return "without an interval";
  if (measure.low > line) return "above chance";
  return measure.high < line ? "below chance" : "not told apart from chance";
}

/** Model by model, in words; what a model was not asked for is left out. */
export function modelParagraphs(
  evidence: ChoiceEvidence,
  found: StatisticLookup,
): readonly string[] {
  return evidence.models.map((model) =>
    [`**${model}.**`, choiceSentences(evidence, model, found), likelihoodSentence(model, found)]
      .filter((part) => part !== "").join(" ")
  );
}

function choiceSentences(evidence: ChoiceEvidence, model: string, found: StatisticLookup): string {
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
  return `By total log-probability it prefers the grammatical member in ` +
    `${percentWithInterval(likelihood)} %: ${against(likelihood, 0.5)}.`;
}

function letterHabit({ responses }: ChoiceEvidence, model: string): string {
  const own = responses.filter((response) => response.model === model);
  const share = (letter: string) =>
    ((100 * own.filter(({ response }) => response === letter).length) / own.length).toFixed(1);
  const invalid = own.filter(({ response }) => response === "INVALID").length;
  return `Of ${own.length} answers ${share("A")} % are A, ${share("B")} % B` +
    (invalid === 0 ? "; none is invalid." : `; ${invalid} chose nothing.`);
}

/** Every two models of one panel compared by choice. */
export function comparisonSentences(
  statistics: readonly Statistic[],
  found: StatisticLookup,
): string {
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
