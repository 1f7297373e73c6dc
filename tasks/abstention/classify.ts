import {
  type AbstentionAnswer,
  answersCsv,
  readAnswers,
} from "../../lib/factuality/abstention/answer.ts";
import type { AbstentionClassifier } from "../../lib/factuality/abstention/classifier.ts";
import { readHandLabels } from "../../lib/factuality/abstention/hand_labels.ts";
import type { AbstentionQuery } from "../../lib/factuality/abstention/query.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";

/**
 * Writes labels by hand and the classifier's probabilities beside the answers, in the order of
 * models and queries; answers to queries that are no longer there are left out.
 */
export async function classifyAnswers(
  queries: readonly AbstentionQuery[],
  classifier: AbstentionClassifier,
): Promise<readonly AbstentionAnswer[]> {
  const byId = new Map(queries.map((query) => [query.id, query]));
  const answers = readAnswers().filter(({ query_id }) => byId.has(query_id))
    .toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : orderOf(a) > orderOf(b) ? 1 : 0));
  const labelOf = readHandLabels();
  const probabilities = await classifier.probabilities(answers.map(({ query_id, answer }) => ({
    ...{ name: byId.get(query_id)!.name, question: byId.get(query_id)!.question, answer },
  })));
  const classified = answers.map((answer, i): AbstentionAnswer => ({
    ...answer,
    label: labelOf(answer) ?? "",
    probability: rounded(probabilities[i]),
  }));
  writeTextAtomic(FACTUALITY_PATHS.abstentionAnswers, answersCsv(classified));
  return classified;
}

/** Stable within a condition: queries stay as they were asked. */
const orderOf = ({ model, instruction, temperature }: AbstentionAnswer) =>
  [model, instruction, temperature].join("|");

const rounded = (probability: number | undefined) =>
  probability === undefined ? "" : Number(probability.toFixed(6));
