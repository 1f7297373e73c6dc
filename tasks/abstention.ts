/**
 * Questions about what does not exist: does a model decline, or make something up? (requirement 20)
 *
 *     deno task abstention                    ask the models, classify the answers, write the rates
 *     deno task abstention --train            train the classifier anew first
 *     deno task abstention --concepts FILE    ask about a draw of nonexistent_concepts.jsonl instead
 *
 * Writes data/factuality/abstention_queries.csv (where it is missing), abstention_answers.csv, an
 * answer a row, abstention_measured.csv (how far the classifier can be trusted) and
 * abstention_rates.csv; with --concepts abstention_concepts.csv, which holds aggregates alone.
 */
import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { ABSTENTION_PATHS } from "../lib/factuality/abstention/abstention_paths.ts";
import {
  type AbstentionClassifier,
  abstentionClassifier,
} from "../lib/factuality/abstention/classifier.ts";
import { readClassifier } from "../lib/factuality/abstention/classifier_file.ts";
import { type AbstentionQuery, readQueries } from "../lib/factuality/abstention/query.ts";
import { abstentionRates, ratesCsv } from "../lib/factuality/abstention/rates.ts";
import { FACTUALITY_PATHS } from "../lib/factuality/paths.ts";
import { writeTextAtomic } from "../lib/files/atomic.ts";
import { loadMiniLm } from "../lib/models/encoder/minilm.ts";
import { askModels, type AskRun, WAYS } from "./abstention/ask_models.ts";
import { classifyAnswers } from "./abstention/classify.ts";
import { type ConceptRun, runConcepts } from "./abstention/concepts.ts";
import { makeQueries } from "./abstention/make_queries.ts";
import { measureClassifier } from "./abstention/measure.ts";
import { shownMeasured, shownRates } from "./abstention/shown.ts";
import { trainClassifier } from "./abstention/train.ts";
import { runCommand, wholeNumber, withUsage } from "./command.ts";
import { stopSignal } from "./stop_signal.ts";

const USAGE = `deno task abstention: questions about what does not exist; who declines?

  --train           train the classifier anew, from data/factuality/abstention_training.csv
  --concepts FILE   ask about concepts of a file of {prompt, exists, category} instead
  --draw NUMBER     of those, half of them existing; 100 unless told
  --only NAME       part of the name of the model to ask; all unless told
  --threads NUMBER  of evaluation; 2 unless told`;

/** Exit code of a run that was stopped: what is there is kept. */
const INCOMPLETE = 3;

const OPTIONS = {
  train: { type: "boolean", default: false },
  concepts: { type: "string" },
  draw: { type: "string", default: "100" },
  only: { type: "string", default: "" },
  threads: { type: "string", default: "2" },
} as const;

type Asking = Pick<AskRun, "only" | "threads" | "signal">;

async function askConcepts(
  asking: ConceptRun,
  classifier: AbstentionClassifier,
): Promise<number> {
  const rates = await runConcepts(asking, classifier);
  if (rates === undefined) return INCOMPLETE;
  console.log(shownRates(rates));
  return 0;
}

async function askQueries(
  asking: Asking,
  queries: readonly AbstentionQuery[],
  classifier: AbstentionClassifier,
): Promise<number> {
  const table = FACTUALITY_PATHS.abstentionAnswers;
  if (!await askModels({ ...asking, queries, table, ways: WAYS })) return INCOMPLETE;
  const answers = await classifyAnswers(queries, classifier);
  const rates = abstentionRates(answers, queries);
  writeTextAtomic(ABSTENTION_PATHS.rates, ratesCsv(rates));
  const measured = await measureClassifier(answers, queries, classifier);
  console.log(`${shownMeasured(measured)}\n\n${shownRates(rates)}`);
  return 0;
}

async function main(): Promise<number> {
  const { values } = withUsage(USAGE, () => parseArgs({ options: OPTIONS }));
  const threads = wholeNumber("threads", values.threads);
  const draw = wholeNumber("draw", values.draw, 2);
  const signal = stopSignal("answers are kept, and a further run goes on.");
  const asking = { only: values.only, threads, signal };
  await using encoder = await loadMiniLm({ cacheDirectory: FACTUALITY_PATHS.cache, threads });
  const queries = existsSync(FACTUALITY_PATHS.abstentionQueries)
    ? readQueries()
    : await makeQueries();
  const file = values.train ? await trainClassifier(encoder, queries) : readClassifier();
  const classifier = abstentionClassifier(file, encoder);
  return values.concepts === undefined
    ? await askQueries(asking, queries, classifier)
    : await askConcepts({ ...asking, path: values.concepts, draw }, classifier);
}

if (import.meta.main) Deno.exit(await runCommand(Deno.args, USAGE, main));
