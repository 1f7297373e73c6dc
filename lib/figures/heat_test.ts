import assert from "node:assert/strict";
import { classColours, classLegend, heatColours, rampSvg } from "./heat.ts";
import { relativeLuminance } from "./theme.ts";

Deno.test("heatColours() is palest at the centre, wherever that lies", () => {
  for (const centre of [0.5, 0.25]) {
    const colour = heatColours({ domain: [0, 1], centre });
    const lightness = [0, centre / 2, centre, (1 + centre) / 2, 1].map((v) =>
      relativeLuminance(colour(v))
    );
    assert.ok(lightness[0]! < lightness[1]! && lightness[1]! < lightness[2]!);
    assert.ok(lightness[2]! > lightness[3]! && lightness[3]! > lightness[4]!);
  }
});

Deno.test("heatColours() is warm above the centre and cool below", () => {
  const colour = heatColours({ domain: [0, 1], centre: 0.5 });
  const redMinusBlue = (value: number) => {
    const [red, , blue] = colour(value).match(/\d+/g)!.map(Number) as [number, number, number];
    return red - blue;
  };
  assert.ok(redMinusBlue(0.8) > 50 && redMinusBlue(0.2) < -20);
});

Deno.test("heatColours() darkens steadily without a centre and stops at its ends", () => {
  const colour = heatColours({ domain: [0, 400] });
  const lightness = [0, 100, 200, 300, 400].map((value) => relativeLuminance(colour(value)));
  assert.deepEqual(lightness, [...lightness].sort((a, b) => b - a));
  assert.equal(colour(500), colour(400));
});

Deno.test("heatColours() refuses a centre outside the domain", () => {
  assert.throws(() => heatColours({ domain: [0, 1], centre: 1 }), RangeError);
  assert.throws(() => heatColours({ domain: [1, 1] }), RangeError);
});

Deno.test("rampSvg() names the ends and the centre", () => {
  const svg = rampSvg({ domain: [0, 1], centre: 0.5 }, "A & B", String, { x: 0, width: 100 });
  for (const label of ["A &amp; B", "0", "0.5", "1"]) assert.ok(svg.includes(`>${label}</text>`));
});

Deno.test("classColours() has one edge, which is pale itself, and classLegend() says what it parts", () => {
  const classes = { edge: 0.05, meanings: ["told apart", "not told apart"] } as const;
  const colour = classColours(classes);
  const [pale, dark] = [colour(0), colour(1)];
  assert.ok(relativeLuminance(pale) > relativeLuminance(dark));
  assert.deepEqual([0.05, 0.0501].map(colour), [pale, dark]);
  assert.deepEqual(classLegend(classes, "p", String), [
    { label: "p up to 0.05: told apart", color: pale },
    { label: "above: not told apart", color: dark },
  ]);
});
