import { Buffer } from "node:buffer";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type AskingState, askMissing } from "../../files/asking.ts";
import { shownPath, writeBytesAtomic, writeTextAtomic } from "../../files/atomic.ts";
import { decodeUtf8, splitLines } from "../../files/csv.ts";
import { appendJsonLine, readJsonLines } from "../../files/json.ts";
import type { OpenTable } from "../../files/table.ts";
import { randomSource } from "../../stats/random.ts";
import { evaluate } from "../check/check.ts";
import type { EvaluationClock } from "../check/stage.ts";
import type { EvaluationComponents } from "../check/components.ts";
import type { MeasuredVerifier } from "../metrics/profile.ts";
import { claimsCsv, evaluationRecord, evaluationsCsv, judgementsCsv } from "../report/formats.ts";
import { readEvaluation } from "../report/formats.ts";
import { type Evaluation, type EvaluationRequest, SCHEMA_VERSION } from "../types.ts";
import { labelLookup, type Labels, unsupportedShares } from "./claim_labels.ts";
import {
  absentComponents,
  configurationSha256,
  failureRecord,
  lockFolder,
  writeDiagnosis,
} from "../check/stored_answers.ts";
import { contentSha256 } from "./requests.ts";
import { batchMarkdown, batchPage } from "./report.ts";
import { batchSummary } from "./summary.ts";

/** File names of a batch in its folder. */
export const BATCH_FILES = {
  results: "results.jsonl",
  failures: "failures.jsonl",
  diagnosis: "diagnosis.json",
  summary: "summary.json",
  report: "report.html",
  readable: "report.md",
  claims: "claims.csv",
  evaluations: "evaluations.csv",
  judgements: "judgements.csv",
} as const;

type OnStage = NonNullable<Parameters<typeof evaluate>[2]["onStage"]>;

/** A batch with its folder and options. */
interface FolderBatch {
  readonly folder: string;
  readonly requests: readonly EvaluationRequest[];
  readonly components: EvaluationComponents;
  readonly concurrency: number;
  readonly clock: EvaluationClock;
  /** Seed of the summary's intervals. */
  readonly seed: number;
  readonly signal?: AbortSignal;
  /** Versions of software, for the diagnosis. */
  readonly versions: Readonly<Record<string, string>>;
  readonly onProgress?: (state: AskingState) => void;
  /** Receives the current request and stage with its progress. */
  readonly onStage?: (request: string, ...stage: Parameters<OnStage>) => void;
  /** Number of input lines that were no requests; 0 by default. */
  readonly passedOver?: number;
  /** Human labels of claims, if any. */
  readonly labels?: Labels;
  /** Looks up a verifier's accuracy; undefined where unknown. */
  readonly measuredVerifier?: MeasuredVerifier;
}

/**
 * Evaluates requests that lack a result, then writes summary and tables. Each result is saved at
 * once. A failed request is logged and does not affect others. A partly failed one is kept and
 * retried by the next call. @throws {Error} where another process uses the folder, and for an error
 * that ends the batch: a diagnosis is saved, and the next call continues. @returns `resumed`, the
 * number completed by an earlier run, and all evaluations, complete or partial.
 */
