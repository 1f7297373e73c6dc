import { setImmediate } from "node:timers/promises";

/** A clock that a test moves, and a sleep that moves it at once instead of sleeping. */
export function virtualTime(start = Date.UTC(2026, 5, 1, 12)) {
  const slept: number[] = [];
  let now = start;
  return {
    now: () => now,
    slept,
    async sleep(milliseconds: number, signal: AbortSignal) {
      // A whole turn, in which requests in flight may end first.
      await setImmediate();
      signal.throwIfAborted();
      slept.push(milliseconds);
      now += milliseconds;
    },
  };
}
