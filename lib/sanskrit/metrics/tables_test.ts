import assert from "node:assert/strict";
import { lookUp } from "../../pairs/statistic_lookup.ts";
import type { Statistic } from "../../pairs/statistics_row.ts";
import { confusionTable, measureTable, partTable, scoringTable } from "./tables.ts";

const row = (phenomenon: string, n: number, estimate: number): Statistic => ({
  ...{ model: "m", phenomenon, measure: "right", n, clusters: n, method: "made" },
  value: { kind: "point", estimate },
});
const FOUND = lookUp([
  row("cells_nominative_accusative", 8, 0.625),
  row("cells_nominative_genitive", 4, 1),
  row("cells_genitive_accusative", 5, 0),
  row("from_nominative", 12, 0.75),
]);

Deno.test("confusionTable() gives no percentage of fewer than five pairs, and no empty row or column", () =>
  assert.deepEqual(confusionTable("m", "right", FOUND).split("\n"), [
    "| m | → accusative | → genitive |",
    "| --- | ---: | --- |",
    "| nominative | 63 (8) | (4) |",
    "| genitive | 0 (5) | – |",
  ]));

Deno.test("partTable() shows the size of each part, and a dash where a model has no figure", () =>
  assert.deepEqual(
    partTable("case", "right", { from_nominative: "nominative" }, ["other", "m"], FOUND)
      .split("\n").at(-1),
    "| nominative | 12 | – | 75.0 |",
  ));

Deno.test("measureTable() takes each column from its own measure and part", () =>
  assert.deepEqual(
    measureTable(
      [
        { heading: "nominative", measure: "right", phenomenon: "from_nominative" },
        { heading: "all", measure: "right" },
      ],
      ["m"],
      FOUND,
    ).split("\n").at(-1),
    "| m | 0.75 | – |",
  ));

Deno.test("scoringTable() says which models are refused, and which have the pairs only", () => {
  const standing = (model: string, missing: number) => ({ model, missing });
  const table = scoringTable(
    [standing("a", 0), standing("b", 0), standing("c", 3)],
    [standing("a", 0), standing("b", 2), standing("c", 0)],
  );
  assert.deepEqual(table.split("\n").slice(2), [
    "| a | 0 | 0 | yes |",
    "| b | 0 | 2 | pairs only |",
    "| c | 3 | 0 | refused |",
  ]);
});
