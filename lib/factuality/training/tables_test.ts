import assert from "node:assert/strict";
import * as tables from "./tables.ts";

const { VERIFIER_TRAINING, JUDGE_SCORES, FINE_TUNING_LOSS, TRAINING_RATES } = tables;

for (const table of [VERIFIER_TRAINING, JUDGE_SCORES, FINE_TUNING_LOSS, TRAINING_RATES]) {
  Deno.test(`${table.path.split("/").at(-1)} is read, and written back to the byte`, () => {
    const rows = table.read();
    assert.ok(rows.length > 0);
    assert.equal(table.format(rows as never), Deno.readTextFileSync(table.path));
  });
}
