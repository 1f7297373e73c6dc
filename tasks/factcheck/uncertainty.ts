/** Command on the uncertainty of models about a user's queries (requirement 18). */
import { join } from "node:path";
import { lockFolder } from "../../lib/factuality/check/stored_answers.ts";
import { openVerifier } from "../../lib/factuality/check/components.ts";
import { measureUncertainties, metricWords } from "../../lib/factuality/metrics/profile_metrics.ts";
import * as measures from "../../lib/factuality/own/query_measures.ts";
import { shownPath } from "../../lib/files/atomic.ts";
import { firstThree, openAskingProgress, openFailures } from "../../lib/files/progress.ts";
import { HIGH_UNCERTAINTY } from "../../lib/stats/uncertainty.ts";
import { command, EXIT, int, real } from "../command.ts";
import {
  folderOf,
  openReporting,
  queryOptions,
  type QueryRunOptions,
  userAnswers,
} from "../user_answers.ts";

const HELP = `
The configuration's models answer, or its judges where it names none. The answers to a query are clustered
by mutual entailment according to its verifier (semantic entropy). For a query with options the model
writes a short thought, after which the options' probabilities are read. uncertainty.csv has one row per
query; factcheck --batch reads it with --uncertainty FILE. Answers are saved as they arrive; another run
asks for missing ones.`;

export const TASK = command(
  "factcheck uncertainty",
  "Uncertainty of a model about your queries, from repeated answers",
  (c) =>
    queryOptions(c)
      .option("--samples <number>", "answers or thoughts per query and model", int({ min: 2 }), 6)
      .option("--temperature <number>", "of the answers", real({ min: 0.1, max: 2 }), 1)
      .option(
        "--threshold <share>",
        "above which queries are flagged",
        real({ min: 0, max: 1 }),
        HIGH_UNCERTAINTY,
      )
      .addHelpText("after", HELP),
  ({ threshold, ...options }, { signal }) =>
    measureUncertainty({ ...options, instruction: "none", signal }, threshold),
);

/** Writes a row per query, and names what could not be computed. */
async function measureUncertainty(run: QueryRunOptions, threshold: number): Promise<number> {
  const folder = folderOf("uncertainty", run);
  using _held = lockFolder(folder);
  const { queries, answers, missing } = await userAnswers(folder, run, true);
  if (run.signal.aborted) return EXIT.incomplete;
  // A query with missing answers has no row.
  const keyOf = (row: typeof answers[number]) => JSON.stringify([row.model, row.query_id]);
  const whole = [...Map.groupBy(answers, keyOf).values()]
    .filter(({ length }) => run.answers !== undefined || length === run.samples).flat();
  const inWords = whole.some(({ probabilities }) => probabilities.length === 0);
  await using opened = await openReporting(run, async (opening) => ({
    verifier: inWords ? await openVerifier(opening.configuration.verifier, opening) : undefined,
  }));
  const table = measures.USER_UNCERTAINTIES.at(join(folder, "uncertainty.csv"));
  using open = table.open();
  using progress = openAskingProgress("queries");
  using failures = openFailures();
  const work = { table: open, signal: run.signal, onFailure: failures.report };
  const onProgress = progress.show;
  const measured = await measures.measureUncertainty(whole, queries, {
    ...opened,
    ...work,
    threshold,
    onProgress,
  });
  const current = new Set(measured.rows.map(table.keyOf));
  open.finish((row) => current.has(table.keyOf(row)));
  for (const [model, rows] of Map.groupBy(measured.rows, ({ model }) => model)) {
    const known = measures.uncertaintiesOf(rows);
    const metrics = measureUncertainties(known);
    const high = rows.filter(({ high }) => high === true).length;
    console.log(`${model}: uncertainty ${metricWords(metrics.uncertainty)}; ${high} high.`);
    for (const [reason, alike] of Map.groupBy(rows, ({ reason }) => reason)) {
      const are = alike[1] === undefined ? "is" : "are";
      const ids = firstThree(alike.map(({ query_id }) => query_id));
      if (reason !== "") console.log(`${model}, ${ids} ${are} not measured: ${reason}`);
    }
  }
  console.log(`Queries: ${shownPath(table.path)}`);
  if (missing + measured.missing === 0) return EXIT.done;
  console.log(
    `Missing: ${missing} answers, ${measured.missing} queries; run the same command again.`,
  );
  return EXIT.incomplete;
}
