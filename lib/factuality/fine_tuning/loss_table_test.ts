import assert from "node:assert/strict";
import { formatLossTable, LOG_ROW, lossRows, readLossTable } from "./loss_table.ts";

const LOG = [
  { step: 0, development_loss: 1.0986123, development_accuracy: 0.33333 },
  { step: 1, steps: 300, loss: 1.1 },
];

Deno.test("lossRows() tells batches of training from looks at development claims", () => {
  assert.deepEqual(lossRows("net", 300, LOG.map((row) => LOG_ROW.parse(row))), [
    {
      ...{ model: "net", step: 0, steps: 300, split: "development" },
      ...{ loss: 1.0986, accuracy: 0.3333 },
    },
    { model: "net", step: 1, steps: 300, split: "train", loss: 1.1, accuracy: "" },
  ]);
});

Deno.test("readLossTable() reads what formatLossTable() writes, and names a damaged line", () => {
  const path = Deno.makeTempFileSync();
  try {
    const rows = lossRows("net", 300, LOG.map((row) => LOG_ROW.parse(row)));
    Deno.writeTextFileSync(path, formatLossTable(rows));
    assert.deepEqual(readLossTable(path), rows);
    Deno.writeTextFileSync(path, formatLossTable(rows).replace("development", "elsewhere"));
    assert.throws(() => readLossTable(path), /line 2 is damaged.*deno task finetune/);
  } finally {
    Deno.removeSync(path);
  }
});
