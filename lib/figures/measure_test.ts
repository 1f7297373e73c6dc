import assert from "node:assert/strict";
import { isDrawable, writeNumber, writeTick } from "./measure.ts";

Deno.test("writeNumber() writes shares as percentages, counts with commas, minus as minus", () => {
  assert.equal(writeNumber(0.6125, "percent"), "61.3");
  assert.equal(writeNumber(1, "percent"), "100.0");
  assert.equal(writeNumber(1234567, "count"), "1,234,567");
  assert.equal(writeNumber(999, "count"), "999");
  assert.equal(writeNumber(-0.254, "decimal"), "−0.25");
});

Deno.test("writeNumber() knows no minus zero", () => {
  assert.equal(writeNumber(-0.001, "decimal"), "0.00");
  assert.equal(writeNumber(-0, "count"), "0");
});

Deno.test("writeTick() writes as little as it can", () => {
  assert.equal(writeTick(0.2, "percent"), "20");
  assert.equal(writeTick(0.30000000000000004, "decimal"), "0.3");
  assert.equal(writeTick(-0.5, "decimal"), "−0.5");
  assert.equal(writeTick(1500, "count"), "1,500");
});

Deno.test("isDrawable() turns away what is unavailable", () => {
  assert.equal(isDrawable({ kind: "unavailable", reason: "no items" }), false);
  assert.equal(isDrawable({ kind: "value", estimate: 0 }), true);
});
