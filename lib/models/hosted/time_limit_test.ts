import assert from "node:assert/strict";
import { sleep, TimeLimitError, withTimeLimit } from "./time_limit.ts";

const never = () => new Promise<never>(() => {});

Deno.test("withTimeLimit() gives up a task that minds no signal, and leaves no timer", async () => {
  await assert.rejects(withTimeLimit(never, 0.01), TimeLimitError);
  assert.equal(await withTimeLimit(() => Promise.resolve("done"), 60), "done");
  await assert.rejects(withTimeLimit(() => Promise.reject(new RangeError("own")), 60), RangeError);
});

Deno.test("withTimeLimit() hands the task a signal that ends with the time", async () => {
  let given: AbortSignal | undefined;
  const task = (signal: AbortSignal) => {
    given = signal;
    return never();
  };
  await assert.rejects(withTimeLimit(task, 0.01), /no whole answer within 0\.01 s/);
  assert.ok(given?.reason instanceof TimeLimitError);
});

Deno.test("withTimeLimit() and sleep() end at once with the caller's reason", async () => {
  const controller = new AbortController();
  const reason = new Error("Ctrl-C");
  const ends = [
    assert.rejects(withTimeLimit(never, 60, controller.signal), reason),
    assert.rejects(sleep(60_000, controller.signal), reason),
  ];
  controller.abort(reason);
  await Promise.all(ends);
  await assert.rejects(withTimeLimit(never, 60, controller.signal), reason);
  await assert.rejects(sleep(60_000, controller.signal), reason);
});