export async function evaluateBatch(batch: FolderBatch) {
  const { folder, requests, concurrency, clock, signal, onProgress, onStage: reportStage } = batch;
  const path = (name: keyof typeof BATCH_FILES) => join(folder, BATCH_FILES[name]);
  // The request and stage begun last, for a diagnosis.
  const under = { request: "", stage: "" };
  using _held = lockFolder(folder);
  try {
    const components = concurrency > 1 ? sharedComponents(batch.components) : batch.components;
    const configuration = configurationSha256(components);
    const absent = absentComponents(components);
    const table = openResults(path("results"), requests, configuration, absent);
    const isWhole = ({ failed }: Evaluation) => failed.length === 0;
    const resumed = requests.filter(({ id }) => {
      const known = table.rows.get(id);
      return known !== undefined && isWhole(known);
    }).length;
    const { asked, failed } = await askMissing({
      questions: requests,
      keyOf: ({ id }) => id,
      // A retry cannot help while the same components are absent.
      isCurrent: ({ failed }) => failed.every((one) => absent.includes(one)),
      table,
      concurrency,
      signal,
      onProgress,
      async ask(request, signal) {
        const place = { request: request.id, stage: "" };
        const onStage: OnStage = (stage, ...far) => {
          Object.assign(under, Object.assign(place, { stage }));
          reportStage?.(request.id, stage, ...far);
        };
        try {
          return await evaluate(request, components, { clock, signal, onStage });
        } catch (error) {
          if (signal.aborted) throw error;
          appendJsonLine(path("failures"), failureRecord(error, { at: clock.now(), ...place }));
          return undefined;
        }
      },
    });
    under.stage = "summary";
    table.compact();
    return { evaluated: asked, failed, resumed, ...writeSummary(batch, table.rows, path) };
  } catch (error) {
    writeDiagnosis(path("diagnosis"), error, { at: clock.now(), ...under }, batch);
    throw error;
  }
}

function writeSummary(
  { requests, seed, passedOver = 0, labels, measuredVerifier }: FolderBatch,
  stored: ReadonlyMap<string, Evaluation>,
  path: (name: keyof typeof BATCH_FILES) => string,
) {
  // A text's system may be named after its evaluation.
  const evaluations = requests.flatMap((request) => {
    const evaluation = stored.get(request.id);
    return evaluation === undefined ? [] : [{ ...evaluation, request }];
  });
  const counts = { requests: requests.length, passedOver };
  const { unfit, ...labelResults } = labels ? applyLabels(evaluations, labels) : {};
  const summary = batchSummary(evaluations, counts, randomSource(seed), {
    measuredVerifier,
    ...labelResults,
  });
  writeTextAtomic(path("summary"), `${JSON.stringify(summary, null, 2)}\n`);
  writeTextAtomic(path("report"), batchPage(evaluations, summary));
  writeTextAtomic(path("readable"), batchMarkdown(evaluations, summary));
  writeTextAtomic(path("claims"), claimsCsv(evaluations));
  writeTextAtomic(path("evaluations"), evaluationsCsv(evaluations));
  writeTextAtomic(path("judgements"), judgementsCsv(evaluations));
  if (unfit !== undefined) throw unfit;
  return { summary, evaluations };
}

/** Applies human labels. Labels of another batch are reported and do not stop the report. */
function applyLabels(evaluations: readonly Evaluation[], labels: Labels) {
  try {
    const corrected = unsupportedShares(evaluations, labels);
    return { corrected, truthOf: labelLookup(labels) };
  } catch (unfit) {
    return { unfit };
  }
}

/** Fields of a result that every version of Touchstone writes. */
const LINE = z.object({
  id: z.string(),
  contentSha256: z.string(),
  configurationSha256: z.string(),
  evaluation: z.looseObject({ schemaVersion: z.number() }),
});

/** Reads complete evaluations with the text they name; other versions are skipped. */
function readLines(path: string) {
  if (!existsSync(path)) return { rows: [], damaged: [] };
  return readJsonLines(path, (value) => {
    const { evaluation, ...line } = LINE.parse(value);
    if (evaluation.schemaVersion !== SCHEMA_VERSION) return { ...line, evaluation: undefined };
    const read = readEvaluation(evaluation, line.id);
    if (read.request.id === line.id && contentSha256(read.request) === line.contentSha256) {
      return { ...line, evaluation: read };
    }
    throw new RangeError("its text is another than the one that was evaluated");
  });
}

/**
 * Opens the results of a batch for continuation, one per line. Damaged lines, such as those of a
 * killed run, are moved to a separate file and evaluated again, as are results left incomplete by
 * another configuration. @throws {Error} where a request's text, or the configuration of a complete
 * result, has changed; the message gives a remedy and names the components `absent` now.
 */
