import assert from "node:assert/strict";
import { test } from "node:test";
import { checkpointName, oneAtATime } from "./use_saving.ts";

test("checkpointName() sets the time in place of an earlier one, and tells the file to hand in", () => {
  const first = checkpointName("run_de.xlsx", "checkpoint", "2026-11-22T08:05:09.123Z");
  assert.equal(first, "run_de-checkpoint-20261122-080509.xlsx");
  const last = checkpointName(first, "final", "2026-11-22T10:00:00Z");
  assert.equal(last, "run_de-final-20261122-100000.xlsx");
  const again = checkpointName(last, "checkpoint", "2026-11-22T11:00:00Z");
  assert.equal(again, "run_de-checkpoint-20261122-110000.xlsx");
});

test("oneAtATime: a double click works once, a click after that again, also after a failure", async () => {
  let times = 0;
  const save = oneAtATime(async () => {
    await Promise.resolve();
    if (++times === 2) throw new Error("full");
  });
  await Promise.all([save(), save()]);
  assert.equal(times, 1);
  await assert.rejects(save(), { message: "full" });
  await save();
});
