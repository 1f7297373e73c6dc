import type { ChatModel, StructuredModel } from "../model.ts";
import type { Generation, GroqEntry } from "../panel.ts";
import { askChat } from "./chat_completion.ts";
import { clientsByKey, groqClient } from "./clients.ts";
import type { KeyedCalls } from "./keyed_calls.ts";

/** How Groq is reached. */
interface GroqConnection {
  readonly calls: KeyedCalls;
  /** The stand-in's address, in tests only; Groq's own where left out. */
  readonly baseUrl?: string;
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
      const body = groqParameters(entry, generation, prompt);
      return askChat(
        calls,
        entry.id,
        (key, limit) => clientOf(key).chat.completions.create(body, { signal: limit }),
        signal,
      );
    },
  };
}

/** What one question sends, as Groq's protocol names it. */
interface ChatParameters {
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
 * sent along: gpt-oss knows low, medium and high; Qwen none and default, and hides by another name.
 */
export function groqParameters(
  { id, model = id, reasoningEffort: effort }: GroqEntry,
  { temperature, maxReplyTokens }: Generation,
  prompt: string,
): ChatParameters {
  const asked: ChatParameters = {
    model,
    messages: [{ role: "user", content: prompt }],
    temperature,
    max_completion_tokens: maxReplyTokens,
  };
  if (effort === undefined) return asked;
  return effort === "none" || effort === "default"
    ? { ...asked, reasoning_effort: effort, reasoning_format: "hidden" }
    : { ...asked, reasoning_effort: effort, include_reasoning: false };
}

/** What a Groq model's answers depend on: no key and no address is among it. */
export function groqSettings(
  { id, model = id, reasoningEffort }: GroqEntry,
  { temperature, maxReplyTokens }: Generation,
  baseUrl?: string,
): ChatModel["settings"] {
  return {
    // A stand-in's answers must never pass for the host's.
    host: baseUrl === undefined ? "groq" : "stand-in",
    hostModel: model,
    temperature,
    maxReplyTokens,
    ...(reasoningEffort && { reasoningEffort }),
  };
}

/**
 * A chat model as one that writes JSON because its prompt says so; whether it does is for the reader
 * to see. How its text ended is not known, so one without a closing brace counts as cut off.
 */
export function hostedStructuredModel(chat: ChatModel): StructuredModel {
  return {
    name: chat.name,
    settings: { ...chat.settings, responseFormat: "none" },
    concurrency: chat.concurrency ?? 1,
    async ask(prompt, { signal } = {}) {
      const reply = await chat.ask(prompt, signal ? { signal } : {});
      if (reply.kind === "failure") return { ...reply, partialText: undefined };
      if (reply.kind === "refusal") return reply;
      const ended = reply.text.trimEnd().endsWith("}") ? "complete" : "length";
      return { kind: "answer", text: reply.text, ended };
    },
  };
}
