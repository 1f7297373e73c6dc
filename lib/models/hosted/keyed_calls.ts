import pRetry from "p-retry";
import { sleep, withTimeLimit } from "../in_flight.ts";
import { type ApiKey, KEYLESS, withoutSecrets } from "./api_keys.ts";
import { type CallProblem, readProblem, type Unsent } from "./call_problem.ts";
import { KeyQueue, unavailable } from "./key_queue.ts";
import {
  answered,
  failed,
  finished,
  hostEnded,
  keyEnded,
  keyRing,
  limited,
  modelEnded,
  sentence,
  type WaitStatus,
} from "./key_ring.ts";
import { openUsageMemory, type Purpose, type TokenCount, type UsageMemory } from "./usage.ts";

/** Calls of a host that share its keys. */
export interface KeyedCalls {
  /** Calls that may be in flight at once; more wait their turn. */
  readonly concurrency?: number;
  /**
   * Runs `request` with a key that may be used for `model` now; rotates, waits and tries again as
   * the replies demand. An abort ends it at once, as a failure.
   *
   * Keep about `concurrency` calls open, not all of a long run: each that waits listens to its
   * signal, and to stop tens of thousands that wait takes seconds.
   *
   * @param model The panel's id: messages name it, limits are kept under it.
   * @throws {ModelUnavailable} where no answer can be had for now, whatever is asked.
   */
  call<T>(model: string, request: Request<T>, options?: CallOptions<T>): Promise<CallResult<T>>;
}

type Request<T> = (key: ApiKey, signal: AbortSignal) => Promise<T>;

interface CallOptions<T> {
  readonly signal?: AbortSignal;
  /** What the call used, for the memory of usage. */
  readonly tokensOf?: (value: T) => TokenCount;
}

/** What became of a call: its value, or why there is none after all tries. */
type CallResult<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failure"; readonly message: string };

/** How keyed calls are made; what is left out is as {@link DEFAULTS} has it. */
export interface KeyedCallsOptions {
  /** Requests in flight at once with one key. */
  readonly concurrencyPerKey?: number;
  /** A longer wait for all keys, counted from a model's last answer, ends in ModelUnavailable. */
  readonly longestWaitSeconds?: number;
  /** For one try, the reading of the body included. */
  readonly timeoutSeconds?: number;
  /** Tries of a call that meets network errors, 5xx and broken replies. */
  readonly tries?: number;
  /** First wait between tries, and after a 429 that names no time; it doubles, the former with jitter. */
  readonly backoffSeconds?: number;
  /**
   * Calls in a row that fail, all tries used, until the model counts as out of reach; left out, four
   * times as many as may be in flight, so that a short outage, which fails all in flight, is outlived.
   */
  readonly failuresInARow?: number;
  /** Who is asked, for messages. */
  readonly host?: string;
  /** What to do where the host does not serve a model. */
  readonly modelRemedy?: string;
  /** The file that remembers usage and returns; nothing does where it is left out. */
  readonly usagePath?: string;
  /** What its requests are counted as; questions where it is left out. */
  readonly purpose?: Purpose;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Resolves after so long; rejects when the signal aborts. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  /** Hears why all wait: at most once a second, and once a second while they do. */
  readonly onWait?: (status: WaitStatus) => void;
}

const DEFAULTS = {
  concurrencyPerKey: 4,
  longestWaitSeconds: 300,
  timeoutSeconds: 30,
  tries: 3,
  backoffSeconds: 1,
  purpose: "questions",
  host: "Groq",
  modelRemedy: "serve its open weights from a server of your own and put that, as " +
    "kind: openai-compatible, under the same id in data/panels/groq.yaml",
  now: () => Date.now(),
  sleep,
  onWait: () => {},
} as const satisfies KeyedCallsOptions;

/** Keyed calls that remember; disposing of them writes the memory. */
export interface OpenKeyedCalls extends KeyedCalls, Disposable {
  readonly concurrency: number;
}

/**
 * Opens calls that share these keys: any number of callers at once, each waiting its turn.
 * @throws {RangeError} where there is no key.
 */
export function openKeyedCalls(
  keys: readonly ApiKey[],
  options: KeyedCallsOptions = {},
): OpenKeyedCalls {
  if (keys.length === 0) throw new RangeError("Cannot open calls: there is no key");
  const settings = { ...DEFAULTS, ...options };
  const concurrency = keys.length * settings.concurrencyPerKey;
  const ring = keyRing(keys.map(({ label }) => label), {
    concurrencyPerKey: settings.concurrencyPerKey,
    longestWait: settings.longestWaitSeconds * 1000,
    backoff: settings.backoffSeconds * 1000,
    failuresInARow: options.failuresInARow ?? 4 * concurrency,
  });
  const memory = openUsageMemory(options.usagePath, keys, settings.now);
  const queue = new KeyQueue(memory.restore(ring), keys, settings);
  const clean = (text: string) => withoutSecrets(text, keys);
  const shared: Shared = { settings, queue, memory, clean };
  let tickets = 0;
  return {
    concurrency,
    call: (model, request, callOptions = {}) =>
      runCall(shared, { ...callOptions, model, request, ticket: tickets++ }),
    [Symbol.dispose]: () => memory[Symbol.dispose](),
  };
}

