import assert from "node:assert/strict";
import { axisAround, bucketBars, pairCells, systemRows } from "./figure_rows.ts";
import { interval, TWO_SYSTEMS } from "./testdata/comparison.ts";

Deno.test("systemRows() keeps the order of means and puts a cluster under its number", () => {
  assert.deepEqual(
    systemRows(TWO_SYSTEMS).map(({ label, group }) => [label, group]),
    [["alder", "Cluster 1"], ["birch", "Cluster 2"]],
  );
});

Deno.test("pairCells() fills the half above the diagonal only", () => {
  const { rows, columns, cells } = pairCells(TWO_SYSTEMS);
  assert.deepEqual([rows, columns], [["1 alder", "2 birch"], ["1", "2"]]);
  assert.deepEqual(cells.map((row) => row.map(({ kind }) => kind)), [
    ["unavailable", "value"],
    ["unavailable", "unavailable"],
  ]);
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
