import assert from "node:assert/strict";
import { unavailable } from "../../stats/unavailable.ts";
import { shown, shownNumber, shownP, shownPercent } from "./shown.ts";
import { interval } from "./testdata/comparison.ts";

Deno.test("shown() writes a figure with its interval, or why there is none", () => {
  assert.equal(shown(interval(-0.04, -1.26, 0.5)), "0.0 [−1.3, 0.5]");
  assert.equal(shown({ kind: "correlation", coefficient: 0.8765, n: 12 }, 2), "0.88");
  assert.equal(shown(unavailable("no items")), "– (no items)");
});

Deno.test("shownPercent() writes a share as per cent", () => {
  assert.equal(shownPercent(interval(0.2, 0.1, 0.3)), "20.0 [10.0, 30.0]");
});

Deno.test("shown() writes a figure alone with the reason why it has no interval", () => {
  const few = { kind: "point", estimate: 0.25, n: 36, reason: "too few" } as const;
  assert.deepEqual([shown(few, 2), shownPercent(few)], ["0.25 (too few)", "25.0 (too few)"]);
});

Deno.test("shownP() never says that a p is nought", () => {
  assert.deepEqual([0.04999, 0.00001, 1].map(shownP), ["0.0500", "< 0.0001", "1.0000"]);
  assert.equal(shownNumber(-3, 0), "−3");
});
