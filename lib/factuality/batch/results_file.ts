import { z } from "zod";
import { writeTextAtomic } from "../../files/atomic.ts";
import { appendJsonLine, readJsonLines } from "../../files/jsonl.ts";
import { shownPath } from "../../files/shown_path.ts";
import type { Evaluation, EvaluationRequest } from "../evaluation/evaluation.ts";
import { evaluationRecord, readEvaluation } from "../report/json.ts";
import { SCHEMA_VERSION } from "../report/schema.ts";
import { contentSha256 } from "./request_hash.ts";

/** What every version of Touchstone writes. */
const LINE = z.object({
  id: z.string(),
  contentSha256: z.string(),
  configurationSha256: z.string(),
  evaluation: z.looseObject({ schemaVersion: z.number() }),
});

type ResultLine = z.infer<typeof LINE>;

/**
 * A line whose evaluation is whole; one of another version is not read any further.
 * @throws {Error} for what is none, or is no longer of the text that it names.
 */
function parseLine(value: unknown): ResultLine {
  const line = LINE.parse(value);
  if (line.evaluation.schemaVersion !== SCHEMA_VERSION) return line;
  const { request } = readEvaluation(line.evaluation, line.id);
  if (request.id === line.id && contentSha256(request) === line.contentSha256) return line;
  throw new RangeError("its text is another than the one that was evaluated");
}

/** The results of a batch, one a line, appended as they come. One process at a time may have it open. */
export interface ResultsFile {
  /** Ids of the requests that have a result. */
  readonly done: ReadonlySet<string>;
  /** Damaged lines that were set aside, such as one that a kill cut. */
  readonly damaged: number;
  /** Adds a result as one whole line in one write: when it returns, it survives the process. */
  append(evaluation: Evaluation): void;
}

/**
 * Opens the results of a batch to go on with it. Damaged lines are set aside beside it, and what
 * they held is evaluated again.
 * @throws {Error} where a request's text or the configuration has changed since; says what to do.
 */
export function openResults(
  path: string,
  requests: readonly EvaluationRequest[],
  configurationSha256: string,
): ResultsFile {
  const { lines, damaged } = readLines(path);
  const hashes = new Map(requests.map((request) => [request.id, contentSha256(request)]));
  for (const line of lines) checkLine(path, line, hashes, configurationSha256);
  if (damaged > 0) setAside(path);
  return {
    done: new Set(lines.map(({ id }) => id)),
    damaged,
    append(evaluation) {
      const { request } = evaluation;
      const line = {
        id: request.id,
        contentSha256: contentSha256(request),
        configurationSha256,
        evaluation: evaluationRecord(evaluation),
      };
      kept(path, request.id, () => appendJsonLine(path, line));
    },
  };
}

/**
 * Every whole evaluation of a results file, in its order; of a request that stands there twice the
 * first. None where there is no file.
 */
export function readResults(path: string): readonly Evaluation[] {
  const byId = new Map<string, Evaluation>();
  for (const { id, evaluation } of readLines(path).lines) {
    if (!byId.has(id)) byId.set(id, readEvaluation(evaluation, `${shownPath(path)}, ${id}`));
  }
  return [...byId.values()];
}

/** @throws {Error} naming file and request, where the disk is full or the file may not be written. */
function kept(path: string, id: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(
      `Cannot keep the result of "${id}" in ${
        shownPath(path)
      }: ${why}. What was written before is ` +
        "kept; make room, and run the same command again.",
      { cause },
    );
  }
}

function readLines(path: string): { lines: readonly ResultLine[]; damaged: number } {
  try {
    const { rows, damaged } = readJsonLines(path, parseLine);
    return { lines: rows, damaged: damaged.length };
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return { lines: [], damaged: 0 };
    throw error;
  }
}

function checkLine(
  path: string,
  line: ResultLine,
  hashes: ReadonlyMap<string, string>,
  configurationSha256: string,
): void {
  const instead = `Choose another --out, or move ${shownPath(path)} away to begin anew.`;
  const refuse = (what: string) =>
    new Error(`Cannot go on with ${shownPath(path)}: ${what} ${instead}`);
  if (line.evaluation.schemaVersion !== SCHEMA_VERSION) {
    throw refuse(`"${line.id}" was written by another version of Touchstone.`);
  }
  if (line.configurationSha256 !== configurationSha256) {
    throw refuse(`"${line.id}" was evaluated with another configuration.`);
  }
  const wanted = hashes.get(line.id);
  if (wanted !== undefined && wanted !== line.contentSha256) {
    throw refuse(`"${line.id}" was evaluated with another text.`);
  }
}

/** First kept beside the results, then taken out of them: a kill in between loses nothing. */
function setAside(path: string): void {
  const { damaged } = readJsonLines(path, parseLine);
  const beside = path.replace(/(\.jsonl)?$/, ".damaged.jsonl");
  for (const line of damaged) appendJsonLine(beside, line);
  const numbers = new Set(damaged.map(({ line }) => line));
  const kept = Deno.readTextFileSync(path).split("\n")
    .filter((text, index) => text !== "" && !numbers.has(index + 1));
  writeTextAtomic(path, kept.map((text) => `${text}\n`).join(""));
}
