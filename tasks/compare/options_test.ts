import assert from "node:assert/strict";
import { test } from "node:test";
import { compareOptions } from "./options.ts";

test("compareOptions() has defaults for everything", () => {
  assert.deepEqual(compareOptions([]), {
    ...{ claims: 240, written: 40, human: false, draw: 40, only: "", threads: 2 },
    own: undefined,
  });
});

test("compareOptions() refuses an odd number of claims: half are supported", () => {
  assert.throws(() => compareOptions(["--claims", "11"]), /take an even number/);
});

test("compareOptions() tells the usage for an unknown option", () => {
  assert.throws(() => compareOptions(["--humans"]), /deno task compare/);
});

test("compareOptions() takes a file for one's own where no format is told, a drive's letter for none", () => {
  const own = (...args: string[]) => compareOptions(["--cases", ...args]).own;
  const usual = { draw: undefined, out: undefined };
  assert.deepEqual(own("a.csv"), { format: "file", path: "a.csv", ...usual });
  assert.deepEqual(own("begin:x/a:b.jsonl"), { format: "begin", path: "x/a:b.jsonl", ...usual });
  assert.deepEqual(own("C:\\a.csv"), { format: "file", path: "C:\\a.csv", ...usual });
  assert.deepEqual(own("a.csv", "--draw", "10", "--out", "b.csv"), {
    ...{ format: "file", path: "a.csv", draw: 10, out: "b.csv" },
  });
});

test("compareOptions() names the formats where it knows none of this name", () => {
  for (const text of ["fevr:a.jsonl", "fever:", ""]) {
    assert.throws(() => compareOptions(["--cases", text]), /FORMAT:FILE or FILE.*file, fever/);
  }
});

test("compareOptions() refuses what does not go with cases of one's own", () => {
  assert.throws(() => compareOptions(["--cases", "a.csv", "--human"]), /--human does not go/);
  assert.throws(
    () => compareOptions(["--cases", "a.csv", "--claims", "2"]),
    /--claims does not go/,
  );
  assert.throws(() => compareOptions(["--out", "a.csv"]), /--out goes with --cases/);
});
