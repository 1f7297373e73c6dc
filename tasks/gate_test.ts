import assert from "node:assert/strict";
import { tallyOfTests } from "./gate.ts";

Deno.test("tallyOfTests() reads deno test's last summary; a run that broke off is a failure", () => {
  const output = "console.log says: ok | 1 passed | 9 failed\n\nok | 12 passed | 0 failed (3s)\n";
  assert.deepEqual(tallyOfTests(output, true), { passed: 12, failed: 0 });
  const steps = "FAILED | 5 passed (3 steps) | 2 failed (1 step) | 4 ignored (1m2s)";
  assert.deepEqual(tallyOfTests(steps, false), { passed: 5, failed: 2 });
  assert.deepEqual(tallyOfTests("error: Type checking failed.", false), { passed: 0, failed: 1 });
  const leak = "ok | 3 passed | 0 failed (1s)\nerror: Leaks detected";
  assert.deepEqual(tallyOfTests(leak, false), { passed: 3, failed: 1 });
});
