import { type Measure } from "../stats/measure.ts";
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import fc from "fast-check";
import { barChart, stackedBars, stackedColumns } from "./bars.ts";
import { dotPlot, forestPlot } from "./dots.ts";
import type { Figure } from "./frame.ts";
import { heatmap } from "./heat.ts";
import { type LineChart, lineChart } from "./scatter.ts";
import { placeLabels, scatterChart } from "./scatter.ts";
import { markdownTable, tally } from "./table.ts";
import { relativeLuminance } from "./theme.ts";

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

const interval = (estimate: number): Measure => (
  { kind: "interval", estimate, low: estimate - 0.05, high: estimate + 0.05 }
);

const HEAT = {
  ...TEXT,
  format: "percent",
  scaleLabel: "Accuracy (%)",
  scale: { edge: 0.5, meanings: ["by chance", "above chance"] },
} as const;
const DOTS = {
  ...TEXT,
  axis: AXIS,
  series: ["one", "two"],
  rows: [
    { label: LONG, group: "Less is better", measures: [interval(0.3), interval(0.4)] },
    { label: "κ", group: "More is better", measures: [NONE, interval(0.6)] },
  ],
};
const LINES: LineChart = {
  ...TEXT,
  x: { label: "countries", format: "count", domain: [0, 200] },
  y: AXIS,
  lines: [LONG, "frozen MiniLM"].map((label, i) => ({
    label,
    points: [[154, 0.8], [8, 0.6], [31, 0.7]].map(([x, value]) => (
      { x: x!, measure: interval(value! - 0.2 * i) }
    )),
  })),
};

const BARS = MODELS.map((label, i) => ({
  label,
  measure: i === 1 ? NONE : interval(0.6),
  n: 1000,
}));
const POINTS = MODELS.map((series, i) => ({ series, label: `nr ${i}`, x: 0.5 + i / 100, y: 0.5 }));
const STACKS = MODELS.map((label, i) => ({ label, amounts: i === 1 ? [0, 0] : [300, 200] }));

/** Each chart, and what must be written in it. */
const CHARTS: Readonly<Record<string, readonly [() => Figure, readonly string[]]>> = {
  barChart: [
    () => barChart({ ...TEXT, axis: AXIS, rows: BARS }),
    ["60.0 % (n = 1,000)", "– (no items)", "chance"],
  ],
  forestPlot: [
    () =>
      forestPlot({ ...TEXT, axis: AXIS, rows: BARS.map((row) => ({ ...row, group: "group" })) }),
    ["60.0 [55.0, 65.0]", "group"],
  ],
  dotPlot: [
    () => dotPlot(DOTS),
    ["30.0 [25.0, 35.0]", "– (no items)", "one", "two", "Less is better", "More is better"],
  ],
  heatmap: [
    () =>
      heatmap({
        ...HEAT,
        rows: MODELS,
        columns: ["Quirky case", "All"],
        cells: MODELS.map((_, i) => [i === 1 ? NONE : interval(0.61), interval(0.4)]),
      }),
    ["61.0", "–", "Accuracy (%) up to 50: by chance", "above: above chance"],
  ],
  intervalHeatmap: [
    () =>
      heatmap({
        ...{ ...TEXT, format: "percent", scaleLabel: "%", columns: ["All"] } as const,
        rows: MODELS,
        cells: MODELS.map((_, i) => [i === 1 ? NONE : interval(0.4 + 0.03 * i)]),
        scale: { reference: 0.5, label: "chance" },
      }),
    ["40.0", "(52.0)", "–", "% in parentheses: interval contains chance", "below", "above"],
  ],
  scatterChart: [
    () => scatterChart({ ...TEXT, x: AXIS, y: AXIS, identity: true, points: POINTS }),
    ["nr 5", "chance"],
  ],
  preferenceScatter: [
    () => {
      const intervals = { x: [0.4, 0.6], y: [0.45, 0.55] } as const;
      const points = POINTS.map((point) => ({ ...point, intervals }));
      return scatterChart({ ...TEXT, x: AXIS, y: AXIS, opposite: "preference alone", points });
    },
    ["preference alone", "nr 5"],
  ],
  lineChart: [() => lineChart(LINES), ["100", "chance"]],
  stackedBars: [
    () => {
      const chart = { ...TEXT, parts: PARTS, axisLabel: "Share (%)", stack: "share" } as const;
      return stackedBars({ ...chart, rows: STACKS });
    },
    ["60.0", "40.0", "– (none)"],
  ],
  stackedColumns: [
    () => stackedColumns({ ...TEXT, parts: PARTS, columns: STACKS, xLabel: LONG, yLabel: "Pairs" }),
    ["Pairs"],
  ],
};

