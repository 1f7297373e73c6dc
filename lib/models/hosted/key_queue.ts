import { ModelUnavailable } from "../model.ts";
import { type Alarm, openAlarm } from "./alarm.ts";
import type { ApiKey } from "./api_keys.ts";
import { type KeyRing, type LastStep, next, type NextStep } from "./key_ring.ts";
import { started } from "./key_ring_changes.ts";
import { unavailableMessage } from "./key_ring_report.ts";
import type { WaitStatus } from "./keyed_calls_options.ts";
import { type WaitingCall, waitingCalls } from "./waiting_calls.ts";

export interface KeyQueueOptions {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onWait: (status: WaitStatus) => void;
}

/** Milliseconds between two reports of a wait; somewhat below the alarm's second, which may ring early. */
const REPORTS_APART = 950;

/** The one ring that all calls share, and the calls that wait for a key of it. */
export class KeyQueue {
  #ring: KeyRing;
  #told = -Infinity;
  readonly #waiting = waitingCalls();
  readonly #alarm: Alarm;
  readonly #byLabel: ReadonlyMap<string, ApiKey>;

  constructor(
    ring: KeyRing,
    keys: readonly ApiKey[],
    private readonly options: KeyQueueOptions,
  ) {
    this.#ring = ring;
    this.#byLabel = new Map(keys.map((key) => [key.label, key]));
    this.#alarm = openAlarm(options.sleep, () => this.#dispatch());
  }

  get ring(): KeyRing {
    return this.#ring;
  }

  /**
   * The key that may be used for the model now, counted as in flight from here on.
   * @throws {ModelUnavailable} where none can be had; the signal's reason when it aborts.
   */
  async acquire(model: string, ticket: number, signal?: AbortSignal): Promise<ApiKey> {
    signal?.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    const call: WaitingCall = { model, ticket, grant: resolve, refuse: reject };
    const leave = () => {
      // Whoever has a key already notices the abort with its request.
      if (!this.#waiting.remove(call)) return;
      reject(signal?.reason);
      this.#dispatch();
    };
    signal?.addEventListener("abort", leave, { once: true });
    this.#waiting.add(call);
    this.#dispatch();
    try {
      return this.#byLabel.get(await promise)!;
    } finally {
      signal?.removeEventListener("abort", leave);
    }
  }

  /** Takes note of an event, and lets those go on who may now. */
  update(change: (ring: KeyRing, now: number) => KeyRing): void {
    this.#ring = change(this.#ring, this.options.now());
    this.#dispatch();
  }

  /** Lets go who may, oldest first, until nobody may; then sets the alarm for those who rest. */
  #dispatch(): void {
    for (;;) {
      const now = this.options.now();
      const steps = this.#waiting.heads()
        .map((call) => ({ call, step: next(this.#ring, call.model, now) }));
      const ready = steps.find(({ step }) => step.kind !== "busy" && step.kind !== "wait");
      if (ready === undefined) return this.#setAlarm(steps, now);
      this.#waiting.remove(ready.call);
      this.#go(ready.call, ready.step);
    }
  }

  #go(call: WaitingCall, step: NextStep): void {
    if (step.kind === "use") {
      this.#ring = started(this.#ring, step.label);
      call.grant(step.label);
    } else if (step.kind !== "busy" && step.kind !== "wait") {
      call.refuse(unavailable(call.model, step));
    }
  }

  #setAlarm(steps: readonly WaitingStep[], now: number): void {
    const status = firstReturn(steps, now);
    if (status === undefined) return this.#alarm.clear();
    // Every end of another model's request comes by here: a status line need not know.
    if (Math.abs(now - this.#told) >= REPORTS_APART) {
      this.#told = now;
      this.options.onWait(status);
    }
    this.#alarm.set(status.seconds * 1000);
  }
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

/** What a call is told that finds nothing to be had. */
export function unavailable(model: string, step: LastStep): ModelUnavailable {
  const message = unavailableMessage(model, step);
  const times = step.kind === "exhausted"
    ? step.returns.flatMap((key) => "until" in key ? [key.until] : [])
    : [];
  const returns = times.length === 0 ? [] : [new Date(Math.min(...times))];
  return new ModelUnavailable(message, model, ...returns);
}
