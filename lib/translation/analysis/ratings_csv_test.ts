import assert from "node:assert/strict";
import { parse } from "csv-parse/sync";
import { systemRatingsCsv } from "./ratings_csv.ts";
import { madeRun } from "./testdata/made_run.ts";
import { unblind } from "./unblind.ts";

Deno.test("systemRatingsCsv() has a row for each rating, numbers as numbers, texts inert", () => {
  const { ratings } = unblind(madeRun("=rater", [
    { da: [90, 10], comment: '=HYPERLINK("x")\nsecond, line' },
    { da: [80, 60], segment: "s1", role: { kind: "repeat", of: 1 } },
  ]));
  const rows = parse<Record<string, string>>(systemRatingsCsv(ratings), { columns: true });
  assert.equal(rows.length, 4);
  const [first] = rows;
  assert.equal(first!.rater, "'=rater");
  assert.equal(first!.comment, `'=HYPERLINK("x") second, line`);
  assert.deepEqual([first!.item_id, first!.translation, first!.role_of], ["1", "1", ""]);
  assert.deepEqual(rows.map(({ system, da }) => `${system} ${da}`).sort(), [
    "A 80",
    "A 90",
    "B 10",
    "B 60",
  ]);
  assert.deepEqual([rows[2]!.role, rows[2]!.role_of], ["repeat", "1"]);
});
