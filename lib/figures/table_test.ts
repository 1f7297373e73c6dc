import assert from "node:assert/strict";
import { markdownTable, tally } from "./table.ts";

Deno.test("markdownTable() sets numbers flush right and shows a missing value as a dash", () => {
  assert.equal(
    markdownTable(["model", "accuracy"], [["a|b", 0.5], ["c", undefined]]),
    "| model | accuracy |\n| --- | ---: |\n| a\\|b | 0.5 |\n| c | – |",
  );
});

Deno.test("markdownTable() refuses a row of another length", () => {
  assert.throws(() => markdownTable(["a", "b"], [["1"]]), /row 1 has 1 cells, expected 2/);
});

Deno.test("tally() counts, most frequent first, ties by name", () => {
  assert.deepEqual(tally(["b", "a", "c", "b"]), [["b", 2], ["a", 1], ["c", 1]]);
});
