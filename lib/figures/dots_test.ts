import assert from "node:assert/strict";
import { dotPlot, stripPlot } from "./dots.ts";
import { type Measure, PALETTE } from "./theme.ts";

const TEXT = { title: "Profiles", alt: "Two models by two metrics." };
const AXIS = { label: "Share (%)", format: "percent", domain: [0, 1] } as const;
const NONE: Measure = { kind: "unavailable", reason: "no items" };

const interval = (estimate: number): Measure => ({
  ...{ kind: "interval", estimate, low: estimate - 0.05, high: estimate + 0.05 },
});

const ROWS = [
  { label: "MiHR", group: "Less is better", measures: [interval(0.3), interval(0.4)] },
  {
    label: "A metric whose name does not stand in a line",
    ...{ group: "More is better", measures: [NONE, interval(0.6)] },
  },
];

Deno.test("dotPlot() shows each series' number and interval, or why there is none, and its rows' names once", () => {
  const { svg, width } = dotPlot({ ...TEXT, axis: AXIS, series: ["one", "two"], rows: ROWS });
  assert.equal(width, 1080);
  for (const text of ["30.0 [25.0, 35.0]", "60.0 [55.0, 65.0]", "– (no items)", "one", "two"]) {
    assert.ok(svg.includes(`>${text}<`), text);
  }
  for (const text of ["MiHR", "Less is better", "More is better"]) {
    assert.equal(svg.split(`>${text}<`).length, 2, text);
  }
  assert.doesNotMatch(svg, /NaN|undefined/);
  const sizes = [...svg.matchAll(/font-size="([\d.]+)"/g)].map((match) => Number(match[1]));
  assert.ok(Math.min(...sizes) >= 7, "type is smaller than 7 pt");
});

Deno.test("dotPlot() says that there is no number where the reason has no room", () => {
  const reason = "a reason that is as long as the whole figure is wide, and then some more words";
  const rows = [{ label: "MiHR", measures: [{ kind: "unavailable", reason } as const] }];
  const { svg } = dotPlot({ ...TEXT, axis: AXIS, series: ["one"], rows });
  assert.ok(svg.includes(">– (not computed)<"));
});

Deno.test("dotPlot() gives the same bytes twice", () => {
  const draw = () => dotPlot({ ...TEXT, axis: AXIS, series: ["one", "two"], rows: ROWS });
  assert.deepEqual(draw().png, draw().png);
});

Deno.test("dotPlot() refuses what it cannot show", () => {
  const plot = { ...TEXT, axis: AXIS, series: ["one", "two"], rows: ROWS };
  assert.throws(() => dotPlot({ ...plot, series: ["one"] }), /MiHR has 2 measures of 1 series/);
  assert.throws(() => dotPlot({ ...plot, series: [] }), /it has 0 series; 1 to 7/);
  assert.throws(() => dotPlot({ ...plot, rows: [] }), /it has no rows/);
  const off = [{ label: "κ", measures: [interval(0.99), NONE] }];
  assert.throws(() => dotPlot({ ...plot, rows: off }), /κ is at 1\.04, off 0 … 1/);
});

const STRIP_TEXT = { title: "Uncertainty", alt: "Uncertainty of right and wrong answers." };

const STRIP_AXIS = {
  label: "Share of the greatest",
  format: "decimal",
  domain: [0, 1],
  reference: { value: 0.8, label: "high" },
} as const;

const STRIP_ROWS = [
  { group: "SmolLM2", label: "right", values: [0.1, 0.2, 0.6], color: PALETTE.blue },
  { group: "SmolLM2", label: "wrong", values: [0.9, 0.7], color: PALETTE.orange },
  { group: "Gemma", label: "right", values: [], color: PALETTE.blue },
];

Deno.test("stripPlot() draws a stroke a value, and the median with n at the right", () => {
  const { svg, width } = stripPlot({
    ...STRIP_TEXT,
    axis: STRIP_AXIS,
    rows: STRIP_ROWS,
  });
  assert.equal(width, 1080);
  const strokes = svg.match(/<g[^>]*stroke-opacity="0.6".*?<\/g>/su)?.[0] ?? "";
  assert.equal(strokes.match(/<path/gu)?.length, 5);
  for (const text of ["0.20 (n = 3)", "0.80 (n = 2)", "– (none)", "high", "SmolLM2"]) {
    assert.ok(svg.includes(`>${text}<`), text);
  }
  assert.doesNotMatch(svg, /NaN|undefined|plot-clip/);
});

Deno.test("stripPlot() gives the same bytes twice", () => {
  const draw = () => stripPlot({ ...STRIP_TEXT, axis: STRIP_AXIS, rows: STRIP_ROWS }).png;
  assert.deepEqual(draw(), draw());
});

Deno.test("stripPlot() draws neither nothing nor off the axis", () => {
  assert.throws(
    () => stripPlot({ ...STRIP_TEXT, axis: STRIP_AXIS, rows: [] }),
    /no rows/,
  );
  const rows = [{ label: "odd", values: [1.2], color: PALETTE.blue }];
  assert.throws(
    () => stripPlot({ ...STRIP_TEXT, axis: STRIP_AXIS, rows }),
    /odd is at 1.2, off 0 … 1/,
  );
});
