import assert from "node:assert/strict";
import { simulatedClock } from "./clock.ts";

Deno.test("simulatedClock() moves both times by what it is told, and not otherwise", () => {
  const clock = simulatedClock("2026-11-22T09:00:00.000Z");
  assert.deepEqual(clock.now(), { iso: "2026-11-22T09:00:00.000Z", monotonicMs: 0 });
  clock.advance(61.5);
  assert.deepEqual(clock.now(), { iso: "2026-11-22T09:01:01.500Z", monotonicMs: 61500 });
});

Deno.test("simulatedClock() refuses to start at no time", () => {
  assert.throws(() => simulatedClock("noon"), /"noon" is no time/);
});
