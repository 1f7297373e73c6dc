import pRetry from "p-retry";
import { sleep, withTimeLimit } from "../in_flight.ts";
import { type ApiKey, KEYLESS, withoutSecrets } from "./api_keys.ts";
import { type CallProblem, readProblem } from "./call_problem.ts";
import {
  KeyRing,
  modelUnavailable,
  type NextStep,
  type RingSettings,
  type WaitStatus,
  withFullStop,
} from "./key_ring.ts";
import { openRestMemory, type RestMemory } from "./usage.ts";

/** Calls to one host that share its API keys. */
export interface KeyedCalls {
  /** Maximum number of concurrent calls. Further ones wait. */
  readonly concurrency: number;
  /**
   * Runs a request with a key that is available for the model. Rate limits and errors lead to other
   * keys, waits or further attempts. An abort ends it at once as a failure. Start about
   * `concurrency` calls at once.
   * @throws {ModelUnavailable} where the model cannot answer for now.
   */
  call<T>(model: string, request: Request<T>, options?: CallOptions): Promise<CallResult<T>>;
}

type Request<T> = (key: ApiKey, signal: AbortSignal) => Promise<T>;

interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

type CallResult<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failure"; readonly message: string; readonly isRefused?: boolean };

/** Options of keyed calls, {@link DEFAULTS} by default. */
export interface KeyedCallsOptions extends Partial<RingSettings> {
  /** Time limit of one attempt in seconds, including the response body. */
  readonly timeoutSeconds?: number;
  readonly tries?: number;
  readonly host?: string;
  /** Remedy shown if the host's address does not respond. */
  readonly addressRemedy?: string | undefined;
  /** Remedy shown if the host does not serve a model. */
  readonly modelRemedy?: string;
  /** File that records when keys are available again; none by default. */
  readonly usagePath?: string;
  readonly now?: () => number;
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onWait?: (status: WaitStatus) => void;
}

const DEFAULTS = {
  concurrencyPerKey: 4,
  longestWaitSeconds: 300,
  timeoutSeconds: 30,
  tries: 3,
  backoffSeconds: 1,
  host: "Groq",
  modelRemedy: "serve its open weights from a server of your own and put that, as " +
    "kind: openai-compatible, under the same id in data/panels/groq.yaml",
  addressRemedy: undefined as string | undefined,
  now: () => Date.now(),
  sleep,
  onWait: () => {},
} as const satisfies KeyedCallsOptions;

/** Keyed calls with a record of paused keys, which is written on disposal. */
export type OpenKeyedCalls = KeyedCalls & Disposable;

/** Opens calls that share at least one key. Calls wait for a free key. */
export function openKeyedCalls(
  keys: readonly ApiKey[],
  options: KeyedCallsOptions,
): OpenKeyedCalls {
  return new HostCalls(keys, options);
}

class CallFailure extends Error {
  constructor(readonly problem: CallProblem & { kind: "transient" | "refused" }) {
    super(problem.message);
  }
}

/**
 * Milliseconds between two reports of a wait. It is slightly below the timer's second, which may
 * fire early.
 */
const REPORTS_APART = 950;

/** A call that waits for a key. Keys are granted in the order of tickets. */
interface WaitingCall {
  readonly model: string;
  readonly ticket: number;
  grant(label: string): void;
  refuse(reason: unknown): void;
}

class HostCalls implements OpenKeyedCalls {
  readonly concurrency: number;
  readonly #keys: readonly ApiKey[];
  readonly #settings;
  readonly #ring: KeyRing;
  readonly #memory: RestMemory;
  readonly #waiting = new Map<string, WaitingCall[]>();
  #tickets = 0;
  #reported = -Infinity;
  #alarm = new AbortController();

  constructor(keys: readonly ApiKey[], options: KeyedCallsOptions) {
    this.#keys = keys;
    const settings = { ...DEFAULTS, ...options };
    this.concurrency = keys.length * settings.concurrencyPerKey;
    // So that a short outage, which fails all that is in flight, is outlived.
    const failuresInARow = options.failuresInARow ?? 4 * this.concurrency;
    this.#settings = settings;
    this.#ring = new KeyRing(keys.map(({ label }) => label), { ...settings, failuresInARow });
    this.#memory = openRestMemory(options.usagePath, keys, settings.now);
    this.#memory.restore(this.#ring);
  }