/** What all calls share. */
interface Shared {
  readonly settings: Required<Omit<KeyedCallsOptions, "usagePath" | "failuresInARow">>;
  readonly queue: KeyQueue;
  readonly memory: UsageMemory;
  /** Takes keys and addresses out of a message. */
  readonly clean: (text: string) => string;
}

/** One call on its way. */
interface Call<T> extends CallOptions<T> {
  readonly model: string;
  readonly ticket: number;
  readonly request: Request<T>;
}

/** A call that brought no value, and whether another try may. */
class CallFailure extends Error {
  constructor(message: string, readonly again: boolean, readonly unsent?: Unsent) {
    super(message);
  }
}

/** Runs a call to its value, or to the reason why there is none. */
async function runCall<T>(shared: Shared, call: Call<T>): Promise<CallResult<T>> {
  const { settings: { tries, backoffSeconds }, queue } = shared;
  const { model, signal } = call;
  const failure = (why: string) =>
    ({ kind: "failure", message: sentence(`Cannot ask ${model}: ${why}`) }) as const;
  try {
    const value = await pRetry(() => tryOnce(shared, call), {
      retries: tries - 1,
      minTimeout: backoffSeconds * 1000,
      randomize: true,
      signal,
      shouldRetry: ({ error }) => error instanceof CallFailure && error.again,
    });
    return { kind: "done", value };
  } catch (error) {
    if (signal?.aborted) return failure("stopped");
    if (!(error instanceof CallFailure)) throw error;
    if (!error.again) return failure(error.message);
    if (error.unsent === "no name" && queue.ring.reached !== true) {
      queue.update((ring) => hostEnded(ring, error.message));
      throw unavailable(model, { kind: "host ended", message: error.message });
    }
    queue.update((ring) => failed(ring, model, error.message));
    return failure(`${error.message} (${tries} tries)`);
  }
}

/** One try: with the next key, and the next, until one brings a value or a reason that is no key's. */
async function tryOnce<T>(shared: Shared, call: Call<T>): Promise<T> {
  while (true) {
    const key = await shared.queue.acquire(call.model, call.ticket, call.signal);
    const outcome = await attempt(shared, call, key);
    settle(shared, call, key, outcome);
    switch (outcome.kind) {
      case "done":
        return outcome.value;
      case "aborted":
        throw call.signal?.reason;
      case "transient":
        throw new CallFailure(outcome.message, true, outcome.unsent);
      case "refused":
        throw new CallFailure(outcome.message, false);
      case "limited":
      case "key":
      case "model":
        // The ring knows; what can be done now, it says at the next turn.
    }
  }
}

/** What became of one request with one key. */
type Attempt<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "aborted" }
  | CallProblem;

/** Sends one request, in the time it has. It throws nothing: what a request throws is read. */
async function attempt<T>(
  { settings, clean }: Shared,
  { request, signal }: Call<T>,
  key: ApiKey,
): Promise<Attempt<T>> {
  try {
    const send = (limit: AbortSignal) => request(key, limit);
    const value = await withTimeLimit(send, settings.timeoutSeconds, signal);
    return { kind: "done", value };
  } catch (error) {
    if (signal?.aborted) return { kind: "aborted" };
    const { host, modelRemedy, now } = settings;
    const keyless = key.label === KEYLESS;
    return readProblem(error, { host, modelRemedy, keyless, clean, now: now() });
  }
}

/** Tells ring and memory what became of a request. */
function settle<T>(
  { settings: { purpose }, queue, memory }: Shared,
  { model, tokensOf }: Call<T>,
  { label }: ApiKey,
  outcome: Attempt<T>,
): void {
  queue.update((ring, now) => {
    const rest = finished(ring, label);
    if (outcome.kind === "done") return answered(rest, label, model, now);
    if (outcome.kind === "limited") return limited(rest, label, model, outcome, now);
    if (outcome.kind === "model") return modelEnded(rest, model, outcome.message);
    return outcome.kind === "key" ? keyEnded(rest, label, outcome) : rest;
  });
  const tokens = outcome.kind === "done" ? tokensOf?.(outcome.value) : undefined;
  // What never reached the host counts for no limit of it.
  const isSent = outcome.kind !== "transient" || outcome.unsent === undefined;
  if (isSent) memory.request({ model, purpose, tokens });
  if (outcome.kind === "limited") memory.rests(queue.ring);
}
