import type { JsonSchema, StructuredModel } from "../../models/structured_model.ts";
import type { ParseStatus, Provenance, Unscored, UnscoredReason } from "../verdicts/verdict.ts";
import { askWithin } from "./ask_within.ts";
import type { Ended, MalformedAnswer } from "./read_json_answer.ts";

/** What an answer was read as. */
interface ReadAnswer {
  readonly kind: "read";
  readonly parse: Exclude<ParseStatus, "not parsed">;
}

/** One question whose answer is a JSON object. */
export interface JsonQuestion<Read extends ReadAnswer> {
  readonly prompt: string;
  readonly schema: JsonSchema;
  /** Of the answer. */
  readonly provenance: Provenance;
  /** Ends the request; what was written by then is read. */
  readonly timeoutSeconds: number;
  readonly signal: AbortSignal | undefined;
  /** Reads a text of which it is known how it ended; `prompt` is what was asked. */
  read(text: string, ended: Ended, prompt: string): Read | MalformedAnswer;
}

/** What is known of a model and the prompt that it was asked by. */
export function provenanceOf(
  { name, settings }: StructuredModel,
  promptSha256: string,
): Provenance {
  const sha256 = settings["fileSha256"];
  const modelSha256 = typeof sha256 === "string" ? sha256 : undefined;
  return { producedBy: name, modelSha256, promptSha256 };
}

/**
 * Asks a model, and reads its answer leniently. A time-out, a refusal, a failure and an answer that
 * cannot be read are unscored, with what had come back. What was whole when time ran out counts,
 * marked as partial.
 *
 * @throws the signal's reason when it aborts.
 */
export async function askInJson<Read extends ReadAnswer>(
  model: StructuredModel,
  { prompt, schema, provenance, timeoutSeconds, signal, read }: JsonQuestion<Read>,
): Promise<Read | Unscored> {
  const unscored = (reason: UnscoredReason, message: string, partialText?: string): Unscored => ({
    ...{ kind: "unscored", reason, message, partialText, provenance },
  });
  const { reply, timedOut } = await askWithin(model, prompt, { schema, timeoutSeconds, signal });
  if (reply.kind === "refusal") {
    return unscored("refusal", "The model refused to answer.", reply.text);
  }
  if (timedOut) {
    const text = reply.kind === "failure" ? reply.partialText : reply.text;
    const found = read(text ?? "", "stopped", prompt);
    if (found.kind === "read") return { ...found, parse: "partial" };
    return unscored("time-out", `No whole answer within ${timeoutSeconds} s.`, text);
  }
  if (reply.kind === "failure") return unscored("failure", reply.message, reply.partialText);
  const found = read(reply.text, reply.ended, prompt);
  if (found.kind === "read") return found;
  return unscored("malformed answer", found.message, reply.text);
}
