/** How unsure models are, and whether that tells right answers from wrong ones (requirement 18). */
import { join } from "node:path";
import { lockFolder } from "../../lib/factuality/check/kept_answers.ts";
import { openVerifier } from "../../lib/factuality/check/components.ts";
import { askChoices, choiceQuestions } from "../../lib/studies/factuality/generation/choices.ts";
import * as measures from "../../lib/factuality/own/own_measures.ts";
import { CHOICE_SAMPLES } from "../../lib/studies/factuality/generation/tables.ts";
import { measureUncertainties, metricWords } from "../../lib/factuality/metrics/profile_metrics.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { shownPath } from "../../lib/files/atomic.ts";
import { openAsking } from "../../lib/files/progress.ts";
import { openLocalSampling } from "../../lib/models/llama/local_models.ts";
import { HIGH_UNCERTAINTY } from "../../lib/stats/uncertainty.ts";
import { command, EXIT, int, real } from "../command.ts";
import { folderOf, isOwn, localNames, openTold, ownAnswers, ownOptions } from "../own_answers.ts";
import { type OwnRun, tellFailure } from "../own_answers.ts";

/** Deals the questions. */
const SEED = "uncertainty";
/** Examples, question and thought come to some 300. */
const contextTokens = 512;

const MORE = `
Each model thinks aloud in a few words, with another seed each time, and is then read for the
probabilities of the options, which it is not shown. Samples are kept as they come, in
data/factuality/choice_samples.csv, which notebook 43 reads; a further run draws what is missing.
--large asks Qwen2.5-Coder-1.5B-Instruct instead, in 4 bits as shipped (1.1 GB once).

Your own queries are asked of the configuration's models, its judges where it names none; the answers
to one are clustered by mutual entailment, as its verifier tells it (semantic entropy). Those of which
you name options are asked as above. uncertainty.csv has a query a row: factcheck --batch takes it, as
--uncertainty FILE. Answers that did not come are asked for by a further run.`;

export const TASK = command(
  "study uncertainty",
  "Questions with four options, or your own queries, asked over and over: how unsure is a model?",
  (c) =>
    ownOptions(c)
      .option("--questions <number>", "about held-out countries", int({ min: 1 }), 60)
      .option("--samples <number>", "answers or thoughts a query and model", int({ min: 2 }), 6)
      .option("--temperature <number>", "of answers to your own", real({ min: 0.1, max: 2 }), 1)
      .option(
        "--threshold <share>",
        "over which your own are flagged",
        real({ min: 0, max: 1 }),
        HIGH_UNCERTAINTY,
      )
      .addHelpText("after", MORE),
  async ({ questions: count, threshold, ...options }, { signal }) => {
    const { samples, threads } = options;
    if (isOwn(options)) {
      const { config = FACTUALITY_PATHS.configuration } = options;
      return await measureOwn({ ...options, config, instruction: "none", signal }, threshold);
    }
    const { cache: cacheDirectory } = FACTUALITY_PATHS;
    const fields = await factbookFields(cacheDirectory);
    const questions = choiceQuestions(fields, { split: "test", count, seed: SEED });
    using table = CHOICE_SAMPLES.open();
    let missing = 0;
    for (const name of localNames(options)) {
      await using model = await openLocalSampling(name, { cacheDirectory, threads, contextTokens });
      using progress = openAsking(name);
      const onFailure = (words: string) => console.error(`${name}: ${words}`);
      const work = { questions, samples, table, signal, onFailure, onProgress: progress.show };
      missing += (await askChoices(model, work)).missing;
      if (signal.aborted) return EXIT.incomplete;
    }
    table.finish();
    console.log(`Samples: ${shownPath(CHOICE_SAMPLES.path)}`);
    return missing > 0 ? EXIT.incomplete : EXIT.done;
  },
);

/** A row a query, with what could not be told named. */
async function measureOwn(run: OwnRun, threshold: number): Promise<number> {
  const folder = folderOf("uncertainty", run);
  using _held = lockFolder(folder);
  const { queries, answers, missing } = await ownAnswers(folder, run, true);
  if (run.signal.aborted) return EXIT.incomplete;
  // Of a query whose answers did not all come nothing is said.
  const keyOf = (row: typeof answers[number]) => JSON.stringify([row.model, row.query_id]);
  const whole = [...Map.groupBy(answers, keyOf).values()]
    .filter(({ length }) => run.answers !== undefined || length === run.samples).flat();
  const inWords = whole.some(({ probabilities }) => probabilities.length === 0);
  await using opened = await openTold(run, async (opening) => ({
    verifier: inWords ? await openVerifier(opening.configuration.verifier, opening) : undefined,
  }));
  const table = measures.OWN_UNCERTAINTIES.at(join(folder, "uncertainty.csv"));
  using open = table.open();
  using progress = openAsking("queries");
  const work = { table: open, signal: run.signal, onFailure: tellFailure };
  const onProgress = progress.show;
  const found = await measures.measureOwn(whole, queries, {
    ...opened,
    ...work,
    threshold,
    onProgress,
  });
  const current = new Set(found.rows.map(table.keyOf));
  open.finish((row) => current.has(table.keyOf(row)));
  for (const [model, rows] of Map.groupBy(found.rows, ({ model }) => model)) {
    const known = measures.uncertaintiesOf(rows);
    const metrics = measureUncertainties(known);
    const high = rows.filter(({ high }) => high === true).length;
    console.log(`${model}: uncertainty ${metricWords(metrics.uncertainty)}; ${high} high.`);
    for (const { query_id, reason } of rows.filter(({ reason }) => reason !== "")) {
      console.log(`${model}, ${query_id} is not measured: ${reason}`);
    }
  }
  console.log(`Queries: ${shownPath(table.path)}`);
  if (missing + found.missing === 0) return EXIT.done;
  console.log(
    `Missing: ${missing} answers, ${found.missing} queries; the same command asks again.`,
  );
  return EXIT.incomplete;
}
