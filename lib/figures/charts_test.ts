import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { barChart, stackedBars, stackedColumns } from "./bars.ts";
import { forestPlot } from "./dots.ts";
import type { Figure } from "./frame.ts";
import { heatmap } from "./heat.ts";
import { scatterChart } from "./scatter.ts";
import type { Measure } from "./theme.ts";

const LONG = "meta-llama/llama-4-scout-17b-16e-instruct";
const MODELS = [LONG, "llama-3.3-70b", "gpt-oss-120b", "gpt-oss-20b", "SmolLM2", "Þorsteinn ǫ"];
const TEXT = { title: "Accuracy", alt: "Accuracies of six models." };
const AXIS = {
  label: "Accuracy (%)",
  format: "percent",
  domain: [0, 1],
  reference: { value: 0.5, label: "chance" },
} as const;
const PARTS = [{ label: "A", color: "#0072B2" }, { label: "B", color: "#E69F00" }];
const NONE: Measure = { kind: "unavailable", reason: "no items" };

function interval(estimate: number): Measure {
  return { kind: "interval", estimate, low: estimate - 0.05, high: estimate + 0.05 };
}

const CHARTS: Readonly<Record<string, () => Figure>> = {
  barChart: () =>
    barChart({
      ...TEXT,
      axis: AXIS,
      rows: MODELS.map((label, i) => ({ label, measure: i === 1 ? NONE : interval(0.6), n: 1000 })),
    }),
  forestPlot: () =>
    forestPlot({
      ...TEXT,
      axis: AXIS,
      rows: MODELS.map((label, i) => ({
        group: LONG,
        label,
        measure: i === 1 ? NONE : interval(0.6),
      })),
    }),
  heatmap: () =>
    heatmap({
      ...TEXT,
      rows: MODELS,
      columns: ["Quirky case", "All"],
      cells: MODELS.map((_, i) => [i === 1 ? NONE : interval(0.61), interval(0.4)]),
      scale: { domain: [0, 1], centre: 0.5 },
      format: "percent",
      scaleLabel: "Accuracy (%)",
    }),
  scatterChart: () =>
    scatterChart({
      ...TEXT,
      x: AXIS,
      y: AXIS,
      identity: true,
      points: MODELS.map((series, i) => ({ series, label: `nr ${i}`, x: 0.5 + i / 100, y: 0.5 })),
    }),
  stackedBars: () =>
    stackedBars({
      ...TEXT,
      parts: PARTS,
      axisLabel: "Share (%)",
      stack: "share",
      rows: MODELS.map((label, i) => ({ label, amounts: i === 1 ? [0, 0] : [300, 200] })),
    }),
  stackedColumns: () =>
    stackedColumns({
      ...TEXT,
      parts: PARTS,
      xLabel: LONG,
      yLabel: "Pairs",
      columns: MODELS.map((label, i) => ({ label, amounts: [i, 2] })),
    }),
};

for (const [name, draw] of Object.entries(CHARTS)) {
  Deno.test(`${name}() fills a column in print, type ≥ 7 pt, names whole, twice the same bytes`, () => {
    const [first, second] = [draw(), draw()];
    assert.equal(first.width, 1080);
    const view = new DataView(first.png.buffer);
    assert.deepEqual([view.getUint32(16), view.getUint32(20)], [first.width, first.height]);
    assert.ok(first.svg.includes(`>${LONG}<`), "the long name is not whole");
    assert.ok(first.svg.includes("<desc>Accuracies of six models.</desc>"));
    assert.doesNotMatch(first.svg, /NaN|undefined|plot-clip/);
    const sizes = [...first.svg.matchAll(/font-size="([\d.]+)"/g)].map((match) => Number(match[1]));
    assert.ok(sizes.length > 0 && Math.min(...sizes) >= 7, "type is smaller than 7 pt");
    assert.equal(first.svg, second.svg);
    assert.deepEqual(first.png, second.png);
  });
}

