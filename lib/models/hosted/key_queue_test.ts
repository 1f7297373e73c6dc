import assert from "node:assert/strict";
import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { apiKey } from "./api_keys.ts";
import { type WaitingCall, waitingCalls } from "./key_queue.ts";
import { openKeyedCalls } from "./keyed_calls.ts";
import { limitError } from "./testdata/host_errors.ts";
import { virtualTime } from "./testdata/virtual_time.ts";

const KEY = apiKey("GROQ_API_KEY_1", ["gsk", "test", "queue"].join("_"));

/** A signal that counts who listens to it. */
function countedSignal() {
  const controller = new AbortController();
  const { signal } = controller;
  const listeners = new Set<unknown>();
  const [add, remove] = [signal.addEventListener, signal.removeEventListener];
  signal.addEventListener = (...given: Parameters<typeof add>) => {
    listeners.add(given[1]);
    add.apply(signal, given);
  };
  signal.removeEventListener = (...given: Parameters<typeof remove>) => {
    listeners.delete(given[1]);
    remove.apply(signal, given);
  };
  return { controller, signal, listeners };
}

Deno.test("call() leaves no listener on its signal, whatever became of it", async () => {
  const { controller, signal, listeners } = countedSignal();
  let most = 0;
  let requests = 0;
  using calls = openKeyedCalls([KEY], { ...virtualTime(), concurrencyPerKey: 2 });
  const request = () => {
    most = Math.max(most, listeners.size);
    requests += 1;
    const error = limitError("tokens per minute (TPM)", "2s");
    return requests === 4 ? Promise.reject(error) : Promise.resolve("A");
  };
  const asked = Array.from({ length: 9 }, () => calls.call("m", request, { signal }));
  assert.ok((await Promise.all(asked)).every(({ kind }) => kind === "done"));
  assert.ok(most > 2, `${most} listeners`);
  assert.equal(listeners.size, 0);
  // Those that a signal runs once are gone with its abort.
  const never = () => new Promise<string>(() => {});
  const stopped = [1, 2, 3].map(() => calls.call("m", never, { signal }));
  controller.abort();
  await Promise.all(stopped);
  assert.equal(listeners.size, 0);
});

/** Runs a task and counts the timers that it set and neither took back nor let ring. */
async function timersLeft(task: () => Promise<unknown>): Promise<number> {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  const running = new Set<unknown>();
  const counted = (work: () => void, milliseconds?: number) => {
    const timer = set(() => (running.delete(timer), work()), milliseconds);
    running.add(timer);
    return timer;
  };
  globalThis.setTimeout = counted as typeof set;
  globalThis.clearTimeout = (timer) => (running.delete(timer), clear(timer));
  try {
    await task();
    return running.size;
  } finally {
    for (const timer of running) clear(timer as number);
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }
}

Deno.test("call() leaves no timer behind: answered, in a rest, between tries, in flight", async () => {
  const replies: readonly (() => Promise<string>)[] = [
    () => Promise.resolve("A"),
    () => Promise.reject(limitError("tokens per minute (TPM)", "43s")),
    () => Promise.reject(new TypeError("error sending request: connection refused")),
    () => new Promise(() => {}),
  ];
  for (const reply of replies) {
    const stop = new AbortController();
    using calls = openKeyedCalls([KEY], { backoffSeconds: 60 });
    const left = await timersLeft(async () => {
      const asked = calls.call("m", reply, { signal: stop.signal });
      await turn();
      stop.abort();
      await asked;
      await turn();
    });
    assert.equal(left, 0, reply.toString());
  }
});

Deno.test("onWait() is called at most once a second, however many calls of other models end", async () => {
  let now = 0;
  let alarms = 0;
  const told: number[] = [];
  const stop = new AbortController();
  using calls = openKeyedCalls([KEY], {
    now: () => now,
    sleep: (_, signal) => {
      alarms += 1;
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason), { once: true })
      );
    },
    onWait: () => told.push(now),
  });
  const limited = () => Promise.reject(limitError("tokens per minute (TPM)", "43s"));
  const waiting = calls.call("m", limited, { signal: stop.signal });
  for (; now < 5000; now += 10) await calls.call("n", () => Promise.resolve("A"));
  stop.abort();
  await waiting;
  assert.ok(alarms > 100 && told.length >= 4 && told.length <= 6, `${alarms}, ${told}`);
  assert.ok(told.every((time, index) => index === 0 || time - told[index - 1]! >= 900));
});

const callOf = (ticket: number, model: string): WaitingCall => ({
  model,
  ticket,
  grant: () => {},
  refuse: () => {},
});

Deno.test("waitingCalls() gives every call once, by ticket within its model (property)", () => {
  const tickets = fc.uniqueArray(fc.nat({ max: 99 }), { maxLength: 30 });
  fc.assert(
    fc.property(tickets, (numbers) => {
      const waiting = waitingCalls();
      for (const ticket of numbers) waiting.add(callOf(ticket, `m${ticket % 3}`));
      const left: number[] = [];
      for (let [head] = waiting.heads(); head; [head] = waiting.heads()) {
        left.push(head.ticket);
        waiting.remove(head);
      }
      // The oldest of all heads each time: the oldest of all.
      assert.deepEqual(left, numbers.toSorted((a, b) => a - b));
    }),
  );
});
