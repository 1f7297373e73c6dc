import assert from "node:assert/strict";
import { declarationOf } from "./declaration.ts";
import type { Json } from "./nbformat.ts";

const declare = (touchstone: Json) => declarationOf({ cells: [], metadata: { touchstone } }, "11");

Deno.test("declarationOf() reads what a notebook reads, writes and needs", () => {
  assert.deepEqual(declare({}), { reads: [], writes: [] });
  const full = { reads: ["data/a.csv"], writes: ["RESULTS.md"], needs: "models" } as const;
  assert.deepEqual(declare({ ...full, reads: [...full.reads], writes: [...full.writes] }), full);
});

Deno.test("declarationOf() refuses paths outside the project, folders and unknown words", () => {
  for (const path of ["/etc/x", "../x", "data/../../x", "data/", "data\\x", ""]) {
    assert.throws(() => declare({ writes: [path] }), /Cannot run 11: .*"touchstone"/, path);
  }
  assert.throws(() => declare({ write: [] }), SyntaxError);
  assert.throws(() => declarationOf({ cells: [], metadata: {} }, "11"), SyntaxError);
});
