import assert from "node:assert/strict";
import { type Interruptible, stopSignal } from "./stop_signal.ts";

/** A process of which the interrupts and the clock are ours. */
function fakeProcess() {
  const listeners = new Set<() => void>();
  const said: string[] = [];
  const later: { readonly work: () => void; readonly milliseconds: number }[] = [];
  const process: Interruptible = {
    listen: (onInterrupt) => void listeners.add(onInterrupt),
    unlisten: (onInterrupt) => void listeners.delete(onInterrupt),
    later: (work, milliseconds) => void later.push({ work, milliseconds }),
    say: (text) => void said.push(text),
  };
  return { process, listeners, said, later };
}

Deno.test("stopSignal() takes one Ctrl-C that arrives twice for one, and leaves the next to the system", () => {
  const { process, listeners, said, later } = fakeProcess();
  const signal = stopSignal("every answer is kept", process);
  const [interrupt] = listeners;
  assert.equal(signal.aborted, false);
  interrupt?.();
  assert.equal(signal.aborted, true);
  interrupt?.();
  assert.deepEqual(said, ["\nStopping; every answer is kept"]);
  // Within the second it is still ours, so that it does not end the process; then it is no more.
  assert.equal(listeners.size, 1);
  assert.deepEqual(later.map(({ milliseconds }) => milliseconds), [1000]);
  later[0]?.work();
  assert.equal(listeners.size, 0);
});
