import { basename, join } from "node:path";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import { BATCH_FILES, evaluateBatch } from "../../lib/factuality/batch/evaluate_batch.ts";
import { keepDiagnosis } from "../../lib/factuality/batch/keep_diagnosis.ts";
import {
  type BatchRequests,
  readCsvRequests,
  readJsonlRequests,
} from "../../lib/factuality/batch/read_requests.ts";
import type { EvaluationComponents } from "../../lib/factuality/evaluation/components.ts";
import { evaluate } from "../../lib/factuality/evaluation/evaluate.ts";
import type { Evaluation, EvaluationRequest } from "../../lib/factuality/evaluation/evaluation.ts";
import { claimsCsv } from "../../lib/factuality/report/csv.ts";
import { evaluationPage } from "../../lib/factuality/report/html/page.ts";
import { evaluationJson } from "../../lib/factuality/report/json.ts";
import { judgementsCsv } from "../../lib/factuality/report/judgements_csv.ts";
import { evaluationMarkdown } from "../../lib/factuality/report/markdown.ts";
import { groundingSentence, resultSentence } from "../../lib/factuality/report/words.ts";
import { inputBytes, inputText } from "./input_file.ts";
import type { FactcheckOptions } from "./options.ts";
import { writeProfile } from "./write_profile.ts";

/** Exit codes of `deno task factcheck`; 1 is an error that was told. */
export const EXIT = { complete: 0, incomplete: 3 } as const;

/** What the run has of its surroundings. */
export interface FactcheckWorld {
  readonly components: EvaluationComponents;
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
}

type Of<Kind> = Extract<FactcheckOptions, { readonly kind: Kind }>;

const CLOCK = { now: () => new Date(), milliseconds: () => performance.now() };

/** Of the summary's intervals. */
const SEED = 20261122;

/** What is to be evaluated of one text. @throws {RangeError} naming the file that is none. */
export function requestOf({ candidate, source, question }: Of<"one">): EvaluationRequest {
  return {
    id: basename(candidate),
    source: source === undefined ? "" : inputText(source),
    candidate: inputText(candidate),
    question,
  };
}

/** Evaluates one text and writes every report of it. @returns the exit code. */
export async function checkOne(
  { out }: Of<"one">,
  request: EvaluationRequest,
  { components, signal, print }: FactcheckWorld,
): Promise<number> {
  let stage = "";
  const onStage = (begun: string) => stage = begun;
  try {
    const evaluation = await evaluate(request, components, { clock: CLOCK, signal, onStage });
    writeReports(out, evaluation);
    print(`${resultSentence(evaluation)}\n${groundingSentence(evaluation)}`);
    // Those of the components were told when they were opened.
    const problems = new Set(evaluation.problems).difference(new Set(components.problems));
    for (const problem of problems) print(problem);
    print(`Reports: ${join(out, "evaluation.html")}, .md, .json`);
    return EXIT.complete;
  } catch (error) {
    if (signal.aborted) return EXIT.incomplete;
    const place = { at: CLOCK.now(), request: request.id, stage };
    keepDiagnosis(join(out, BATCH_FILES.diagnosis), error, place, {
      components,
      versions: versions(),
    });
    throw error;
  }
}

function writeReports(out: string, evaluation: Evaluation): void {
  const files = {
    "evaluation.html": evaluationPage(evaluation),
    "evaluation.md": evaluationMarkdown(evaluation),
    "evaluation.json": evaluationJson(evaluation),
    [BATCH_FILES.claims]: claimsCsv([evaluation]),
    [BATCH_FILES.judgements]: judgementsCsv([evaluation]),
  };
  for (const [name, text] of Object.entries(files)) writeTextAtomic(join(out, name), text);
}

/** Lines of a batch that are told one by one. */
const MOST_TOLD = 20;

/** The requests of a batch; tells which lines are none. */
export function requestsOf(path: string, print: (text: string) => void): BatchRequests {
  const read = /\.csv$/i.test(path) ? readCsvRequests : readJsonlRequests;
  const found = named(path, () => read(inputBytes(path)));
  for (const { line, reason } of found.refused.slice(0, MOST_TOLD)) {
    print(`${path}, line ${line} is passed over: ${reason}`);
  }
  const rest = found.refused.length - MOST_TOLD;
  if (rest > 0) print(`${path}: ${rest} further lines are passed over.`);
  if (found.requests.length > 0) return found;
  throw new RangeError(`Cannot check ${path}: it has no request with a candidate.`);
}

/** What a file holds; where that cannot be read at all, the error names it. */
function named<Content>(path: string, read: () => Content): Content {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(`${path}: ${error.message}`, { cause: error });
  }
}

/** Evaluates what of a batch has no result yet. @returns the exit code. */
export async function checkBatch(
  { out, batch, concurrency }: Of<"batch">,
  { requests }: BatchRequests,
  { components, signal, print }: FactcheckWorld,
): Promise<number> {
  using closing = new DisposableStack();
  const end = await evaluateBatch({
    ...{ requests, components, concurrency, signal, clock: CLOCK, seed: SEED },
    ...{ folder: out, versions: versions() },
    onBegin(resumed) {
      const progress = closing.use(openProgress("evaluations", requests.length, { resumed }));
      return () => progress.advance();
    },
  });
  closing.dispose();
  print(`${end.evaluated} evaluated, ${end.resumed} were before, ${end.failed} failed.`);
  print(`Results and summary: ${join(out, BATCH_FILES.report)}`);
  const made = { folder: out, batch, requests, madeAt: CLOCK.now(), seed: SEED };
  const page = writeProfile(made);
  if (page !== undefined) print(`Hallucination profile: ${page}`);
  const { missing } = end.summary;
  if (missing === 0) return EXIT.complete;
  print(`${missing} have no result yet: the same command goes on with them.`);
  if (end.failed > 0) print(`Why some failed: ${join(out, BATCH_FILES.failures)}`);
  return EXIT.incomplete;
}

function versions(): Readonly<Record<string, string>> {
  const { rss } = Deno.memoryUsage();
  return { ...Deno.version, target: Deno.build.target, megabytes: String(Math.round(rss / 1e6)) };
}
