import assert from "node:assert/strict";
import { unavailable } from "../../stats/unavailable.ts";
import { axisAround, bucketBars, pairCells, positionCells, systemRows } from "./figure_rows.ts";
import { interval, TWO_SYSTEMS } from "./testdata/comparison.ts";

Deno.test("systemRows() keeps the order of means and puts a cluster under its number", () => {
  assert.deepEqual(
    systemRows(TWO_SYSTEMS).map(({ label, group }) => [label, group]),
    [["alder", "Cluster 1"], ["birch", "Cluster 2"]],
  );
});

Deno.test("pairCells() fills the half above the diagonal only", () => {
  const { rows, columns, cells, scale } = pairCells(TWO_SYSTEMS);
  assert.equal(scale.edge, 0.05);
  assert.deepEqual([rows, columns], [["1 alder", "2 birch"], ["1", "2"]]);
  assert.deepEqual(cells.map((row) => row.map(({ kind }) => kind)), [
    ["unavailable", "value"],
    ["unavailable", "unavailable"],
  ]);
});

Deno.test("positionCells() takes the ends of its colours from the deviations, whatever the scale", () => {
  const none = unavailable("made by hand");
  const cells = (estimate: number) =>
    positionCells([{
      rater: "r",
      position: {
        ...{ slope: none, slopeTest: none, spreadTest: none },
        positions: [
          { position: 1, deviation: interval(estimate, estimate, estimate) },
          { position: 2, deviation: none },
        ],
      },
    }]);
  const ends = (estimate: number) => [...cells(estimate).scale.domain, cells(estimate).format];
  assert.deepEqual(ends(-6.2), [-10, 10, "count"]);
  assert.deepEqual(ends(0.31), [-0.5, 0.5, "decimal"]);
  assert.deepEqual(ends(2), [-2, 2, "decimal"]);
  assert.deepEqual(ends(0), [-1, 1, "decimal"]);
});

Deno.test("bucketBars() hands on counts in the order of the buckets", () => {
  const [first] = TWO_SYSTEMS.systems;
  assert.deepEqual(bucketBars([{ label: "alder", buckets: first!.buckets }]), [
    { label: "alder", amounts: [7, 3] },
  ]);
});

Deno.test("axisAround() holds every interval, and what else it is told to", () => {
  const rows = [{ label: "a", measure: interval(12, 7, 18) }];
  assert.deepEqual(axisAround(rows, 5), [5, 20]);
  assert.deepEqual(axisAround(rows, 5, [0]), [0, 20]);
});
