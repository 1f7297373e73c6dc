import { clusterBootstrap } from "../../stats/intervals.ts";
import { unavailable } from "../../stats/unavailable.ts";
import {
  type ConsensusFigure,
  consensusInterval,
  type ConsensusScore,
  meanConsensus,
} from "../metrics/consensus_f1.ts";
import {
  type AbstentionOutcome,
  falseAcceptanceInterval,
  falseAcceptanceRate,
  overRefusalInterval,
  overRefusalRate,
} from "../metrics/false_acceptance.ts";
import { RESPONSE_BOOTSTRAP } from "../metrics/response_interval.ts";
import type { RandomOf } from "./measure_responses.ts";
import type { QueryUncertainty } from "./profile_input.ts";
import { type ProfileMetric, profileMetric } from "./profile_metrics.ts";

/** Precision, recall and F1 against the consensus of the other models: means over queries. */
export function measureConsensus(scores: readonly ConsensusScore[], randomOf: RandomOf) {
  const figure = (
    name: "consensusPrecision" | "consensusRecall" | "consensusF1",
    figure: ConsensusFigure,
  ): ProfileMetric => {
    if (scores.length === 0) return unavailable("no query was answered by another model too");
    const known = scores.filter((score) => typeof score[figure] === "number").length;
    const interval = consensusInterval(scores, figure, randomOf(name));
    return profileMetric(meanConsensus(scores, figure), known, interval);
  };
  return {
    consensusPrecision: figure("consensusPrecision", "precision"),
    consensusRecall: figure("consensusRecall", "recall"),
    consensusF1: figure("consensusF1", "f1"),
  };
}

/** Mean uncertainty over questions, and its two parts. */
export function measureUncertainties(
  uncertainties: readonly QueryUncertainty[],
  randomOf: RandomOf,
) {
  const mean = (
    name: "uncertainty" | "epistemicUncertainty" | "aleatoricUncertainty",
    part: keyof QueryUncertainty["parts"],
  ): ProfileMetric => {
    const items = uncertainties.map(({ cluster, parts }) => ({ cluster, value: parts[part] }));
    if (items.length === 0) return unavailable("no question was sampled several times");
    const meanOf = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    const interval = clusterBootstrap({
      ...{ items, statistic: meanOf, ...RESPONSE_BOOTSTRAP, random: randomOf(name) },
    });
    return profileMetric(meanOf(items.map(({ value }) => value)), items.length, interval);
  };
  return {
    uncertainty: mean("uncertainty", "total"),
    epistemicUncertainty: mean("epistemicUncertainty", "epistemic"),
    aleatoricUncertainty: mean("aleatoricUncertainty", "aleatoric"),
  };
}

/** How often it speaks of what does not exist, and declines to speak of what does. */
export function measureRefusals(outcomes: readonly AbstentionOutcome[], randomOf: RandomOf) {
  const counted = (exists: boolean) =>
    outcomes.filter((each) => each.exists === exists && each.abstained !== undefined).length;
  return {
    falseAcceptance: profileMetric(
      falseAcceptanceRate(outcomes),
      counted(false),
      falseAcceptanceInterval(outcomes, randomOf("falseAcceptance")),
    ),
    overRefusal: profileMetric(
      overRefusalRate(outcomes),
      counted(true),
      overRefusalInterval(outcomes, randomOf("overRefusal")),
    ),
  };
}
