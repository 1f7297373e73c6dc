import pRetry from "p-retry";
import type { ApiKey } from "./api_keys.ts";
import { type Attempt, attempt } from "./attempt.ts";
import { type KeyQueue, openKeyQueue } from "./key_queue.ts";
import { type KeyRing, keyRing } from "./key_ring.ts";
import { answered, failed, finished, keyEnded, limited, modelEnded } from "./key_ring_changes.ts";
import {
  DEFAULTS,
  type KeyedCallsOptions,
  type Settings,
  type TokenCount,
} from "./keyed_calls_options.ts";
import { withoutSecrets } from "./redaction.ts";
import { openUsageMemory, type UsageMemory } from "./usage_memory.ts";

export type { KeyedCallsOptions, TokenCount, WaitStatus } from "./keyed_calls_options.ts";

export interface CallOptions<T> {
  readonly signal?: AbortSignal;
  /** What the call used, for the memory of usage. */
  readonly tokensOf?: (value: T) => TokenCount;
}

/** What became of a call: its value, or why there is none after all tries. */
export type CallResult<T> =
  | { readonly kind: "done"; readonly value: T }
  | { readonly kind: "failure"; readonly message: string };

/** Calls of a host that share its keys. */
export interface KeyedCalls {
  /** Calls that may be in flight at once; more wait their turn. */
  readonly concurrency?: number;
  /**
   * Runs `request` with a key that may be used for `model` now; rotates, waits and tries again as
   * the replies demand. An abort ends it at once, as a failure.
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

/** Keyed calls that remember; disposing of them writes the memory. */
export interface OpenKeyedCalls extends KeyedCalls, Disposable {
  readonly concurrency: number;
}

/** What all calls share. */
interface Shared {
  readonly settings: Settings;
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
  const clean = (text: string) => withoutSecrets(text, keys);
  const memory = openUsageMemory(settings.usagePath, keys, settings.now);
  const queue = openKeyQueue(memory.restore(newRing(keys, settings)), keys, { ...settings, clean });
  const shared: Shared = { settings, queue, memory, clean };
  let tickets = 0;
  return {
    concurrency: keys.length * settings.concurrencyPerKey,
    call: (model, request, callOptions = {}) =>
      runCall(shared, { ...callOptions, model, request, ticket: tickets++ }),
    [Symbol.dispose]: () => memory[Symbol.dispose](),
  };
}

function newRing(keys: readonly ApiKey[], settings: Settings): KeyRing {
  return keyRing(keys.map(({ label }) => label), {
    concurrencyPerKey: settings.concurrencyPerKey,
    longestWait: settings.longestWaitSeconds * 1000,
    backoff: settings.backoffSeconds * 1000,
    failuresInARow: settings.failuresInARow,
  });
}

/** A call that brought no value, and whether another try may. */
class CallFailure extends Error {
  constructor(message: string, readonly again: boolean) {
    super(message);
  }
}

async function runCall<T>(shared: Shared, call: Call<T>): Promise<CallResult<T>> {
  const { settings: { tries, backoffSeconds }, queue } = shared;
  const { model, signal } = call;
  const failure = (why: string) =>
    ({ kind: "failure", message: `Cannot ask ${model}: ${why}` }) as const;
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
    queue.update((ring) => failed(ring, model, error.message));
    return failure(`${error.message} (${tries} tries)`);
  }
}

/** One try: with the next key, and the next, until one brings a value or a reason that is no key's. */
async function tryOnce<T>(shared: Shared, call: Call<T>): Promise<T> {
  const { settings, queue, clean } = shared;
  while (true) {
    const key = await queue.acquire(call.model, call.ticket, call.signal);
    const outcome = await attempt(key, call.request, settings, call.signal);
    settle(shared, call, key, outcome);
    switch (outcome.kind) {
      case "done":
        return outcome.value;
      case "aborted":
        throw call.signal?.reason;
      case "transient":
      case "refused":
        throw new CallFailure(clean(outcome.message), outcome.kind === "transient");
      case "limited":
      case "key":
      case "model":
        // The ring knows; what can be done now, it says at the next turn.
    }
  }
}

/** Tells ring and memory what became of a request. */
function settle<T>(
  { queue, memory }: Shared,
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
  memory.request(model, tokens);
  if (outcome.kind === "limited") memory.rests(queue.ring);
}
