import { Groq } from "groq-sdk";
import { OpenAI } from "openai";
import { z } from "zod";
import type { ChatModel, Reply } from "../model.ts";
import { type ApiKey, apiKey, KEYLESS } from "./api_keys.ts";
import { UnusableReply } from "./call_problem.ts";
import type { KeyedCalls } from "./keyed_calls.ts";

/**
 * Returns a hosted chat model. @param send Sends a question with a key; `limitTimes` is a factor on
 * the token limit. Resolves to the response body.
 */
export function hostedChat(
  calls: KeyedCalls,
  model: Pick<ChatModel, "name" | "settings" | "concurrency">,
  send: (
    prompt: string,
    key: ApiKey,
    options: { readonly signal: AbortSignal; readonly limitTimes: number },
  ) => Promise<unknown>,
): ChatModel {
  return {
    ...model,
    async ask(prompt, { signal, limitTimes = 1 } = {}) {
      const result = await calls.call(
        model.name,
        async (key, limit) => {
          const ask = async (words: string) =>
            bodyOf(await send(words, key, { signal: limit, limitTimes }));
          const body = await ask(prompt);
          await assertAnswers(body, ask);
          return readCompletion(body);
        },
        { signal },
      );
      return result.kind === "done" ? result.value.reply : result;
    },
  };
}

/** Number of tokens reported by a server; 0 if invalid. */
const TOKENS = z.number().min(0).max(1e9).transform(Math.round).catch(0);

/** Returns a question as messages, preceded by the system prompt, if any. */
export const messagesOf = (systemPrompt: string | undefined, prompt: string) => [
  ...(systemPrompt === undefined ? [] : [{ role: "system" as const, content: systemPrompt }]),
  { role: "user" as const, content: prompt },
];

/** A part of a message's content. Only text is part of the answer, thinking is not. */
const PART = z.looseObject({ type: z.string(), text: z.string().nullish() });

const textOf = (parts: readonly z.infer<typeof PART>[]): string =>
  parts.map(({ type, text }) => type.endsWith("text") ? text ?? "" : "").join("");

const COMPLETION = z.object({
  choices: z.array(z.object({
    finish_reason: z.string().nullish(),
    /** Separate reasoning is not part of the answer. It only shows that the model works. */
    message: z.object({
      content: z.union([z.string(), z.array(PART).transform(textOf)]).nullish(),
      refusal: z.string().nullish(),
      reasoning: z.string().nullish().catch(null),
      reasoning_content: z.string().nullish().catch(null),
    }),
  })).min(1),
  usage: z.object({ prompt_tokens: TOKENS, completion_tokens: TOKENS })
    .catch({ prompt_tokens: 0, completion_tokens: 0 }),
});

/** A reply other than a failure. */
type GivenReply = Exclude<Reply, { readonly kind: "failure" }>;

/**
 * Parses a chat completion: reply, tokens, and whether it is complete.
 *
 * The number of tokens includes hidden reasoning. A completion with reasoning only is an empty
 * answer.
 * @throws {UnusableReply} without a choice or message, or for any other body.
 */
export function readCompletion(body: unknown) {
  const result = COMPLETION.safeParse(body);
  if (!result.success) throw new UnusableReply(describe(body, result.error));
  const { choices: [choice], usage } = result.data;
  const { message: { content, refusal }, finish_reason: end } = choice!;
  const { prompt_tokens: promptTokens, completion_tokens: replyTokens } = usage;
  const refused = refusal ||
    (end === "content_filter" && (content || "the host's filter held the answer back"));
  const reply: GivenReply = refused ? { kind: "refusal", text: refused } : {
    ...{ kind: "answer", text: content ?? "", promptTokens, replyTokens },
    ...(end === "length" && { isCut: true }),
  };
  return { reply, isWhole: end === "stop" };
}

const CONTROL = "Reply with the word yes.";

/**
 * Tests a model that returned no text with a control question.
 *
 * A working model may be silent on some question, a broken one is silent on all. Replies at the
 * token limit are not tested.
 * @throws {UnusableReply} if it returns no text again.
 */
export async function assertAnswers(
  body: unknown,
  ask: (prompt: string) => Promise<unknown>,
): Promise<void> {
  if (isSilent(body) && isSilent(await ask(CONTROL))) {
    throw new UnusableReply(`no words, neither to the question nor to "${CONTROL}"`);
  }
}

