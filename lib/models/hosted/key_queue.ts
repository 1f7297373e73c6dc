import { ModelUnavailable } from "../model.ts";
import type { ApiKey } from "./api_keys.ts";
import type { WaitStatus } from "./keyed_calls_options.ts";
import { type KeyRing, next, type NextStep } from "./key_ring.ts";
import { started } from "./key_ring_changes.ts";
import { unavailableMessage } from "./key_ring_report.ts";

/** A call that waits for its key. */
interface Waiter {
  /** Calls go in this order, whenever they came to need a key. */
  readonly ticket: number;
  grant(label: string): void;
  refuse(error: Error): void;
}

export interface KeyQueueOptions {
  readonly now: () => number;
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly onWait: (status: WaitStatus) => void;
  /** Of a message on its way out. */
  readonly clean: (text: string) => string;
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

/** At most so long between two looks at the clock, so that a countdown moves. */
const TICK = 1000;

/** Opens the queue of a ring. */
export function openKeyQueue(
  first: KeyRing,
  keys: readonly ApiKey[],
  options: KeyQueueOptions,
): KeyQueue {
  const byLabel = new Map(keys.map((key) => [key.label, key]));
  const queues = new Map<string, Waiter[]>();
  let ring = first;
  let alarm = new AbortController();

  const settleHead = (model: string, queue: Waiter[], step: NextStep): boolean => {
    if (step.kind === "busy" || step.kind === "wait") return false;
    const waiter = queue.shift();
    if (step.kind === "use") {
      ring = started(ring, step.label);
      waiter?.grant(step.label);
    } else waiter?.refuse(unavailable(model, step, options.clean));
    return true;
  };
  /** Lets the oldest go who may, until nobody may; then sets the alarm for those who rest. */
  const dispatch = () => {
    const now = options.now();
    const waits: (NextStep & { readonly kind: "wait"; readonly model: string })[] = [];
    const open = new Set([...queues.keys()]);
    while (open.size > 0) {
      const model = oldest(queues, open);
      const queue = model === undefined ? undefined : queues.get(model);
      if (model === undefined || queue === undefined) break;
      const step = next(ring, model, now);
      if (settleHead(model, queue, step)) continue;
      if (step.kind === "wait") waits.push({ ...step, model });
      open.delete(model);
    }
    setAlarm(waits, now);
  };
  const setAlarm = (
    waits: readonly (NextStep & { readonly kind: "wait"; readonly model: string })[],
    now: number,
  ) => {
    alarm.abort();
    const [first] = waits.toSorted((a, b) => a.until - b.until);
    if (first === undefined) return;
    const { model, label, limit, until } = first;
    const seconds = (until - now) / 1000;
    options.onWait({ model, key: label, limit, until: new Date(until), seconds });
    const set = alarm = new AbortController();
    options.sleep(Math.min(TICK, Math.max(1, until - now)), set.signal).then(dispatch, (error) => {
      if (!set.signal.aborted) throw error;
    });
  };
  return {
    get ring() {
      return ring;
    },
    async acquire(model, ticket, signal) {
      signal?.throwIfAborted();
      const granted = Promise.withResolvers<string>();
      const queue = queues.get(model) ?? [];
      queues.set(model, queue);
      const waiter: Waiter = { ticket, grant: granted.resolve, refuse: granted.reject };
      insert(queue, waiter);
      const leave = () => {
        const place = queue.indexOf(waiter);
        if (place < 0) return; // Granted already: the request itself will notice the abort.
        queue.splice(place, 1);
        granted.reject(signal?.reason);
        dispatch();
      };
      signal?.addEventListener("abort", leave, { once: true });
      dispatch();
      try {
        return byLabel.get(await granted.promise)!;
      } finally {
        signal?.removeEventListener("abort", leave);
      }
    },
    update(change) {
      ring = change(ring, options.now());
      dispatch();
    },
  };
}

/** Behind those that came before; mostly that is the end. */
function insert(queue: Waiter[], waiter: Waiter): void {
  const before = queue.findLastIndex(({ ticket }) => ticket < waiter.ticket);
  queue.splice(before + 1, 0, waiter);
}

/** Of these models the one whose first waiter has waited longest. */
function oldest(
  queues: ReadonlyMap<string, readonly Waiter[]>,
  models: ReadonlySet<string>,
): string | undefined {
  const heads = [...models].flatMap((model) => {
    const ticket = queues.get(model)?.[0]?.ticket;
    return ticket === undefined ? [] : [{ model, ticket }];
  });
  return heads.toSorted((a, b) => a.ticket - b.ticket)[0]?.model;
}

function unavailable(
  model: string,
  step: NextStep & { readonly kind: "exhausted" | "model ended" },
  clean: (text: string) => string,
): ModelUnavailable {
  const times = step.kind === "exhausted"
    ? step.returns.flatMap((key) => "until" in key ? [key.until] : [])
    : [];
  const message = clean(unavailableMessage(model, step));
  return times.length === 0
    ? new ModelUnavailable(message, model)
    : new ModelUnavailable(message, model, new Date(Math.min(...times)));
}
