/** A promise and the function that resolves it. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  readonly resolve: (value: T) => void;
}

export function deferred<T>(): Deferred<T> {
  const { promise, resolve } = Promise.withResolvers<T>();
  return { promise, resolve };
}

/** Resolves to undefined after `ms` milliseconds, at once when `signal` aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<undefined> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve(undefined);
    const timer = setTimeout(finish, ms);
    signal?.addEventListener("abort", finish, { once: true });
    function finish() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      resolve(undefined);
    }
  });
}

/** `promise`, or undefined when it takes longer than `ms` milliseconds. Leaves no timer behind. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const done = new AbortController();
  try {
    return await Promise.race([promise, sleep(ms, done.signal)]);
  } finally {
    done.abort();
  }
}

/** Resolves when `signal` aborts. Never, where it does not. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
