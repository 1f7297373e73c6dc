/**
 * Opens hosted models with their keys, and shows progress.
 * @module
 */
import { formatDuration, openStatusLine, type StatusOptions } from "../files/progress.ts";
import {
  type ApiKey,
  KEYLESS,
  keyNotice,
  readGroqKeys,
  readServerKey,
} from "../models/hosted/api_keys.ts";
import { NO_KEY } from "../models/hosted/chat_completion.ts";
import { groqModel } from "../models/hosted/groq_model.ts";
import { formatWait, type WaitStatus } from "../models/hosted/key_ring.ts";
import {
  type KeyedCallsOptions,
  type OpenKeyedCalls,
  openKeyedCalls,
} from "../models/hosted/keyed_calls.ts";
import { serverModel } from "../models/hosted/openai_compatible.ts";
import type { ChatModel, LanguageModel } from "../models/model.ts";
import type { HostedEntry, Panel } from "../models/panel.ts";
import type { EvaluationProgress } from "./ask.ts";
import type { HostedConnection } from "./study.ts";

type HostedModel =
  | {
    readonly kind: "open";
    readonly entry: HostedEntry;
    readonly chat?: ChatModel | undefined;
    readonly likelihood?: LanguageModel | undefined;
  }
  | { readonly kind: "closed"; readonly entry: HostedEntry; readonly message: string };

/**
 * Opens hosted models without sending requests. Models of one host share its keys. It prints the
 * hosts that receive keys other than Groq's. Disposal saves when each key is available again.
 */
export function openHosted(
  entries: readonly HostedEntry[],
  generation: Panel["generation"],
  { env, usage, onWait, standIn, print = console.log }:
    & HostedConnection
    & Pick<KeyedCallsOptions, "onWait">
    & { readonly print?: (line: string) => void },
): Disposable & { readonly models: readonly HostedModel[] } {
  // The panel's parser has made sure that there are settings where a model is hosted.
  if (!generation) throw new TypeError("Cannot ask hosted models: the panel has no generation.");
  using hosts = new DisposableStack();
  let groq: OpenKeyedCalls | undefined;
  const notices = new Set<string>();
  const models = entries.map((entry): HostedModel => {
    const access = accessTo(entry, env);
    if (access.kind === "closed") return { ...access, entry };
    const open = (options: KeyedCallsOptions) =>
      hosts.use(openKeyedCalls(access.keys, { ...options, ...standIn?.calls, onWait }));
    if (entry.kind === "groq") {
      groq ??= open({ usagePath: usage });
      const reached = standIn ? { calls: groq, baseUrl: standIn.baseUrl } : { calls: groq };
      return { kind: "open", entry, chat: groqModel(entry, generation, reached) };
    }
    for (const key of access.keys) {
      if (key !== NO_KEY) notices.add(keyNotice(key, entry.baseUrl));
    }
    // A server of one's own has no quota to remember; its one key takes as many calls as the entry says.
    const calls = open({
      concurrencyPerKey: entry.concurrency,
      timeoutSeconds: entry.timeoutSeconds ?? SERVER_SECONDS,
      host: `its server at ${new URL(entry.baseUrl).host}`,
      addressRemedy: /\/v1\/?$/.test(entry.baseUrl)
        ? undefined
        : "its baseUrl does not end with /v1, and servers of this protocol listen there: write it so",
      modelRemedy: "put the name under which it serves the model into its panel entry, as model:",
    });
    return { kind: "open", entry, ...serverModel(entry, generation, { calls }) };
  });
  for (const notice of notices) print(notice);
  const opened = hosts.move();
  return { models, [Symbol.dispose]: () => opened.dispose() };
}

/** Time limit of one attempt on a private server in seconds, including queueing. */
const SERVER_SECONDS = 300;

type HostedAccess =
  | { readonly kind: "open"; readonly keys: readonly ApiKey[] }
  | { readonly kind: "closed"; readonly message: string };

/**
 * Returns the keys of a model. @param env Path of the `.env` file. If it is missing, nothing is
 * asked.
 */
export function accessTo(entry: HostedEntry, env: string): HostedAccess {
  const keyName = entry.kind === "groq" ? "GROQ_API_KEY_1" : entry.keyName;
  if (keyName === undefined) return { kind: "open", keys: [NO_KEY] };
  try {
    const keys = entry.kind === "groq"
      ? readGroqKeys(env)
      : [readServerKey(env, keyName, entry.baseUrl)];
    return { kind: "open", keys };
  } catch (error) {
    if (error instanceof SyntaxError) return { kind: "closed", message: error.message };
    if (!(error instanceof Deno.errors.NotFound)) throw error;
    const message = "there is no .env: run `cp .env.example .env` and write your key on its line " +
      `${keyName}=…`;
    return { kind: "closed", message };
  }
}

/** Width of the status line in columns, which fits every terminal. */
const COLUMNS = 79;

/**
 * Opens a status line for models asked in parallel: total progress, then each model's answers.
 *
 * Names are shown if they fit. The remaining time is that of the slowest model. Once a rate limit
 * has caused a wait, the line states this instead. @param left Number of missing answers by model.
 */
export function openHostedProgress(
  left: ReadonlyMap<string, number>,
  total: number,
  options: StatusOptions = {},
) {
  const now = options.now ?? (() => performance.now() / 1000);
  const line = openStatusLine(options);
  const answers = new Map([...left.keys()].map((name) => [name, 0]));
  const begun = now();
  const tally = { begun: false, done: 0, invalid: 0, failed: 0 };
  let limited = false;
  const time = () => {
    const seconds = now() - begun;
    if (tally.done === total) return `in ${formatDuration(seconds)}`;
    if (limited) return "left as the quota allows";
    const each = [...left].map(([name, n]) => (n / (answers.get(name) ?? 0) - 1) * seconds);
    const slowest = Math.max(...each);
    return Number.isFinite(slowest) ? `${formatDuration(slowest)} left` : "";
  };
  const text = () => {
    const { done, invalid, failed } = tally;
    const all = `choices ${done}/${total} ${Math.floor((100 * done) / total)}% ${time()}`.trim();
    const odd = [invalid && `${invalid} invalid`, failed && `${failed} failed`];
    const counts = [...answers].map(([name, count]) => `${name.split("/").at(-1)} +${count}`);
    const named = [all, ...odd.filter(Boolean), ...counts].join(" · ");
    if (named.length <= COLUMNS) return named;
    const short = [...answers.values()].map((count) => `+${count}`).join(" ");
    return [all, ...odd.filter(Boolean), short].join(" · ");
  };
  return {
    onProgress({ question, outcome, done }: EvaluationProgress) {
      tally.begun = true;
      tally.done = done;
      if (outcome === "failed") tally.failed += 1;
      else answers.set(question.model, (answers.get(question.model) ?? 0) + 1);
      if (outcome === "invalid") tally.invalid += 1;
      line.show(text());
    },
    /** Shows a wait until the next answer. */
    onWait(wait: WaitStatus) {
      limited = true;
      const short = { ...wait, model: wait.model.split("/").at(-1)! };
      const whole = formatWait(short);
      line.show(whole.length <= COLUMNS ? whole : formatWait({ ...short, key: KEYLESS }));
    },
    [Symbol.dispose]() {
      if (tally.begun) line.finish(text());
      else line[Symbol.dispose]();
    },
  };
}
