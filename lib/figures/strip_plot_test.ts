import assert from "node:assert/strict";
import { stripPlot } from "./strip_plot.ts";
import { PALETTE } from "./theme.ts";

const TEXT = { title: "Uncertainty", alt: "Uncertainty of right and wrong answers." };
const AXIS = {
  label: "Share of the greatest",
  format: "decimal",
  domain: [0, 1],
  reference: { value: 0.8, label: "high" },
} as const;
const ROWS = [
  { group: "SmolLM2", label: "right", values: [0.1, 0.2, 0.6], color: PALETTE.blue },
  { group: "SmolLM2", label: "wrong", values: [0.9, 0.7], color: PALETTE.orange },
  { group: "Gemma", label: "right", values: [], color: PALETTE.blue },
];

Deno.test("stripPlot() draws a stroke a value, and the median with n at the right", () => {
  const { svg, width } = stripPlot({ ...TEXT, axis: AXIS, rows: ROWS });
  assert.equal(width, 1080);
  const strokes = svg.match(/<g[^>]*stroke-opacity="0.6".*?<\/g>/su)?.[0] ?? "";
  assert.equal(strokes.match(/<path/gu)?.length, 5);
  for (const text of ["0.20 (n = 3)", "0.80 (n = 2)", "– (none)", "high", "SmolLM2"]) {
    assert.ok(svg.includes(`>${text}<`), text);
  }
  assert.doesNotMatch(svg, /NaN|undefined|plot-clip/);
});

Deno.test("stripPlot() gives the same bytes twice", () => {
  const draw = () => stripPlot({ ...TEXT, axis: AXIS, rows: ROWS }).png;
  assert.deepEqual(draw(), draw());
});

Deno.test("stripPlot() draws neither nothing nor off the axis", () => {
  assert.throws(() => stripPlot({ ...TEXT, axis: AXIS, rows: [] }), /no rows/);
  const rows = [{ label: "odd", values: [1.2], color: PALETTE.blue }];
  assert.throws(() => stripPlot({ ...TEXT, axis: AXIS, rows }), /odd is at 1.2, off 0 … 1/);
});
