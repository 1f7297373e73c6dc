import { uncertaintyByEntropy } from "../../../stats/uncertainty_decomposition.ts";
import type { AbstentionAnswer } from "../../abstention/answer.ts";
import { ABSTAINS_FROM } from "../../abstention/classifier.ts";
import type { AbstentionQuery } from "../../abstention/query.ts";
import type { AbstentionOutcome } from "../../metrics/false_acceptance.ts";
import type { QueryUncertainty } from "../../profile/profile_input.ts";
import { optionProbabilities } from "../../uncertainty/option_probabilities.ts";

/** Columns of a sampled thought that are read here. */
export interface ChoiceCells {
  readonly model: string;
  readonly question_id: string;
  readonly cluster: string;
  readonly options: readonly string[];
  readonly logProbabilities: readonly number[];
}

/**
 * How unsure a model was of each question, by mutual information over its sampled thoughts and as a
 * share of the greatest uncertainty there can be. A question with a single thought has none.
 */
export function queryUncertainties(
  model: string,
  samples: readonly ChoiceCells[],
): readonly QueryUncertainty[] {
  const own = samples.filter((sample) => sample.model === model);
  return [...Map.groupBy(own, ({ question_id }) => question_id)].flatMap(([query, thoughts]) => {
    const found = uncertaintyByEntropy(
      thoughts.map(({ options, logProbabilities }) =>
        optionProbabilities(options, logProbabilities)
      ),
    );
    if (found.kind === "unavailable") return [];
    return [{ query, cluster: thoughts[0]!.cluster, parts: found.normalised }];
  });
}

/**
 * Whether a model declined to speak of each thing, asked without leave to decline at temperature 0: by
 * hand where its answer was read, else by the classifier, else not known.
 */
export function refusalsOf(
  model: string,
  answers: readonly AbstentionAnswer[],
  queries: readonly AbstentionQuery[],
): readonly AbstentionOutcome[] {
  const byId = new Map(queries.map((query) => [query.id, query]));
  return answers.flatMap((answer) => {
    const query = byId.get(answer.query_id);
    const isAsked = answer.model === model && answer.instruction === "none" &&
      answer.temperature === 0;
    if (!isAsked || query === undefined) return [];
    const { id, exists } = query;
    return [{ query: id, cluster: id, exists, abstained: abstained(answer) }];
  });
}

function abstained({ label, probability }: AbstentionAnswer): boolean | undefined {
  if (label !== "") return label === "abstains";
  return probability === "" ? undefined : probability >= ABSTAINS_FROM;
}
