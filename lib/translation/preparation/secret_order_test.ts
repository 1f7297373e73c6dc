import assert from "node:assert/strict";
import { newSecret, requireSecret, secretOrder } from "./secret_order.ts";

Deno.test("secretOrder() gives each order of three about equally often over many secrets", () => {
  const counts = new Map<string, number>();
  for (let n = 0; n < 6000; n++) {
    const order = secretOrder(`secret ${n}`, "test", 3).join("");
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  assert.equal(counts.size, 6);
  const chiSquare = [...counts.values()].reduce((sum, n) => sum + (n - 1000) ** 2 / 1000, 0);
  // The 99.9 % point of chi-square with 5 degrees of freedom.
  assert.ok(chiSquare < 20.5, `chi-square is ${chiSquare}`);
});

Deno.test("secretOrder() is another one for another secret and another purpose", () => {
  const order = secretOrder("a", "x", 50);
  assert.deepEqual(secretOrder("a", "x", 50), order);
  assert.notDeepEqual(secretOrder("b", "x", 50), order);
  assert.notDeepEqual(secretOrder("a", "y", 50), order);
});

Deno.test("newSecret() gives 256 bits that requireSecret() takes; shorter ones it refuses", () => {
  const secrets = Array.from({ length: 20 }, newSecret);
  for (const secret of secrets) requireSecret(secret);
  assert.equal(new Set(secrets).size, 20);
  assert.ok(secrets.every(({ length }) => length === 64));
  for (const weak of ["", "abc", "a".repeat(31), "A".repeat(32), "a".repeat(33)]) {
    assert.throws(() => requireSecret(weak), RangeError);
  }
});
