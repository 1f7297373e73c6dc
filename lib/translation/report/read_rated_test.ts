import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { PERSONAS } from "../simulation/persona.ts";
import { simulateRater } from "../simulation/rate.ts";
import { withScoreChanged } from "../simulation/tamper.ts";
import { checkpoint } from "../workbook/checkpoint.ts";
import { readRatedRun } from "./read_rated.ts";
import { blank, config, key } from "../simulation/testdata/small_run.ts";

const rated = simulateRater(blank, {
  ...{ config, persona: PERSONAS[0]!, qualityOf: () => [90, 60, 20] },
  ...{ random: randomSource(1), start: "2026-11-22T09:00:00.000Z" },
});
const bytes = await checkpoint(rated, config);

Deno.test("readRatedRun() gives a simulated rater's workbook back as it was handed in", async () => {
  const run = await readRatedRun(bytes, "simulated_strict", "x.xlsx", { key, config });
  assert.deepEqual(run.workbook, rated);
  assert.equal(run.rater, "simulated_strict");
});

Deno.test("readRatedRun() refuses a score changed outside the page, and names the row: NFR-1", async () => {
  const changed = await withScoreChanged(bytes, { itemId: 2, by: 1 });
  await assert.rejects(
    readRatedRun(changed, "somebody", "x.xlsx", { key, config }),
    /Cannot use x\.xlsx: eval, row 3, row_eval_hash: .*item 2/,
  );
});

Deno.test("readRatedRun() accepts what a spreadsheet saved without a change", async () => {
  const saved = await withScoreChanged(bytes, { itemId: 2, by: 0 });
  const run = await readRatedRun(saved, "simulated_strict", "x.xlsx", { key, config });
  assert.deepEqual(run.workbook, rated);
});

Deno.test("readRatedRun() refuses another key than the sealed one", async () => {
  const other = { ...key, secret: "cd".repeat(16) };
  await assert.rejects(
    readRatedRun(bytes, "somebody", "x.xlsx", { key: other, config }),
    /Cannot use the key/,
  );
});

Deno.test("withScoreChanged() says that there is no such score", async () => {
  await assert.rejects(withScoreChanged(bytes, { itemId: 9, by: 1 }), /da_1 of item 9/);
});