function isSilent(body: unknown): boolean {
  const { choices: [choice] } = COMPLETION.safeParse(body).data ?? { choices: [] };
  if (choice === undefined || /^(?:length|content_filter)$/.test(choice.finish_reason ?? "")) {
    return false;
  }
  const { content, refusal, reasoning, reasoning_content: thought } = choice.message;
  return [content, refusal, reasoning, thought].every((text) => (text ?? "").trim() === "");
}

function describe(body: unknown, error: z.ZodError): string {
  if (typeof body === "string") {
    return /<html|<!doctype/i.test(body) ? "an HTML page" : "text that is no JSON";
  }
  // Some servers say with status 200 why they do not answer.
  const refused = z.object({ error: z.object({ message: z.string() }) }).safeParse(body);
  if (refused.success) return refused.data.error.message;
  const [issue] = error.issues;
  return `${issue?.path.join(".") || "the body"}: ${issue?.message ?? "no chat completion"}`;
}

/**
 * Returns the body of a response. JSON under another content type, which an SDK returns as text, is
 * parsed.
 */
export function bodyOf(answer: unknown): unknown {
  if (typeof answer !== "string") return answer;
  try {
    return JSON.parse(answer);
  } catch {
    return answer;
  }
}

/** A chunk of a streamed answer. */
const PIECE = z.object({
  choices: z.array(z.object({
    finish_reason: z.string().nullish(),
    delta: z.record(z.string(), z.unknown()).default({}),
    logprobs: z.object({ content: z.array(z.unknown()).nullish() }).nullish(),
  })),
});

/**
 * Assembles the body of a streamed completion.
 *
 * If the server does not stream, its body is returned unchanged.
 * @param onText Receives the complete text so far with every chunk.
 * @throws {UnusableReply} where the stream breaks off.
 */
export async function streamedCompletion(
  response: Response,
  onText: (text: string) => void,
): Promise<unknown> {
  const type = response.headers.get("content-type") ?? "";
  if (!type.includes("event-stream") || response.body === null) return await response.text();
  const message: Record<string, string> = {};
  const tokens: unknown[] = [];
  let [rest, end] = ["", undefined as string | undefined];
  for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + text).split(/\r?\n/);
    rest = lines.pop()!;
    for (const line of lines) {
      const data = /^data:\s*(.*)$/.exec(line)?.[1];
      if (data === undefined) continue;
      if (data === "[DONE]") {
        end ??= "";
        continue;
      }
      const event = bodyOf(data);
      const piece = PIECE.safeParse(event);
      // Some servers say within the stream why they stop.
      if (!piece.success) return event;
      const [choice] = piece.data.choices;
      for (const [key, value] of Object.entries(choice?.delta ?? {})) {
        if (typeof value === "string" && key !== "role") {
          message[key] = (message[key] ?? "") + value;
        }
      }
      tokens.push(...choice?.logprobs?.content ?? []);
      end = choice?.finish_reason ?? end;
      if (message["content"] !== undefined) onText(message["content"]);
    }
  }
  if (end === undefined) throw new UnusableReply("a stream that broke off");
  const finish_reason = end === "" ? null : end;
  const logprobs = tokens.length === 0 ? null : { content: tokens };
  return { choices: [{ message, finish_reason, logprobs }] };
}

/** Placeholder key for servers without keys, because the SDK requires one. */
export const NO_KEY: ApiKey = apiKey(KEYLESS, "server-without-key");

/**
 * Options that reduce an SDK to transport. Attempts, waits and headers are handled here,
 * independent of the environment.
 */
const transport = (key: ApiKey) => ({
  apiKey: key.reveal(),
  maxRetries: 0,
  timeout: 86_400_000,
  logLevel: "off" as const,
  fetch: (input: string | URL | Request, init?: RequestInit) => {
    const headers = {
      accept: "application/json, */*;q=0.5",
      authorization: `Bearer ${key.reveal()}`,
      "content-type": "application/json",
    };
    // Who is sent elsewhere hears of it: a redirected question is another question, asked of another host.
    return fetch(input, { ...init, headers, redirect: "manual" });
  },
});

/**
 * Makes a Groq client. `baseUrl` is a fake server's in tests. By default it is null, so that
 * GROQ_BASE_URL has no effect.
 */
export function groqClient(key: ApiKey, baseUrl?: string): Groq {
  return new Groq({ ...transport(key), baseURL: baseUrl ?? null });
}

/** Makes a client without the environment variables that would identify the caller (OPENAI_ORG_ID …). */
export function openAiClient(key: ApiKey, baseURL: string): OpenAI {
  const withoutAccount = {
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
  };
  return new OpenAI({ ...transport(key), baseURL, ...withoutAccount });
}
