import assert from "node:assert/strict";
import { test } from "node:test";
import { parseRunConfig } from "../lib/translation/run_config.ts";
import { nudgeSteps } from "./nudge_steps.ts";

const stepsOn = (scale: string) => nudgeSteps(parseRunConfig(scale, "the test"));

test("nudgeSteps() are one point and a tenth of the scale, never less than a point", () => {
  assert.deepEqual(stepsOn(""), { small: 1, big: 10 });
  assert.deepEqual(stepsOn("da_max: 10"), { small: 1, big: 1 });
  assert.deepEqual(stepsOn("da_max: 4"), { small: 1, big: 1 });
});

test("nudgeSteps() on a scale with fractions are its hundredth and its tenth", () => {
  assert.deepEqual(stepsOn("integer_only: false\nda_max: 1"), { small: 0.01, big: 0.1 });
});
