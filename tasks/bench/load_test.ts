import assert from "node:assert/strict";
import { costOf } from "./load.ts";

Deno.test("costOf() takes the server's own time out of the wall's", () => {
  const shape = { models: 1, prompts: 100, inFlight: 10, delayMs: 50 };
  // 2 × 100 calls, ten at a time of 50 ms each: 1000 ms at least.
  const turns = [{ calls: 100, wallMs: 600, cpuMs: 30 }, { calls: 100, wallMs: 800, cpuMs: 50 }];
  assert.deepEqual(costOf(turns, shape), { overhead: 2, cpu: 0.4 });
});
