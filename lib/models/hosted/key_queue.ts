import { ModelUnavailable } from "../model.ts";
import type { ApiKey } from "./api_keys.ts";
import {
  type KeyRing,
  type LastStep,
  next,
  type NextStep,
  started,
  unavailableMessage,
  type WaitStatus,
} from "./key_ring.ts";

interface KeyQueueOptions {
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
  #alarm = new AbortController();
  readonly #waiting = waitingCalls();
  readonly #byLabel: ReadonlyMap<string, ApiKey>;

  constructor(ring: KeyRing, keys: readonly ApiKey[], private readonly options: KeyQueueOptions) {
    this.#ring = ring;
    this.#byLabel = new Map(keys.map((key) => [key.label, key]));
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
      if (ready === undefined) return this.#await(steps, now);
      const { call, step } = ready;
      this.#waiting.remove(call);
      if (step.kind === "use") {
        this.#ring = started(this.#ring, step.label);
        call.grant(step.label);
      } else call.refuse(unavailable(call.model, step as LastStep));
    }
  }

  /** Reports and awaits the first return of a key that somebody waits for. */
  #await(
    steps: readonly { readonly call: WaitingCall; readonly step: NextStep }[],
    now: number,
  ): void {
    this.#alarm.abort();
    const waits = steps.flatMap(({ call: { model }, step }) =>
      step.kind === "wait" ? [{ model, ...step }] : []
    );
    const [first] = waits.toSorted((a, b) => a.until - b.until);
    if (first === undefined) return;
    const { model, label, limit, until } = first;
    // Every end of another model's request comes by here: a status line need not know.
    if (Math.abs(now - this.#told) >= REPORTS_APART) {
      this.#told = now;
      const seconds = (until - now) / 1000;
      this.options.onWait({ model, key: label, limit, until: new Date(until), seconds });
    }
    // No more than a second, so that a countdown moves.
    const { signal } = this.#alarm = new AbortController();
    const milliseconds = Math.min(1000, Math.max(1, until - now));
    this.options.sleep(milliseconds, signal).then(() => this.#dispatch(), (error) => {
      if (!signal.aborted) throw error;
    });
  }
}

/** What a call is told that finds nothing to be had. */
export function unavailable(model: string, step: LastStep): ModelUnavailable {
  const returns = step.kind === "exhausted" ? step.returns : [];
  const times = returns.flatMap((key) => "until" in key ? [key.until] : []);
  const first = times.length === 0 ? [] : [new Date(Math.min(...times))];
  return new ModelUnavailable(unavailableMessage(model, step), model, ...first);
}

/** A call that waits for its key. */
export interface WaitingCall {
  readonly model: string;
  /** Calls go in this order, whenever they came to need a key. */
  readonly ticket: number;
  grant(label: string): void;
  refuse(reason: unknown): void;
}

/** Calls in waiting, model by model, each in the order of its ticket. */
export function waitingCalls() {
  const queues = new Map<string, WaitingCall[]>();
  return {
    add(call: WaitingCall): void {
      const queue = queues.get(call.model) ?? [];
      queues.set(call.model, queue);
      // Mostly at the end; a call that comes again goes behind those that came before it.
      queue.splice(queue.findLastIndex(({ ticket }) => ticket < call.ticket) + 1, 0, call);
    },
    /** Whether it was waiting still. */
    remove(call: WaitingCall): boolean {
      const queue = queues.get(call.model) ?? [];
      const place = queue.indexOf(call);
      if (place >= 0) queue.splice(place, 1);
      return place >= 0;
    },
    /** The first of each model, oldest first. */
    heads: (): readonly WaitingCall[] =>
      [...queues.values()].flatMap((queue) => queue.slice(0, 1))
        .toSorted((a, b) => a.ticket - b.ticket),
  };
}
