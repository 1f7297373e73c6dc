/**
 * Runs a user's GGUF model in a separate process, so that a native crash loses one text and not the
 * run.
 *
 * llama.cpp aborts on some damaged files, and during evaluation for some vocabularies and sizes.
 * Parent and child exchange lines of JSON: numbered calls, and answers as they arrive.
 * @module
 */
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { streamLines } from "../../files/json.ts";
import { CallFailed, type ChatModel, type LanguageModel, type Reply } from "../model.ts";
import type { GgufEntry } from "../panel.ts";
import { loadLocalModel, type LoadOptions, type LocalModel } from "./local_models.ts";

/** Methods of the model that the child process executes. */
type Role = "ask" | "score" | "scoreParts";

interface Call {
  readonly role: Role;
  readonly args: readonly unknown[];
}

/** Properties of a loaded model: names, settings and limits. */
interface ModelFacts {
  readonly name: string;
  readonly chat?: Pick<ChatModel, "settings" | "concurrency">;
  readonly chatProblem?: string;
  readonly likelihood?: Pick<LanguageModel, "settings" | "concurrency">;
}

/** Messages of a child process: progress of loading, then properties or an error, then answers. */
type Message =
  | { readonly kind: "progress"; readonly progress: Parameters<NonNullable<OnProgress>>[0] }
  | { readonly kind: "ready"; readonly facts: ModelFacts }
  | { readonly kind: "problem"; readonly name: string; readonly message: string }
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | {
    readonly kind: "error";
    readonly id: number;
    readonly name: string;
    readonly message: string;
  };

type OnProgress = LoadOptions["onProgress"];
type Entry = GgufEntry;

/** Serialises to JSON; infinities are encoded as objects. */
const encode = (value: unknown): string =>
  JSON.stringify(
    value,
    (_, one) => typeof one === "number" && !Number.isFinite(one) ? { number: String(one) } : one,
  );

const decode = (line: string) =>
  JSON.parse(line, (_, one) => typeof one?.number === "string" ? Number(one.number) : one);

const revived = ({ name, message }: { readonly name: string; readonly message: string }) =>
  new (({ RangeError, SyntaxError, TypeError } as Record<string, ErrorConstructor>)[name] ??
    Error)(message);

const SELF = fileURLToPath(import.meta.url);
const CONFIG = fileURLToPath(new URL("../../../deno.json", import.meta.url));

/** Error of a child process that ended before it answered. */
class ProcessEnded extends Error {
  constructor(readonly how: string, readonly isStopped: boolean) {
    super(how);
  }
}

/**
 * Starts a child process and waits until its model is loaded. @throws {SyntaxError} naming file and
 * fault.
 */
