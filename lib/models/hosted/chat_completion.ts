import { Groq } from "groq-sdk";
import { OpenAI } from "openai";
import { z } from "zod";
import type { ChatModel, Reply } from "../model.ts";
import { type ApiKey, apiKey, KEYLESS } from "./api_keys.ts";
import { UnusableReply } from "./call_problem.ts";
import type { KeyedCalls } from "./keyed_calls.ts";

/** A hosted chat model. @param send Sends a question with a key and a limit of tokens; resolves to the body. */
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

/** Tokens as servers count them; 0 where what they say is no number of tokens. */
const TOKENS = z.number().min(0).max(1e9).transform(Math.round).catch(0);

/** A question as messages, after the system's where there is one. */
export const messagesOf = (systemPrompt: string | undefined, prompt: string) => [
  ...(systemPrompt === undefined ? [] : [{ role: "system" as const, content: systemPrompt }]),
  { role: "user" as const, content: prompt },
];

/** A part of a message's content: text, or thinking, which is no answer. */
const PART = z.looseObject({ type: z.string(), text: z.string().nullish() });

const textOf = (parts: readonly z.infer<typeof PART>[]): string =>
  parts.map(({ type, text }) => type.endsWith("text") ? text ?? "" : "").join("");

const COMPLETION = z.object({
  choices: z.array(z.object({
    finish_reason: z.string().nullish(),
    /** Reasoning in a field of its own is no answer; it only shows that the model is at work. */
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

/** A reply that was given, as against one that failed to come. */
type GivenReply = Exclude<Reply, { readonly kind: "failure" }>;

/**
 * Reads a chat completion: its text, tokens and whether it is known to be whole.
 *
 * Tokens include hidden reasoning. One without text, all tokens spent on reasoning, is an empty
 * answer.
 * @throws {UnusableReply} where it has no choice or no message, or is no completion at all.
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
 * Asks a model that wrote nothing another question, to see if it answers at all.
 *
 * A working model may be silent on some question, a broken one is silent on all. A reply that the
 * limit of tokens cut is left.
 * @throws {UnusableReply} where it writes nothing again.
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

/** The body of an answer; JSON under another content type, which an SDK leaves as text, is parsed. */
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
 * A server that sends it whole all the same has its body returned unchanged. @param onText called
 * with all that is written so far, as it comes.
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

/** Stands for the key of a server that asks for none: the SDK will not be made without. */
export const NO_KEY: ApiKey = apiKey(KEYLESS, "server-without-key");

/** An SDK as transport alone: tries, waits and headers are ours, independent of the environment. */
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
 * Makes a client of Groq. `baseUrl`: a stand-in's, in tests; null, for GROQ_BASE_URL must not lead
 * elsewhere.
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
