import type { OpenAI } from "openai";
import { z } from "zod";
import type {
  ChatModel,
  JsonSchema,
  LanguageModel,
  NextWordModel,
  NextWordReply,
  NextWords,
  StructuredModel,
  StructuredReply,
} from "../model.ts";
import type { Generation, ServerEntry } from "../panel.ts";
import { type ApiKey, withoutSecrets } from "./api_keys.ts";
import { readStatus, statusError, UnusableReply } from "./call_problem.ts";
import { askChat, bodyOf, readCompletion } from "./chat_completion.ts";
import { clientsByKey, openAiClient } from "./clients.ts";
import type { KeyedCalls } from "./keyed_calls.ts";
import {
  type AskCompletion,
  serverLikelihood,
  UnusableEcho,
} from "./openai_compatible_likelihood.ts";

/** How a server is reached: calls with its one key, or with `NO_KEY`. */
interface ServerConnection {
  readonly calls: KeyedCalls;
}

/** A server's model in the roles of its panel entry. */
export interface ServerModel {
  readonly name: string;
  readonly chat: ChatModel | undefined;
  readonly likelihood: LanguageModel | undefined;
}

/**
 * A model on any server that speaks OpenAI's protocol: vLLM, Ray Serve LLM, llama.cpp's server,
 * Ollama. `generation` is needed for chat alone.
 */
export function serverModel(
  entry: ServerEntry,
  generation: Generation,
  connection: ServerConnection,
): ServerModel {
  const { id, roles } = entry;
  return {
    name: id,
    chat: roles.includes("chat") ? chat(entry, generation, connection) : undefined,
    likelihood: roles.includes("likelihood") ? likelihood(entry, connection) : undefined,
  };
}

/** The address is no setting: the same model gives the same answers from another machine. */
function hostSettings({ id, model = id }: ServerEntry): ChatModel["settings"] {
  return { host: "openai-compatible", hostModel: model };
}

function chatSettings(entry: ServerEntry, generation: Generation): ChatModel["settings"] {
  const { reasoningEffort } = entry;
  return { ...hostSettings(entry), ...generation, ...(reasoningEffort && { reasoningEffort }) };
}

/** What one question sends. */
function chatParameters(
  { id, model = id, reasoningEffort: effort }: ServerEntry,
  { temperature, maxReplyTokens }: Generation,
  prompt: string,
): OpenAI.ChatCompletionCreateParamsNonStreaming {
  return {
    model,
    messages: [{ role: "user", content: prompt }],
    temperature,
    // The newer name, max_completion_tokens, is not known to every server.
    max_tokens: maxReplyTokens,
    // OpenAI has no `default`: it is what a request without effort gets.
    ...(effort && { reasoning_effort: effort === "default" ? null : effort }),
  };
}

function chat(entry: ServerEntry, generation: Generation, { calls }: ServerConnection): ChatModel {
  const clientOf = clientsByKey((key) => openAiClient(key, entry.baseUrl));
  return {
    name: entry.id,
    settings: chatSettings(entry, generation),
    concurrency: entry.concurrency,
    ask(prompt, { signal } = {}) {
      const body = chatParameters(entry, generation, prompt);
      return askChat(
        calls,
        entry.id,
        (key, limit) => clientOf(key).chat.completions.create(body, { signal: limit }),
        signal,
      );
    },
  };
}

