import assert from "node:assert/strict";
import { softmax } from "./softmax.ts";

function near(actual: readonly number[], expected: readonly number[]): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, i) => assert.ok(Math.abs(value - expected[i]!) < 1e-12, `${actual}`));
}

Deno.test("softmax() bears great logits and is a distribution", () => {
  near(softmax([1000, 1000]), [0.5, 0.5]);
  near(softmax([0, Math.log(3)]), [0.25, 0.75]);
});

Deno.test("softmax() gives an impossible place nothing", () => {
  near(softmax([-Infinity, 0]), [0, 1]);
});
