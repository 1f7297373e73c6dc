import assert from "node:assert/strict";
import { test } from "node:test";
import { compareOptions } from "./options.ts";

test("compareOptions() has defaults for everything", () => {
  assert.deepEqual(compareOptions([]), {
    ...{ claims: 240, written: 40, human: false, draw: 40, only: "", threads: 2 },
  });
});

test("compareOptions() refuses an odd number of claims: half are supported", () => {
  assert.throws(() => compareOptions(["--claims", "11"]), /take an even number/);
});

test("compareOptions() tells the usage for an unknown option", () => {
  assert.throws(() => compareOptions(["--humans"]), /deno task compare/);
});
