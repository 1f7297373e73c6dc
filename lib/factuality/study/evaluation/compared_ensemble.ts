import type { ComponentAnswer, ComponentRun } from "../../evaluation/component_answer.ts";
import { aggregate } from "../../judges/aggregate.ts";
import type { AggregationStrategy, EnsembleScore } from "../../judges/ensemble_score.ts";
import type { Judgement } from "../../judges/judgement.ts";
import { type ComparedComponent, settingsSha256 } from "./compared_component.ts";

/** A judge of the ensemble, as it was compared. */
export interface EnsembleMember {
  readonly component: ComparedComponent;
  readonly weight: number;
}

/** How the members' scores are put together. */
export interface EnsembleOptions {
  readonly strategy: AggregationStrategy;
  /** In points². */
  readonly lowConfidenceVariance: number;
}

/**
 * The configured judges together, from what they answered one by one: no model is asked again. It
 * takes as long as all of them one after the other.
 *
 * @param runs The members' answers, in their order; a case without all of them is an error.
 */
export function comparedEnsemble(
  name: string,
  members: readonly EnsembleMember[],
  runs: readonly ComponentRun[],
  { strategy, lowConfidenceVariance }: EnsembleOptions,
): ComparedComponent {
  const weights = members.map(({ weight }) => weight);
  const settings = Object.fromEntries(
    members.flatMap(({ component, weight }) => [
      [`${component.name}.weight`, weight],
      [`${component.name}.settings`, settingsSha256(component.settings)],
    ]),
  );
  return {
    name,
    settings: { strategy, lowConfidenceVariance, ...settings },
    answer: ({ id }) => {
      const answers = members.map(({ component }) => answerOf(component.name, id, runs));
      const judgements = answers.map((answer, i) => judgementOf(answer, members[i]!.component));
      const score = aggregate(judgements, strategy, weights, lowConfidenceVariance);
      return Promise.resolve(togetherOf(score, answers));
    },
  };
}

function answerOf(component: string, id: string, runs: readonly ComponentRun[]): ComponentAnswer {
  const answer = runs.find((run) => run.component === component)?.answers.get(id);
  if (answer !== undefined) return answer;
  throw new RangeError(
    `Cannot put judges together on ${id}: ${component} has no answer; ask it first`,
  );
}

function judgementOf(answer: ComponentAnswer, { name }: ComparedComponent): Judgement {
  const provenance = { producedBy: name, modelSha256: undefined, promptSha256: undefined };
  const { supported, unscored, reason } = answer;
  return supported === undefined
    ? {
      ...{ kind: "unscored", reason: unscored!, message: reason },
      ...{ partialText: undefined, provenance },
    }
    : {
      ...{ kind: "scored", score: 100 * supported, reasoning: reason },
      ...{ flagged: [], parse: "not parsed", provenance },
    };
}

function togetherOf(score: EnsembleScore, answers: readonly ComponentAnswer[]): ComponentAnswer {
  const milliseconds = answers.reduce((sum, answer) => sum + answer.milliseconds, 0);
  if (score.kind === "unscored") {
    return { supported: undefined, unscored: score.reason, reason: score.message, milliseconds };
  }
  const doubts = score.lowConfidence ? `; low confidence: ${score.reasons.join("; ")}` : "";
  return {
    supported: score.score / 100,
    unscored: undefined,
    reason: `${score.strategy} of ${score.scored} of ${score.asked} judges${doubts}`,
    milliseconds,
  };
}
