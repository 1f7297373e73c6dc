import assert from "node:assert/strict";
import { readSealedWorkbook } from "../../../translation/analysis/ratings.ts";
import { madeRun } from "../../../translation/testdata/runs.ts";
import { checkpoint } from "../../../translation/workbook/write_workbook.ts";
import { withScoreChanged } from "./rate.ts";

const items = [{ da: [90, 60, 10] }, { da: [80, 55, 30], document: "d2" }, { da: [70, 40, 20] }];
const { workbook: rated, key, config } = madeRun("0", items);
const bytes = await checkpoint(rated, config);
const other = { ...key, secret: "cd".repeat(16) };

Deno.test("NFR-1: readSealedWorkbook() gives back what was handed in, and refuses a changed score or key", async () => {
  const read = (bytes: Uint8Array, sealedKey = key) =>
    readSealedWorkbook(bytes, "x.xlsx", { key: sealedKey, config });
  const saved = (by: number) => withScoreChanged(bytes, { itemId: 2, by });
  assert.deepEqual(await read(bytes), rated);
  assert.deepEqual(await read(await saved(0)), rated);
  await assert.rejects(
    read(await saved(1)),
    /Cannot use x\.xlsx: eval, row 3, row_eval_hash: .*item 2 .* holds\. Ask the rater for the file/,
  );
  await assert.rejects(read(bytes, other), /Cannot use x\.xlsx with the key: the key's SHA-256 is/);
  await assert.rejects(withScoreChanged(bytes, { itemId: 9, by: 1 }), /da_1 of item 9/);
});
