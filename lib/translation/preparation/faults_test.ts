import assert from "node:assert/strict";
import { faultLines } from "./faults.ts";

Deno.test("faultLines() gives several faults a line each, and counts those after the tenth", () => {
  assert.equal(faultLines(["One."]), " One.");
  assert.equal(faultLines(["One.", "Two."]), "\n  One.\n  Two.");
  const many = faultLines(Array.from({ length: 12 }, (_, index) => `Row ${index + 1}.`));
  assert.equal(many.split("\n").length, 12);
  assert.ok(many.endsWith("\n  Row 10.\n  … and 2 more"));
});
