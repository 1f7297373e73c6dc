import type { OpenAI } from "openai";
import { z } from "zod";
import { sha256Hex } from "../../files/atomic.ts";
import type {
  AnswerModel,
  AnswerReply,
  ChatModel,
  DrawnModel,
  DrawnReply,
  JsonSchema,
  LanguageModel,
  NextWordModel,
  StructuredModel,
  StructuredReply,
} from "../model.ts";
import { CallFailed, massReply, numberMass, numberOffset } from "../model.ts";
import type { Generation, ServerEntry } from "../panel.ts";
import { withoutSecrets } from "./api_keys.ts";
import { httpStatus, refusalMessage, UnusableReply } from "./call_problem.ts";
import {
  assertAnswers,
  bodyOf,
  hostedChat,
  messagesOf,
  openAiClient,
  readCompletion,
  streamedCompletion,
} from "./chat_completion.ts";
import type { KeyedCalls } from "./keyed_calls.ts";
import { serverLikelihood, UnusableEcho } from "./openai_compatible_likelihood.ts";

interface ServerConnection {
  readonly calls: KeyedCalls;
}

/** Opens a model on a server with OpenAI's protocol: vLLM, llama.cpp's server, Ollama. */
export function serverModel(
  entry: ServerEntry,
  generation: Generation,
  connection: ServerConnection,
) {
  const { roles } = entry;
  return {
    chat: roles.includes("chat") ? chat(entry, generation, connection) : undefined,
    likelihood: roles.includes("likelihood") ? likelihood(entry, connection) : undefined,
  };
}

/**
 * Settings that identify a server's model. The address is not included: another machine gives the
 * same answers.
 */
export function hostSettings({ id, model = id }: ServerEntry): ChatModel["settings"] {
  return { host: "openai-compatible", hostModel: model };
}

/** Settings of a server's model that could change an answer. */
export function chatSettings(entry: ServerEntry, generation: Generation): ChatModel["settings"] {
  const { reasoningEffort } = entry;
  const { extraBody, limitName: _changesNoAnswer, ...rest } = generation;
  return {
    ...hostSettings(entry),
    ...rest,
    ...(extraBody && { extraBody: JSON.stringify(extraBody) }),
    ...(reasoningEffort && { reasoningEffort }),
  };
}

/**
 * Request parameters that some models reject. OpenAI's reasoning models reject `max_tokens` and
 * `temperature`.
 */
const REFUSABLE = ["max_tokens", "max_completion_tokens", "temperature", "seed"] as const;
type Refusable = (typeof REFUSABLE)[number];

function chatParameters(
  { id, model = id, reasoningEffort: effort }: ServerEntry,
  { temperature, maxReplyTokens, seed, systemPrompt, extraBody, ...generation }: Generation,
  prompt: string,
  refused: ReadonlySet<Refusable> = new Set(),
): OpenAI.ChatCompletionCreateParamsNonStreaming {
  const { limitName = "max_tokens" } = generation;
  const other = limitName === "max_tokens" ? "max_completion_tokens" : "max_tokens";
  return {
    model,
    messages: messagesOf(systemPrompt, prompt),
    ...(temperature !== "default" && !refused.has("temperature") && { temperature }),
    [refused.has(limitName) ? other : limitName]: maxReplyTokens,
    ...(seed !== undefined && !refused.has("seed") && { seed }),
    // OpenAI has no `default`: it is what a request without effort gets.
    ...(effort && { reasoning_effort: effort === "default" ? null : effort }),
    ...extraBody,
  };
}

/** Returns the parameter that an error message reports as rejected; undefined for other errors. */
function refusedParameter(error: unknown): Refusable | undefined {
  const message = error instanceof Error && httpStatus(error) === 400 ? error.message : "";
  const says =
    /unsupported|not supported|not support|unrecogni[sz]ed|unknown|not permitted|not allowed/i;
  if (!says.test(message)) return undefined;
  // "'max_tokens' is not supported … Use 'max_completion_tokens' instead": the first named is meant.
  const places = REFUSABLE.map((name) => ({
    name,
    at: message.search(new RegExp(`\\b${name}\\b`)),
  }));
  return places.filter(({ at }) => at >= 0).toSorted((a, b) => a.at - b.at)[0]?.name;
}

/**
 * Omits parameters that the server rejects. They are detected by its error messages and stay
 * omitted in later calls.
 */
