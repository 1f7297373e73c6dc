import assert from "node:assert/strict";
import fc from "fast-check";
import { parse } from "csv-parse/sync";
import { inertText, systemRatingsCsv } from "./ratings_csv.ts";
import { madeRun } from "./testdata/made_run.ts";
import { unblind } from "./unblind.ts";

Deno.test("inertText() disarms every beginning that a spreadsheet may run", () => {
  const dangerous = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "  =1", "＝1", "\0=1", "﻿=1"];
  for (const text of dangerous) assert.ok(inertText(text).startsWith("'"), JSON.stringify(text));
  assert.equal(inertText("\r\n=1"), "' =1");
  assert.equal(inertText("plain = text, naïve"), "plain = text, naïve");
  assert.equal(inertText("two\nlines"), "two lines");
});

Deno.test("inertText() gives one line that never begins as a formula does", () => {
  const part = fc.oneof(
    fc.constantFrom("=", "+", "-", "@", "\t", "\r", "\n", "\0", " "),
    fc.string(),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 6 }).map((parts) => parts.join("")), (text) => {
      const inert = inertText(text);
      assert.doesNotMatch(inert, /^[=+\-@\t\r\n]/);
      assert.doesNotMatch(inert, /[\r\n]/);
      assert.equal(inert.replace(/\s/g, "").replace(/^'/, "").length <= text.length, true);
    }),
    { numRuns: 500 },
  );
});

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
