import { join } from "node:path";
import { writeTextAtomic } from "../../files/atomic.ts";
import { appendJsonLine } from "../../files/jsonl.ts";
import { randomSource } from "../../stats/random.ts";
import { evaluate } from "../evaluation/evaluate.ts";
import type { EvaluationComponents } from "../evaluation/components.ts";
import type { EvaluationRequest } from "../evaluation/evaluation.ts";
import type { EvaluationClock } from "../evaluation/run.ts";
import { claimsCsv, evaluationsCsv } from "../report/csv.ts";
import { judgementsCsv } from "../report/judgements_csv.ts";
import { failureRecord } from "./diagnosis.ts";
import { keepDiagnosis } from "./keep_diagnosis.ts";
import { lockFolder } from "./lock_folder.ts";
import { configurationSha256 } from "./request_hash.ts";
import { openResults, readResults } from "./results_file.ts";
import { type BatchEnd, runBatch } from "./run_batch.ts";
import { sharedComponents } from "./shared_components.ts";
import { type BatchSummary, batchSummary } from "./summary.ts";
import { summaryMarkdown } from "./summary_markdown.ts";

/** The files of a batch in its folder. */
export const BATCH_FILES = {
  results: "results.jsonl",
  failures: "failures.jsonl",
  diagnosis: "diagnosis.json",
  summary: "summary.json",
  report: "summary.md",
  claims: "claims.csv",
  evaluations: "evaluations.csv",
  judgements: "judgements.csv",
} as const;

/** A batch and where it is kept. */
export interface FolderBatch {
  readonly folder: string;
  readonly requests: readonly EvaluationRequest[];
  readonly components: EvaluationComponents;
  readonly concurrency: number;
  readonly clock: EvaluationClock;
  /** Of the intervals of the summary. */
  readonly seed: number;
  readonly signal?: AbortSignal;
  /** For the diagnosis. */
  readonly versions: Readonly<Record<string, string>>;
  /** Told how many an earlier run has done, before the first; gives what is told of each one more. */
  readonly onBegin: (resumed: number) => () => void;
}

/** How it ended, and what there is by now. */
export interface FolderBatchEnd extends BatchEnd {
  readonly summary: BatchSummary;
}

/**
 * Evaluates what has no result in the folder yet, each result on disk as it comes; then writes the
 * summary and the tables of all there is.
 * @throws {Error} where another process works in the folder.
 * @throws what ended the batch; a diagnosis is in the folder then, and the next call goes on.
 */
export async function evaluateBatch(batch: FolderBatch): Promise<FolderBatchEnd> {
  const path = (name: keyof typeof BATCH_FILES) => join(batch.folder, BATCH_FILES[name]);
  const under = { request: "", stage: "" };
  using _held = lockFolder(batch.folder);
  try {
    const end = await evaluateMissing(batch, under, path("results"), path("failures"));
    under.stage = "summary";
    return { ...end, summary: writeSummary(batch, path) };
  } catch (error) {
    keepDiagnosis(path("diagnosis"), error, { at: batch.clock.now(), ...under }, batch);
    throw error;
  }
}

/** `under` says, for a diagnosis, which request and stage were begun last. */
async function evaluateMissing(
  batch: FolderBatch,
  under: { request: string; stage: string },
  results: string,
  failures: string,
): Promise<BatchEnd> {
  const { requests, clock, signal, concurrency } = batch;
  const components = concurrency > 1 ? sharedComponents(batch.components) : batch.components;
  const file = openResults(results, requests, configurationSha256(components));
  const advance = batch.onBegin(requests.filter(({ id }) => file.done.has(id)).length);
  const stages = new Map<string, string>();
  return await runBatch({
    ...{ requests, concurrency, done: file.done, signal },
    evaluate: (request) =>
      evaluate(request, components, {
        ...{ clock, signal },
        onStage(stage) {
          stages.set(request.id, stage);
          Object.assign(under, { request: request.id, stage });
        },
      }),
    onResult(evaluation) {
      file.append(evaluation);
      advance();
    },
    onFailure({ id: request }, error) {
      const place = { at: clock.now(), request, stage: stages.get(request) ?? "" };
      appendJsonLine(failures, failureRecord(error, place));
      advance();
    },
  });
}

function writeSummary(
  { requests, seed }: FolderBatch,
  path: (name: keyof typeof BATCH_FILES) => string,
): BatchSummary {
  const wanted = new Set(requests.map(({ id }) => id));
  const evaluations = readResults(path("results")).filter(({ request }) => wanted.has(request.id));
  const summary = batchSummary(evaluations, requests.length, randomSource(seed));
  writeTextAtomic(path("summary"), `${JSON.stringify(summary, null, 2)}\n`);
  writeTextAtomic(path("report"), summaryMarkdown(summary));
  writeTextAtomic(path("claims"), claimsCsv(evaluations));
  writeTextAtomic(path("evaluations"), evaluationsCsv(evaluations));
  writeTextAtomic(path("judgements"), judgementsCsv(evaluations));
  return summary;
}
