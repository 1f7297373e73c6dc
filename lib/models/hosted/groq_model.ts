import type { ChatModel } from "../model.ts";
import type { Generation, GroqEntry } from "../panel.ts";
import { groqClient, hostedChat, messagesOf } from "./chat_completion.ts";
import type { KeyedCalls } from "./keyed_calls.ts";

/**
 * Chat model hosted by Groq. @param connection `baseUrl` replaces Groq's address, in tests only.
 */
export function groqModel(
  entry: GroqEntry,
  generation: Generation,
  { calls, baseUrl }: { readonly calls: KeyedCalls; readonly baseUrl?: string },
): ChatModel {
  const settings = groqSettings(entry, generation, baseUrl);
  return hostedChat(
    calls,
    { name: entry.id, settings, concurrency: calls.concurrency },
    (prompt, key, { signal, limitTimes }) => {
      const maxReplyTokens = generation.maxReplyTokens * limitTimes;
      const body = groqParameters(entry, { ...generation, maxReplyTokens }, prompt);
      return groqClient(key, baseUrl).chat.completions.create(body, { signal });
    },
  );
}

/**
 * Returns the request body of one question. Reasoning models differ: gpt-oss takes an effort from
 * low to high and can omit its reasoning. Qwen takes `none` or `default`, and its reasoning is
 * hidden by format.
 */
export function groqParameters(
  { id, model = id, reasoningEffort: effort }: GroqEntry,
  { temperature, maxReplyTokens, seed, systemPrompt, extraBody }: Generation,
  prompt: string,
) {
  return {
    model,
    messages: messagesOf(systemPrompt, prompt),
    ...temperature !== "default" && { temperature },
    max_completion_tokens: maxReplyTokens,
    ...seed !== undefined && { seed },
    ...(effort === "none" || effort === "default"
      ? { reasoning_effort: effort, reasoning_format: "hidden" as const }
      : effort && { reasoning_effort: effort, include_reasoning: false }),
    ...extraBody,
  };
}

/** Settings that a Groq model's answers depend on, without key and address. */
export function groqSettings(
  { id, model = id, reasoningEffort }: GroqEntry,
  { extraBody, limitName: _changesNoAnswer, ...generation }: Generation,
  baseUrl?: string,
): ChatModel["settings"] {
  const host = baseUrl === undefined ? "groq" : "stand-in";
  const extra = extraBody && { extraBody: JSON.stringify(extraBody) };
  const settings = { host, hostModel: model, ...generation, ...extra };
  return reasoningEffort ? { ...settings, reasoningEffort } : settings;
}
