import { join } from "node:path";
import { readGroqKeys, readServerKey } from "../../models/hosted/api_keys.ts";
import { groqModel } from "../../models/hosted/groq_model.ts";
import { type KeyedCalls, openKeyedCalls } from "../../models/hosted/keyed_calls.ts";
import { NO_KEY } from "../../models/hosted/openai_compatible_client.ts";
import { hostedStructuredModel } from "../../models/hosted/structured_hosted.ts";
import { structuredServer } from "../../models/hosted/structured_server.ts";
import type { StructuredModel } from "../../models/structured_model.ts";
import type { JudgeEntry } from "./configuration_entries.ts";
import type { Opening } from "./opening.ts";

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

/**
 * A hosted model as one that writes; asks nothing.
 *
 * @throws {Deno.errors.NotFound} where there is no file of keys.
 * @throws {SyntaxError} where its key is missing or none.
 */
export function openHosted(entry: HostedJudge, opening: Opening): StructuredModel {
  const { id, model, reasoningEffort, licence, timeoutSeconds } = entry;
  const { temperature, maxReplyTokens } = entry;
  const generation = { temperature, maxReplyTokens };
  const hosted = { id, model, reasoningEffort, licence };
  if (entry.kind === "groq") {
    const panelEntry = { ...hosted, kind: entry.kind, roles: ["chat" as const] };
    return hostedStructuredModel(groqModel(panelEntry, generation, { calls: opening.groqCalls() }));
  }
  const { baseUrl, keyName, concurrency } = entry;
  const keys = [keyName === undefined ? NO_KEY : readServerKey(opening.env, keyName)];
  const calls = opening.resources.use(
    openKeyedCalls(keys, {
      concurrencyPerKey: concurrency,
      timeoutSeconds,
      host: `its server at ${new URL(baseUrl).host}`,
      modelRemedy: "put the name under which it serves the model into its entry, as model:",
    }),
  );
  const panelEntry = {
    ...{ ...hosted, kind: entry.kind, roles: ["chat" as const], baseUrl, concurrency },
    ...(keyName === undefined ? {} : { keyName }),
  };
  return structuredServer(panelEntry, generation, { calls });
}
