import assert from "node:assert/strict";
import { test } from "node:test";
import type { BbqResult } from "../../bias/bbq_results.ts";
import type { OrderRow } from "../../robustness/orders_rows.ts";
import type { RepetitionRow } from "../../robustness/repetition_rows.ts";
import type { SwapRow } from "../../robustness/swap_rows.ts";
import { bbqRows, bbqTable } from "./bbq_views.ts";
import { errorsTable, orderTable, rankRows, rankTable, stabilityTable } from "./order_views.ts";
import { repetitionTable } from "./repetition_views.ts";
import { beyondTable, favouredTable, swapTable, truthTable } from "./swap_views.ts";

/** Countries A and B: the true text wins against one error in both orders, of two it is a tie. */
const ORDERS = ["A", "B"].flatMap((country) =>
  ([[0, 1, "a", "first"], [0, 1, "b", "second"], [0, 2, "a", "first"], [
    0,
    2,
    "b",
    "first",
  ]] as const)
    .map(([errors_a, errors_b, first, winner]): OrderRow => ({
      ...{ country, errors_a, errors_b, first, component: "judge", run: 0, temperature: 0, winner },
      ...{ status: "scored", score_a: "", score_b: "", settings_sha256: "s" },
    }))
);

test("orderTable(), rankTable(), errorsTable() tell pairs, ranks and wins: worked by hand", () => {
  assert.match(orderTable(ORDERS), /\| judge \| 4 \| 0 \| 2 \| 50\.0 \[50\.0, 50\.0\] \| −0\.50/);
  assert.match(orderTable(ORDERS), /\| 50\.0 \[50\.0, 50\.0\] \| 100\.0 \[100\.0, 100\.0\] \|$/);
  assert.match(rankTable(ORDERS), /\| judge \| 2 \| – \(no items\) \| – \(no items\) \|$/);
  assert.match(errorsTable(ORDERS), /\| judge \| 2 of 2 \| 0 of 2 \| – \|$/);
  assert.equal(stabilityTable(ORDERS).split("\n").length, 2);
  assert.equal(rankRows(ORDERS)[0]!.measure.kind, "unavailable");
});

test("repetitionTable() sets the variance beside the bar", () => {
  const rows = ["A", "B"].flatMap((country) =>
    [50, 52].map((score, at): RepetitionRow => ({
      ...{ country, errors: 0, repetition: at + 1, component: "judge", status: "scored" },
      ...{ score, settings_sha256: "s" },
    }))
  );
  const cells = /\| judge \| 2 \| 4 \| 0 \| 2\.00 \[2\.00, 2\.00\] \| 2\.00 \| 2\.00 \| 100\.0 /;
  assert.match(repetitionTable(rows), cells);
});

test("swapTable() and its companions have a row each, or say that there is nothing", () => {
  const row = (portrait: string, change: SwapRow["change"], score: number): SwapRow => ({
    ...{ portrait, claim: "right", change, from: "female", to: "male", component: "judge" },
    ...{ status: "scored", score, settings_sha256: "s" },
  });
  const rows = ["p01", "p02"].flatMap((portrait) => [
    ...[row(portrait, "none", 60), row(portrait, "gender", 62), row(portrait, "other name", 61)],
  ]);
  assert.match(
    swapTable(rows),
    /\| judge \| gender \| 2 \| 2 \| 2\.00 \[2\.00, 2\.00\] \| 2\.00 \|/,
  );
  assert.match(beyondTable(rows), /\| judge \| gender \| other name \| 1\.00 \[1\.00, 1\.00\] \|/);
  assert.match(favouredTable(rows), /^Of 2 groups and components 0 have an interval without 0/);
  assert.match(truthTable(rows), /\| judge \| 0 \| – \(no items\) \|/);
});

test("bbqTable() and bbqRows() show one readout, and why a score is missing", () => {
  const result: BbqResult = {
    ...{ model: "m", readout: "sum", category: "Sexual_orientation", context: "ambiguous" },
    ...{ items: 4, questions: 2, not_unknown: 3, biased: 2, accuracy: 0.25, accuracy_low: 0 },
    ...{ accuracy_high: 0.5, bias: 0.25, bias_low: 0, bias_high: 0.5, unavailable: "" },
    file_sha256: "f",
  };
  const missing: BbqResult = {
    ...{ ...result, category: "Age", bias: "", bias_low: "", bias_high: "" },
    unavailable: "a single cluster says nothing about others",
  };
  const table = bbqTable([result, missing, { ...result, readout: "per byte" }], "sum");
  assert.equal(table.split("\n").length, 4);
  assert.match(
    table,
    /\| m \| Sexual orientation \| ambiguous \| 4 \| 2 \| 25\.0 \[0\.0, 50\.0\] \|/,
  );
  assert.match(table, /– \(a single cluster says nothing about others\)/);
  assert.equal(bbqRows([result, missing], "sum", "ambiguous")[1]!.measure.kind, "unavailable");
  assert.deepEqual(bbqRows([result], "sum", "disambiguated"), []);
});