function withoutRefused() {
  const refused = new Set<Refusable>();
  return {
    refused: refused as ReadonlySet<Refusable>,
    async send<T>(request: (refused: ReadonlySet<Refusable>) => Promise<T>): Promise<T> {
      const tried = new Set(refused);
      while (true) {
        try {
          const answer = await request(tried);
          for (const name of tried) refused.add(name);
          return answer;
        } catch (error) {
          const name = refusedParameter(error);
          if (name === undefined || tried.has(name)) throw error;
          tried.add(name);
        }
      }
    },
  };
}

function chat(entry: ServerEntry, generation: Generation, { calls }: ServerConnection): ChatModel {
  const { id: name, concurrency, baseUrl } = entry;
  const settings = chatSettings(entry, generation);
  const { refused, send } = withoutRefused();
  const model = hostedChat(calls, { name, settings, concurrency }, (prompt, key, options) => {
    const { signal, limitTimes } = options;
    const maxReplyTokens = generation.maxReplyTokens * limitTimes;
    return send((refused) => {
      const body = chatParameters(entry, { ...generation, maxReplyTokens }, prompt, refused);
      return openAiClient(key, baseUrl).chat.completions.create(body, { signal });
    });
  });
  return {
    ...model,
    /**
     * Settings with the parameters that the server rejects. The hash of a question excludes these.
     */
    get settings() {
      return refused.size === 0
        ? settings
        : { ...settings, refused: [...refused].sort().join(", ") };
    },
  };
}

/** Outcome of a request. `refused` means that the server rejects it permanently. */
type Completed<Result> =
  | { readonly kind: "read"; readonly value: Result }
  | { readonly kind: "refused" | "failure"; readonly message: string };

