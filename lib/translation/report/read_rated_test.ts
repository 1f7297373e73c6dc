import assert from "node:assert/strict";
import { join } from "node:path";
import { randomSource } from "../../stats/random.ts";
import { writeSealedKey } from "../preparation/key_files.ts";
import { PERSONAS } from "../simulation/persona.ts";
import { simulateRater } from "../simulation/rate.ts";
import { withScoreChanged } from "../simulation/tamper.ts";
import { checkpoint } from "../workbook/checkpoint.ts";
import { readRatedRun, readRatedRuns } from "./read_rated.ts";
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
    /Cannot use x\.xlsx: eval, row 3, row_eval_hash: .*item 2 .* holds\. Ask the rater for the file/,
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
    /Cannot use x\.xlsx with the key: the key's SHA-256 is/,
  );
});

Deno.test("readRatedRuns() reads each file with its own key, and names both where they differ", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const [path, own, wrong] = ["rater_1.xlsx", "key_1.json", "key_2.json"]
      .map((name) => join(folder, name)) as [string, string, string];
    Deno.writeFileSync(path, bytes);
    writeSealedKey(own, key);
    writeSealedKey(wrong, { ...key, secret: "cd".repeat(16) });
    const [run] = await readRatedRuns([{ rater: "one", path, key: own }], { config });
    assert.deepEqual(run, { rater: "one", workbook: rated, key, config });
    await assert.rejects(
      readRatedRuns([{ rater: "one", path, key: wrong }], { config }),
      /Cannot use .*rater_1\.xlsx with .*key_2\.json: the key's SHA-256 is/,
    );
    await assert.rejects(
      readRatedRuns([{ rater: "two", path: join(folder, "no.xlsx"), key: own }], { config }),
      /Cannot read .*no\.xlsx: it is not there\./,
    );
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("withScoreChanged() says that there is no such score", async () => {
  await assert.rejects(withScoreChanged(bytes, { itemId: 9, by: 1 }), /da_1 of item 9/);
});
