import { existsSync } from "node:fs";
import { sha256Hex } from "../../lib/files/checksum.ts";
import { answerFeatures } from "../../lib/factuality/abstention/answer_features.ts";
import {
  type ClassifierFile,
  writeClassifier,
} from "../../lib/factuality/abstention/classifier_file.ts";
import { readAnswers } from "../../lib/factuality/abstention/answer.ts";
import { readHandLabels } from "../../lib/factuality/abstention/hand_labels.ts";
import type { AbstentionQuery } from "../../lib/factuality/abstention/query.ts";
import { developmentQueries } from "../../lib/factuality/abstention/query_split.ts";
import { trainAbstention } from "../../lib/factuality/abstention/train_classifier.ts";
import {
  factbookAnswers,
  readTrainingAnswers,
  type TrainingAnswer,
} from "../../lib/factuality/abstention/training_answers.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { splitCountries } from "../../lib/factuality/training/country_split.ts";
import { KNOWLEDGE_SEED } from "../../lib/factuality/training/knowledge_claims.ts";
import type { SentenceEncoder } from "../../lib/models/encoder/sentence_encoder.ts";
import { randomSource } from "../../lib/stats/random.ts";

const SEED = "abstention/classifier";
/** Half as many as the written answers, so that these have the most to say. */
const FACTBOOK_ANSWERS = 120;

/**
 * Trains the classifier on the written answers, on statements of the factbook and on labelled answers
 * to the development queries; writes its file.
 */
export async function trainClassifier(
  encoder: SentenceEncoder,
  queries: readonly AbstentionQuery[],
): Promise<ClassifierFile> {
  const written = readTrainingAnswers();
  const stated = await statements();
  const real = developmentAnswers(queries);
  const answers = [...written, ...stated, ...real];
  const features = await answerFeatures(answers, encoder);
  const rows = answers.flatMap(({ label, name }, i) => {
    const own = features[i];
    return own === undefined
      ? []
      : [{ features: own, abstains: label === "abstains", cluster: name.toLowerCase() }];
  });
  const { groups, weights, intercept, l2, temperature, tried } = trainAbstention(
    rows,
    randomSource(SEED),
  );
  const abstains = rows.filter((row) => row.abstains).length;
  const counts = {
    abstains,
    answers: rows.length - abstains,
    factbook: stated.length,
    real: real.length,
  };
  const dataSha256 = sha256Hex(JSON.stringify(answers.map(fieldsOf)));
  return writeClassifier({
    ...{ schemaVersion: 1, groups: [...groups], weights: weights.map(rounded), intercept },
    encoderSha256: String(encoder.settings.weightsSha256),
    training: {
      ...{ seed: SEED, l2, temperature, ...counts, dataSha256 },
      tried: tried.map((one) => ({ ...one, groups: [...one.groups] })),
    },
  });
}

function developmentAnswers(queries: readonly AbstentionQuery[]): readonly TrainingAnswer[] {
  if (!existsSync(FACTUALITY_PATHS.abstentionAnswers)) return [];
  const own = developmentQueries(queries);
  const byId = new Map(queries.map((query) => [query.id, query]));
  const labelOf = readHandLabels();
  return readAnswers().filter(({ query_id }) => own.has(query_id)).flatMap((row) => {
    const label = labelOf(row);
    const { name, question } = byId.get(row.query_id)!;
    return label === undefined
      ? []
      : [{ label, style: "model", name, question, answer: row.answer }];
  });
}

async function statements(): Promise<readonly TrainingAnswer[]> {
  const fields = await factbookFields(FACTUALITY_PATHS.cache);
  const split = splitCountries(fields.map(({ country }) => country), KNOWLEDGE_SEED);
  const countries = new Set([...split].filter(([, own]) => own === "train").map(([name]) => name));
  return factbookAnswers(fields, countries, FACTBOOK_ANSWERS, randomSource(`${SEED}/factbook`));
}

const fieldsOf = ({ label, name, question, answer }: TrainingAnswer) => [
  ...[label, name, question, answer],
];

/** Six digits are far past what changes a label, and halve the file. */
const rounded = (weight: number) => Number(weight.toPrecision(6));