/** Returns a function that asks a server's model. Errors of `read` count as unusable replies. */
function asksServer(entry: ServerEntry, { calls }: ServerConnection) {
  const { id, baseUrl } = entry;
  return async <Result>(
    send: (client: OpenAI, options: { readonly signal: AbortSignal }) => Promise<unknown>,
    read: (body: unknown) => Result,
    mayRefuse: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Completed<Result>> => {
    const result = await calls.call(id, async (key, limit): Promise<Completed<Result>> => {
      try {
        const client = openAiClient(key, baseUrl);
        const body = bodyOf(await send(client, { signal: limit }));
        await assertAnswers(body, async (prompt) => {
          const parameters = chatParameters(entry, ONE_WORD, prompt);
          return bodyOf(await client.chat.completions.create(parameters, { signal: limit }));
        });
        return { kind: "read", value: read(body) };
      } catch (error) {
        const clean = (text: string) => withoutSecrets(text, [key]);
        const message = mayRefuse ? refusalMessage(error, clean) : undefined;
        if (message === undefined) throw error;
        return { kind: "refused", message };
      }
    }, { signal });
    return result.kind === "done" ? result.value : result;
  };
}

function likelihood(entry: ServerEntry, connection: ServerConnection): LanguageModel {
  const { id, model = id } = entry;
  const send = asksServer(entry, connection);
  return serverLikelihood(entry, hostSettings(entry), async (request, signal) => {
    const completed = await send(
      (client, options) => client.completions.create({ ...request, model }, options),
      (body) => {
        // What is no JSON is a proxy's page, and worth another try.
        if (typeof body === "string") throw new UnusableReply("text that is no JSON");
        return body;
      },
      true,
      signal,
    );
    if (completed.kind === "read") return completed.value;
    if (completed.kind === "refused") {
      throw new UnusableEcho(`refuses to echo a text (${completed.message})`);
    }
    signal?.throwIfAborted();
    throw new CallFailed(completed.message);
  });
}

type Extra = Pick<
  OpenAI.ChatCompletionCreateParamsNonStreaming,
  "response_format" | "logprobs" | "top_logprobs" | "seed"
>;

/**
 * Returns a function that asks with optional parameters, and with fewer if the server rejects them.
 */
function asksWithExtra<Result>(
  entry: ServerEntry,
  generation: Generation,
  connection: ServerConnection,
) {
  const send = asksServer(entry, connection);
  /** Number of trailing extras that the server accepts; infinite until known. */
  let taken = Infinity;
  return async (
    prompt: string,
    /** Optional parameters in the order of attempts. The last attempt has none. */
    extras: readonly Extra[],
    read: (body: unknown) => Result,
    signal: AbortSignal | undefined,
    /** Receives the text so far. The answer is then requested as a stream. */
    onText?: (text: string) => void,
  ): Promise<Completed<Result>> => {
    const complete = (extra: Extra | undefined) => {
      const parameters = { ...chatParameters(entry, generation, prompt), ...extra };
      const create = async (client: OpenAI, options: { readonly signal: AbortSignal }) => {
        if (onText === undefined) return await client.chat.completions.create(parameters, options);
        onText("");
        const streamed = { ...parameters, stream: true } as const;
        const response = await client.chat.completions.create(streamed, options).asResponse();
        return await streamedCompletion(response, onText);
      };
      return send(create, read, extra !== undefined, signal);
    };
    for (let at = Math.max(0, extras.length - taken);; at++) {
      const completed = await complete(extras[at]);
      if (completed.kind === "read" && at > 0) taken = extras.length - at;
      if (completed.kind !== "refused" || signal?.aborted) return completed;
    }
  };
}

/** Opens sampling of replies, with seed and log-probabilities if the server supports them. */
export function serverDraws(
  entry: ServerEntry,
  generation: Generation,
  connection: ServerConnection,
): DrawnModel {
  const ask = asksWithExtra<DrawnReply>(entry, generation, connection);
  const { answer } = serverAnswers(entry, connection);
  return {
    name: entry.id,
    concurrency: entry.concurrency,
    isChat: true,
    answer,
    settings: chatSettings(entry, generation),
    async draw({ text }, { seed, signal }) {
      const extra = { logprobs: true, seed: seedNumber(seed) };
      const completed = await ask(text, [extra], (body) => {
        const { reply, isWhole } = readCompletion(body);
        if (reply.kind === "refusal") return reply;
        const ended = isWhole ? "complete" : "length";
        const meanLogProbability = meanLogProbabilityOf(body);
        return { kind: "drawn", text: reply.text, ended, meanLogProbability };
      }, signal);
      if (completed.kind === "read") return completed.value;
      return { kind: "failure", message: completed.message };
    },
  };
}

/** Converts a seed to 31 bits, the maximum of servers. */
const seedNumber = (seed: number | string) =>
  Number.parseInt(sha256Hex(String(seed)).slice(0, 8), 16) >>> 1;

const TOKENS = z.object({
  choices: z.array(z.object({
    logprobs: z.object({
      content: z.array(z.object({
        token: z.string(),
        // Another number is none: it must not cost the other readings.
        logprob: z.number().max(0).optional().catch(undefined),
        top_logprobs: z.array(z.object({ token: z.string(), logprob: z.number() })).default([]),
      })),
    }),
  })).min(1),
});

/** Returns the reply's tokens with log-probabilities; empty if the server provides none. */
function tokensIn(body: unknown) {
  return TOKENS.safeParse(body).data?.choices[0]?.logprobs.content ?? [];
}

function meanLogProbabilityOf(body: unknown): number | undefined {
  const logprobs = tokensIn(body).map(({ logprob }) => logprob);
  if (logprobs.length === 0 || !logprobs.every((one) => one !== undefined)) return undefined;
  return logprobs.reduce((sum, one) => sum + one, 0) / logprobs.length;
}

/** Opens a model that writes JSON, by `response_format` if the server accepts it. */
export function structuredServer(
  entry: ServerEntry,
  generation: Generation,
  connection: ServerConnection,
): StructuredModel {
  type Read = readonly [StructuredReply, unknown];
  const ask = asksWithExtra<Read>(entry, generation, connection);
  const responseFormat = "json_schema where the server takes it";
  return {
    name: entry.id,
    settings: { ...chatSettings(entry, generation), responseFormat },
    concurrency: entry.concurrency,
    async ask(prompt, { schema, signal, seed, numberOf } = {}) {
      const format = schema ? formatOf(schema) : {};
      const drawn = { ...format, ...seed !== undefined && { seed } };
      const plain = Object.keys(drawn).length > 0 ? [drawn] : [];
      const extras = numberOf === undefined ? plain : [{ ...drawn, ...TOP_LOGPROBS }, ...plain];
      // What had come back when time ran out is kept (requirement 9.2).
      let written = "";
      const completed = await ask(
        prompt,
        extras,
        (body) => {
          const { reply, isWhole } = readCompletion(body);
          if (reply.kind === "refusal") return [reply, body];
          const ended = isWhole ? "complete" : "length";
          return [{ kind: "answer", text: reply.text, ended }, body];
        },
        signal,
        (text) => written = text,
      );
      if (completed.kind !== "read") {
        const partialText = written === "" ? undefined : written;
        return { kind: "failure", message: completed.message, partialText };
      }
      const [reply, body] = completed.value;
      const next = numberOf === undefined ? undefined : digitsIn(body, numberOf);
      return next && reply.kind === "answer"
        ? { ...reply, numbers: await numberMass((digits) => Promise.resolve(next(digits))) }
        : reply;
    },
  };
}

/**
 * Returns the alternatives for each token of the written number. Those of other prefixes are
 * unknown.
 */
function digitsIn(body: unknown, key: string) {
  const tokens = tokensIn(body);
  const place = numberOffset(tokens.map(({ token }) => token).join(""), key);
  if (place === undefined) return undefined;
  const likely = new Map<string, ReadonlyMap<string, number>>();
  let [at, written] = [0, ""];
  for (const { token, top_logprobs: top } of tokens) {
    at += token.length;
    // Of a token that is more than the number and white space no alternatives are known.
    if (at <= place) continue;
    const isNumber = /^\s*\d+$/.test(token);
    if (!isNumber && written === "") return undefined;
    const masses = new Map<string, number>();
    for (const { token, logprob } of top) {
      const digits = written === "" ? token.trim() : token;
      if (/^\d+$/.test(digits)) masses.set(digits, (masses.get(digits) ?? 0) + Math.exp(logprob));
    }
    likely.set(written, masses);
    if (!isNumber) break;
    written += token.trim();
  }
  return (digits: string) => likely.get(digits);
}

function formatOf(schema: JsonSchema): Extra {
  const json_schema = { name: "answer", strict: true, schema: strictSchema(schema) };
  return { response_format: { type: "json_schema", json_schema } };
}

/** Converts a schema to OpenAI's strict mode: every key is required and no other is allowed. */
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

const ONE_WORD = { temperature: 0, maxReplyTokens: 8 };
/** Settings for a one-word answer of a reasoning model, whose reasoning counts as tokens. */
const REASONED_WORD = { temperature: 0, maxReplyTokens: 2048 };

const TOP_LOGPROBS = { logprobs: true, top_logprobs: 20 };

type WordSets = readonly (readonly string[])[];

/** Returns a function that asks for one word and returns the probability of each set of words. */
function asksWord(entry: ServerEntry, connection: ServerConnection, generation: Generation) {
  const ask = asksWithExtra<AnswerReply>(entry, generation, connection);
  return async (prompt: string, sets: WordSets, signal?: AbortSignal): Promise<AnswerReply> => {
    const read = (body: unknown) => massOf(body, sets) ?? wordOf(body, sets);
    const completed = await ask(prompt, [TOP_LOGPROBS], read, signal);
    signal?.throwIfAborted();
    if (completed.kind === "read") return completed.value;
    return { kind: "failure", message: completed.message };
  };
}

const READ_WORD = "first token's log-probabilities, else the word that is written";

/**
 * Opens a model read by the first token's 20 log-probabilities.
 *
 * Without log-probabilities the written word has probability 1.
 */
export function serverNextWord(entry: ServerEntry, connection: ServerConnection): NextWordModel {
  const ask = asksWord(entry, connection, ONE_WORD);
  return {
    name: entry.id,
    settings: { ...hostSettings(entry), ...ONE_WORD, readout: READ_WORD },
    concurrency: entry.concurrency,
    async nextWord(prompt, { yes, no }, { signal } = {}) {
      const reply = await ask(prompt, [yes, no], signal);
      if (reply.kind !== "mass") return reply;
      return { kind: "mass", yes: reply.answers[0]!, no: reply.answers[1]!, other: reply.other };
    },
  };
}

/** Opens a choice among answers, read like {@link serverNextWord}. Tokens are counted as words. */
export function serverAnswers(entry: ServerEntry, connection: ServerConnection): AnswerModel {
  const generation = entry.reasoningEffort ? REASONED_WORD : ONE_WORD;
  const ask = asksWord(entry, connection, generation);
  return {
    name: entry.id,
    settings: { ...chatSettings(entry, generation), readout: READ_WORD },
    concurrency: entry.concurrency,
    countTokens: (text) => text.trim().split(/\s+/u).length,
    answer: (prompt, answers, { signal } = {}) =>
      ask(prompt, answers.map((word) => [word]), signal),
  };
}

const READ_JSON = "first token's log-probabilities, else JSON of an answer and how sure it is";
/** Token limit of an answer in JSON, including text around it. */
const JSON_TOKENS = 100;

/**
 * Opens a choice among answers, read by the first token's 20 log-probabilities.
 *
 * Servers without log-probabilities are asked for JSON with an answer and its confidence in per
 * cent. The other answers share the remaining probability equally.
 */
export function serverChoices(entry: ServerEntry, connection: ServerConnection): AnswerModel {
  const common = serverAnswers(entry, connection);
  const word = entry.reasoningEffort ? REASONED_WORD : ONE_WORD;
  const askWord = asksWithExtra<AnswerReply | undefined>(entry, word, connection);
  const written = { ...word, maxReplyTokens: Math.max(word.maxReplyTokens, JSON_TOKENS) };
  const askJson = asksWithExtra<AnswerReply>(entry, written, connection);
  let hasLogprobs = true;
  return {
    ...common,
    settings: { ...chatSettings(entry, written), readout: READ_JSON },
    async answer(prompt, answers, { signal } = {}) {
      const sets = answers.map((one) => [one]);
      const word = hasLogprobs
        ? await askWord(prompt, [TOP_LOGPROBS], (body) => massOf(body, sets), signal)
        : undefined;
      if (word?.kind === "read" && word.value !== undefined) return word.value;
      if (word?.kind === "read") hasLogprobs = false;
      const completed = word === undefined || word.kind === "read"
        ? await askJson(
          `${prompt}\n\n${jsonRequest(answers)}`,
          [formatOf(choiceSchema(answers))],
          (body) => choiceOf(body, sets),
          signal,
        )
        : word;
      signal?.throwIfAborted();
      if (completed.kind === "read") return completed.value;
      return { kind: "failure", message: completed.message };
    },
  };
}

const jsonRequest = (answers: readonly string[]) =>
  `Answer with JSON alone: {"answer": ${answers.map((one) => `"${one}"`).join(" or ")}, ` +
  '"confidence": how sure you are that it is right, a whole number of percent, at most 100}';

const choiceSchema = (answers: readonly string[]): JsonSchema => ({
  type: "object",
  properties: {
    answer: { enum: answers },
    confidence: { enum: Array.from({ length: 101 }, (_, percent) => percent) },
  },
});

/**
 * Parses a written choice from complete or truncated JSON. A word without confidence has
 * probability 1.
 */
function choiceOf(body: unknown, sets: WordSets): AnswerReply {
  const { reply } = readCompletion(body);
  if (reply.kind === "refusal") return reply;
  const [, said = ""] = /"answer"\s*:\s*"([^"]*)/u.exec(reply.text) ?? [];
  const at = sets.findIndex((words) => isOneOf(said, words));
  if (at === -1) return wordOf(body, sets);
  const [, percent = "100"] = /"confidence"\s*:\s*"?(\d+(?:\.\d+)?)/u.exec(reply.text) ?? [];
  // Whoever chose an answer finds it as likely as any other.
  const sure = Math.max(1 / sets.length, Math.min(1, Number(percent) / 100));
  return massReply(sets.map((_, i) => i === at ? sure : (1 - sure) / (sets.length - 1)));
}

