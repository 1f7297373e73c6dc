/** Command that checks a text's claims against its source and a knowledge base. */
import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import { makeFolder, requireWritable, writeTextAtomic } from "../lib/files/atomic.ts";
import { openStatusLine } from "../lib/files/progress.ts";
import {
  lockFolder,
  withStoredAnswers,
  writeDiagnosis,
} from "../lib/factuality/check/stored_answers.ts";
import { evaluate } from "../lib/factuality/check/check.ts";
import type { EvaluationComponents } from "../lib/factuality/check/components.ts";
import { claimsCsv, evaluationJson, judgementsCsv } from "../lib/factuality/report/formats.ts";
import { evaluationPage } from "../lib/factuality/report/html.ts";
import { evaluationMarkdown, groundingSentence } from "../lib/factuality/report/words.ts";
import { resultSentence } from "../lib/factuality/report/words.ts";
import type { EvaluationRequest } from "../lib/factuality/types.ts";
import { command, EXIT, int, run, type Runnable } from "./command.ts";
import {
  CLOCK,
  CONFIGURATION,
  inputBytes,
  inputText,
  openForText,
  reportFolder,
  verifierLine,
  versions,
} from "./factcheck/opening.ts";

/** Subcommands by their first word, loaded on use. */
const PARTS = new Map<string, () => Promise<{ readonly TASK: Runnable }>>([
  ["pairwise", () => import("./factcheck/pairwise.ts")],
  ["bias", () => import("./factcheck/bias.ts")],
  ["uncertainty", () => import("./factcheck/uncertainty.ts")],
  ["abstention", () => import("./factcheck/abstention.ts")],
  ["robustness", () => import("./factcheck/robustness.ts")],
  ["compare", () => import("./factcheck/compare.ts")],
  ["train", () => import("./factcheck/train.ts")],
]);

const EXAMPLES = `
Examples:
  deno task factcheck --candidate answer.txt --source article.txt
      does the article support the answer? Open evaluation.html in a browser
  deno task factcheck --candidate answer.txt
      the same against the knowledge base alone
  deno task factcheck --batch answers.jsonl
      one {"candidate": "…", "source": "…"} per line; with "system" and "query" it compares systems

Further commands, each with --help:
  pairwise     which of several texts is supported best?
  bias         stereotypes in a text, and the effect of the person named
  uncertainty  how uncertain is a model about your queries?
  abstention   does a model decline to answer about what does not exist?
  robustness   how do small changes of a text affect its verdicts?
  compare      verifiers and judges on claims that you labelled
  train        fit a verifier or judges to such claims`;

export const FACTCHECK = command(
  "factcheck",
  "Which claims of a text do its source and a knowledge base support?",
  (c) =>
    c.option("--candidate <file>", "one text to check")
      .option("--source <file>", "its source; without it only the knowledge base is used")
      .option("--question <text>", "the question that the text answers")
      .option(
        "--batch <file>",
        ".jsonl or .csv with candidate and optional source, question and id; with system and query " +
          "for answers of several systems",
      )
      .option(
        "--concurrency <n>",
        "concurrent requests, for judges on servers",
        int({ min: 1, max: 999 }),
      )
      .option("--config <file>", "splitter, knowledge base, verifier, judges", CONFIGURATION)
      .option(
        "--verifier <name>",
        "overrides the configuration's: default; large, which downloads 1.1 GB once; groq:MODEL; or a " +
          "server's address, http://127.0.0.1:8000/v1, with --model",
      )
      .option("--model <name>", "model on the server of --verifier")
      .option("--judges", "also ask judges that were not measured above chance")
      .option(
        "--no-knowledge",
        "no retrieval: check against the source alone, or the text for consistency",
      )
      .option(
        "--claims <n>",
        "check a random sample of n claims: a book in minutes",
        int({ min: 1 }),
      )
      .option("--draw <n>", "sample n claims of a batch for labels by hand", int({ min: 1 }))
      .option("--labels <file>", "the labelled sample, which corrects the batch's rate")
      .option(
        "--uncertainty <file>",
        "uncertainty.csv of factcheck uncertainty, for the batch's profile",
      )
      .option("--abstention <file>", "abstention.csv of factcheck abstention, for the same")
      .option(
        "--out <folder>",
        "for the reports; by default below .cache/factcheck/",
      )
      .addHelpText("after", EXAMPLES),
  async (
    {
      candidate,
      source,
      question,
      batch,
      concurrency = 1,
      config,
      out,
      verifier: named,
      model,
      draw,
      labels,
      judges,
      knowledge,
      claims,
      ...measured
    },
    { signal },
  ) => {
    if ((candidate === undefined) === (batch === undefined)) {
      throw new SyntaxError(
        "Cannot check: name either --candidate FILE for one text (with --source FILE, what it was " +
          "written from), or --batch FILE for many. See deno task factcheck --help.",
      );
    }
    const ofBatch = draw ?? labels ?? measured.uncertainty ?? measured.abstention;
    if (batch === undefined && ofBatch !== undefined) {
      throw new SyntaxError(
        "Cannot check: --draw, --labels, --uncertainty and --abstention belong to --batch.",
      );
    }
    if (batch !== undefined && (source ?? question) !== undefined) {
      throw new SyntaxError("Cannot check: --source and --question belong to --candidate.");
    }
    const verifier = verifierLine(named, model);
    const folder = out ?? reportFolder([candidate ?? batch!]);
    // Before models load, so that a wrong file is reported at once.
    makeFolder(folder);
    const request = candidate === undefined ? undefined : requestOf(candidate, source, question);
    const many = batch === undefined ? undefined : await import("./factcheck/batch.ts");
    const read = many?.requestsOf(batch!);
    if (labels !== undefined) inputBytes(labels);
    for (const name of many?.WRITTEN ?? WRITTEN) requireWritable(join(folder, name));
    await using all = await openForText(config, { verifier, knowledge, judges });
    const components = claims === undefined ? all : { ...all, mostClaims: claims };
    return request
      ? await checkOne(folder, request, components, signal)
      : await many!.checkBatch(folder, batch!, read!, {
        components,
        concurrency,
        signal,
        draw,
        labels,
        measured,
      });
  },
);

