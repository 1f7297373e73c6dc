import { groqModel } from "../../models/hosted/groq_model.ts";
import {
  type KeyedCallsOptions,
  type OpenKeyedCalls,
  openKeyedCalls,
} from "../../models/hosted/keyed_calls.ts";
import type { Purpose } from "../../models/hosted/keyed_calls_options.ts";
import type { ChatModel, LanguageModel } from "../../models/model.ts";
import { serverModel } from "../../models/hosted/openai_compatible.ts";
import type { Generation, Panel, ServerEntry } from "../../models/panel.ts";
import { accessTo, type HostedEntry } from "./hosted_access.ts";

/** How hosts are reached. */
export interface HostedConnection {
  /** Path of the `.env` file. */
  readonly env: string;
  /** Where quotas and usage of Groq's keys are remembered. */
  readonly usage: string;
  /** Folder of the panel's batches; the study's own unless told. */
  readonly batches?: string;
  readonly onWait?: KeyedCallsOptions["onWait"];
  /** What Groq's answers are counted as in `usage`; questions unless told. */
  readonly purpose?: Purpose;
  /** The stand-in's address and clock, in tests only. */
  readonly standIn?: { readonly baseUrl: string; readonly calls?: KeyedCallsOptions };
}

/** A hosted model in the roles of its entry, or why it cannot be asked. */
export type HostedModel =
  | {
    readonly kind: "open";
    readonly entry: HostedEntry;
    readonly chat?: ChatModel | undefined;
    readonly likelihood?: LanguageModel | undefined;
  }
  | { readonly kind: "closed"; readonly entry: HostedEntry; readonly message: string };

/** Hosted models, those of one host sharing its keys. Disposing of them writes what was used. */
export interface HostedModels extends Disposable {
  readonly models: readonly HostedModel[];
}

/** Makes hosted models ready to be asked; asks nothing. */
export function openHosted(
  entries: readonly HostedEntry[],
  generation: Panel["generation"],
  connection: HostedConnection,
): HostedModels {
  using hosts = new DisposableStack();
  let groq: OpenKeyedCalls | undefined;
  const models = entries.map((entry): HostedModel => {
    const access = accessTo(entry, connection.env);
    if (access.kind === "closed") return { ...access, entry };
    const open = (options: KeyedCallsOptions) =>
      hosts.use(openKeyedCalls(access.keys, { ...options, ...waitOf(connection) }));
    if (entry.kind === "openai-compatible") {
      const reached = { calls: open(serverCalls(entry, connection)) };
      return { kind: "open", entry, ...serverModel(entry, settled(generation), reached) };
    }
    groq ??= open({
      usagePath: connection.usage,
      ...purposeOf(connection),
      ...connection.standIn?.calls,
    });
    const reached = { calls: groq, ...addressOf(connection) };
    return { kind: "open", entry, chat: groqModel(entry, settled(generation), reached) };
  });
  const opened = hosts.move();
  return { models, [Symbol.dispose]: () => opened.dispose() };
}

/** A server of one's own has no quota to remember; its one key takes as many calls as the entry says. */
function serverCalls(
  { baseUrl, concurrency }: ServerEntry,
  { standIn }: HostedConnection,
): KeyedCallsOptions {
  return {
    concurrencyPerKey: concurrency,
    host: `its server at ${new URL(baseUrl).host}`,
    modelRemedy: "put the name under which it serves the model into its panel entry, as model:",
    ...standIn?.calls,
  };
}

/** The panel's parser has made sure that there is one where a model is hosted. */
function settled(generation: Panel["generation"]): Generation {
  if (generation) return generation;
  throw new TypeError("Cannot ask hosted models: the panel has no generation settings.");
}

const addressOf = ({ standIn }: HostedConnection) => (standIn ? { baseUrl: standIn.baseUrl } : {});

const purposeOf = ({ purpose }: HostedConnection) => (purpose ? { purpose } : {});

const waitOf = ({ onWait }: HostedConnection) => (onWait ? { onWait } : {});