function isOneOf(text: string, words: readonly string[]): boolean {
  const plain = (word: string) => word.trim().toLowerCase();
  return words.some((word) => plain(word) === plain(text));
}

/**
 * Returns the index of the set that contains a token, or a word beginning with it (`Un` for
 * `Unknown`). −1 if there is none or more than one.
 */
function setOf(token: string, sets: WordSets): number {
  const whole = sets.findIndex((words) => isOneOf(token, words));
  const start = token.trim().toLowerCase();
  if (whole >= 0 || start.length < 2) return whole;
  const begun = sets.flatMap((words, at) =>
    words.some((word) => word.toLowerCase().startsWith(start)) ? [at] : []
  );
  return begun.length === 1 ? begun[0]! : -1;
}

function massOf(body: unknown, sets: WordSets): AnswerReply | undefined {
  const top = tokensIn(body)[0]?.top_logprobs ?? [];
  if (top.length === 0) return undefined;
  const said = top.map(({ token, logprob }) => ({ at: setOf(token, sets), logprob }));
  const sum = (wanted: number) =>
    said.filter(({ at }) => at === wanted).reduce((all, one) => all + Math.exp(one.logprob), 0);
  return massReply(sets.map((_, at) => sum(at)));
}

function wordOf(body: unknown, sets: WordSets): AnswerReply {
  const { reply } = readCompletion(body);
  if (reply.kind === "refusal") return reply;
  const word = /[\p{L}\p{N}]+/u.exec(reply.text)?.[0] ?? "";
  return massReply(sets.map((words) => Number(isOneOf(word, words))));
}