function likelihood(entry: ServerEntry, { calls }: ServerConnection): LanguageModel {
  const clientOf = clientsByKey((key) => openAiClient(key, entry.baseUrl));
  const ask: AskCompletion = async (request, signal) => {
    const parameters = { ...request, model: entry.model ?? entry.id };
    const result = await calls.call(entry.id, async (key, limit) => {
      try {
        const sent = clientOf(key).completions.create(parameters, { signal: limit });
        const body = bodyOf(await sent);
        // What is no JSON is a proxy's page, and worth another try.
        if (typeof body === "string") throw new UnusableReply("text that is no JSON");
        return body;
      } catch (error) {
        const words = refusalOf(error, key);
        if (words === undefined) throw error;
        return new UnusableEcho(`refuses to echo a text (${words})`);
      }
    }, signal ? { signal } : {});
    if (result.kind === "failure") {
      signal?.throwIfAborted();
      throw new Error(result.message);
    }
    if (result.value instanceof UnusableEcho) throw result.value;
    return result.value;
  };
  return serverLikelihood({
    name: entry.id,
    server: `the server at ${new URL(entry.baseUrl).host}`,
    settings: hostSettings(entry),
    startToken: entry.startToken,
    ask,
    // A pair is two requests.
    concurrency: Math.ceil(entry.concurrency / 2),
  });
}

/** A request, or a path, that the server does not know; not a model that it does not have. */
const REFUSALS = new Set([400, 404, 405, 422, 501]);

/** The words of a refusal that to ask again would not change; undefined for other errors. */
function refusalOf(error: unknown, key: ApiKey): string | undefined {
  const clean = (text: string) => withoutSecrets(text, [key]);
  const answered = statusError(error, clean);
  if (answered === undefined || !REFUSALS.has(answered.status)) return undefined;
  const context = { host: "the server", modelRemedy: "", clean, now: 0 };
  if (readStatus(answered, context).kind !== "refused") return undefined;
  return `${answered.status} ${answered.message}`;
}

/** What a request asks for beside an answer, which not every server has. */
type Extra = Pick<
  OpenAI.ChatCompletionCreateParamsNonStreaming,
  "response_format" | "logprobs" | "top_logprobs"
>;

/** What came of a request: `refused` where the server refused it. */
type Completed<Result> =
  | { readonly kind: "read"; readonly value: Result }
  | { readonly kind: "refused" | "failure"; readonly message: string };

/**
 * Asks for completions with an extra, and from the first refusal on without it, if that helped: a
 * server that refuses both refuses the prompt. What `read` throws counts as a broken answer.
 */
