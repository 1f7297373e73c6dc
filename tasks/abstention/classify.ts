import {
  type AbstentionAnswer,
  answersCsv,
  readAnswers,
} from "../../lib/factuality/abstention/answer.ts";
import type { AbstentionClassifier } from "../../lib/factuality/abstention/classifier.ts";
import { readHandLabels } from "../../lib/factuality/abstention/hand_labels.ts";
import type { AbstentionQuery } from "../../lib/factuality/abstention/query.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { currentAnswers, WAYS } from "./ask_models.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";

/**
 * Writes labels by hand and the classifier's probabilities beside the answers to what is asked now;
 * answers to other prompts are left out.
 */
export async function classifyAnswers(
  queries: readonly AbstentionQuery[],
  classifier: AbstentionClassifier,
): Promise<readonly AbstentionAnswer[]> {
  const answers = currentAnswers(readAnswers(), { queries, ways: WAYS });
  const byId = new Map(queries.map((query) => [query.id, query]));
  const labelOf = readHandLabels();
  const probabilities = await classifier.probabilities(answers.map(({ query_id, answer }) => {
    const { name, question } = byId.get(query_id)!;
    return { name, question, answer };
  }));
  const classified = answers.map((answer, i): AbstentionAnswer => ({
    ...answer,
    label: labelOf(answer) ?? "",
    probability: rounded(probabilities[i]),
  }));
  writeTextAtomic(FACTUALITY_PATHS.abstentionAnswers, answersCsv(classified));
  return classified;
}

const rounded = (probability: number | undefined) =>
  probability === undefined ? "" : Number(probability.toFixed(6));