async function startProcess(entry: Entry, options: LoadOptions, script: string) {
  const { cacheDirectory, threads, batch, onProgress } = options;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", "--no-check", "--config", CONFIG]
      .concat("--allow-read", `--allow-write=${cacheDirectory}`, "--allow-ffi", "--allow-env")
      .concat(
        "--allow-sys",
        script,
        encode({ entry, options: { cacheDirectory, threads, batch } }),
      ),
    env: { GGML_NO_BACKTRACE: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  const ready = Promise.withResolvers<ModelFacts>();
  let state: "running" | "closed" | "ended" = "running";
  const receive = (message: Message) => {
    if (message.kind === "progress") onProgress?.(message.progress);
    else if (message.kind === "ready") ready.resolve(message.facts);
    else if (message.kind === "problem") ready.reject(revived(message));
    else {
      const call = waiting.get(message.id);
      waiting.delete(message.id);
      if (message.kind === "answer") call?.resolve(message.value);
      else call?.reject(revived(message));
    }
  };
  const running = (async () => {
    // A native library may print, too.
    for await (const line of streamLines(child.stdout)) {
      if (line.startsWith('{"kind":')) receive(decode(line));
    }
    const { signal, code } = await child.status;
    state = "ended";
    const isStopped = signal === "SIGINT" || signal === "SIGTERM";
    const ended = new ProcessEnded(signal ?? `exit code ${code}`, isStopped);
    ready.reject(
      new SyntaxError(
        `Cannot use ${basename(entry.path ?? "")}: llama.cpp ends the process that loads it ` +
          `(${ended.how})`,
      ),
    );
    for (const { reject } of waiting.values()) reject(ended);
  })();
  ready.promise.catch(() => {});
  const input = child.stdin.getWriter();
  let unsent: unknown[] = [];
  // Calls of one moment are one line, so that the child joins the same ones into batches.
  const send = () => {
    const line = `${encode(unsent)}\n`;
    unsent = [];
    input.write(new TextEncoder().encode(line)).catch(() => {}); // The process has ended, which its calls learn.
  };
  let last = 0;
  const close = async () => {
    if (state === "running") state = "closed";
    await input.close().catch(() => {});
    await running;
  };
  try {
    const facts = await ready.promise;
    return {
      facts,
      hasEnded: () => state !== "running",
      /** Calls the child process. @throws {ProcessEnded}; {RangeError} as the model itself does. */
      call({ role, args }: Call): Promise<unknown> {
        if (state !== "running") return Promise.reject(new ProcessEnded("it had ended", false));
        const id = ++last;
        const answer = Promise.withResolvers<unknown>();
        waiting.set(id, answer);
        if (unsent.push({ id, role, args }) === 1) setTimeout(send);
        return answer.promise;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/**
 * Loads a user's model in a separate process, if this process may start one.
 *
 * Otherwise it is loaded here. After a crash the process is restarted, and its unanswered calls are
 * made one by one. The call that crashes it again fails alone, like a text that cannot be scored.
 * @param script Program of the child process, for tests.
 * @throws {SyntaxError} naming a file that cannot be loaded; errors of {@link loadLocalModel}.
 */
export async function openContainedModel(
  entry: Entry,
  options: LoadOptions,
  script = SELF,
): Promise<LocalModel> {
  const { state } = Deno.permissions.querySync({ name: "run", command: Deno.execPath() });
  if (entry.path === undefined || state !== "granted") return await loadLocalModel(entry, options);
  let running = await startProcess(entry, options, script);
  /** Calls repeated one by one after a crash; new calls wait for them. */
  let recovery: Promise<unknown> = Promise.resolve();
  let problem: Error | undefined;
  const callAlone = async (call: Call): Promise<unknown> => {
    if (problem) throw problem;
    if (running.hasEnded()) {
      try {
        await running.close();
        running = await startProcess(entry, options, script);
      } catch (error) {
        throw problem = new RangeError(error instanceof Error ? error.message : String(error));
      }
    }
    try {
      return await running.call(call);
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      throw new RangeError(`llama.cpp ends the process that reads this text (${error.how})`);
    }
  };
  const call = async <Answer>(role: Role, ...args: readonly unknown[]): Promise<Answer> => {
    await recovery;
    try {
      return await running.call({ role, args }) as Answer;
    } catch (error) {
      if (!(error instanceof ProcessEnded)) throw error;
      if (error.isStopped) throw new CallFailed(`its process was stopped (${error.how})`);
      const again = recovery.then(() => callAlone({ role, args }));
      recovery = again.catch(() => {});
      return await again as Answer;
    }
  };
  const { name, chat, chatProblem, likelihood } = running.facts;
  return {
    name,
    chat: chat && {
      name,
      ...chat,
      async ask(prompt, { signal, ...how } = {}): Promise<Reply> {
        const stopped = (): Reply => (
          { kind: "failure", message: `Cannot answer: stopped (${signal?.reason})` }
        );
        if (signal?.aborted) return stopped();
        const aborted = Promise.withResolvers<Reply>();
        const stop = () => aborted.resolve(stopped());
        signal?.addEventListener("abort", stop, { once: true });
        try {
          return await Promise.race([call<Reply>("ask", prompt, how), aborted.promise]);
        } catch (error) {
          if (error instanceof CallFailed) return { kind: "failure", message: error.message };
          if (!(error instanceof RangeError)) throw error;
          return { kind: "failure", message: `Cannot answer: ${error.message}`, isRefused: true };
        } finally {
          signal?.removeEventListener("abort", stop);
        }
      },
    },
    chatProblem,
    likelihood: likelihood && {
      name,
      ...likelihood,
      score: (texts, { prefix } = {}) => call("score", texts, { prefix }),
      scoreParts: (texts, { prefix, pieces } = {}) => call("scoreParts", texts, { prefix, pieces }),
    },
    [Symbol.asyncDispose]: () => running.close(),
  };
}

/**
 * Answers calls on standard input with a model until the input closes. This is the child process's
 * program.
 * @param load Loads the model described by the parent's argument.
 */
export async function serveModel(load: typeof loadLocalModel = loadLocalModel): Promise<never> {
  // Whoever calls decides when work ends: Ctrl-C reaches this process, too.
  Deno.addSignalListener("SIGINT", () => {});
  const say = (message: Message) => {
    const bytes = new TextEncoder().encode(`${encode(message)}\n`);
    for (let sent = 0; sent < bytes.length;) sent += Deno.stdout.writeSync(bytes.subarray(sent));
  };
  const problemOf = (error: unknown) =>
    error instanceof Error
      ? { name: error.name, message: error.message }
      : { name: "Error", message: String(error) };
  try {
    const { entry, options } = decode(Deno.args[0]!);
    const onProgress: OnProgress = (progress) => say({ kind: "progress", progress });
    const { name, chat, chatProblem, likelihood } = await load(entry, { ...options, onProgress });
    const factsOf = (model?: ChatModel | LanguageModel) =>
      model && { settings: model.settings, concurrency: model.concurrency ?? 1 };
    const facts = { name, chat: factsOf(chat), chatProblem, likelihood: factsOf(likelihood) };
    say({ kind: "ready", facts: facts as ModelFacts });
    const models: Readonly<Record<Role, (...args: never[]) => Promise<unknown> | undefined>> = {
      ask: (...args: Parameters<ChatModel["ask"]>) => chat?.ask(...args),
      score: (...args: Parameters<LanguageModel["score"]>) => likelihood?.score(...args),
      scoreParts: (...args: Parameters<NonNullable<LanguageModel["scoreParts"]>>) =>
        likelihood?.scoreParts?.(...args),
    };
    const answer = async (id: number, role: Role, args: never[]) => {
      try {
        say({ kind: "answer", id, value: await models[role](...args) });
      } catch (error) {
        say({ kind: "error", id, ...problemOf(error) });
      }
    };
    for await (const line of streamLines(Deno.stdin.readable)) {
      for (const { id, role, args } of decode(line)) answer(id, role, args);
    }
  } catch (error) {
    say({ kind: "problem", ...problemOf(error) });
  }
  Deno.exit(0);
}

if (import.meta.main) await serveModel();
