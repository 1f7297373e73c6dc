import assert from "node:assert/strict";
import { parseCalibrations, readCalibrations } from "./calibrations.ts";

const MEASURED = { balancedAccuracy: 0.6, low: 0.52, high: 0.67, n: 200, on: "made claims" };
const FILE = JSON.stringify({
  version: 1,
  models: [
    { id: "a", readout: "next-token", scaling: { slope: 1, intercept: -2 }, measured: MEASURED },
    { id: "a", readout: "generation", scaling: null, measured: null },
  ],
});

Deno.test("parseCalibrations() finds a model by id and readout", () => {
  const calibrationOf = parseCalibrations(FILE, "c.json");
  assert.deepEqual(calibrationOf("a", "next-token"), {
    scaling: { slope: 1, intercept: -2 },
    measured: MEASURED,
  });
  assert.deepEqual(calibrationOf("a", "generation"), { scaling: undefined, measured: undefined });
  assert.equal(calibrationOf("b", "next-token"), undefined);
});

Deno.test("parseCalibrations() says what to do with a file that is none", () => {
  for (const text of ["", "{}", '{"version":1,"models":[{"id":"a"}]}']) {
    assert.throws(() => parseCalibrations(text, "c.json"), /c\.json is no file of calibrations/);
  }
});

Deno.test("readCalibrations() knows of no model without a file", async () => {
  assert.equal((await readCalibrations(undefined))("a", "next-token"), undefined);
});
