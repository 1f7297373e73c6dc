import assert from "node:assert/strict";
import { runProcess } from "./process.ts";

Deno.test({
  name: "runProcess() calls a command missing that this process may not run",
  permissions: { run: false },
  async fn() {
    const result = await runProcess("python3", ["--version"], { cwd: ".", env: {} });
    assert.deepEqual(result, { kind: "missing" });
  },
});