function asksWithExtra(entry: ServerEntry, generation: Generation, { calls }: ServerConnection) {
  const clientOf = clientsByKey((key) => openAiClient(key, entry.baseUrl));
  const complete = async <Result>(
    prompt: string,
    extra: Extra | undefined,
    read: (body: unknown) => Result,
    signal: AbortSignal | undefined,
  ): Promise<Completed<Result>> => {
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
  let takesExtra = true;
  return async <Result>(
    prompt: string,
    extra: Extra | undefined,
    read: (body: unknown) => Result,
    signal: AbortSignal | undefined,
  ): Promise<Completed<Result>> => {
    const first = await complete(prompt, takesExtra ? extra : undefined, read, signal);
    if (first.kind !== "refused" || signal?.aborted) return first;
    const plain = await complete(prompt, undefined, read, signal);
    if (plain.kind === "read") takesExtra = false;
    return plain;
  };
}

/**
 * A model on a server that speaks OpenAI's protocol, asked for JSON by `response_format`. A server
 * that refuses the format is asked without it from then on; the prompt says what is wanted anyway.
 * Nothing is streamed: a request that is stopped has no partial text.
 */
export function structuredServer(
  entry: ServerEntry,
  generation: Generation,
  connection: ServerConnection,
): StructuredModel {
  const ask = asksWithExtra(entry, generation, connection);
  const replyIn = (body: unknown): StructuredReply => {
    const { reply, isWhole } = readCompletion(body);
    if (reply.kind === "refusal") return reply;
    return { kind: "answer", text: reply.text, ended: isWhole ? "complete" : "length" };
  };
  return {
    name: entry.id,
    settings: {
      ...chatSettings(entry, generation),
      responseFormat: "json_schema where the server takes it",
    },
    concurrency: entry.concurrency,
    async ask(prompt, { schema, signal } = {}) {
      const format = schema && { response_format: formatOf(schema) };
      const completed = await ask(prompt, format, replyIn, signal);
      if (completed.kind === "read") return completed.value;
      return { kind: "failure", message: completed.message, partialText: undefined };
    },
  };
}

function formatOf(schema: JsonSchema): OpenAI.ResponseFormatJSONSchema {
  return {
    type: "json_schema",
    json_schema: { name: "answer", strict: true, schema: strictSchema(schema) },
  };
}

/** The schema as OpenAI's strict mode wants it: every key required, no other allowed. */
function strictSchema(schema: JsonSchema): Record<string, unknown> {
  if ("enum" in schema) {
    const type = schema.enum.every(Number.isInteger) ? "integer" : "string";
    return { type, enum: [...schema.enum] };
  }
  if (schema.type === "array") return { ...schema, items: strictSchema(schema.items) };
  if (schema.type !== "object") return { ...schema };
  const entries = Object.entries(schema.properties);
  return {
    type: "object",
    properties: Object.fromEntries(entries.map(([key, value]) => [key, strictSchema(value)])),
    required: entries.map(([key]) => key),
    additionalProperties: false,
  };
}

/** As many as OpenAI's protocol allows. */
const PROBABILITIES = { logprobs: true, top_logprobs: 20 };

/** With room for "**Yes**" and the like where a server gives no probabilities. */
const ONE_WORD = { temperature: 0, maxReplyTokens: 8 };

/**
 * A model on a server that speaks OpenAI's protocol, read by the log-probabilities of its first token
 * (the 20 most probable). A server that gives none is read by the word that it writes, which counts 1:
 * there is nothing to calibrate then but a label. Temperature 0.
 */
export function serverNextWord(entry: ServerEntry, connection: ServerConnection): NextWordModel {
  const ask = asksWithExtra(entry, ONE_WORD, connection);
  return {
    name: entry.id,
    settings: {
      ...hostSettings(entry),
      ...ONE_WORD,
      readout: "first token's log-probabilities, else the word that is written",
    },
    concurrency: entry.concurrency,
    async nextWord(prompt, words, { signal } = {}) {
      const read = (body: unknown) => massOf(body, words) ?? wordOf(body, words);
      const completed = await ask(prompt, PROBABILITIES, read, signal);
      signal?.throwIfAborted();
      if (completed.kind === "read") return completed.value;
      return { kind: "failure", message: completed.message };
    },
  };
}

const TOP = z.object({
  choices: z.array(z.object({
    logprobs: z.object({
      content: z.array(z.object({
        top_logprobs: z.array(z.object({ token: z.string(), logprob: z.number() })).min(1),
      })).min(1),
    }),
  })).min(1),
});

function isOneOf(text: string, words: readonly string[]): boolean {
  const plain = (word: string) => word.trim().toLowerCase();
  return words.some((word) => plain(word) === plain(text));
}

/** From the probabilities of the first token, those that the server tells. */
function massOf(body: unknown, { yes, no }: NextWords): NextWordReply | undefined {
  const top = TOP.safeParse(body).data?.choices[0]?.logprobs.content[0]?.top_logprobs;
  if (top === undefined) return undefined;
  const sum = (words: readonly string[]) =>
    top.filter(({ token }) => isOneOf(token, words))
      .reduce((all, { logprob }) => all + Math.exp(logprob), 0);
  const [forYes, forNo] = [sum(yes), sum(no)];
  return { kind: "mass", yes: forYes, no: forNo, other: Math.max(0, 1 - forYes - forNo) };
}

/** From the first word that it wrote: all or nothing. */
function wordOf(body: unknown, { yes, no }: NextWords): NextWordReply {
  const { reply } = readCompletion(body);
  if (reply.kind === "refusal") return reply;
  const word = /[\p{L}\p{N}]+/u.exec(reply.text)?.[0] ?? "";
  const [isYes, isNo] = [isOneOf(word, yes), isOneOf(word, no)].map(Number);
  return { kind: "mass", yes: isYes!, no: isNo!, other: 1 - isYes! - isNo! };
}
