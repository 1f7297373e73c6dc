import assert from "node:assert/strict";
import { totalOf } from "./estimate_total.ts";

const FIRST = { calls: 10, promptTokens: 900, replyTokens: 50, dollars: 0.25 };
const SECOND = { calls: 2, promptTokens: 100, replyTokens: 10, dollars: 0.5 };

Deno.test("totalOf() adds requests, tokens and dollars, and no dollars where a price is not known", () => {
  const total = { calls: 12, promptTokens: 1000, replyTokens: 60 };
  assert.deepEqual(totalOf([FIRST, SECOND]), { ...total, dollars: 0.75 });
  const { dollars: _, ...unpriced } = SECOND;
  assert.deepEqual(totalOf([FIRST, unpriced]), total);
  // Who has nothing left to be asked costs nothing, whatever the price.
  const done = { calls: 0, promptTokens: 0, replyTokens: 0 };
  assert.equal(totalOf([FIRST, done]).dollars, 0.25);
});
