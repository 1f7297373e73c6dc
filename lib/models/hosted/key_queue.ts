import { ModelUnavailable } from "../model.ts";
import { openAlarm } from "./alarm.ts";
import type { ApiKey } from "./api_keys.ts";
import { type KeyRing, next, type NextStep } from "./key_ring.ts";
import { started } from "./key_ring_changes.ts";
import { unavailableMessage } from "./key_ring_report.ts";
import type { WaitStatus } from "./keyed_calls_options.ts";
import { type WaitingCall, waitingCalls } from "./waiting_calls.ts";

export interface KeyQueueOptions {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onWait: (status: WaitStatus) => void;
}

/** The one ring that all calls share, and the calls that wait for a key of it. */
export interface KeyQueue {
  readonly ring: KeyRing;
  /**
   * The key that may be used for the model now, counted as in flight from here on.
   * @throws {ModelUnavailable} where none can be had; the signal's reason when it aborts.
   */
  acquire(model: string, ticket: number, signal?: AbortSignal): Promise<ApiKey>;
  /** Takes note of an event, and lets those go on who may now. */
  update(change: (ring: KeyRing, now: number) => KeyRing): void;
}

/** Opens the queue of a ring of these keys. */
export function openKeyQueue(
  first: KeyRing,
  keys: readonly ApiKey[],
  { now, sleep, onWait }: KeyQueueOptions,
): KeyQueue {
  const byLabel = new Map(keys.map((key) => [key.label, key]));
  const waiting = waitingCalls();
  let ring = first;
  const alarm = openAlarm(sleep, dispatch);

  /** Lets go who may, oldest first, until nobody may; then sets the alarm for those who rest. */
  function dispatch(): void {
    for (;;) {
      const steps = waiting.heads().map((call) => ({ call, step: next(ring, call.model, now()) }));
      const ready = steps.find(({ step }) => step.kind !== "busy" && step.kind !== "wait");
      if (ready === undefined) return setAlarm(steps);
      waiting.remove(ready.call);
      go(ready.call, ready.step);
    }
  }
  function go(call: WaitingCall, step: NextStep): void {
    if (step.kind === "use") {
      ring = started(ring, step.label);
      call.grant(step.label);
    } else if (step.kind === "exhausted" || step.kind === "model ended") {
      call.refuse(unavailable(call.model, step));
    }
  }
  function setAlarm(steps: readonly WaitingStep[]): void {
    const status = firstReturn(steps, now());
    if (status === undefined) return alarm.clear();
    onWait(status);
    alarm.set(status.seconds * 1000);
  }
  return {
    get ring() {
      return ring;
    },
    async acquire(model, ticket, signal) {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<string>();
      const call: WaitingCall = { model, ticket, grant: resolve, refuse: reject };
      const leave = () => {
        // Whoever has a key already notices the abort with its request.
        if (!waiting.remove(call)) return;
        reject(signal?.reason);
        dispatch();
      };
      signal?.addEventListener("abort", leave, { once: true });
      waiting.add(call);
      dispatch();
      try {
        return byLabel.get(await promise)!;
      } finally {
        signal?.removeEventListener("abort", leave);
      }
    },
    update(change) {
      ring = change(ring, now());
      dispatch();
    },
  };
}

interface WaitingStep {
  readonly call: WaitingCall;
  readonly step: NextStep;
}

/** Of all that wait for a key to return, the one whose key returns first. */
function firstReturn(steps: readonly WaitingStep[], now: number): WaitStatus | undefined {
  const waits = steps.flatMap(({ call: { model }, step }) =>
    step.kind === "wait" ? [{ model, ...step }] : []
  );
  const [first] = waits.toSorted((a, b) => a.until - b.until);
  if (first === undefined) return undefined;
  const { model, label, limit, until } = first;
  return { model, key: label, limit, until: new Date(until), seconds: (until - now) / 1000 };
}

function unavailable(
  model: string,
  step: NextStep & { readonly kind: "exhausted" | "model ended" },
): ModelUnavailable {
  const message = unavailableMessage(model, step);
  const times = step.kind === "exhausted"
    ? step.returns.flatMap((key) => "until" in key ? [key.until] : [])
    : [];
  const returns = times.length === 0 ? [] : [new Date(Math.min(...times))];
  return new ModelUnavailable(message, model, ...returns);
}
