import { shownNumber } from "../stats/measure.ts";
import assert from "node:assert/strict";
import fc from "fast-check";
import { contrastingInk, relativeLuminance, writeTick } from "./theme.ts";

Deno.test("contrastingInk() always reaches the contrast of 4.5 that WCAG asks of small text", () => {
  // The coefficients of WCAG 2.2 for pure colours.
  assert.equal(relativeLuminance("#FF0000"), 0.2126);
  assert.equal(relativeLuminance("#00ff00"), 0.7152);
  const channel = fc.integer({ min: 0, max: 255 });
  fc.assert(fc.property(channel, channel, channel, (red, green, blue) => {
    const colour = `#${Uint8Array.of(red, green, blue).toHex()}`;
    const [dark, light] = [relativeLuminance(colour), relativeLuminance(contrastingInk(colour))]
      .sort((a, b) => a - b) as [number, number];
    assert.ok((light + 0.05) / (dark + 0.05) >= 4.5, colour);
  }));
  assert.throws(() => contrastingInk("red"), SyntaxError);
});

Deno.test("numbers: shares as percentages, counts with commas, minus as minus, no minus zero", () => {
  assert.equal(shownNumber(0.6125, "percent"), "61.3");
  assert.equal(shownNumber(1234567, "count"), "1,234,567");
  assert.equal(shownNumber(-0.254, "decimal"), "−0.25");
  assert.equal(shownNumber(-0.001, "decimal"), "0.00");
  assert.equal(writeTick(0.2, "percent"), "20");
  assert.equal(writeTick(0.30000000000000004, "decimal"), "0.3");
  assert.equal(writeTick(-0.5, "decimal"), "−0.5");
});
