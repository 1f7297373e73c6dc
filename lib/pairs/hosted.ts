/** Hosted models: their keys, how they are opened, and the line that shows them at work. */
import { formatProgress, openStatusLine, type StatusOptions } from "../files/progress.ts";
import { type ApiKey, readGroqKeys, readServerKey } from "../models/hosted/api_keys.ts";
import { NO_KEY } from "../models/hosted/clients.ts";
import { groqModel } from "../models/hosted/groq_model.ts";
import { formatWait, type WaitStatus } from "../models/hosted/key_ring.ts";
import {
  type KeyedCallsOptions,
  type OpenKeyedCalls,
  openKeyedCalls,
} from "../models/hosted/keyed_calls.ts";
import { serverModel } from "../models/hosted/openai_compatible.ts";
import type { ChatModel, LanguageModel } from "../models/model.ts";
import type { Generation, GroqEntry, HostedEntry, Panel, ServerEntry } from "../models/panel.ts";
import type { EvaluationProgress } from "./choose.ts";
import type { HostedConnection } from "./study.ts";

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
interface HostedModels extends Disposable {
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

/** What an estimate of a run needs of an entry; of a server of one's own no limit is known. */
export function limitsOf(
  entry: HostedEntry,
): Pick<GroqEntry, "limits" | "price" | "reasoningEffort"> {
  if (entry.kind === "groq") return entry;
  return entry.reasoningEffort === undefined ? {} : { reasoningEffort: entry.reasoningEffort };
}

/** Whether a hosted model can be asked from here; where not, what to do. */
type HostedAccess =
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

/** A status line for models that are asked side by side. */
interface HostedProgress extends Disposable {
  readonly onProgress: (progress: EvaluationProgress) => void;
  /** Shown until the next answer comes. */
  readonly onWait: (wait: WaitStatus) => void;
}

/** One line: all questions, then each model's answers of this run. */
export function openHostedProgress(
  names: readonly string[],
  total: number,
  options: StatusOptions = {},
): HostedProgress {
  const now = options.now ?? (() => performance.now() / 1000);
  const line = openStatusLine(options);
  const answers = new Map(names.map((name) => [name, 0]));
  const begun = now();
  const tally = { resumed: -1, done: 0, invalid: 0, failed: 0 };
  const text = () => {
    const { done, resumed, invalid, failed } = tally;
    const all = { label: "choices", done, total, resumed, seconds: now() - begun };
    const own = [...answers].map(([name, count]) => `${name.split("/").at(-1)} +${count}`);
    const odd = [invalid && `${invalid} invalid`, failed && `${failed} failed`];
    return [formatProgress(all), ...odd.filter(Boolean), ...own].join(" · ");
  };
  return {
    onProgress({ question, outcome, done }) {
      if (tally.resumed < 0) tally.resumed = done - 1;
      tally.done = done;
      if (outcome === "failed") tally.failed += 1;
      else answers.set(question.model, (answers.get(question.model) ?? 0) + 1);
      if (outcome === "invalid") tally.invalid += 1;
      line.show(text());
    },
    onWait: (wait) => line.show(formatWait(wait)),
    [Symbol.dispose]() {
      if (tally.resumed < 0) line[Symbol.dispose]();
      else line.finish(text());
    },
  };
}
