import type { OpenAI } from "openai";
import type { ChatModel, LanguageModel } from "../model.ts";
import type { Generation, ServerEntry } from "../panel.ts";
import { bodyOf } from "./answer_body.ts";
import type { ApiKey } from "./api_keys.ts";
import { askChat } from "./ask_chat.ts";
import { UnusableReply } from "./call_problem.ts";
import { clientsByKey } from "./clients_by_key.ts";
import type { KeyedCalls } from "./keyed_calls.ts";
import type { AskCompletion } from "./openai_compatible_check.ts";
import { openAiClient } from "./openai_compatible_client.ts";
import { UnusableEcho } from "./openai_compatible_echo.ts";
import { serverLikelihood } from "./openai_compatible_likelihood.ts";
import { withoutSecrets } from "./redaction.ts";
import { readStatus, statusError } from "./status_problem.ts";

/** How a server is reached: calls with its one key, or with `NO_KEY`. */
export interface ServerConnection {
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
  return {
    name: entry.id,
    chat: entry.roles.includes("chat") ? chat(entry, generation, connection) : undefined,
    likelihood: entry.roles.includes("likelihood") ? likelihood(entry, connection) : undefined,
  };
}

/** The address is no setting: the same model gives the same answers from another machine. */
export function hostSettings({ id, model }: ServerEntry): ChatModel["settings"] {
  return { host: "openai-compatible", hostModel: model ?? id };
}

/** What one question sends. */
export function chatParameters(
  { id, model, reasoningEffort }: ServerEntry,
  { temperature, maxReplyTokens }: Generation,
  prompt: string,
): OpenAI.ChatCompletionCreateParamsNonStreaming {
  return {
    model: model ?? id,
    messages: [{ role: "user", content: prompt }],
    temperature,
    // The newer name, max_completion_tokens, is not known to every server.
    max_tokens: maxReplyTokens,
    ...(reasoningEffort === undefined ? {} : { reasoning_effort: effortOf(reasoningEffort) }),
  };
}

function chat(entry: ServerEntry, generation: Generation, { calls }: ServerConnection): ChatModel {
  const { reasoningEffort } = entry;
  const clientOf = clientsByKey((key) => openAiClient(key, entry.baseUrl));
  return {
    name: entry.id,
    settings: {
      ...hostSettings(entry),
      ...generation,
      ...(reasoningEffort === undefined ? {} : { reasoningEffort }),
    },
    concurrency: entry.concurrency,
    ask(prompt, { signal } = {}) {
      const parameters = chatParameters(entry, generation, prompt);
      const request = (key: ApiKey, limit: AbortSignal) =>
        clientOf(key).chat.completions.create(parameters, { signal: limit });
      return askChat(calls, entry.id, request, signal);
    },
  };
}

/** OpenAI has no `default`: it is what a request without effort gets. */
function effortOf(effort: NonNullable<ServerEntry["reasoningEffort"]>) {
  return effort === "default" ? null : effort;
}

function likelihood(entry: ServerEntry, { calls }: ServerConnection): LanguageModel {
  const clientOf = clientsByKey((key) => openAiClient(key, entry.baseUrl));
  const ask: AskCompletion = async (request, signal) => {
    const parameters = { ...request, model: entry.model ?? entry.id };
    const result = await calls.call(entry.id, async (key, limit) => {
      try {
        return usable(await clientOf(key).completions.create(parameters, { signal: limit }));
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

/** What is no JSON is a proxy's page, and worth another try. */
function usable(answer: unknown): unknown {
  const body = bodyOf(answer);
  if (typeof body === "string") throw new UnusableReply("text that is no JSON");
  return body;
}

/** A request, or a path, that the server does not know; not a model that it does not have. */
const REFUSALS = new Set([400, 404, 405, 422, 501]);

/** The words of a refusal that to ask again would not change; undefined for other errors. */
export function refusalOf(error: unknown, key: ApiKey): string | undefined {
  const clean = (text: string) => withoutSecrets(text, [key]);
  const answered = statusError(error, clean);
  if (answered === undefined || !REFUSALS.has(answered.status)) return undefined;
  const context = { host: "the server", modelRemedy: "", clean, now: 0 };
  if (readStatus(answered, context).kind !== "refused") return undefined;
  return `${answered.status} ${answered.message}`;
}
