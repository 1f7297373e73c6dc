import type { Reply } from "../model.ts";
import { bodyOf } from "./answer_body.ts";
import type { ApiKey } from "./api_keys.ts";
import { readCompletion } from "./chat_completion.ts";
import type { KeyedCalls } from "./keyed_calls.ts";

/**
 * Asks one question and reads what comes back, of whatever host.
 * @param request Sends it with a key; resolves to the body.
 */
export async function askChat(
  calls: KeyedCalls,
  model: string,
  request: (key: ApiKey, signal: AbortSignal) => Promise<unknown>,
  signal?: AbortSignal,
): Promise<Reply> {
  const result = await calls.call(
    model,
    async (key, limit) => readCompletion(bodyOf(await request(key, limit))),
    { tokensOf: (completion) => completion, ...(signal ? { signal } : {}) },
  );
  return result.kind === "done" ? result.value.reply : result;
}
