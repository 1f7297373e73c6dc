import pRetry from "p-retry";
import type { ApiKey } from "./api_keys.ts";
import { type Attempt, attempt } from "./attempt.ts";
import { type KeyQueue, unavailable } from "./key_queue.ts";
import {
  answered,
  failed,
  finished,
  hostEnded,
  keyEnded,
  limited,
  modelEnded,
} from "./key_ring_changes.ts";
import { sentence } from "./key_ring_report.ts";
import type { CallOptions, CallResult } from "./keyed_calls.ts";
import type { Settings } from "./keyed_calls_options.ts";
import type { Unsent } from "./network_problem.ts";
import type { UsageMemory } from "./usage_memory.ts";

/** What all calls share. */
export interface Shared {
  readonly settings: Settings;
  readonly queue: KeyQueue;
  readonly memory: UsageMemory;
  /** Takes keys and addresses out of a message. */
  readonly clean: (text: string) => string;
}

/** One call on its way. */
export interface Call<T> extends CallOptions<T> {
  readonly model: string;
  readonly ticket: number;
  readonly request: (key: ApiKey, signal: AbortSignal) => Promise<T>;
}

/** A call that brought no value, and whether another try may. */
class CallFailure extends Error {
  constructor(message: string, readonly again: boolean, readonly unsent?: Unsent) {
    super(message);
  }
}

/** Runs a call to its value, or to the reason why there is none. */
export async function runCall<T>(shared: Shared, call: Call<T>): Promise<CallResult<T>> {
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
  const { settings, queue, clean } = shared;
  const context = { ...settings, clean };
  while (true) {
    const key = await queue.acquire(call.model, call.ticket, call.signal);
    const outcome = await attempt(key, call.request, context, call.signal);
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
