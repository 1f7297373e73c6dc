import assert from "node:assert/strict";
import { test } from "node:test";
import { checkpointName, oneAtATime } from "./use_saving.ts";

test("checkpointName() adds the time to the file's name, and takes the place of an earlier time", () => {
  const first = checkpointName("run_de.xlsx", "checkpoint", "2026-11-22T08:05:09.123Z");
  assert.equal(first, "run_de-checkpoint-20261122-080509.xlsx");
  assert.equal(
    checkpointName(first, "checkpoint", "2026-11-22T09:00:00Z"),
    "run_de-checkpoint-20261122-090000.xlsx",
  );
});

test("checkpointName() tells the file to hand in from all others", () => {
  const last = checkpointName(
    "run_de-checkpoint-20261122-080509.xlsx",
    "final",
    "2026-11-22T10:00:00Z",
  );
  assert.equal(last, "run_de-final-20261122-100000.xlsx");
  assert.equal(
    checkpointName(last, "checkpoint", "2026-11-22T11:00:00Z"),
    "run_de-checkpoint-20261122-110000.xlsx",
  );
});

test("oneAtATime: a double click works once, a click after that again", async () => {
  let times = 0;
  const save = oneAtATime(async () => {
    await Promise.resolve();
    times++;
  });
  await Promise.all([save(), save()]);
  assert.equal(times, 1);
  await save();
  assert.equal(times, 2);
});

test("oneAtATime: work that failed does not stand in the way of the next", async () => {
  let full = true;
  const save = oneAtATime(() => full ? Promise.reject(new Error("full")) : Promise.resolve());
  await assert.rejects(save(), { message: "full" });
  full = false;
  await save();
});
