/**
 * Study of abstention: questions about non-existent things, which a model should decline
 * (requirement 20).
 */
import { dirname, join, resolve } from "node:path";
import * as answering from "../../lib/studies/factuality/generation/abstention_answers.ts";
import {
  type AbstentionClassifier,
  abstentionClassifier,
  readClassifier,
  writeClassifier,
} from "../../lib/factuality/own/abstention_classifier.ts";
import { drawConcepts, readConcepts } from "../../lib/factuality/own/user_queries.ts";
import { FACTSCORE } from "../../lib/studies/factuality/datasets/public_sets.ts";
import { conceptRates } from "../../lib/factuality/own/refusal_rates.ts";
import * as rates from "../../lib/studies/factuality/generation/abstention_rates.ts";
import { trainClassifier } from "../../lib/studies/factuality/generation/abstention_training.ts";
import * as tables from "../../lib/studies/factuality/generation/tables.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { shownPath } from "../../lib/files/atomic.ts";
import { outsideFile } from "../../lib/files/table.ts";
import { openAskingProgress } from "../../lib/files/progress.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import type { SentenceEncoder } from "../../lib/models/encoder/network_encoder.ts";
import { openLocalSampling } from "../../lib/models/llama/local_models.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int } from "../command.ts";
import { localNames, localOptions } from "./uncertainty.ts";

const { cache: cacheDirectory } = FACTUALITY_PATHS;

const MORE = `
Answers are kept as they come, in data/factuality, those about --concepts in the cache; a further run
asks what is missing. --large asks Qwen2.5-Coder-1.5B-Instruct instead, in 4 bits as shipped (1.1 GB
once). The study's own rates of concepts were written with --out data/factuality. Notebook 43 shows
what comes of it. Queries of your own: deno task factcheck abstention.`;

export const TASK = command(
  "study abstention",
  "Questions about what does not exist: who declines?",
  (c) =>
    localOptions(c)
      .option("--train", "train the classifier anew first")
      .option("--folder <folder>", `that holds ${FACTSCORE.file}: the classifier on it, too`)
      .option(
        "--concepts <file>",
        "ask about {prompt, exists, category}",
      )
      .option("--draw <number>", "of those, half of them existing", int({ min: 2 }), 100)
      .option("--out <folder>", "of the rates of concepts; .cache/abstention by default")
      .addHelpText("after", MORE),
  async ({ train, concepts, draw, folder, out, only, large, threads }, { signal }) => {
    const biographies = folder === undefined ? undefined : outsideFile(FACTSCORE, folder);
    const names = localNames({ only, large });
    const asked = concepts === undefined ? undefined : readConcepts(concepts);
    await using encoder = await loadMiniLm({ cacheDirectory, threads });
    const queries = tables.ABSTENTION_QUERIES.read();
    const file = train ? await trained(encoder, queries) : readClassifier();
    const classifier = abstentionClassifier(file, encoder);
    const run = { classifier, biographies, names, threads, signal };
    return asked === undefined
      ? await runQueries(queries, run)
      : await runConcepts(asked, { draw, out }, run);
  },
);

type AbstentionOptions = Readonly<{
  classifier: AbstentionClassifier;
  /** Path of labelled biographies, which are not part of this repository. */
  biographies: string | undefined;
  names: ReturnType<typeof localNames>;
  threads: number;
  signal: AbortSignal;
}>;

async function trained(encoder: SentenceEncoder, queries: readonly tables.AbstentionQuery[]) {
  const development = rates.developmentQueries(queries);
  const byId = new Map(queries.map((query) => [query.id, query]));
  const labelOf = answering.handLabels();
  const real = tables.ABSTENTION_ANSWERS.readSoFar().rows.flatMap(
    (row): readonly tables.TrainingAnswer[] => {
      const [query, label] = [byId.get(row.query_id), labelOf(row)];
      if (query === undefined || label === undefined || !development.has(query.id)) return [];
      const { name, question } = query;
      return [{ label, style: "model", name, question, answer: row.answer }];
    },
  );
  const fields = await factbookFields(cacheDirectory);
  const written = tables.ABSTENTION_TRAINING.read();
  return writeClassifier(await trainClassifier(written, fields, real, encoder));
}