for (const [name, [draw, texts]] of Object.entries(CHARTS)) {
  Deno.test(`${name}() fills a column in print, type ≥ 7 pt, names whole, twice the same bytes`, () => {
    const [first, second] = [draw(), draw()];
    assert.equal(first.width, 1080);
    const view = new DataView(first.png.buffer);
    assert.deepEqual([view.getUint32(16), view.getUint32(20)], [first.width, first.height]);
    if (name !== "dotPlot") {
      assert.ok(first.svg.includes(`>${LONG}<`), "the long name is not whole");
    }
    for (const text of texts) assert.ok(first.svg.includes(`>${text}<`), text);
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

Deno.test("charts draw a mark for every value, lines at one x for one amount", () => {
  const count = (name: string, pattern: RegExp) => CHARTS[name]![0]().svg.match(pattern)?.length;
  assert.equal(count("heatmap", /fill="url\(#hatch\)"/g), 1);
  const paths = [...lineChart(LINES).svg.matchAll(/<path[^>]* d="(M[^"]+)"/g)].map(([, d]) =>
    [...d!.matchAll(/[ML]([\d.]+),/g)].map(([, x]) => Number(x))
  ).filter((xs) => xs.length === 3);
  assert.equal(paths.length, 2);
  for (const xs of paths) assert.deepEqual(xs, xs.toSorted((a, b) => a - b));
  assert.deepEqual(paths[0], paths[1]);
  const reason = "a reason that is as long as the whole figure is wide, and then some more words";
  const rows = [{ label: "MiHR", measures: [{ kind: "unavailable", reason } as const] }];
  assert.ok(dotPlot({ ...DOTS, series: ["one"], rows }).svg.includes(">– (not computed)<"));
});

Deno.test("heatmap() parts its cells at the edge, in the colours of its key", () => {
  const row = { ...HEAT, rows: ["a"], columns: ["b", "c", "d"] };
  const { svg } = heatmap({ ...row, cells: [[0.5, 0.4, 0.6].map(interval)] });
  const fills = [...svg.matchAll(/<rect[^>]*fill="(#[^"]*)"/g)].map(([, fill]) => fill!);
  // After the hatch and the paper the key's two swatches, then the cells.
  const [pale, dark, ...cells] = fills.slice(-5) as [string, string, ...string[]];
  assert.deepEqual(cells, [pale, pale, dark]);
  assert.ok(relativeLuminance(pale) > relativeLuminance(dark));
});

Deno.test("heatmap() colours a cell by the side of the reference that its whole interval is on", () => {
  const scale = { reference: 0.5, label: "chance" };
  const text = { ...TEXT, format: "percent", scaleLabel: "%", scale } as const;
  const values = [0.44, 0.45, 0.55, 0.56].map(interval);
  const point: Measure = { kind: "value", estimate: 0.5 };
  const map = { ...text, rows: ["a"], columns: ["b", "c", "d", "e", "f"] };
  const { svg } = heatmap({ ...map, cells: [[...values, point]] });
  const fills = [...svg.matchAll(/<rect[^>]*fill="(#[^"]*)"/g)].map(([, fill]) => fill!);
  const [within, below, above, ...cells] = fills.slice(-8);
  assert.deepEqual(cells, [below, within, within, above, within]);
  assert.equal(new Set([within, below, above]).size, 3);
});

Deno.test("heatmap() colours by the adjusted set where one is given, and names each group once", () => {
  const cells = [[interval(0.7), interval(0.8)], [interval(0.2), interval(0.9)]];
  const adjusted = new Set([cells[0]![1]!, cells[1]![0]!]);
  const { svg } = heatmap({
    ...{ ...TEXT, format: "percent", scaleLabel: "%", columns: ["b", "c"] } as const,
    ...{ rows: ["total", "per byte"], groups: ["Model", "Model"], cells },
    scale: { reference: 0.5, label: "chance", adjusted },
  });
  const fills = [...svg.matchAll(/<rect[^>]*fill="(#[^"]*)"/g)].map(([, fill]) => fill!);
  const [within, below, above, ...drawn] = fills.slice(-7);
  assert.deepEqual(drawn, [within, above, below, within]);
  assert.equal(svg.match(/>Model</g)?.length, 1);
  assert.match(svg, /% in parentheses: chance not excluded/);
});

Deno.test("charts refuse what they cannot show", () => {
  const off = { label: "κ", measures: [interval(0.98), NONE] };
  const bars = { ...TEXT, parts: PARTS, axisLabel: "n", stack: "count" } as const;
  const line = (measure: Measure, x = 31) => [{ label: "a", points: [{ x, measure }] }];
  const many = Array.from({ length: 8 }, (_, i) => ({ ...LINES.lines[0]!, label: `${i}` }));
  const map = { ...HEAT, rows: ["r"], columns: ["c"] } as const;
  const cases: readonly (readonly [() => Figure, RegExp])[] = [
    [
      () => barChart({ ...TEXT, axis: AXIS, rows: [{ label: "x", measure: interval(0.98) }] }),
      /RangeError: .*x is at 1\.03, off 0 … 1/,
    ],
    [() => forestPlot({ ...TEXT, axis: AXIS, rows: [] }), /it has no rows/],
    [() => dotPlot({ ...DOTS, series: ["one"] }), /has 2 measures of 1 series/],
    [() => dotPlot({ ...DOTS, series: [] }), /it has 0 series; 1 to 7/],
    [() => dotPlot({ ...DOTS, rows: [off] }), /κ is at 1\.03, off 0 … 1/],
    [
      () => scatterChart({ ...TEXT, x: AXIS, y: AXIS, points: [{ ...POINTS[0]!, x: 2 }] }),
      /off the axes/,
    ],
    [() => stackedBars({ ...bars, rows: [{ label: "x", amounts: [1] }] }), /for 2 parts/],
    [() => stackedBars({ ...bars, rows: [{ label: "x", amounts: [1, -1] }] }), /amounts 1, -1/],
    [() => heatmap({ ...map, cells: [[]] }), /do not fit 1 rows × 1 columns/],
    [() => heatmap({ ...map, cells: [[interval(0.5)]], groups: [] }), /0 groups for 1 rows/],
    [
      () => {
        const write = () => "0".repeat(99);
        return heatmap({ ...map, cells: [[interval(0.5)]], scale: { ...HEAT.scale, write } });
      },
      /is wider than its cell/,
    ],
    [() => lineChart({ ...LINES, lines: line(NONE) }), /it has no points/],
    [
      () => lineChart({ ...LINES, lines: line(interval(0.99)) }),
      /a at 31 is .* off the axes 0 … 200/,
    ],
    [() => lineChart({ ...LINES, lines: line(interval(0.5), 500) }), /a at 500 is/],
    [() => lineChart({ ...LINES, lines: many }), /8 lines, 7 at most/],
  ];
  for (const [draw, why] of cases) assert.throws(draw, why);
});

const BOUNDS = { left: 0, right: 200, top: 0, bottom: 200 };

Deno.test("placeLabels() sets a lone name next to its point, to the left at the right edge", () => {
  const [label] = placeLabels([{ x: 100, y: 100, label: "umlaut" }], BOUNDS, 7);
  const { x, y, width, needsLeader } = label!;
  assert.ok(y === 100 && x - width / 2 > 100 && x - width / 2 < 108 && !needsLeader);
  assert.ok(placeLabels([{ x: 195, y: 100, label: "umlaut" }], BOUNDS, 7)[0]!.x < 195);
  const crowded = [[100, 100], [104, 100], [100, 104], [104, 104], [102, 102]]
    .map(([x, y]) => ({ x: x!, y: y!, label: "adjective" }));
  assert.ok(placeLabels(crowded, BOUNDS, 7).some((label) => label.needsLeader));
});

Deno.test("placeLabels() keeps the names of crowded points apart and within bounds", () => {
  const place = fc.integer({ min: 80, max: 120 });
  const near = fc.record({ x: place, y: place, label: fc.constant("quirky") });
  fc.assert(fc.property(fc.array(near, { minLength: 2, maxLength: 8 }), (points) => {
    const placed = placeLabels(points, BOUNDS, 7);
    for (const [i, a] of placed.entries()) {
      assert.ok(a.x - a.width / 2 >= 0 && a.x + a.width / 2 <= 200 && a.y >= 0 && a.y <= 200);
      for (const b of placed.slice(i + 1)) {
        const apart = Math.abs(a.x - b.x) >= (a.width + b.width) / 2 - 1e-9 ||
          Math.abs(a.y - b.y) >= 7 * 1.1 - 1e-9;
        assert.ok(apart, JSON.stringify(placed));
      }
    }
  }));
});

Deno.test("markdownTable() sets numbers flush right and shows a missing value as a dash", () => {
  assert.equal(
    markdownTable(["model", "accuracy"], [["a|b", 0.5], ["c", undefined]]),
    "| model | accuracy |\n| --- | ---: |\n| a\\|b | 0.5 |\n| c | – |",
  );
  assert.throws(() => markdownTable(["a", "b"], [["1"]]), /row 1 has 1 cells, expected 2/);
  assert.deepEqual(tally(["b", "a", "c", "b"]), [["b", 2], ["a", 1], ["c", 1]]);
});
