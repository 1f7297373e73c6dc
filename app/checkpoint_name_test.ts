import assert from "node:assert/strict";
import { test } from "node:test";
import { checkpointName } from "./checkpoint_name.ts";

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
