/** For one try of a call, in seconds: short, because hung sockets are waited for. */
export const TIMEOUT_SECONDS = 0.25;

/** An answer that comes too late. */
export const LATE_MILLISECONDS = 400;

/** First pause between tries, in seconds. */
export const BACKOFF_SECONDS = 0.002;

/** One request in flight a key, and time enough: how many meet a fault is then no matter of timing. */
export const ONE_BY_ONE = { concurrencyPerKey: 1, timeoutSeconds: 30 };

/** A clock on which waiting takes no time. */
export interface SkippingClock {
  /** Milliseconds since 1970. */
  now(): number;
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>;
  /** Sets the clock forward to a moment; never back. */
  skipTo(moment: number): void;
}

/** Starts at a fixed day; goes on as real time does, and by what is slept at once. */
export function skippingClock(start = Date.UTC(2026, 10, 22, 9)): SkippingClock {
  const begun = performance.now();
  let skipped = 0;
  const now = () => start + (performance.now() - begun) + skipped;
  const skipTo = (moment: number) => {
    skipped += Math.max(0, moment - now());
  };
  return {
    now,
    skipTo,
    async sleep(milliseconds, signal) {
      const end = now() + milliseconds;
      // A turn of the event loop passes, so that replies under way are not overtaken for ever.
      await new Promise((resolve) => setTimeout(resolve, 0));
      signal.throwIfAborted();
      skipTo(end);
    },
  };
}
