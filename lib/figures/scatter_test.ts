import assert from "node:assert/strict";
import fc from "fast-check";
import { placeLabels } from "./scatter.ts";

const BOUNDS = { left: 0, right: 200, top: 0, bottom: 200 };

Deno.test("placeLabels() sets a lone name to the right of its point, without a line", () => {
  const [label] = placeLabels([{ x: 100, y: 100, label: "umlaut" }], BOUNDS, 7);
  assert.ok(label !== undefined);
  assert.equal(label.y, 100);
  assert.ok(label.x - label.width / 2 > 100 && label.x - label.width / 2 < 108);
  assert.equal(label.needsLeader, false);
});

Deno.test("placeLabels() turns to the left at the right edge", () => {
  const [label] = placeLabels([{ x: 195, y: 100, label: "umlaut" }], BOUNDS, 7);
  assert.ok(label !== undefined && label.x < 195);
});

Deno.test("placeLabels() keeps the names of crowded points apart and within bounds", () => {
  const near = fc.record({
    x: fc.integer({ min: 80, max: 120 }),
    y: fc.integer({ min: 80, max: 120 }),
  });
  fc.assert(
    fc.property(fc.array(near, { minLength: 2, maxLength: 8 }), (points) => {
      const named = points.map((point) => ({ ...point, label: "quirky" }));
      const placed = placeLabels(named, BOUNDS, 7);
      for (const [i, a] of placed.entries()) {
        assert.ok(a.x - a.width / 2 >= 0 && a.x + a.width / 2 <= 200 && a.y >= 0 && a.y <= 200);
        for (const b of placed.slice(i + 1)) {
          const apart = Math.abs(a.x - b.x) >= (a.width + b.width) / 2 - 1e-9 ||
            Math.abs(a.y - b.y) >= 7 * 1.1 - 1e-9;
          assert.ok(apart, JSON.stringify(placed));
        }
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("placeLabels() draws lines where a name could belong to two points", () => {
  const crowded = [[100, 100], [104, 100], [100, 104], [104, 104], [102, 102]]
    .map(([x, y]) => ({ x: x!, y: y!, label: "adjective" }));
  assert.ok(placeLabels(crowded, BOUNDS, 7).some((label) => label.needsLeader));
});
