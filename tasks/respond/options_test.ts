import assert from "node:assert/strict";
import { respondOptions, STEPS } from "./options.ts";

Deno.test("respondOptions() does all steps for 30 countries unless told", () => {
  const all = { countries: 30, ratings: 100, steps: STEPS, threads: 2 };
  assert.deepEqual(respondOptions([]), all);
  const some = respondOptions(["--only", "claims", "--countries", "5", "--threads", "1"]);
  assert.deepEqual(some, { ...all, countries: 5, steps: ["claims"], threads: 1 });
});

Deno.test("respondOptions() names what is wrong", () => {
  assert.throws(() => respondOptions(["--only", "answers"]), /responses, claims, ratings/);
  assert.throws(() => respondOptions(["--countries", "0"]), /--countries is "0"/);
  assert.throws(() => respondOptions(["--models", "x"]), SyntaxError);
});