  [Symbol.dispose](): void {
    this.#memory[Symbol.dispose]();
  }

  async call<T>(
    model: string,
    request: Request<T>,
    { signal }: CallOptions = {},
  ): Promise<CallResult<T>> {
    const { tries, backoffSeconds } = this.#settings;
    const ticket = this.#tickets++;
    const failure = (why: string) =>
      ({ kind: "failure", message: withFullStop(`Cannot ask ${model}: ${why}`) }) as const;
    try {
      const value = await pRetry(() => this.#tryOnce(model, request, ticket, signal), {
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
      if (problem.kind === "refused") {
        return problem.ofRequest ? { ...failure(message), isRefused: true } : failure(message);
      }
      const isLost = problem.kind === "transient" && problem.isNameless && !this.#ring.reached;
      if (isLost) this.#ring.hostEnded(message);
      else this.#ring.failed(model, message);
      this.#dispatch();
      if (isLost) throw modelUnavailable(model, { kind: "host ended", message });
      return failure(`${message} (${tries} tries)`);
    }
  }

  async #tryOnce<T>(
    model: string,
    request: Request<T>,
    ticket: number,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    const { timeoutSeconds, host, modelRemedy, addressRemedy, now } = this.#settings;
    const clean = (text: string) => withoutSecrets(text, this.#keys);
    while (true) {
      const key = await this.#acquire(model, ticket, signal);
      const send = (limit: AbortSignal) => request(key, limit);
      const outcome = await withTimeLimit(send, timeoutSeconds, signal).then(
        (value) => ({ kind: "done", value }) as const,
        (error) => {
          if (signal?.aborted) return { kind: "aborted" } as const;
          const keyless = key.label === KEYLESS;
          return readProblem(error, {
            ...{ host, modelRemedy, addressRemedy, keyless, clean },
            now: now(),
          });
        },
      );
      this.#ring.settle(key.label, model, outcome, now());
      this.#dispatch();
      if (outcome.kind === "limited") this.#memory.note(this.#ring);
      if (outcome.kind === "done") return outcome.value;
      if (outcome.kind === "aborted") throw signal?.reason;
      if (outcome.kind === "transient" || outcome.kind === "refused") {
        throw new CallFailure(outcome);
      }
      // Of the others the ring knows; what can be done now, it says at the next turn.
    }
  }

  async #acquire(model: string, ticket: number, signal?: AbortSignal): Promise<ApiKey> {
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
      this.#dispatch();
    };
    signal?.addEventListener("abort", leave, { once: true });
    // Mostly at the end; a call that comes again goes before those that came after it.
    queue.splice(queue.findLastIndex((other) => other.ticket < ticket) + 1, 0, call);
    this.#dispatch();
    try {
      const label = await promise;
      return this.#keys.find((key) => key.label === label)!;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  /** Grants available keys to waiting calls, oldest first, and sets a timer for the others. */
  #dispatch(): void {
    while (true) {
      const now = this.#settings.now();
      const steps = [...this.#waiting.values()].flatMap((queue) => queue.slice(0, 1))
        .toSorted((a, b) => a.ticket - b.ticket)
        .map((call) => ({ call, step: this.#ring.next(call.model, now) }));
      const ready = steps.find(({ step }) => step.kind !== "busy" && step.kind !== "wait");
      if (ready === undefined) return this.#await(steps, now);
      const { call, step } = ready;
      this.#waiting.get(call.model)!.shift();
      if (step.kind === "use") {
        this.#ring.started(step.label);
        call.grant(step.label);
      } else if (step.kind !== "busy" && step.kind !== "wait") {
        call.refuse(modelUnavailable(call.model, step));
      }
    }
  }

  /** Reports a wait and resumes when the first key is available again. */
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
    if (Math.abs(now - this.#reported) >= REPORTS_APART) {
      this.#reported = now;
      const seconds = (until - now) / 1000;
      this.#settings.onWait({ model, key: label, limit, seconds });
    }
    // No more than a second, so that a countdown moves.
    const { signal } = this.#alarm = new AbortController();
    const milliseconds = Math.min(1000, Math.max(1, until - now));
    this.#settings.sleep(milliseconds, signal).then(() => this.#dispatch(), (error) => {
      if (!signal.aborted) throw error;
    });
  }
}
