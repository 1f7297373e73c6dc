import type { Now } from "../session/session.ts";

/** A clock that moves only when told to, for both of a session's times. */
export interface SimulatedClock {
  readonly now: () => Now;
  /** @param seconds nought or more. */
  readonly advance: (seconds: number) => void;
}

/** A clock that starts at an ISO 8601 time. Throws RangeError where it is none. */
export function simulatedClock(start: string): SimulatedClock {
  const startMs = Date.parse(start);
  if (Number.isNaN(startMs)) throw new RangeError(`Cannot start a clock: "${start}" is no time.`);
  let elapsedMs = 0;
  return {
    now: () => ({
      iso: new Date(startMs + elapsedMs).toISOString(),
      monotonicMs: elapsedMs,
    }),
    advance: (seconds) => {
      elapsedMs += Math.round(1000 * seconds);
    },
  };
}
