/**
 * Collects models' answers to a user's queries, for `factcheck uncertainty`, `abstention` and
 * `bias`.
 */
import type { Command } from "@commander-js/extra-typings";
import { join, resolve } from "node:path";
import { openPart } from "../lib/factuality/check/components.ts";
import { readConfiguration } from "../lib/factuality/check/configuration.ts";
import { openDrawnModel } from "../lib/factuality/check/components.ts";
import * as own from "../lib/factuality/own/user_queries.ts";
import { FACTUALITY_PATHS, userFolder } from "../lib/factuality/paths.ts";
import { makeFolder, shownPath } from "../lib/files/atomic.ts";
import { openAskingProgress, openFailures, openStatusLine } from "../lib/files/progress.ts";
import type { DrawnModel } from "../lib/models/model.ts";
import { randomSource } from "../lib/stats/random.ts";
import { int } from "./command.ts";

/** Options shared by the commands. */
export const queryOptions = (c: Command) =>
  c.option(
    "--queries <file>",
    "your queries: JSONL of {query} with optional id, options, answerable",
  )
    .option(
      "--answers <file>",
      "existing answers: JSONL of {query, answers} with optional logprobs, model",
    )
    .option(
      "--config <file>",
      "its models (or judges) answer, and its verifier compares answers",
      FACTUALITY_PATHS.configuration,
    )
    .option("--out <folder>", "for the tables; below .cache/ by default")
    .option("--tokens <number>", "maximum length of an answer", int({ min: 1 }), 100)
    .option("--only <model>", "one model; all by default")
    .option("--threads <number>", "of evaluation", int({ min: 1, max: 1024 }), 2);

/** Parsed options of the commands, with number of samples and instruction. */
export interface QueryRunOptions extends Pick<own.SampleAnswersOptions, "samples" | "instruction"> {
  readonly queries?: string | undefined;
  readonly answers?: string | undefined;
  readonly config: string;
  /** Number of sampled queries, half of them answerable; all by default. */
  readonly draw?: number;
  readonly out?: string | undefined;
  readonly tokens: number;
  readonly only?: string | undefined;
  readonly threads: number;
  readonly temperature: number;
  readonly signal: AbortSignal;
}

/**
 * Returns the folder of a run's tables, and creates it.
 * @throws {Error} unless exactly one of queries and answers is given.
 */
export function folderOf(name: string, { queries, answers, out }: QueryRunOptions): string {
  if (queries !== undefined && answers !== undefined) {
    throw new SyntaxError("Cannot do both: name either --queries or --answers.");
  }
  const given = queries ?? answers;
  if (given === undefined) {
    throw new RangeError(
      "Cannot ask: name --queries FILE, to be asked, or --answers FILE, made elsewhere.",
    );
  }
  const folder = resolve(out ?? userFolder(name, given));
  makeFolder(folder);
  return folder;
}

/**
 * Returns the answers in a file, or those of the configuration's models, one model after the other.
 *
 * Answers are stored in the folder as they arrive. `missing` counts failed ones. @throws {Error}
 * where a file cannot be read or a model cannot be opened.
 */
export async function userAnswers(folder: string, run: QueryRunOptions, weigh: boolean) {
  if (run.answers !== undefined) {
    return { ...own.readGivenAnswers(run.answers), missing: 0 };
  }
  const all = own.readQueries(run.queries!).map((one) => ({
    ...one,
    exists: one.answerable === true,
  }));
  const read = run.draw === undefined
    ? all
    : own.drawConcepts(all, run.draw, randomSource("abstention/concepts"));
  const queries = weigh ? read : read.map((query) => ({ ...query, options: undefined }));
  const { models, judges } = readConfiguration(run.config);
  const known = models.length > 0 ? models : judges;
  const asked = known.filter(({ id }) => run.only === undefined || id === run.only);
  if (asked.length === 0) {
    const there = known.map(({ id }) => id).join(", ") || "none";
    throw new RangeError(
      `Cannot ask ${run.only ?? "a model"}: ${shownPath(run.config)} has ${there} under models ` +
        "or judges.",
    );
  }
  const table = own.USER_ANSWERS.at(join(folder, "answers.csv"));
  using open = table.open();
  let missing = 0;
  const answers: own.UserAnswer[] = [];
  const { samples, instruction, signal } = run;
  using failures = openFailures();
  const drawing = { temperature: run.temperature, maxReplyTokens: run.tokens };
  for (const entry of asked) {
    await using model = await openReporting<DrawnModel>(
      run,
      (opening) => openDrawnModel(entry, drawing, opening),
    );
    using progress = openAskingProgress(entry.id);
    const work = { table: open, signal, onFailure: failures.report, onProgress: progress.show };
    const found = await own.sampleAnswers(model, { queries, samples, instruction, ...work });
    missing += found.missing;
    answers.push(...found.answers);
    if (signal.aborted) break;
  }
  console.log(`Answers: ${shownPath(table.path)}`);
  return { queries, answers, missing };
}

/** Opens a part of the configuration and reports its loading. */
export async function openReporting<Part extends object>(
  { config, threads, verifier }: Pick<QueryRunOptions, "config" | "threads"> & {
    /** One-line verifier that replaces the configuration's. */
    readonly verifier?: string | undefined;
  },
  open: Parameters<typeof openPart<Part>>[2],
): Promise<Part & AsyncDisposable> {
  using status = openStatusLine();
  const onProgress = ({ component, words, stays }: Record<"component" | "words", string> & {
    readonly stays: boolean;
  }) => status[stays ? "finish" : "show"](`${component}: ${words}`);
  return await openPart(
    config,
    { cacheDirectory: FACTUALITY_PATHS.cache, threads, onProgress, ...verifier && { verifier } },
    open,
  );
}
