import { join } from "node:path";
import { type ApiKey, readGroqKeys, readServerKey } from "../../models/hosted/api_keys.ts";
import { groqModel } from "../../models/hosted/groq_model.ts";
import { type KeyedCalls, openKeyedCalls } from "../../models/hosted/keyed_calls.ts";
import { NO_KEY } from "../../models/hosted/openai_compatible_client.ts";
import type { ServerConnection } from "../../models/hosted/openai_compatible.ts";
import { hostedStructuredModel } from "../../models/hosted/structured_hosted.ts";
import { structuredServer } from "../../models/hosted/structured_server.ts";
import type { GroqEntry, ServerEntry } from "../../models/panel.ts";
import type { StructuredModel } from "../../models/structured_model.ts";
import type { JudgeEntry, VerifierEntry } from "./configuration_entries.ts";
import type { Opening } from "./opening.ts";
import { type ServerTrouble, watchedCalls } from "./server_trouble.ts";

/** A judge that another machine runs. */
export type HostedJudge = Exclude<JudgeEntry, { readonly kind: "gguf" }>;

/** Judges of Groq share its keys and their quotas. */
export function lazyGroqCalls(
  { env, cacheDirectory, resources }: Pick<Opening, "env" | "cacheDirectory" | "resources">,
): () => KeyedCalls {
  let calls: KeyedCalls | undefined;
  return () =>
    calls ??= resources.use(
      openKeyedCalls(readGroqKeys(env), { usagePath: join(cacheDirectory, "hosted/usage.json") }),
    );
}

/** What entries of servers have in common. */
export type ServerSource =
  | Extract<VerifierEntry, { readonly kind: "prompted-server" }>
  | Extract<
    JudgeEntry,
    { readonly kind: "openai-compatible" }
  >;

/** A server, and what keeps its requests from being answered. */
export interface ReachedServer {
  readonly entry: ServerEntry;
  readonly connection: ServerConnection;
  readonly trouble: () => ServerTrouble;
  /** Undefined for a server that asks for none. */
  readonly key: ApiKey | undefined;
}

/** A model whose answers are kept without the key: a server may answer with what it was sent. */
function withoutKey(model: StructuredModel, key: ApiKey): StructuredModel {
  return {
    ...model,
    async ask(prompt, options) {
      const reply = await model.ask(prompt, options);
      return reply.kind === "failure"
        ? reply
        : { ...reply, text: reply.text.replaceAll(key.reveal(), `[${key.label}]`) };
    },
  };
}

/**
 * A server within reach; asks nothing.
 *
 * @throws {Deno.errors.NotFound} where there is no file of keys.
 * @throws {SyntaxError} where its key is missing or none.
 */
export function reachServer(
  source: ServerSource,
  opening: Opening,
): ReachedServer {
  const { id, model, reasoningEffort, licence, timeoutSeconds } = source;
  const { baseUrl, keyName, concurrency } = source;
  const key = keyName === undefined ? undefined : readServerKey(opening.env, keyName);
  const host = `its server at ${new URL(baseUrl).host}`;
  const opened = opening.resources.use(
    openKeyedCalls([key ?? NO_KEY], {
      concurrencyPerKey: concurrency,
      timeoutSeconds,
      host,
      modelRemedy: "put the name under which it serves the model into its entry, as model:",
    }),
  );
  const { calls, trouble } = watchedCalls(opened, host);
  const hosted = { id, model, reasoningEffort, licence, baseUrl, keyName, concurrency };
  return {
    entry: { ...hosted, kind: "openai-compatible", roles: ["chat"] },
    connection: { calls },
    ...{ trouble, key },
  };
}

/** A hosted model, and what keeps its server from answering. */
export interface OpenHosted {
  readonly writes: StructuredModel;
  readonly trouble: () => ServerTrouble;
}

/**
 * A hosted model as one that writes; asks nothing.
 *
 * @throws As {@link reachServer} does.
 */
export function openHosted(judge: HostedJudge, opening: Opening): OpenHosted {
  const { id, model, reasoningEffort, licence, temperature, maxReplyTokens } = judge;
  const generation = { temperature, maxReplyTokens };
  if (judge.kind === "openai-compatible") {
    const { entry, connection, trouble, key } = reachServer(judge, opening);
    const writes = structuredServer(entry, generation, connection);
    return { writes: key === undefined ? writes : withoutKey(writes, key), trouble };
  }
  const entry: GroqEntry = {
    ...{ id, kind: judge.kind, roles: ["chat"], model, reasoningEffort, licence },
  };
  const { calls, trouble } = watchedCalls(opening.groqCalls(), "Groq");
  return { writes: hostedStructuredModel(groqModel(entry, generation, { calls })), trouble };
}
