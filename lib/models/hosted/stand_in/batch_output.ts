import { z } from "zod";
import { answerChoice, chatBody, statusBody } from "./bodies.ts";
import { BATCH_LINE } from "./request_shapes.ts";
import type { StandInCall } from "./behaviour.ts";
import { halfOf } from "./broken_bodies.ts";

/** What becomes of one line of a batch. */
export type LineFate =
  | "answered"
  /** In no file. */
  | "missing"
  | "twice"
  /** Half of its line in the output, and a new line behind it. */
  | "cut"
  /** Once as it should be, once more under a name that nobody gave. */
  | "unknown name too"
  /** In the error file with such a status. */
  | { readonly status: number };

export interface BatchLine {
  readonly customId: string;
  readonly model: string;
  readonly prompt: string;
}

/** What a finished batch leaves behind, as JSON Lines; an empty text stands for no file. */
export interface BatchFiles {
  readonly output: string;
  readonly errors: string;
  readonly total: number;
  readonly completed: number;
}

/** @throws {SyntaxError} naming the line that is no request. */
export function parseBatchLines(text: string): readonly (BatchLine & { readonly body: unknown })[] {
  return text.split("\n").filter((line) => line !== "").map((line, index) => {
    const parsed = BATCH_LINE.safeParse(JSON.parse(line));
    if (!parsed.success) {
      throw new SyntaxError(`line ${index + 1} is no request: ${z.prettifyError(parsed.error)}`);
    }
    const { custom_id, body } = parsed.data;
    const prompt = body.messages.at(-1)?.content ?? "";
    return { customId: custom_id, model: body.model, prompt, body };
  });
}

/** Answers every line as its fate says. */
export function runBatch(
  text: string,
  key: string,
  answer: (call: StandInCall) => string,
  fate: (line: BatchLine) => LineFate,
): BatchFiles {
  const output: string[] = [];
  const errors: string[] = [];
  const lines = parseBatchLines(text);
  for (const [index, { body, ...line }] of lines.entries()) {
    const call = { ...line, key, number: index + 1, asked: 1, at: 0, body };
    const answered = outputLine(line.customId, call, answer(call));
    const becomes = fate(line);
    if (typeof becomes === "object") errors.push(errorLine(line.customId, becomes.status));
    else output.push(...written(answered, becomes));
  }
  const join = (parts: readonly string[]) => parts.map((line) => `${line}\n`).join("");
  const [total, completed] = [lines.length, lines.length - errors.length];
  return { output: join(output), errors: join(errors), total, completed };
}

function written(line: string, fate: Exclude<LineFate, object>): readonly string[] {
  switch (fate) {
    case "answered":
      return [line];
    case "missing":
      return [];
    case "twice":
      return [line, line];
    case "cut":
      return [halfOf(line)];
    case "unknown name too":
      return [line, line.replace(/"custom_id":"[^"]*"/, '"custom_id":"nobody-asked"')];
  }
}

function outputLine(customId: string, call: StandInCall, text: string): string {
  const body = chatBody(call, [answerChoice({ kind: "answer" }, text)], text);
  const response = { status_code: 200, request_id: `req_${call.number}`, body };
  return JSON.stringify({
    id: `batch_req_${call.number}`,
    custom_id: customId,
    response,
    error: null,
  });
}

function errorLine(customId: string, status: number): string {
  const response = { status_code: status, request_id: "req", body: statusBody(status) };
  return JSON.stringify({ id: "batch_req", custom_id: customId, response, error: null });
}
