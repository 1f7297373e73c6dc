import type { JsonSchema, StructuredModel } from "../../models/structured_model.ts";
import { askWithin } from "./ask_within.ts";
import { type JsonAnswer, readJsonAnswer } from "./read_json_answer.ts";
import type { Provenance, Unscored, UnscoredReason } from "../verdicts/verdict.ts";

/** One question whose answer is a JSON object. */
export interface JsonQuestion {
  readonly prompt: string;
  readonly schema: JsonSchema;
  /** Keys in plain letters, one of which the answer must have. */
  readonly keys: readonly string[];
  /** Of the prompt's template. */
  readonly promptSha256: string;
  /** Ends the request; what was written by then is read. */
  readonly timeoutSeconds: number;
  readonly signal?: AbortSignal;
}

/** The answer as an object, or why there is none. */
export interface JsonReply {
  readonly provenance: Provenance;
  readonly answer: JsonAnswer | Unscored;
}

function provenanceOf({ name, settings }: StructuredModel, promptSha256: string): Provenance {
  const sha256 = settings["fileSha256"];
  return {
    producedBy: name,
    modelSha256: typeof sha256 === "string" ? sha256 : undefined,
    promptSha256,
  };
}

/**
 * Asks a model, and reads its answer leniently. A time-out, a refusal, a failure and an answer that
 * cannot be read are unscored, with what had come back.
 *
 * @throws the signal's reason when it aborts.
 */
export async function askInJson(
  model: StructuredModel,
  question: JsonQuestion,
): Promise<JsonReply> {
  const { prompt, schema, keys, timeoutSeconds, signal } = question;
  const provenance = provenanceOf(model, question.promptSha256);
  const unscored = (reason: UnscoredReason, message: string, partialText?: string): JsonReply => ({
    provenance,
    answer: { kind: "unscored", reason, message, partialText, provenance },
  });
  const timed = await askWithin(model, prompt, { schema, timeoutSeconds, signal });
  const { reply, timedOut } = timed;
  const late = `There was no whole answer within ${timeoutSeconds} s.`;
  if (reply.kind === "refusal") {
    return unscored("refusal", "The model declined to answer.", reply.text);
  }
  if (reply.kind === "failure") {
    return unscored(
      timedOut ? "time-out" : "failure",
      timedOut ? late : reply.message,
      reply.partialText,
    );
  }
  const read = readJsonAnswer(reply.text, keys, reply.ended, prompt);
  if (read.kind === "read") return { provenance, answer: read };
  return timedOut
    ? unscored("time-out", late, reply.text)
    : unscored("malformed answer", read.message, reply.text);
}
