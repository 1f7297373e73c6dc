import assert from "node:assert/strict";
import { designEffect, halfWidth, minimumDetectableEffect } from "./power.ts";

Deno.test("halfWidth() gives ±8.8 points at 125 pairs and ±4.4 at 500", () => {
  assert.equal((100 * halfWidth(125)).toFixed(1), "8.8");
  assert.equal((100 * halfWidth(500)).toFixed(1), "4.4");
  assert.equal((100 * halfWidth(500, 4)).toFixed(1), "8.8");
});

Deno.test("minimumDetectableEffect() agrees with scipy's binomial tails", () => {
  // scipy 1.17: smallest c with 2·binom.sf(c−1, n, .5) ≤ .05, then brentq of binom.sf(c−1, n, p) = .8.
  const reference: readonly (readonly [number, number, number])[] = [
    [6, 6, 0.96349248399899],
    [50, 33, 0.7039277675521796],
    [100, 61, 0.6451313644006631],
    [125, 74, 0.6243625117188963],
    [500, 273, 0.5636545116688263],
    [1000, 532, 0.5447497486201005],
  ];
  for (const [n, rejectsFrom, accuracy] of reference) {
    const effect = minimumDetectableEffect({ n });
    assert.ok(effect.kind === "effect");
    assert.equal(effect.rejectsFrom, rejectsFrom);
    assert.ok(Math.abs(effect.accuracy - accuracy) < 1e-8, `${effect.accuracy} at n = ${n}`);
    assert.ok(Math.abs(effect.difference - (accuracy - 0.5)) < 1e-8);
  }
});

Deno.test("minimumDetectableEffect() counts six certain answers by hand", () => {
  // At n = 6 only 6 of 6 rejects (2 / 64 = .031): power p⁶ = .8, so p = .8^(1/6).
  const effect = minimumDetectableEffect({ n: 6 });
  assert.ok(effect.kind === "effect");
  assert.ok(Math.abs(effect.accuracy - 0.8 ** (1 / 6)) < 1e-8);
});

Deno.test("minimumDetectableEffect() divides n by the design effect", () => {
  const clustered = minimumDetectableEffect({ n: 250, designEffect: designEffect(6, 0.2) });
  const plain = minimumDetectableEffect({ n: 125 });
  assert.deepEqual(clustered, plain);
});

Deno.test("minimumDetectableEffect() is unavailable where nothing could reject", () => {
  assert.equal(minimumDetectableEffect({ n: 5 }).kind, "unavailable");
  assert.equal(minimumDetectableEffect({ n: 1, designEffect: 2 }).kind, "unavailable");
});

Deno.test("designEffect() follows Kish's formula", () => {
  assert.equal(designEffect(1, 0.5), 1);
  assert.equal(designEffect(12, 0.1), 1 + 11 * 0.1);
});

Deno.test("power functions refuse impossible designs", () => {
  assert.throws(() => designEffect(0.5, 0.1), RangeError);
  assert.throws(() => designEffect(5, 1.5), RangeError);
  assert.throws(() => halfWidth(0), RangeError);
  assert.throws(() => minimumDetectableEffect({ n: 10, designEffect: 0.5 }), RangeError);
  assert.throws(() => minimumDetectableEffect({ n: 10, alpha: 5 }), RangeError);
});