/** Files written for one text. */
const WRITTEN = [
  "evaluation.html",
  "evaluation.md",
  "evaluation.json",
  "claims.csv",
  "judgements.csv",
] as const;

/** Makes the request for one text. @throws {RangeError} naming a file that is no text. */
export function requestOf(candidate: string, source?: string, question = ""): EvaluationRequest {
  const text = source === undefined ? "" : inputText(source);
  return { id: basename(candidate), source: text, candidate: inputText(candidate), question };
}

/**
 * Evaluates one text and writes its reports; an interrupted run is continued. @returns the exit
 * code.
 */
export async function checkOne(
  folder: string,
  request: EvaluationRequest,
  opened: EvaluationComponents,
  signal: AbortSignal,
): Promise<number> {
  let stage = "";
  using _held = lockFolder(folder);
  const unfinished = join(folder, "unfinished.jsonl");
  const { storedCount, components } = withStoredAnswers(opened, unfinished);
  if (storedCount > 0) {
    console.log(`Answers reused from an interrupted run: ${storedCount}.`);
  }
  try {
    using status = openStatusLine();
    const onStage = (begun: string, done?: number, total?: number) => {
      stage = begun;
      status.show(total === undefined ? begun : `${begun} ${done}/${total}`);
    };
    const evaluation = await evaluate(request, components, { clock: CLOCK, signal, onStage });
    status[Symbol.dispose]();
    const reports: Readonly<Record<typeof WRITTEN[number], string>> = {
      "evaluation.html": evaluationPage(evaluation),
      "evaluation.md": evaluationMarkdown(evaluation),
      "evaluation.json": evaluationJson(evaluation),
      "claims.csv": claimsCsv([evaluation]),
      "judgements.csv": judgementsCsv([evaluation]),
    };
    for (const [name, text] of Object.entries(reports)) writeTextAtomic(join(folder, name), text);
    console.log(`${resultSentence(evaluation)}\n${groundingSentence(evaluation)}`);
    // Problems of the components were reported when they were opened; what they leave missing is
    // repeated.
    const problems = evaluation.problems.filter((one) => !components.problems.includes(one));
    for (const problem of new Set([...problems, ...evaluation.failed])) console.log(problem);
    const { total, ...stages } = evaluation.milliseconds;
    const took = Object.entries(stages).map(([name, ms]) => `${name} ${(ms / 1000).toFixed(1)}`);
    console.log(`Took ${(total / 1000).toFixed(1)} s: ${took.join(", ")}.`);
    console.log(
      `Open ${join(folder, "evaluation.html")} in a browser; the .md and .json are next to it.`,
    );
    if (evaluation.failed.length > 0) {
      console.log("Run the same command again to repeat what failed.");
      return EXIT.incomplete;
    }
    if (existsSync(unfinished)) Deno.removeSync(unfinished);
    return EXIT.done;
  } catch (error) {
    if (signal.aborted) {
      console.log("Stopped. Answers are kept: the same command continues from there.");
      return EXIT.incomplete;
    }
    const place = { at: CLOCK.now(), request: request.id, stage };
    const world = { components, versions: versions() };
    writeDiagnosis(join(folder, "diagnosis.json"), error, place, world);
    throw error;
  }
}

if (import.meta.main) {
  const [first = "", ...rest] = Deno.args;
  const part = PARTS.get(first);
  if (part === undefined) await run(FACTCHECK);
  else await run((await part()).TASK, rest);
}
