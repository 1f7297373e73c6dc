import { sha256Hex } from "../files/checksum.ts";
import type { BatchRequest } from "../models/hosted/batch/request_lines.ts";
import type { PlannedCall } from "./evaluation_plan.ts";
import type { Question } from "./responses.ts";

/** What a batch would send for a call; the very body of a synchronous one. */
export type BodyOf = (call: PlannedCall) => object;

/** Longest readable part: with a dot and 16 digits behind it stays within Groq's 64 characters. */
const READABLE = 47;

/**
 * Names a question in a batch, the same on every machine and at any time: pair, order, and a hash
 * of the model and of all that is sent to it. An answer to the same pair worded otherwise, or
 * asked with other settings, has another name.
 */
export function customId({ model, pairId, order }: Question, body: object): string {
  const hash = sha256Hex(JSON.stringify([model, pairId, order, body])).slice(0, 16);
  return `${`${pairId}.${order}`.slice(0, READABLE)}.${hash}`;
}

/** The call as a line of a batch. */
export function batchRequest(call: PlannedCall, bodyOf: BodyOf): BatchRequest {
  const body = bodyOf(call);
  return { customId: customId(call.question, body), body };
}

/** The questions of some calls by their names in a batch. */
export function questionsById(
  calls: readonly PlannedCall[],
  bodyOf: BodyOf,
): ReadonlyMap<string, Question> {
  return new Map(calls.map((call) => [batchRequest(call, bodyOf).customId, call.question]));
}
