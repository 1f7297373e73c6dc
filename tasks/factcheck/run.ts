import { basename, join } from "node:path";
import { writeTextAtomic } from "../../lib/files/atomic.ts";
import { writeJsonAtomic } from "../../lib/files/json_file.ts";
import { openProgress } from "../../lib/files/status_line.ts";
import { diagnosis } from "../../lib/factuality/batch/diagnosis.ts";
import { BATCH_FILES, evaluateBatch } from "../../lib/factuality/batch/evaluate_batch.ts";
import {
  type BatchRequests,
  readCsvRequests,
  readJsonlRequests,
} from "../../lib/factuality/batch/read_requests.ts";
import type { EvaluationComponents } from "../../lib/factuality/evaluation/components.ts";
import { configurationOf } from "../../lib/factuality/evaluation/configuration_of.ts";
import { evaluate } from "../../lib/factuality/evaluation/evaluate.ts";
import type { Evaluation } from "../../lib/factuality/evaluation/evaluation.ts";
import { claimsCsv, judgementsCsv } from "../../lib/factuality/report/csv.ts";
import { evaluationPage } from "../../lib/factuality/report/html/page.ts";
import { evaluationJson } from "../../lib/factuality/report/json.ts";
import { evaluationMarkdown } from "../../lib/factuality/report/markdown.ts";
import { groundingSentence, resultSentence } from "../../lib/factuality/report/words.ts";
import type { FactcheckOptions } from "./options.ts";

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

/** Evaluates one text and writes every report of it. @returns the exit code. */
export async function checkOne(options: Of<"one">, world: FactcheckWorld): Promise<number> {
  const { candidate, source, question, out } = options;
  const { components, signal, print } = world;
  const request = {
    id: basename(candidate),
    source: source === undefined ? "" : textOf(source),
    candidate: textOf(candidate),
    question,
  };
  let stage = "";
  const onStage = (begun: string) => stage = begun;
  try {
    const evaluation = await evaluate(request, components, { clock: CLOCK, signal, onStage });
    writeReports(out, evaluation);
    print(`${resultSentence(evaluation)}\n${groundingSentence(evaluation)}`);
    print(`Reports: ${join(out, "evaluation.html")}, .md, .json`);
    return EXIT.complete;
  } catch (error) {
    if (signal.aborted) return EXIT.incomplete;
    const place = { at: CLOCK.now(), request: request.id, stage };
    const found = diagnosis(error, place, configurationOf(components), versions());
    writeJsonAtomic(join(out, BATCH_FILES.diagnosis), found);
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

/** The requests of a batch; tells which lines are none. */
export function requestsOf(path: string, print: (text: string) => void): BatchRequests {
  const read = /\.csv$/i.test(path) ? readCsvRequests : readJsonlRequests;
  const found = read(bytesOf(path));
  for (const { line, reason } of found.refused) {
    print(`${path}, line ${line} is passed over: ${reason}`);
  }
  if (found.requests.length > 0) return found;
  throw new RangeError(`Cannot check ${path}: it has no request with a candidate.`);
}

/** Evaluates what of a batch has no result yet. @returns the exit code. */
export async function checkBatch(
  { out, concurrency }: Of<"batch">,
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
  return end.summary.missing === 0 ? EXIT.complete : EXIT.incomplete;
}

function textOf(path: string): string {
  return new TextDecoder().decode(bytesOf(path));
}

function bytesOf(path: string): Uint8Array {
  try {
    return Deno.readFileSync(path);
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    throw new RangeError(`Cannot check ${path}: there is no such file.`);
  }
}

function versions(): Readonly<Record<string, string>> {
  const { rss } = Deno.memoryUsage();
  return { ...Deno.version, target: Deno.build.target, megabytes: String(Math.round(rss / 1e6)) };
}
