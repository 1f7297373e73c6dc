/**
 * Asks local models about countries and measures how much the knowledge base supports.
 * @module
 */
import { join, resolve } from "node:path";
import { openComponents, openPart } from "../../lib/factuality/check/components.ts";
import { readConfiguration } from "../../lib/factuality/check/configuration.ts";
import { openRetriever } from "../../lib/factuality/check/components.ts";
import { readQueries } from "../../lib/factuality/own/user_queries.ts";
import { FACTUALITY_PATHS, userFolder } from "../../lib/factuality/paths.ts";
import { countryQuestions, noteOf } from "../../lib/studies/factuality/generation/responses.ts";
import {
  askSystems,
  checkAnswers,
  rateClaimsDrawn,
  type StageOptions,
} from "../../lib/studies/factuality/pipeline.ts";
import { openingOptions } from "../../lib/factuality/own/component_groups.ts";
import { factbookFields } from "../../lib/factuality/retrieval/factbook.ts";
import { makeFolder, shownPath, writeTextAtomic } from "../../lib/files/atomic.ts";
import { jsonLines } from "../../lib/files/json.ts";
import { openStatusLine } from "../../lib/files/progress.ts";
import { choiceOf, command, EXIT, int } from "../command.ts";
import { checkBatch, requestsOf } from "../factcheck/batch.ts";
import { type QueryRunOptions, userAnswers } from "../user_answers.ts";

const STEPS = ["responses", "claims", "ratings"] as const;
const { cache: cacheDirectory } = FACTUALITY_PATHS;

const MORE = `
With --config the models of a configuration answer (its judges where it names none under models), without
passages and, where it has a knowledge base, with those that are found for a question; its splitter,
knowledge base, verifier and judges check them as factcheck --batch does: claims, profiles, who says what.
All of it goes to --out; what did not come is asked for by a further run.`;

export const TASK = command(
  "study respond",
  "What models claim about countries that nothing was trained on, checked and rated",
  (c) =>
    c.option("--countries <number>", "questions, one a country", int({ min: 1 }), 30)
      .option(
        "--ratings <number>",
        "randomly drawn claims that all raters rate",
        int({ min: 1 }),
        100,
      )
      .option("--large", "have verifier: large rate them, too: downloads 1.1 GB once")
      .option("--only <step>", `one of ${STEPS.join(", ")} (default: all)`, choiceOf(...STEPS))
      .option("--config <file>", "models of your own answer and are checked, as evaluation.yaml")
      .option("--queries <file>", "questions: JSONL of {query} (default: countries)")
      .option("--tokens <number>", "of their answers, at most", int({ min: 1 }), 100)
      .option("--out <folder>", "for the results (default: .cache/respond/NAME)")
      .option("--threads <number>", "of evaluation", int({ min: 1, max: 1024 }), 2)
      .addHelpText("after", MORE),
  async ({ countries, ratings, large, only, threads, config, ...own }, { signal }) => {
    const run = { threads, signal };
    if (config !== undefined) return await respondOwn({ ...own, countries, config, ...run });
    if (own.queries !== undefined) {
      throw new RangeError("Cannot ask --queries: name whose models with --config.");
    }
    const work = {
      responses: () => askSystems(countries, run),
      claims: () => checkAnswers(run),
      ratings: () => rateClaimsDrawn(ratings, large === true, run),
    };
    for (const step of only === undefined ? STEPS : [only]) {
      if (!await work[step]()) return EXIT.incomplete;
    }
    return EXIT.done;
  },
);

interface OwnResponses
  extends StageOptions, Pick<QueryRunOptions, "config" | "out" | "queries" | "tokens"> {
  /** Number of countries to ask about if the user gives no questions. */
  readonly countries: number;
}

const OPEN_BOOK = ", open book";

/**
 * Asks a configuration's models and checks their answers with its other components.
 * @returns the exit code.
 */
async function respondOwn(run: OwnResponses): Promise<number> {
  const { config, queries, countries, threads, signal } = run;
  const { retrieval } = readConfiguration(config);
  const folder = resolve(run.out ?? userFolder("respond", queries ?? config));
  makeFolder(folder);
  const questions = queries === undefined
    ? countryQuestions(await factbookFields(cacheDirectory), countries)
    : readQueries(queries);
  const noted = await withPassages(questions, retrieval, run);
  const asked = join(folder, "questions.jsonl");
  const all = [...questions, ...noted].map(({ id, question }) => ({ id, query: question }));
  writeTextAtomic(asked, jsonLines(all));
  const how = { samples: 1, temperature: 0, instruction: "none" } as const;
  const { answers, missing } = await userAnswers(folder, { ...run, ...how, queries: asked }, false);
  const byId = new Map(questions.map(({ id, question }) => [id, question]));
  const requests = answers.filter(({ answer }) => answer !== "").map((row) => {
    const [id] = row.query_id.split(OPEN_BOOK) as [string];
    const system = `${row.model}${row.query_id.slice(id.length)}`;
    const one = { system, query_id: id, question: byId.get(id), candidate: row.answer };
    return { id: `${system}: ${id}`, ...one };
  });
  const path = join(folder, "answers.jsonl");
  writeTextAtomic(path, jsonLines(requests));
  if (signal.aborted || requests.length === 0) return EXIT.incomplete;
  using status = openStatusLine();
  const report = (words: string) => status.show(words);
  const opening = { ...openingOptions({ threads, tell: report }), trustedJudges: true };
  await using components = await openComponents(config, opening);
  const left = components.judgesLeft.join(", ");
  if (left !== "") {
    const remedy = `a weight in ${shownPath(config)} has them asked`;
    console.log(`Judges left out, not measured above chance: ${left}; ${remedy}.`);
  }
  for (const problem of components.problems) console.log(problem);
  const work = { components, concurrency: 1, signal };
  const code = await checkBatch(folder, path, await requestsOf(path), work);
  return missing > 0 ? EXIT.incomplete : code;
}

/** Returns the questions with retrieved passages (open book); none without a knowledge base. */
async function withPassages(
  questions: readonly { readonly id: string; readonly question: string }[],
  retrieval: ReturnType<typeof readConfiguration>["retrieval"],
  { config, threads, signal }: OwnResponses,
) {
  if (retrieval.kind === "none") return [];
  const shown = { cacheDirectory, threads };
  await using retriever = await openPart(
    config,
    shown,
    (opening) => openRetriever(retrieval, opening),
  );
  const noted = [];
  for (const { id, question } of questions) {
    const found = await retriever.retrieve(question, { signal });
    const notes = found.map(({ passage }) => `- ${noteOf(passage)}`).join("\n");
    const text = `Notes:\n${notes}\n\nUsing only these notes: ${question}`;
    if (found.length > 0) noted.push({ id: `${id}${OPEN_BOOK}`, question: text });
  }
  return noted;
}
