import type { ApiKey } from "./api_keys.ts";
import { KeyQueue } from "./key_queue.ts";
import { type KeyRing, keyRing } from "./key_ring.ts";
import {
  type KeyedCallsOptions,
  type Settings,
  settingsOf,
  type TokenCount,
} from "./keyed_calls_options.ts";
import { withoutSecrets } from "./redaction.ts";
import { runCall, type Shared } from "./run_call.ts";
import { openUsageMemory } from "./usage_memory.ts";

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
   * Keep about `concurrency` calls open, not all of a long run: each that waits listens to its
   * signal, and to stop tens of thousands that wait takes seconds.
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

/**
 * Opens calls that share these keys: any number of callers at once, each waiting its turn.
 * @throws {RangeError} where there is no key.
 */
export function openKeyedCalls(
  keys: readonly ApiKey[],
  options: KeyedCallsOptions = {},
): OpenKeyedCalls {
  if (keys.length === 0) throw new RangeError("Cannot open calls: there is no key");
  const settings = settingsOf(options, keys.length);
  const clean = (text: string) => withoutSecrets(text, keys);
  const memory = openUsageMemory(settings.usagePath, keys, settings.now);
  const queue = new KeyQueue(memory.restore(newRing(keys, settings)), keys, settings);
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
