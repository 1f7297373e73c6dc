import type { ApiKey } from "./api_keys.ts";

/** Tokens of one call, as the server counted them. */
export interface TokenCount {
  readonly promptTokens: number;
  readonly replyTokens: number;
}

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

/** Why everybody waits, for a status line. */
export interface WaitStatus {
  readonly model: string;
  /** The key that returns first. */
  readonly key: string;
  /** What it ran into: `tokens per minute`. */
  readonly limit: string;
  readonly until: Date;
  readonly seconds: number;
}

export interface KeyedCallsOptions {
  /** Requests in flight at once with one key; 4 unless told. */
  readonly concurrencyPerKey?: number;
  /** A longer wait for all keys ends in ModelUnavailable; 300 unless told. */
  readonly longestWaitSeconds?: number;
  /** For one try, the reading of the body included; 30 unless told. */
  readonly timeoutSeconds?: number;
  /** Tries of a call that meets network errors and 5xx; 3 unless told. */
  readonly tries?: number;
  /** First wait where nobody names one; it doubles, with jitter. 1 unless told. */
  readonly backoffSeconds?: number;
  /** Calls in a row that fail for good, all tries used, before the model counts as out of reach; 8 unless told. */
  readonly failuresInARow?: number;
  /** Who is asked, for messages; Groq unless told. */
  readonly host?: string;
  /** What to do where the host does not serve a model; Groq's panel unless told. */
  readonly modelRemedy?: string;
  /** Where returns and usage are remembered (`usagePath`); nowhere unless told. */
  readonly usagePath?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
  /** Resolves after so long; rejects when the signal aborts. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onWait?: (status: WaitStatus) => void;
}

/** Keyed calls that remember; disposing of them writes the memory. */
export interface OpenKeyedCalls extends KeyedCalls, Disposable {
  readonly concurrency: number;
}

/** Opens calls that share the keys. */
export function openKeyedCalls(
  _keys: readonly ApiKey[],
  _options: KeyedCallsOptions = {},
): OpenKeyedCalls {
  throw new Error("Cannot call: keyed calls are being written");
}
