import assert from "node:assert/strict";
import { normalQuantile, studentQuantile, studentTails } from "./distributions.ts";

Deno.test("normalQuantile() agrees with published quantiles to 1e-12", () => {
  // scipy 1.17 `norm.ppf` (Cephes); the first three are also in Wichura's paper's test section.
  const published: readonly (readonly [number, number])[] = [
    [0.25, -0.6744897501960817],
    [0.001, -3.090232306167813],
    [1e-20, -9.262340089798409],
    [1e-10, -6.361340902404056],
    [1e-5, -4.264890793922825],
    [0.025, -1.9599639845400545],
    [0.1, -1.2815515655446004],
    [0.4, -0.2533471031357997],
    [0.5, 0],
    [0.6, 0.2533471031357997],
    [0.8, 0.8416212335729143],
    [0.975, 1.959963984540054],
    [0.99, 2.3263478740408408],
  ];
  for (const [p, z] of published) {
    assert.ok(Math.abs(normalQuantile(p) - z) < 1e-12, `z(${p}) = ${normalQuantile(p)}`);
    if (p > 1e-4) assert.ok(Math.abs(normalQuantile(1 - p) + z) < 1e-12, `at ${p}`);
  }
  for (const p of [0, 1, -0.1, NaN]) assert.throws(() => normalQuantile(p), RangeError);
});

Deno.test("studentQuantile() agrees with published tables", () => {
  const table = [[1, 12.706], [2, 4.303], [3, 3.182], [6, 2.447], [13, 2.16], [30, 2.042]] as const;
  for (const [degrees, t] of table) {
    assert.equal(Number(studentQuantile(0.975, degrees).toFixed(3)), t);
    assert.ok(Math.abs(studentTails(studentQuantile(0.975, degrees), degrees) - 0.05) < 1e-9);
  }
});