export function openResults(
  path: string,
  requests: readonly EvaluationRequest[],
  configurationSha256: string,
  absent: readonly string[] = [],
): Pick<OpenTable<Evaluation>, "rows" | "put"> & { compact(): void } {
  const { rows: lines, damaged } = readLines(path);
  const hashes = new Map(requests.map((request) => [request.id, contentSha256(request)]));
  const rows = new Map<string, Evaluation>();
  for (const { id, evaluation, ...line } of lines) {
    const anew = `Choose another --out, or move ${shownPath(path)} away to begin anew.`;
    const refuse = (what: string, remedy = anew) =>
      new Error(`Cannot go on with ${shownPath(path)}: "${id}" was ${what}. ${remedy}`);
    if (evaluation === undefined) throw refuse("written by another version of Touchstone");
    if (line.configurationSha256 !== configurationSha256) {
      if (evaluation.failed.length > 0) continue;
      const other = "evaluated with another configuration";
      if (absent.length === 0) throw refuse(other);
      const again = "Run the same command again once they can be had.";
      throw refuse(
        `${other}, or with components that are missing now`,
        [...absent, again].join(" "),
      );
    }
    if ((hashes.get(id) ?? line.contentSha256) !== line.contentSha256) {
      throw refuse("evaluated with another text");
    }
    rows.set(id, evaluation);
  }
  if (damaged.length > 0) {
    // Saved separately before removal, so that a kill in between loses nothing.
    for (const line of damaged) appendJsonLine(path.replace(/(\.jsonl)?$/, ".damaged.jsonl"), line);
    const numbers = new Set(damaged.map(({ line }) => line));
    const intact = Deno.readTextFileSync(path).split("\n")
      .filter((text, index) => text !== "" && !numbers.has(index + 1));
    writeTextAtomic(path, intact.map((text) => `${text}\n`).join(""));
  }
  const known = new Set(lines.map(({ id }) => id));
  let isRepeated = known.size < lines.length;
  return {
    rows,
    put(evaluation) {
      const { id } = evaluation.request;
      const hashes = { contentSha256: contentSha256(evaluation.request), configurationSha256 };
      try {
        appendJsonLine(path, { id, ...hashes, evaluation: evaluationRecord(evaluation) });
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        const remedy =
          "What was written before is kept; make room, and run the same command again.";
        const place = `the result of "${id}" in ${shownPath(path)}`;
        throw new Error(`Cannot keep ${place}: ${why}. ${remedy}`, { cause });
      }
      isRepeated ||= known.has(id);
      known.add(id);
      rows.set(id, evaluation);
    },
    /** Keeps the newest line of each request, in order of first occurrence, atomically. */
    compact() {
      if (!isRepeated) return;
      const newest = new Map(
        splitLines(Deno.readFileSync(path)).filter(({ bytes }) => bytes.length > 0)
          .map(({ bytes }) => [LINE.parse(JSON.parse(decodeUtf8(bytes) ?? "")).id, bytes]),
      );
      const end = new Uint8Array([0x0a]);
      writeBytesAtomic(path, Buffer.concat([...newest.values()].flatMap((line) => [line, end])));
      isRepeated = false;
    },
  };
}

/** Shares components between concurrent evaluations within each judge's limit of calls. */
export function sharedComponents(components: EvaluationComponents): EvaluationComponents {
  const here = concurrencyLimiter(1);
  const through = <Of extends object>(component: Of, method: keyof Of, limit = here): Of => {
    const work = component[method] as (...asked: unknown[]) => Promise<unknown>;
    return {
      ...component,
      [method]: (...asked: unknown[]) => limit(() => work.apply(component, asked)),
    };
  };
  const { splitter, judges, consistency } = components;
  return {
    ...components,
    inTurn: here,
    splitter: through(splitter, "split"),
    judges: judges.map((judge) => through(judge, "judge", concurrencyLimiter(judge.concurrency))),
    consistency: consistency && {
      ...consistency,
      languageModel: consistency.languageModel && through(consistency.languageModel, "score"),
    },
  };
}

/** Limits concurrent work to `limit` (≥ 1); further work waits in order. */
function concurrencyLimiter(
  limit: number,
): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let free = limit;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
