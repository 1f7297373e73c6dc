import type { JsonSchema, StructuredModel } from "../../models/structured_model.ts";
import { type JsonAnswer, readJsonAnswer } from "../judges/read_json_answer.ts";
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

/** Aborts with the signal, and when time is up; leaves no timer behind once it is disposed of. */
function timeLimit(seconds: number, signal: AbortSignal | undefined) {
  const controller = new AbortController();
  const stop = () => controller.abort(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(() => controller.abort(), seconds * 1000);
  return {
    signal: controller.signal,
    isOver: () => controller.signal.aborted,
    [Symbol.dispose]() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", stop);
    },
  };
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
  signal?.throwIfAborted();
  const provenance = provenanceOf(model, question.promptSha256);
  const unscored = (reason: UnscoredReason, message: string, partialText?: string): JsonReply => ({
    provenance,
    answer: { kind: "unscored", reason, message, partialText, provenance },
  });
  using limit = timeLimit(timeoutSeconds, signal);
  const reply = await model.ask(prompt, { schema, signal: limit.signal });
  signal?.throwIfAborted();
  const late = `There was no whole answer within ${timeoutSeconds} s.`;
  if (reply.kind === "refusal") {
    return unscored("refusal", "The model declined to answer.", reply.text);
  }
  if (reply.kind === "failure") {
    return limit.isOver()
      ? unscored("time-out", late, reply.partialText)
      : unscored("failure", reply.message, reply.partialText);
  }
  const read = readJsonAnswer(reply.text, keys, reply.ended);
  if (read.kind === "read") return { provenance, answer: read };
  return reply.ended === "stopped"
    ? unscored("time-out", late, reply.text)
    : unscored("malformed answer", read.message, reply.text);
}
