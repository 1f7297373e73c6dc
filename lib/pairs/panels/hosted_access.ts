import { type ApiKey, readGroqKeys, readServerKey } from "../../models/hosted/api_keys.ts";
import { NO_KEY } from "../../models/hosted/openai_compatible_client.ts";
import type { GgufEntry, GroqEntry, PanelEntry } from "../../models/panel.ts";

/** A model that another machine runs. */
export type HostedEntry = Exclude<PanelEntry, GgufEntry>;

/** The hosted models of a panel, in its order. */
export function hostedEntries(models: readonly PanelEntry[]): readonly HostedEntry[] {
  return models.filter((entry) => entry.kind !== "gguf");
}

/** What an estimate of a run needs of an entry; of a server of one's own no limit is known. */
export function limitsOf(
  entry: HostedEntry,
): Pick<GroqEntry, "limits" | "price" | "reasoningEffort"> {
  if (entry.kind === "groq") return entry;
  return entry.reasoningEffort === undefined ? {} : { reasoningEffort: entry.reasoningEffort };
}

/** Whether a hosted model can be asked from here; where not, what to do. */
export type HostedAccess =
  | { readonly kind: "open"; readonly keys: readonly ApiKey[] }
  | { readonly kind: "closed"; readonly message: string };

/**
 * The keys of a model.
 * @param env path of the `.env` file. A missing one is no error: without keys nothing is asked.
 */
export function accessTo(entry: HostedEntry, env: string): HostedAccess {
  try {
    return { kind: "open", keys: keysOf(entry, env) };
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: "closed", message: error.message };
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const name = entry.kind === "groq" ? "GROQ_API_KEY_1" : entry.keyName ?? "";
    return {
      kind: "closed",
      message: "there is no .env: run `cp .env.example .env` and write your key on its line " +
        `${name}=…`,
    };
  }
}

function keysOf(entry: HostedEntry, env: string): readonly ApiKey[] {
  if (entry.kind === "groq") return readGroqKeys(env);
  return entry.keyName === undefined ? [NO_KEY] : [readServerKey(env, entry.keyName)];
}
