import pRetry from "p-retry";
import { sleep, withTimeLimit } from "../in_flight.ts";
import { type ApiKey, KEYLESS, withoutSecrets } from "./api_keys.ts";
import { type CallProblem, readProblem } from "./call_problem.ts";
import { KeyRing, type NextStep, sentence, unavailable, type WaitStatus } from "./key_ring.ts";
import { openUsageMemory, type Purpose, type TokenCount, type UsageMemory } from "./usage.ts";

/** Calls of a host that share its keys. */
export interface KeyedCalls {
  /** Calls that may be in flight at once; more wait their turn. */
  readonly concurrency?: number;
  /**
   * Runs `request` with a key that may be used for `model` now; rotates, waits and tries again as
   * the replies demand. An abort ends it at once, as a failure. Keep about `concurrency` calls open:
   * to stop tens of thousands that wait takes seconds.
   *
   * @param model The panel's id: messages name it, limits are kept under it.
   * @throws {ModelUnavailable} where no answer can be had for now, whatever is asked.
   */
  call<T>(
    model: string,
    request: (key: ApiKey, signal: AbortSignal) => Promise<T>,
    options?: CallOptions<T>,
  ): Promise<CallResult<T>>;
}

interface CallOptions<T> {
  readonly signal?: AbortSignal | undefined;
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
  /** What its requests are counted as. */
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

type Settings = Required<Omit<KeyedCallsOptions, "usagePath" | "failuresInARow">>;

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
  const settings: Settings = { ...DEFAULTS, ...options };
  const concurrency = keys.length * settings.concurrencyPerKey;
  const ring = new KeyRing(keys.map(({ label }) => label), {
    concurrencyPerKey: settings.concurrencyPerKey,
    longestWait: settings.longestWaitSeconds * 1000,
    backoff: settings.backoffSeconds * 1000,
    failuresInARow: options.failuresInARow ?? 4 * concurrency,
  });
  const memory = openUsageMemory(options.usagePath, keys, settings.now);
  memory.restore(ring);
  const queue = new KeyQueue(ring, keys, settings);
  const host = { settings, ring, queue, memory, clean: (t: string) => withoutSecrets(t, keys) };
  let tickets = 0;
  return {
    concurrency,
    call: (model, request, call = {}) =>
      runCall(host, { ...call, model, request, ticket: tickets++ }),
    [Symbol.dispose]: () => memory[Symbol.dispose](),
  };
}

/** What all calls share. */
interface Host {
  readonly settings: Settings;
  readonly ring: KeyRing;
  readonly queue: KeyQueue;
  readonly memory: UsageMemory;
  /** Takes keys and addresses out of a message. */
  readonly clean: (text: string) => string;
}

/** One call on its way. */
interface Call<T> extends CallOptions<T> {
  readonly model: string;
  readonly ticket: number;
  readonly request: (key: ApiKey, signal: AbortSignal) => Promise<T>;
}

/** A try that brought no value, for a reason that is no key's. */
class CallFailure extends Error {
  constructor(readonly problem: CallProblem & { kind: "transient" | "refused" }) {
    super(problem.message);
  }
}

/** Runs a call to its value, or to the reason why there is none. */
async function runCall<T>(host: Host, call: Call<T>): Promise<CallResult<T>> {
  const { settings: { tries, backoffSeconds }, ring, queue } = host;
  const { model, signal } = call;
  const failure = (why: string) =>
    ({ kind: "failure", message: sentence(`Cannot ask ${model}: ${why}`) }) as const;
  try {
    const value = await pRetry(() => tryOnce(host, call), {
      retries: tries - 1,
      minTimeout: backoffSeconds * 1000,
      randomize: true,
      signal,
      shouldRetry: ({ error }) =>
        error instanceof CallFailure && error.problem.kind === "transient",
    });
    return { kind: "done", value };
  } catch (error) {
    if (signal?.aborted) return failure("stopped");
    if (!(error instanceof CallFailure)) throw error;
    const { problem, message } = error;
    if (problem.kind === "refused") return failure(message);
    const isLost = problem.unsent === "no name" && !ring.reached;
    if (isLost) ring.hostEnded(message);
    else ring.failed(model, message);
    queue.dispatch();
    if (isLost) throw unavailable(model, { kind: "host ended", message });
    return failure(`${message} (${tries} tries)`);
  }
}

