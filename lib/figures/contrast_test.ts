import assert from "node:assert/strict";
import fc from "fast-check";
import { inkOn, relativeLuminance } from "./contrast.ts";

Deno.test("relativeLuminance() gives the coefficients of WCAG 2.2 for pure colours", () => {
  assert.equal(relativeLuminance("#FF0000"), 0.2126);
  assert.equal(relativeLuminance("rgb(0, 255, 0)"), 0.7152);
  assert.equal(relativeLuminance("#000000"), 0);
  assert.ok(Math.abs(relativeLuminance("#ffffff") - 1) < 1e-12);
});

Deno.test("inkOn() always reaches the contrast of 4.5 that WCAG asks of small text", () => {
  const channel = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(channel, channel, channel, (red, green, blue) => {
      const colour = `rgb(${red}, ${green}, ${blue})`;
      const [dark, light] = [relativeLuminance(colour), relativeLuminance(inkOn(colour))]
        .sort((a, b) => a - b) as [number, number];
      assert.ok((light + 0.05) / (dark + 0.05) >= 4.5, colour);
    }),
    { numRuns: 200 },
  );
});

Deno.test("inkOn() refuses what it cannot read", () => {
  assert.throws(() => inkOn("red"), SyntaxError);
});
