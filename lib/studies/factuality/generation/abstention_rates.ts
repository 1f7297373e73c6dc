/** Abstention rates of the models, and accuracy of the classifier. */
import { z } from "zod";
import { readJsonLines } from "../../../files/json.ts";
import type { Measure } from "../../../stats/measure.ts";
import { randomSource } from "../../../stats/random.ts";
import { FACTSCORE } from "../datasets/public_sets.ts";
import {
  balancedAccuracy,
  f1,
  type LabelledPrediction,
} from "../../../factuality/metrics/classification.ts";
import {
  classificationInterval,
  precisionInterval,
  recallInterval,
  shareOf,
} from "../../../factuality/metrics/classification.ts";
import type { AbstentionOutcome } from "../../../factuality/metrics/rates.ts";
import {
  abstentionOutcome,
  byClassifier,
  byReader,
  figureFields,
  ratesBy,
  READERS,
} from "../../../factuality/own/refusal_rates.ts";
import {
  ABSTAINS_FROM,
  type AbstentionClassifier,
} from "../../../factuality/own/abstention_classifier.ts";
import {
  ABSTENTION_LABELS,
  ABSTENTION_MEASURED,
  ABSTENTION_PHRASES,
  ABSTENTION_SHARED_LABELS,
  type AbstentionAnswer,
  type AbstentionLabel,
  type AbstentionQuery,
  type AbstentionRate,
  QUERY_KINDS,
  type RateRow,
} from "./tables.ts";

/** False acceptance and over-refusal of each model and instruction, in total and by kind. */
export function abstentionRates(
  answers: readonly AbstentionAnswer[],
  queries: readonly AbstentionQuery[],
): readonly AbstentionRate[] {
  const asked = answers.filter(({ instruction }) => instruction !== "opening given");
  const things = queries.map(({ id, exists, kind }) => ({ id, exists, group: kind }));
  return ratesBy(asked, things, QUERY_KINDS, READERS)
    .map(({ group, ...rate }) => ({ ...rate, kind: group }));
}

/**
 * Abstention of a model from each query without instruction. The reader's label counts, else the
 * classifier's.
 */
export function refusalsOf(
  model: string,
  answers: readonly AbstentionAnswer[],
  queries: readonly AbstentionQuery[],
): readonly AbstentionOutcome[] {
  const byId = new Map(queries.map((query) => [query.id, query]));
  return answers.flatMap((answer) => {
    const query = byId.get(answer.query_id);
    const plainly = answer.instruction === "none" && answer.temperature === 0;
    if (query === undefined || answer.model !== model || !plainly) return [];
    return [abstentionOutcome(query, byReader(answer) ?? byClassifier(answer))];
  });
}

/** An answer with its manual label and the classifier's probability. The cluster is the query. */
export type ClassifiedAnswer = Readonly<
  { cluster: string; answer: string; label: AbstentionLabel; probability: number }
>;

type Judged = readonly (LabelledPrediction<AbstentionLabel> & { readonly cluster: string })[];

/** Measures of "abstains", in row order. */
const MEASURES: Readonly<Record<string, (judged: Judged) => Measure>> = {
  precision: (judged) => precisionInterval(judged, "abstains"),
  recall: (judged) => recallInterval(judged, "abstains"),
  f1: (judged) =>
    classificationInterval(ABSTENTION_LABELS, judged, (table) => f1(table, "abstains")),
  accuracy: (judged) => shareOf(judged, ({ truth, predicted }) => truth === predicted),
  balanced_accuracy: (judged) =>
    classificationInterval(ABSTENTION_LABELS, judged, balancedAccuracy),
};

/** Rows of every measure, for the classifier and its baselines, on labelled answers. */
export function measuredRows(set: string, answers: readonly ClassifiedAnswer[]) {
  // The usual baseline: phrases anywhere in an answer.
  const phrases = ABSTENTION_PHRASES.read().map(({ phrase }) => phrase);
  const plain = (answer: string) => answer.toLowerCase().replaceAll("’", "'");
  const methods: Readonly<Record<string, (answer: ClassifiedAnswer) => boolean>> = {
    classifier: ({ probability }) => probability >= ABSTAINS_FROM,
    "list of phrases": ({ answer }) => phrases.some((one) => plain(answer).includes(one)),
    "never abstains": () => false,
  };
  const questions = new Set(answers.map(({ cluster }) => cluster)).size;
  const abstaining = answers.filter(({ label }) => label === "abstains").length;
  return Object.entries(methods).flatMap(([method, abstains]) => {
    const judged = answers.map((answer) => {
      const predicted: AbstentionLabel = abstains(answer) ? "abstains" : "answers";
      return { cluster: answer.cluster, truth: answer.label, predicted };
    });
    return Object.entries(MEASURES).map(([measure, measureOf]) => {
      const fields = figureFields(measureOf(judged), answers.length);
      return { set, method, measure, questions, abstaining, ...fields };
    });
  });
}

const BIOGRAPHIES = FACTSCORE.name;
const BIOGRAPHY = z.object({ topic: z.string(), output: z.string() });

/** Ids of the third of the queries for fitting, determined by the ids alone. */
export function developmentQueries(queries: readonly Pick<AbstentionQuery, "id">[]) {
  const ids = queries.map(({ id }) => id).sort();
  return new Set(randomSource("abstention/development").sample(ids, Math.round(ids.length / 3)));
}

/**
 * Measures classifier and baselines on labelled answers to queries outside the fit. @param
 * biographies Path of the file of {@link FACTSCORE}; without it the stored rows stay.
 */
export async function measureClassifier(
  answers: readonly AbstentionAnswer[],
  queries: readonly AbstentionQuery[],
  classifier: AbstentionClassifier,
  biographies: string | undefined,
): Promise<readonly RateRow[]> {
  const learnt = developmentQueries(queries);
  const heldOut = answers.flatMap(({ query_id, answer, label, probability }): ClassifiedAnswer[] =>
    learnt.has(query_id) || label === "" || probability === ""
      ? []
      : [{ cluster: query_id, answer, label, probability }]
  );
  const rows = measuredRows("local models, test queries", heldOut);
  return [...rows, ...await onBiographies(classifier, biographies)];
}

async function onBiographies(classifier: AbstentionClassifier, path: string | undefined) {
  if (path === undefined) {
    return ABSTENTION_MEASURED.readSoFar().rows.filter(({ set }) => set === BIOGRAPHIES);
  }
  const { rows } = readJsonLines(path, (line) => BIOGRAPHY.parse(line));
  const labelled = ABSTENTION_SHARED_LABELS.read().filter(({ set }) => set === BIOGRAPHIES)
    .map(({ id, label }) => ({ ...rows[id - 1]!, label }));
  const probabilities = await classifier.probabilities(labelled.map(({ topic, output }) => {
    return { name: topic, question: `Tell me a bio of ${topic}.`, answer: output };
  }));
  const classified = labelled.flatMap(({ topic, output: answer, label }, i): ClassifiedAnswer[] => {
    const probability = probabilities[i];
    return probability === undefined ? [] : [{ cluster: topic, answer, label, probability }];
  });
  return measuredRows(BIOGRAPHIES, classified);
}