/** One try: with the next key, and the next, until one brings a value or a reason that is no key's. */
async function tryOnce<T>(
  { settings, ring, queue, memory, clean }: Host,
  { model, request, ticket, signal, tokensOf }: Call<T>,
): Promise<T> {
  const { purpose, timeoutSeconds, host, modelRemedy } = settings;
  while (true) {
    const key = await queue.acquire(model, ticket, signal);
    const { label } = key;
    const send = (limit: AbortSignal) => request(key, limit);
    const outcome = await withTimeLimit(send, timeoutSeconds, signal).then(
      (value) => ({ kind: "done", value }) as const,
      (error) => {
        if (signal?.aborted) return { kind: "aborted" } as const;
        const [keyless, now] = [label === KEYLESS, settings.now()];
        return readProblem(error, { host, modelRemedy, keyless, clean, now });
      },
    );
    const now = settings.now();
    ring.finished(label);
    if (outcome.kind === "done") ring.answered(label, model, now);
    if (outcome.kind === "limited") ring.limited(label, model, outcome, now);
    if (outcome.kind === "model") ring.modelEnded(model, outcome.message);
    if (outcome.kind === "key") ring.keyEnded(label, outcome);
    queue.dispatch();
    const tokens = outcome.kind === "done" ? tokensOf?.(outcome.value) : undefined;
    // What never reached the host counts for no limit of it.
    const isSent = outcome.kind !== "transient" || outcome.unsent === undefined;
    if (isSent) memory.request({ model, purpose, tokens });
    if (outcome.kind === "limited") memory.rests(ring);
    if (outcome.kind === "done") return outcome.value;
    if (outcome.kind === "aborted") throw signal?.reason;
    if (outcome.kind === "transient" || outcome.kind === "refused") throw new CallFailure(outcome);
    // Of the others the ring knows; what can be done now, it says at the next turn.
  }
}

/** Milliseconds between two reports of a wait; somewhat below the alarm's second, which may ring early. */
const REPORTS_APART = 950;

/** A call that waits for its key; calls go by ticket, whenever they came to need a key. */
interface WaitingCall {
  readonly model: string;
  readonly ticket: number;
  grant(label: string): void;
  refuse(reason: unknown): void;
}

/** The calls that wait for a key of the ring. */
class KeyQueue {
  #told = -Infinity;
  #alarm = new AbortController();
  /** By model, in the order of their tickets. */
  readonly #waiting = new Map<string, WaitingCall[]>();

  constructor(
    private readonly ring: KeyRing,
    private readonly keys: readonly ApiKey[],
    private readonly settings: Settings,
  ) {}

  /**
   * The key that may be used for the model now, counted as in flight from here on.
   * @throws {ModelUnavailable} where none can be had; the signal's reason when it aborts.
   */
  async acquire(model: string, ticket: number, signal?: AbortSignal): Promise<ApiKey> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const call = { model, ticket, grant: resolve, refuse: reject };
    const queue = this.#waiting.get(model) ?? [];
    this.#waiting.set(model, queue);
    const leave = () => {
      // Whoever has a key already notices the abort with its request.
      const place = queue.indexOf(call);
      if (place < 0) return;
      queue.splice(place, 1);
      reject(signal?.reason);
      this.dispatch();
    };
    signal?.addEventListener("abort", leave, { once: true });
    // Mostly at the end; a call that comes again goes before those that came after it.
    queue.splice(queue.findLastIndex((other) => other.ticket < ticket) + 1, 0, call);
    this.dispatch();
    try {
      const label = await promise;
      return this.keys.find((key) => key.label === label)!;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  /** Lets go who may, oldest first, until nobody may; then sets the alarm for those who rest. */
  dispatch(): void {
    for (;;) {
      const now = this.settings.now();
      const steps = [...this.#waiting.values()].flatMap((queue) => queue.slice(0, 1))
        .toSorted((a, b) => a.ticket - b.ticket)
        .map((call) => ({ call, step: this.ring.next(call.model, now) }));
      const ready = steps.find(({ step }) => step.kind !== "busy" && step.kind !== "wait");
      if (ready === undefined) return this.#await(steps, now);
      const { call, step } = ready;
      this.#waiting.get(call.model)!.shift();
      if (step.kind === "use") {
        this.ring.started(step.label);
        call.grant(step.label);
      } else if (step.kind !== "busy" && step.kind !== "wait") {
        call.refuse(unavailable(call.model, step));
      }
    }
  }

  /** Reports and awaits the first return of a key that somebody waits for. */
  #await(
    steps: readonly { readonly call: WaitingCall; readonly step: NextStep }[],
    now: number,
  ): void {
    this.#alarm.abort();
    const [first] = steps.flatMap(({ call: { model }, step }) =>
      step.kind === "wait" ? [{ model, ...step }] : []
    ).toSorted((a, b) => a.until - b.until);
    if (first === undefined) return;
    const { model, label, limit, until } = first;
    // Every end of another model's request comes by here: a status line need not know.
    if (Math.abs(now - this.#told) >= REPORTS_APART) {
      this.#told = now;
      const seconds = (until - now) / 1000;
      this.settings.onWait({ model, key: label, limit, seconds });
    }
    // No more than a second, so that a countdown moves.
    const { signal } = this.#alarm = new AbortController();
    const milliseconds = Math.min(1000, Math.max(1, until - now));
    this.settings.sleep(milliseconds, signal).then(() => this.dispatch(), (error) => {
      if (!signal.aborted) throw error;
    });
  }
}
