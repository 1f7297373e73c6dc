import type { ChatModel } from "../model.ts";
import type { Generation, GroqEntry } from "../panel.ts";
import type { ApiKey } from "./api_keys.ts";
import { askChat } from "./ask_chat.ts";
import { clientsByKey } from "./clients_by_key.ts";
import { groqClient } from "./groq_client.ts";
import type { KeyedCalls } from "./keyed_calls.ts";

/** How Groq is reached. */
export interface GroqConnection {
  readonly calls: KeyedCalls;
  /** The stand-in's address, in tests only; Groq's own where left out. */
  readonly baseUrl?: string;
}

/** What one question sends, as Groq's protocol names it. */
export interface ChatParameters {
  readonly model: string;
  readonly messages: { readonly role: "user"; readonly content: string }[];
  readonly temperature: number;
  readonly max_completion_tokens: number;
  readonly reasoning_effort?: NonNullable<GroqEntry["reasoningEffort"]>;
  readonly include_reasoning?: false;
  readonly reasoning_format?: "hidden";
}

/**
 * The body of one question, the same for a call and for a line of a batch. Hidden reasoning is not
 * sent along, in whichever way the model's family has it.
 */
export function groqParameters(
  entry: GroqEntry,
  { temperature, maxReplyTokens }: Generation,
  prompt: string,
): ChatParameters {
  return {
    model: entry.model ?? entry.id,
    messages: [{ role: "user", content: prompt }],
    temperature,
    max_completion_tokens: maxReplyTokens,
    ...reasoningParameters(entry.reasoningEffort),
  };
}

/** gpt-oss knows low, medium and high; Qwen none and default, and hides by another name. */
function reasoningParameters(effort: GroqEntry["reasoningEffort"]): Partial<ChatParameters> {
  if (effort === undefined) return {};
  return effort === "none" || effort === "default"
    ? { reasoning_effort: effort, reasoning_format: "hidden" }
    : { reasoning_effort: effort, include_reasoning: false };
}

/** What a Groq model's answers depend on: no key and no address is among it. */
export function groqSettings(
  entry: GroqEntry,
  { temperature, maxReplyTokens }: Generation,
  baseUrl?: string,
): ChatModel["settings"] {
  const { reasoningEffort } = entry;
  return {
    // A stand-in's answers must never pass for the host's.
    host: baseUrl === undefined ? "groq" : "stand-in",
    hostModel: entry.model ?? entry.id,
    temperature,
    maxReplyTokens,
    ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
  };
}

/** A model that Groq serves, asked through its SDK with keys that take turns. */
export function groqModel(
  entry: GroqEntry,
  generation: Generation,
  { calls, baseUrl }: GroqConnection,
): ChatModel {
  const clientOf = clientsByKey((key) => groqClient(key, baseUrl));
  return {
    name: entry.id,
    settings: groqSettings(entry, generation, baseUrl),
    ...(calls.concurrency === undefined ? {} : { concurrency: calls.concurrency }),
    ask(prompt, { signal } = {}) {
      const parameters = groqParameters(entry, generation, prompt);
      const request = (key: ApiKey, limit: AbortSignal) =>
        clientOf(key).chat.completions.create(parameters, { signal: limit });
      return askChat(calls, entry.id, request, signal);
    },
  };
}