/** Asks one or both models what is missing in the table. @returns true where nothing is missing. */
async function askModels(
  work: answering.AskQueries,
  { names, threads, signal }: AbstentionOptions,
): Promise<boolean> {
  const opening = { cacheDirectory, threads, contextTokens: 512 };
  for (const name of names) {
    await using model = await openLocalSampling(name, opening);
    using progress = openAskingProgress(name);
    const asked = { ...work, signal, onProgress: progress.show };
    if ((await answering.askQueries(model, asked)).missing > 0) return false;
  }
  return true;
}

/**
 * Adds the classifier's probabilities to the answers, rounded to digits that all processors share.
 */
async function classified(
  answers: readonly tables.AbstentionAnswer[],
  about: readonly Pick<tables.AbstentionQuery, "id" | "name" | "question">[],
  classifier: AbstentionClassifier,
): Promise<readonly tables.AbstentionAnswer[]> {
  const byId = new Map(about.map(({ id, name, question }) => [id, { name, question }]));
  const texts = answers.map(({ query_id, answer }) => ({ ...byId.get(query_id)!, answer }));
  const probabilities = await classifier.probabilities(texts);
  const rounded = probabilities.map((p) => p === undefined ? "" : Number(p.toFixed(3)));
  return answers.map((answer, i) => ({ ...answer, probability: rounded[i] ?? "" }));
}

async function runQueries(
  queries: readonly tables.AbstentionQuery[],
  run: AbstentionOptions,
): Promise<number> {
  using table = tables.ABSTENTION_ANSWERS.open();
  if (!await askModels({ queries, ways: answering.ASKING_CONDITIONS, table }, run)) {
    return EXIT.incomplete;
  }
  const labelOf = answering.handLabels();
  const current = answering.currentAnswers(table.rows, queries)
    .map((answer) => ({ ...answer, label: labelOf(answer) ?? "" as const }));
  const answers = await classified(current, queries, run.classifier);
  tables.ABSTENTION_ANSWERS.write(answers);
  tables.ABSTENTION_RATES.write(rates.abstentionRates(answers, queries));
  const { classifier, biographies } = run;
  tables.ABSTENTION_MEASURED.write(
    await rates.measureClassifier(answers, queries, classifier, biographies),
  );
  console.log(`Rates: ${shownPath(tables.ABSTENTION_RATES.path)}`);
  return EXIT.done;
}

const CONCEPTS = join(cacheDirectory, "abstention");

/** Tables of the answers about concepts. They quote answers, which are not part of the project. */
export const conceptTables = (out = CONCEPTS) => ({
  answers: tables.ABSTENTION_ANSWERS.at(join(CONCEPTS, "concept_answers.csv")),
  rates: tables.ABSTENTION_CONCEPTS.at(resolve(out, "abstention_concepts.csv")),
});

/** Instruction that permits to decline, under which models decline more often. */
const CONCEPT_WAYS = [{ instruction: "may decline", temperature: 0, share: 1 }] as const;

async function runConcepts(
  all: ReturnType<typeof readConcepts>,
  { draw, out }: { readonly draw: number; readonly out: string | undefined },
  run: AbstentionOptions,
): Promise<number> {
  const random = randomSource("abstention/concepts");
  const concepts = drawConcepts(all, draw, random);
  const { answers: kept, rates: written } = conceptTables(out);
  Deno.mkdirSync(dirname(kept.path), { recursive: true });
  using table = kept.open();
  const work = { queries: concepts, ways: CONCEPT_WAYS, table };
  if (!await askModels(work, run)) return EXIT.incomplete;
  // Answers about another file's concepts stay in the cache.
  const current = answering.currentAnswers(table.rows, concepts, CONCEPT_WAYS);
  const answers = await classified(current, concepts, run.classifier);
  written.write(conceptRates(answers, concepts));
  console.log(`Rates: ${shownPath(written.path)}`);
  return EXIT.done;
}
