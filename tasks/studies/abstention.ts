/** Questions about what does not exist: does a model decline, or make something up? (requirement 20) */
import { dirname, join, resolve } from "node:path";
import { lockFolder } from "../../lib/factuality/check/kept_answers.ts";
import * as answering from "../../lib/studies/factuality/generation/abstention_answers.ts";
import {
  type AbstentionClassifier,
  abstentionClassifier,
  readClassifier,
  writeClassifier,
} from "../../lib/factuality/own/abstention_classifier.ts";
import * as measures from "../../lib/factuality/own/own_measures.ts";
import { drawConcepts, readConcepts } from "../../lib/factuality/own/own_queries.ts";
import { FACTSCORE } from "../../lib/studies/factuality/datasets/public_sets.ts";
import * as rates from "../../lib/studies/factuality/generation/abstention_rates.ts";
import { trainClassifier } from "../../lib/studies/factuality/generation/abstention_training.ts";
import * as tables from "../../lib/studies/factuality/generation/tables.ts";
import { measureRefusals, metricWords } from "../../lib/factuality/metrics/profile_metrics.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { shownPath } from "../../lib/files/atomic.ts";
import { outsideFile } from "../../lib/files/outside_set.ts";
import { openAsking } from "../../lib/files/progress.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import type { SentenceEncoder } from "../../lib/models/encoder/network_encoder.ts";
import { openLocalSampling } from "../../lib/models/llama/local_models.ts";
import { randomSource } from "../../lib/stats/random.ts";
import { command, EXIT, int, real } from "../command.ts";
import {
  folderOf,
  isOwn,
  localNames,
  ownAnswers,
  ownOptions,
  type OwnRun,
} from "../own_answers.ts";

const { cache: cacheDirectory } = FACTUALITY_PATHS;

const MORE = `
Answers are kept as they come, in data/factuality, those about --concepts in the cache; a further run
asks what is missing. --large asks Qwen2.5-Coder-1.5B-Instruct instead, in 4 bits as shipped (1.1 GB
once). The study's own rates of concepts were written with --out data/factuality. Notebook 43 shows
what comes of it.

Your own queries are asked of the configuration's models, its judges where it names none. abstention.csv
has an answer a row with its outcome, correct refusal or false acceptance where "answerable" is false:
factcheck --batch takes it, as --abstention FILE. abstention_rates.csv has the rates.`;

export const TASK = command(
  "study abstention",
  "Questions about what does not exist: who declines?",
  (c) =>
    ownOptions(c)
      .option("--train", "train the classifier anew first")
      .option("--folder <folder>", `that holds ${FACTSCORE.file}: the classifier on it, too`)
      .option(
        "--concepts <file>",
        "ask about {prompt, exists, category} the study's models, or those of --config",
      )
      .option("--draw <number>", "of those, half of them existing", int({ min: 2 }), 100)
      .option("--samples <number>", "answers to each of your own queries", int({ min: 1 }), 1)
      .option("--temperature <number>", "of these", real({ min: 0, max: 2 }), 0)
      .option("--may-decline", "tell the model that it may decline your own queries")
      .addHelpText("after", MORE),
  async ({ train, concepts, draw, mayDecline, folder, ...options }, { signal }) => {
    const biographies = folder === undefined ? undefined : outsideFile(FACTSCORE, folder);
    const { out, only, large, threads, queries: own, answers } = options;
    if (concepts !== undefined && options.config !== undefined && !train && !own && !answers) {
      const instruction = CONCEPT_WAYS[0].instruction;
      const { config } = options;
      return await measureOwn({ ...options, config, queries: concepts, draw, instruction, signal });
    }
    if (isOwn(options)) {
      const { config = FACTUALITY_PATHS.configuration } = options;
      if (train || concepts !== undefined) {
        throw new SyntaxError(
          "Cannot do both: --queries and --answers go without --train and --concepts.",
        );
      }
      const instruction = mayDecline ? "may decline" as const : "none" as const;
      return await measureOwn({ ...options, config, instruction, signal });
    }
    await using encoder = await loadMiniLm({ cacheDirectory, threads });
    const queries = tables.ABSTENTION_QUERIES.read();
    const file = train ? await trained(encoder, queries) : readClassifier();
    const classifier = abstentionClassifier(file, encoder);
    const run = { classifier, biographies, only, large, threads, signal };
    return concepts === undefined
      ? await runQueries(queries, run)
      : await runConcepts(concepts, { draw, out }, run);
  },
);

