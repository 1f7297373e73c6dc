import assert from "node:assert/strict";
import { commonRun, commonSubsequence } from "./sequences.ts";

const isSame = (a: string, b: string) => a === b;

Deno.test("commonSubsequence() allows gaps, commonRun() does not", () => {
  const [a, b] = [[..."police killed the gunman"], [..."police kill the gunman"]];
  assert.equal(commonSubsequence(a, b, isSame), 22);
  assert.equal(commonRun(a, b, isSame), 11);
});

Deno.test("commonSubsequence() and commonRun() of nothing are 0", () => {
  assert.equal(commonSubsequence([], ["a"], isSame), 0);
  assert.equal(commonRun(["a"], [], isSame), 0);
});
