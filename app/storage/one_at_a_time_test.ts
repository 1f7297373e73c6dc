import assert from "node:assert/strict";
import { test } from "node:test";
import { oneAtATime } from "./one_at_a_time.ts";

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
