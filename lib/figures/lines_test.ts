import assert from "node:assert/strict";
import { type LineChart, lineChart } from "./lines.ts";
import type { Measure } from "./theme.ts";

const around = (estimate: number): Measure => ({
  ...{ kind: "interval", estimate },
  ...{ low: estimate - 0.04, high: estimate + 0.04 },
});

const CHART: LineChart = {
  ...{ title: "Learning curve", alt: "Two heads learn from more and more countries." },
  x: { label: "countries", format: "count", domain: [6, 200], scale: "log", ticks: [8, 31, 154] },
  y: {
    ...{ label: "balanced accuracy (%)", format: "percent", domain: [0.3, 1] },
    reference: { value: 1 / 3, label: "chance" },
  },
  lines: ["readable", "frozen MiniLM"].map((label, i) => ({
    label,
    points: [[154, 0.8], [8, 0.6], [31, 0.7]].map(([x, value]) => ({
      x: x!,
      measure: around(value! - 0.2 * i),
    })),
  })),
};

Deno.test("lineChart() joins points in the order of x, and draws the same bytes each time", () => {
  const { svg, png } = lineChart(CHART);
  const paths = [...svg.matchAll(/<path[^>]* d="(M[^"]+)"/g)].map(([, d]) =>
    [...d!.matchAll(/[ML]([\d.]+),/g)].map(([, x]) => Number(x))
  );
  const lines = paths.filter((xs) => xs.length === 3);
  assert.equal(lines.length, 2);
  for (const tick of CHART.x.ticks!) assert.match(svg, new RegExp(`>${tick}</text>`));
  for (const xs of lines) assert.deepEqual(xs, xs.toSorted((a, b) => a - b));
  assert.deepEqual(lineChart(CHART).png, png);
});

Deno.test("lineChart() leaves out what is unavailable, and refuses what is off its axes", () => {
  const withPoint = (measure: Measure, x = 31) =>
    lineChart({ ...CHART, lines: [{ label: "a", points: [{ x, measure }] }] });
  assert.throws(() => withPoint({ kind: "unavailable", reason: "none" }), /it has no points/);
  assert.throws(() => withPoint(around(0.99)), /a at 31 is .* off the axes 6 … 200 and 0\.3 … 1/);
  assert.throws(() => withPoint(around(0.5), 500), RangeError);
  const many = Array.from({ length: 8 }, (_, i) => ({ ...CHART.lines[0]!, label: `${i}` }));
  assert.throws(() => lineChart({ ...CHART, lines: many }), /8 lines, 7 at most/);
});
