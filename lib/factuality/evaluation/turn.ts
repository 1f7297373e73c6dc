import { setImmediate } from "node:timers/promises";

/**
 * Waits for the next turn of the event loop. Models in this process answer without one: a Ctrl-C would
 * not be noticed before all work is done.
 * @throws the signal's reason when it has aborted.
 */
export async function nextTurn(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}
