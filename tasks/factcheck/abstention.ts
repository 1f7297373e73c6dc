/** Command on queries about invented entities: abstention or false acceptance (requirement 20). */
import { join } from "node:path";
import { lockFolder } from "../../lib/factuality/check/stored_answers.ts";
import { measureRefusals, metricWords } from "../../lib/factuality/metrics/profile_metrics.ts";
import {
  abstentionClassifier,
  readClassifier,
} from "../../lib/factuality/own/abstention_classifier.ts";
import * as measures from "../../lib/factuality/own/query_measures.ts";
import * as rates from "../../lib/factuality/own/refusal_rates.ts";
import { FACTUALITY_PATHS } from "../../lib/factuality/paths.ts";
import { shownPath } from "../../lib/files/atomic.ts";
import { loadMiniLm } from "../../lib/models/encoder/minilm.ts";
import { command, EXIT, int, real } from "../command.ts";
import { folderOf, queryOptions, type QueryRunOptions, userAnswers } from "../user_answers.ts";

const { cache: cacheDirectory } = FACTUALITY_PATHS;

const HELP = `
The configuration's models answer, or its judges where it names none. Answers are saved as they arrive;
another run asks for missing ones. abstention.csv has one row per answer with its outcome: correct refusal
or false acceptance where "answerable" is false. factcheck --batch reads it with --abstention FILE.
abstention_rates.csv has the rates. --concepts is short for --queries, --draw and --may-decline.`;

export const TASK = command(
  "factcheck abstention",
  "Queries about what does not exist: does a model decline?",
  (c) =>
    queryOptions(c)
      .option(
        "--concepts <file>",
        "ask about {prompt, exists, category}, and tell the model that it may decline",
      )
      .option(
        "--draw <number>",
        "sample of --concepts, half of them existing",
        int({ min: 2 }),
        100,
      )
      .option("--samples <number>", "answers per query", int({ min: 1 }), 1)
      .option("--temperature <number>", "of the answers", real({ min: 0, max: 2 }), 0)
      .option("--may-decline", "tell the model that it may decline")
      .addHelpText("after", HELP),
  ({ concepts, draw, mayDecline, ...options }, { signal }) => {
    if (concepts === undefined) {
      const instruction = mayDecline ? "may decline" as const : "none" as const;
      return measureAbstention({ ...options, instruction, signal });
    }
    if ((options.queries ?? options.answers) !== undefined) {
      throw new SyntaxError("Cannot do both: --queries and --answers go without --concepts.");
    }
    return measureAbstention({
      ...options,
      queries: concepts,
      draw,
      instruction: "may decline",
      signal,
    });
  },
);

/** Writes an outcome per answer, and rates by model and category. */
async function measureAbstention(run: QueryRunOptions): Promise<number> {
  const folder = folderOf("abstention", run);
  using _held = lockFolder(folder);
  const { queries, answers, missing } = await userAnswers(folder, run, false);
  if (run.signal.aborted) return EXIT.incomplete;
  const inWords = answers.filter(({ probabilities }) => probabilities.length === 0);
  await using encoder = await loadMiniLm({ cacheDirectory, threads: run.threads });
  const classifier = abstentionClassifier(readClassifier(), encoder);
  const outcomes = await measures.outcomesOf(inWords, queries, classifier);
  const table = measures.USER_OUTCOMES.at(join(folder, "abstention.csv"));
  table.write(outcomes);
  const things = queries.flatMap(({ id, answerable: exists, category }) =>
    exists === undefined ? [] : [{ id, exists, category }]
  );
  const { instruction, temperature } = run;
  const read = outcomes.map((row) => ({ ...row, instruction, temperature, label: "" as const }));
  rates.USER_RATES.at(join(folder, "abstention_rates.csv"))
    .write(rates.conceptRates(read, things));
  for (const [model, rows] of Map.groupBy(outcomes, ({ model }) => model)) {
    const known = measures.refusalsOf(rows);
    const metrics = measureRefusals(known);
    const flagged = rows.filter(({ flagged }) => flagged).length;
    console.log(
      `${model}: false acceptance ${metricWords(metrics.falseAcceptance)}; over-refusal ` +
        `${metricWords(metrics.overRefusal)}; ${flagged} of ${rows.length} answers flagged.`,
    );
  }
  console.log(`Outcomes: ${shownPath(table.path)}, and abstention_rates.csv in the same folder`);
  if (missing === 0) return EXIT.done;
  console.log(`Missing: ${missing} answers; run the same command again.`);
  return EXIT.incomplete;
}
