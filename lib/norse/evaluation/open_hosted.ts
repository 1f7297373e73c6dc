import { groqModel } from "../../models/hosted/groq_model.ts";
import {
  type KeyedCallsOptions,
  type OpenKeyedCalls,
  openKeyedCalls,
} from "../../models/hosted/keyed_calls.ts";
import type { ChatModel, LanguageModel } from "../../models/model.ts";
import type { Generation, Panel } from "../../models/panel.ts";
import { accessTo, type HostedEntry } from "./hosted_access.ts";

/** How hosts are reached. */
export interface HostedConnection {
  /** Path of the `.env` file. */
  readonly env: string;
  /** Where quotas and usage of Groq's keys are remembered. */
  readonly usage: string;
  readonly onWait?: KeyedCallsOptions["onWait"];
  /** The stand-in's address and clock, in tests only. */
  readonly standIn?: { readonly baseUrl: string; readonly calls?: KeyedCallsOptions };
}

/** A hosted model in the roles of its entry, or why it cannot be asked. */
export type HostedModel =
  | {
    readonly kind: "open";
    readonly entry: HostedEntry;
    readonly chat?: ChatModel;
    readonly likelihood?: LanguageModel;
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
      hosts.use(openKeyedCalls(access.keys, withWait(options, connection)));
    if (entry.kind === "openai-compatible") return openServer(entry);
    groq ??= open({ usagePath: connection.usage, ...connection.standIn?.calls });
    const reached = { calls: groq, ...addressOf(connection) };
    return { kind: "open", entry, chat: groqModel(entry, settled(generation), reached) };
  });
  const opened = hosts.move();
  return { models, [Symbol.dispose]: () => opened.dispose() };
}

function openServer({ id }: HostedEntry): HostedModel {
  throw new TypeError(`Cannot ask ${id}: OpenAI-compatible servers are not supported yet.`);
}

/** The panel's parser has made sure that there is one where a model is hosted. */
function settled(generation: Panel["generation"]): Generation {
  if (generation) return generation;
  throw new TypeError("Cannot ask hosted models: the panel has no generation settings.");
}

const addressOf = ({ standIn }: HostedConnection) => (standIn ? { baseUrl: standIn.baseUrl } : {});

function withWait(options: KeyedCallsOptions, { onWait }: HostedConnection): KeyedCallsOptions {
  return onWait ? { ...options, onWait } : options;
}
