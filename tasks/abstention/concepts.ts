import { join } from "node:path";
import { readAnswers } from "../../lib/factuality/abstention/answer.ts";
import { ABSTENTION_PATHS } from "../../lib/factuality/abstention/abstention_paths.ts";
import type { AbstentionClassifier } from "../../lib/factuality/abstention/classifier.ts";
import {
  type ConceptRate,
  conceptRates,
  conceptsCsv,
  drawConcepts,
  readConcepts,
} from "../../lib/factuality/abstention/concepts.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { askModels, type AskRun, currentAnswers } from "./ask_models.ts";

/** The answers quote the concepts, which are not part of the project. */
const ANSWERS = join(FACTUALITY_PATHS.cache, "abstention", "concept_answers.csv");

/** The more generous way: who is told that it may decline declines more. */
const WAYS = [{ instruction: "may decline", temperature: 0, share: 1 }] as const;

export interface ConceptRun extends Pick<AskRun, "only" | "threads" | "signal"> {
  readonly path: string;
  /** Concepts to ask about, half of which exist. */
  readonly draw: number;
}

/**
 * Asks about a draw of a file's concepts and writes the rates.
 * @returns the rates; undefined where the signal stopped it before the last answer.
 */
export async function runConcepts(
  { path, draw, ...run }: ConceptRun,
  classifier: AbstentionClassifier,
): Promise<readonly ConceptRate[] | undefined> {
  const concepts = drawConcepts(readConcepts(path), draw, randomSource("abstention/concepts"));
  Deno.mkdirSync(join(ANSWERS, ".."), { recursive: true });
  if (!await askModels({ ...run, queries: concepts, ways: WAYS, table: ANSWERS })) return undefined;
  const byId = new Map(concepts.map((concept) => [concept.id, concept]));
  // Answers about another file's concepts, or to another prompt, stay in the cache.
  const answers = currentAnswers(readAnswers(ANSWERS), { queries: concepts, ways: WAYS });
  const probabilities = await classifier.probabilities(answers.map(({ query_id, answer }) => ({
    ...{ name: byId.get(query_id)!.name, question: byId.get(query_id)!.question, answer },
  })));
  const classified = answers.map((answer, i) => ({
    ...answer,
    probability: probabilities[i] ?? "" as const,
  }));
  const rates = conceptRates(classified, concepts);
  writeTextAtomic(ABSTENTION_PATHS.concepts, conceptsCsv(rates));
  return rates;
}
