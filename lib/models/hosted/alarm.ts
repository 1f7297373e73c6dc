/** At most so many milliseconds until it rings, so that a countdown moves. */
const TICK = 1000;

/** Rings once, at a time that can be changed or taken back. */
export interface Alarm {
  /** Sets it for so many milliseconds from now, but no more than a second. */
  set(milliseconds: number): void;
  clear(): void;
}

/** An alarm that nobody has set. */
export function openAlarm(
  sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>,
  ring: () => void,
): Alarm {
  let current = new AbortController();
  return {
    set(milliseconds) {
      current.abort();
      const { signal } = current = new AbortController();
      sleep(Math.min(TICK, Math.max(1, milliseconds)), signal).then(ring, (error) => {
        if (!signal.aborted) throw error;
      });
    },
    clear: () => current.abort(),
  };
}
