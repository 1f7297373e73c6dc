import { setTimeout as delay } from "node:timers/promises";

/**
 * Runs `work` on every item, at most `limit` concurrently.
 *
 * After an error no further item is started, and running work is awaited, so that nothing writes to
 * a closed file. @param limit At least 1. @throws the first error of `work`.
 */
export async function eachInFlight<Item>(
  items: Iterable<Item>,
  limit: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const thrown: unknown[] = [];
  let isEmpty = false;
  const worker = async () => {
    while (thrown.length === 0) {
      const { value, done } = left.next();
      if (done) return void (isEmpty = true);
      await work(value).catch((error) => thrown.push(error));
    }
  };
  const workers = [worker()];
  // A worker more only while there is something to take: the limit may be far above the items.
  while (!isEmpty && workers.length < limit) workers.push(worker());
  await Promise.all(workers);
  if (thrown.length > 0) throw thrown[0];
}

/**
 * Runs `work` on groups of prompts with a common beginning, in order within each group.
 *
 * Consecutive prompts with a common beginning are evaluated fastest. At most `limit` groups run
 * concurrently, or as many items if there are fewer groups.
 */
export function eachGroupInFlight<Item>(
  groups: readonly (readonly Item[])[],
  limit: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const units = groups.length < limit ? groups.flat().map((item) => [item]) : groups;
  return eachInFlight(units, limit, async (unit) => {
    for (const item of unit) await work(item);
  });
}

export class TimeLimitError extends Error {
  override readonly name = "TimeLimitError";

  constructor(readonly seconds: number) {
    super(`no whole answer within ${seconds} s`);
  }
}

/**
 * Aborts a task after a time limit or on a signal. @throws {TimeLimitError} or the signal's reason.
 */
export async function withTimeLimit<T>(
  task: (signal: AbortSignal) => Promise<T>,
  seconds: number,
  signal?: AbortSignal,
): Promise<T> {
  signal?.throwIfAborted();
  const ended = Promise.withResolvers<never>();
  const controller = new AbortController();
  const end = (reason: unknown) => {
    ended.reject(reason);
    controller.abort(reason);
  };
  const stop = () => end(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  const timer = setTimeout(() => end(new TimeLimitError(seconds)), seconds * 1000);
  try {
    return await Promise.race([task(controller.signal), ended.promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}

/** Resolves after a number of milliseconds; rejects when the signal aborts. */
export function sleep(milliseconds: number, signal: AbortSignal): Promise<void> {
  return delay(milliseconds, undefined, { signal });
}
