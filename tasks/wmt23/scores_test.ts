import assert from "node:assert/strict";
import { parseScores } from "./scores.ts";

const HEADING = "seg\tdoc\tsystem\tsource\ttranslation\tda_sqm\tmqm\tesa1\tesa2\n";

Deno.test("parseScores() keeps quotation marks as text, and every measure as a number", () => {
  const text = `${HEADING}11\td1\tA\t"Hi"\t„Hallo"\t62.5\t-20.0\t47.0\t44.0\n`;
  assert.deepEqual(parseScores(text, "x.tsv"), [{
    segment: "11",
    document: "d1",
    system: "A",
    source: '"Hi"',
    translation: '„Hallo"',
    scores: { esa1: 47, esa2: 44, da_sqm: 62.5, mqm: -20 },
  }]);
});

Deno.test("parseScores() names the line of a score that is none, and of a field too many", () => {
  const row = "11\td1\tA\tHi\tHallo\t62.5\t\t47.0\t44.0\n";
  assert.throws(() => parseScores(HEADING + row, "x.tsv"), /x\.tsv, line 2: mqm is ""/);
  assert.throws(() => parseScores(`${HEADING}${row.trim()}\tmore\n`, "x.tsv"), /10 fields/);
});

Deno.test("parseScores() names the columns that are not there", () => {
  assert.throws(() => parseScores("seg\tdoc\n", "x.tsv"), /no column system, source/);
});
