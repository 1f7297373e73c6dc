import type { ApiKey } from "../api_keys.ts";
import { type KeyedCallsOptions, openKeyedCalls } from "../keyed_calls.ts";
import { groqBatchService } from "./groq_service.ts";
import type { BatchService } from "./service.ts";

export interface BatchServicesOptions {
  /** How long Groq may take for a batch: `24h` … `7d`. */
  readonly window: string;
  readonly signal?: AbortSignal;
  readonly onWait?: KeyedCallsOptions["onWait"];
  /** The stand-in's address and clock, in tests only. */
  readonly standIn?: { readonly baseUrl: string; readonly calls?: KeyedCallsOptions };
}

/** One service a key. */
export interface BatchServices extends Disposable {
  readonly services: readonly BatchService[];
}

/**
 * For one try, in seconds: an input file of megabytes takes its time. A batch's request may arrive
 * up to so long after it was sent.
 */
export const BATCH_TIMEOUT = 120;

/** How long after its request a batch that the host took may be missing in its list, in seconds. */
export const SETTLE_SECONDS = 2 * BATCH_TIMEOUT;

/** Opens the Batch API for each key by itself: what one organisation made, another does not see. */
export function openBatchServices(
  keys: readonly ApiKey[],
  { window, signal, onWait, standIn }: BatchServicesOptions,
): BatchServices {
  using opened = new DisposableStack();
  const base: KeyedCallsOptions = {
    timeoutSeconds: BATCH_TIMEOUT,
    // A batch is followed for a day and longer: an outage in between must not end that.
    failuresInARow: Infinity,
    ...(onWait ? { onWait } : {}),
    ...standIn?.calls,
  };
  const services = keys.map((key) =>
    groqBatchService({
      key,
      window,
      calls: opened.use(openKeyedCalls([key], base)),
      onceCalls: opened.use(openKeyedCalls([key], { ...base, tries: 1 })),
      ...(signal ? { signal } : {}),
      ...(standIn ? { baseUrl: standIn.baseUrl } : {}),
    })
  );
  const kept = opened.move();
  return { services, [Symbol.dispose]: () => kept.dispose() };
}