type Run = Readonly<{
  classifier: AbstentionClassifier;
  /** Path of labelled biographies, which are not part of this repository. */
  biographies: string | undefined;
  only: string | undefined;
  large: true | undefined;
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

/** Asks one model or both what the table lacks; whether nothing is missing after it. */
async function askModels(
  work: answering.AskQueries,
  { threads, signal, ...which }: Run,
): Promise<boolean> {
  const opening = { cacheDirectory, threads, contextTokens: 512 };
  for (const name of localNames(which)) {
    await using model = await openLocalSampling(name, opening);
    using progress = openAsking(name);
    const asked = { ...work, signal, onProgress: progress.show };
    if ((await answering.askQueries(model, asked)).missing > 0) return false;
  }
  return true;
}

/** The classifier's probabilities beside the answers, to what the encoder reproduces. */
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

async function runQueries(queries: readonly tables.AbstentionQuery[], run: Run): Promise<number> {
  using table = tables.ABSTENTION_ANSWERS.open();
  if (!await askModels({ queries, ways: answering.WAYS, table }, run)) return EXIT.incomplete;
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

/** Where what comes of concepts goes. The answers quote these, which are not part of the project. */
export const conceptTables = (out = CONCEPTS) => ({
  answers: tables.ABSTENTION_ANSWERS.at(join(CONCEPTS, "concept_answers.csv")),
  rates: tables.ABSTENTION_CONCEPTS.at(resolve(out, "abstention_concepts.csv")),
});

/** The more generous way: who is told that it may decline declines more. */
const CONCEPT_WAYS = [{ instruction: "may decline", temperature: 0, share: 1 }] as const;

async function runConcepts(
  path: string,
  { draw, out }: { readonly draw: number; readonly out: string | undefined },
  run: Run,
): Promise<number> {
  const random = randomSource("abstention/concepts");
  const concepts = drawConcepts(readConcepts(path), draw, random);
  const { answers: kept, rates: written } = conceptTables(out);
  Deno.mkdirSync(dirname(kept.path), { recursive: true });
  using table = kept.open();
  const work = { queries: concepts, ways: CONCEPT_WAYS, table };
  if (!await askModels(work, run)) return EXIT.incomplete;
  // Answers about another file's concepts stay in the cache.
  const current = answering.currentAnswers(table.rows, concepts, CONCEPT_WAYS);
  const answers = await classified(current, concepts, run.classifier);
  written.write(rates.conceptRates(answers, concepts));
  console.log(`Rates: ${shownPath(written.path)}`);
  return EXIT.done;
}

/** An outcome an answer, and rates by model and category. */
async function measureOwn(run: OwnRun): Promise<number> {
  const folder = folderOf("abstention", run);
  using _held = lockFolder(folder);
  const { queries, answers, missing } = await ownAnswers(folder, run, false);
  if (run.signal.aborted) return EXIT.incomplete;
  const inWords = answers.filter(({ probabilities }) => probabilities.length === 0);
  await using encoder = await loadMiniLm({ cacheDirectory, threads: run.threads });
  const classifier = abstentionClassifier(readClassifier(), encoder);
  const outcomes = await measures.outcomesOf(inWords, queries, classifier);
  const table = measures.OWN_OUTCOMES.at(join(folder, "abstention.csv"));
  table.write(outcomes);
  const told = queries.flatMap(({ id, answerable: exists, category }) =>
    exists === undefined ? [] : [{ id, exists, category }]
  );
  const { instruction, temperature } = run;
  const read = outcomes.map((row) => ({ ...row, instruction, temperature, label: "" as const }));
  tables.ABSTENTION_CONCEPTS.at(join(folder, "abstention_rates.csv"))
    .write(rates.conceptRates(read, told));
  for (const [model, rows] of Map.groupBy(outcomes, ({ model }) => model)) {
    const known = measures.refusalsOf(rows);
    const metrics = measureRefusals(known);
    const flagged = rows.filter(({ flagged }) => flagged).length;
    console.log(
      `${model}: false acceptance ${metricWords(metrics.falseAcceptance)}; over-refusal ` +
        `${metricWords(metrics.overRefusal)}; ${flagged} of ${rows.length} answers flagged.`,
    );
  }
  console.log(`Outcomes: ${shownPath(table.path)}, and abstention_rates.csv beside it`);
  if (missing === 0) return EXIT.done;
  console.log(`Missing: ${missing} answers; the same command asks for them again.`);
  return EXIT.incomplete;
}
