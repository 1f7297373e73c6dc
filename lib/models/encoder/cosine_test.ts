import assert from "node:assert/strict";
import fc from "fast-check";
import { cosine } from "./cosine.ts";

const vector = fc.float32Array({ minLength: 4, maxLength: 4, noNaN: true, min: -1e3, max: 1e3 });

Deno.test("cosine() of worked vectors", () => {
  assert.equal(cosine(Float32Array.of(3, 4), Float32Array.of(4, 3)), 24 / 25);
  assert.equal(cosine(Float32Array.of(1, 0), Float32Array.of(0, 2)), 0);
  assert.equal(cosine(Float32Array.of(1, 2), Float32Array.of(-2, -4)), -1);
});

Deno.test("cosine() is 0 for a vector without length", () => {
  assert.equal(cosine(Float32Array.of(0, 0), Float32Array.of(1, 1)), 0);
});

Deno.test("cosine() refuses vectors of different lengths", () => {
  assert.throws(() => cosine(Float32Array.of(1), Float32Array.of(1, 2)), RangeError);
});

Deno.test("cosine() is symmetric and stays between -1 and 1", () => {
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      const found = cosine(a, b);
      assert.equal(found, cosine(b, a));
      assert.ok(found >= -1 && found <= 1);
    }),
    { numRuns: 200 },
  );
});