Deno.test("charts give the bytes that were once looked at, on every machine", () => {
  // Change the hash only after looking at the picture.
  const { png } = barChart({
    title: "ǫ þ ð æ œ ø á é",
    alt: "One bar.",
    axis: AXIS,
    rows: [{ label: "þing", measure: interval(0.62), n: 1000 }],
  });
  assert.equal(
    createHash("sha256").update(png).digest("hex"),
    "118e74cc48b5552fd2b299474e13e653e5e7b82b07958f5280faa0979c058c20",
  );
});

Deno.test("barChart() writes value and n, or why there is none", () => {
  const { svg } = CHARTS.barChart!();
  assert.ok(svg.includes(">60.0 % (n = 1,000)<"));
  assert.ok(svg.includes(">– (no items)<"));
  assert.ok(svg.includes(">chance<"));
});

Deno.test("forestPlot() writes estimate and interval", () => {
  assert.ok(CHARTS.forestPlot!().svg.includes(">60.0 [55.0, 65.0]<"));
});

Deno.test("heatmap() writes each value and hatches what is missing", () => {
  const { svg } = CHARTS.heatmap!();
  assert.equal(svg.match(/>61\.0</g)?.length, 5);
  assert.equal(svg.match(/fill="url\(#hatch\)"/g)?.length, 1);
  assert.equal(svg.match(/>–</g)?.length, 1);
});

Deno.test("heatmap() of two classes has a key in words, and no ramp", () => {
  const { svg } = heatmap({
    ...TEXT,
    ...{ rows: ["a"], columns: ["b", "c"], cells: [[interval(0.04), interval(0.06)]] },
    scale: { edge: 0.05, meanings: ["told apart", "not told apart"] },
    ...{ format: "decimal", scaleLabel: "p" } as const,
  });
  for (const text of ["p up to 0.05: told apart", "above: not told apart", "0.04", "0.06"]) {
    assert.ok(svg.includes(`>${text}<`), text);
  }
  assert.ok(!svg.includes("crispEdges"));
});

Deno.test("heatmap() names each group of rows once, over its first row", () => {
  const map = {
    ...TEXT,
    rows: ["nominative", "accusative", "nominative"],
    columns: ["singular"],
    cells: [[interval(0.6)], [NONE], [interval(0.4)]],
    scale: { domain: [0, 1], centre: 0.5 },
    ...{ format: "percent", scaleLabel: "Accuracy (%)" } as const,
  } as const;
  const { svg, height } = heatmap({ ...map, groups: ["first", "first", "second"] });
  assert.deepEqual(["first", "second"].map((name) => svg.split(`>${name}<`).length - 1), [1, 1]);
  assert.ok(height > heatmap(map).height);
  assert.throws(() => heatmap({ ...map, groups: ["first"] }), /names groups for 1 of 3 rows/);
});

Deno.test("stackedBars() writes shares and says where there is nothing", () => {
  const { svg } = CHARTS.stackedBars!();
  assert.equal(svg.match(/>40\.0</g)?.length, 5);
  assert.ok(svg.includes(">– (none)<"));
});

Deno.test("charts refuse what they cannot show", () => {
  const rows = [{ label: "x", measure: interval(0.98) }];
  assert.throws(() => barChart({ ...TEXT, axis: AXIS, rows }), /RangeError: .*x is at 1\.03/);
  assert.throws(() => forestPlot({ ...TEXT, axis: AXIS, rows: [] }), RangeError);
  assert.throws(
    () =>
      scatterChart({
        ...TEXT,
        x: AXIS,
        y: AXIS,
        points: [{ series: "s", label: "l", x: 2, y: 0 }],
      }),
    RangeError,
  );
  const bars = { ...TEXT, parts: PARTS, axisLabel: "n", stack: "count" } as const;
  assert.throws(() => stackedBars({ ...bars, rows: [{ label: "x", amounts: [1] }] }), RangeError);
  assert.throws(
    () => stackedBars({ ...bars, rows: [{ label: "x", amounts: [1, -1] }] }),
    RangeError,
  );
  const map = { ...TEXT, scale: { domain: [0, 1] }, format: "percent", scaleLabel: "s" } as const;
  assert.throws(() => heatmap({ ...map, rows: ["r"], columns: ["c"], cells: [[]] }), RangeError);
});
