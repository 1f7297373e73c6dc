import assert from "node:assert/strict";
import { reliabilityTable, runFaultMatrix, SECTION, withoutPadding } from "./matrix.ts";

const README = new URL("../../../README.md", import.meta.url);

Deno.test("runFaultMatrix() finds what the README says: faults injected, rows lost, doubled, wrong", async () => {
  const figures = await runFaultMatrix();
  for (const { kind, faults, questions, lost, doubled, wrong } of figures) {
    assert.deepEqual({ kind, lost, doubled, wrong }, { kind, lost: 0, doubled: 0, wrong: 0 });
    assert.ok(faults > 0 && questions > 0, kind);
  }
  const [, marked = ""] = Deno.readTextFileSync(README).split(
    new RegExp(`<!-- (?:begin|end) ${SECTION}[^>]*-->`),
  );
  const found = withoutPadding(reliabilityTable(figures));
  assert.equal(withoutPadding(marked), found, "renew it with: deno task bench faults");
});
