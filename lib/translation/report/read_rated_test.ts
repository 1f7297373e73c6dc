import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { keyHash } from "../hashes.ts";
import type { SealedKey } from "../preparation/key.ts";
import { DEFAULT_RUN_CONFIG } from "../run_config.ts";
import { PERSONAS } from "../simulation/persona.ts";
import { simulateRater } from "../simulation/rate.ts";
import { withScoreChanged } from "../simulation/tamper.ts";
import { newWorkbook } from "../workbook/new_workbook.ts";
import { checkpoint } from "../workbook/checkpoint.ts";
import { readRatedRun } from "./read_rated.ts";

const config = { ...DEFAULT_RUN_CONFIG, numTranslations: 3 };
const RUN_ID = "5b8f8f0e-5b0a-4c39-9f43-0f6a3c1b2d23";
const SYSTEMS = ["alder", "birch", "cedar"];
const key: SealedKey = {
  ...{ runId: RUN_ID, secret: "ab".repeat(16), assignment: "per_run", systems: SYSTEMS },
  items: [1, 2].map((itemId) => ({
    ...{ itemId, segment: `s${itemId}`, document: "d", systems: SYSTEMS },
    role: { kind: "rated" },
  })),
};
const blank = newWorkbook(
  [1, 2].map((itemId) => ({ itemId, source: `Hello ${itemId}.`, translations: ["a", "b", "c"] })),
  { runId: RUN_ID, config, keySha256: keyHash(key) },
);
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
