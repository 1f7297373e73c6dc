import type { OpenAI } from "openai";
import type { Generation, ServerEntry } from "../panel.ts";
import { bodyOf } from "./answer_body.ts";
import { clientsByKey } from "./clients_by_key.ts";
import { chatParameters, refusalOf, type ServerConnection } from "./openai_compatible.ts";
import { openAiClient } from "./openai_compatible_client.ts";

/** What a request asks for beside an answer, which not every server has. */
export type Extra = Pick<
  OpenAI.ChatCompletionCreateParamsNonStreaming,
  "response_format" | "logprobs" | "top_logprobs"
>;

/** What came of a request: `refused` where the server refused it with its extra. */
export type Completed<Result> =
  | { readonly kind: "read"; readonly value: Result }
  | { readonly kind: "refused" | "failure"; readonly message: string };

/** Asks for one completion, and reads its body; what `read` throws counts as a broken answer. */
export type Complete = <Result>(
  prompt: string,
  extra: Extra | undefined,
  read: (body: unknown) => Result,
  signal: AbortSignal | undefined,
) => Promise<Completed<Result>>;

/** Completions of a model on a server that speaks OpenAI's protocol. */
export function completionsOf(
  entry: ServerEntry,
  generation: Generation,
  { calls }: ServerConnection,
): Complete {
  const clientOf = clientsByKey((key) => openAiClient(key, entry.baseUrl));
  return async (prompt, extra, read, signal) => {
    const parameters = { ...chatParameters(entry, generation, prompt), ...extra };
    const result = await calls.call(entry.id, async (key, limit) => {
      try {
        const answer = await clientOf(key).chat.completions.create(parameters, { signal: limit });
        return { kind: "read", value: read(bodyOf(answer)) } as const;
      } catch (error) {
        const message = extra === undefined ? undefined : refusalOf(error, key);
        if (message === undefined) throw error;
        return { kind: "refused", message } as const;
      }
    }, signal ? { signal } : {});
    return result.kind === "done" ? result.value : { kind: "failure", message: result.message };
  };
}
