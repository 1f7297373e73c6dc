import assert from "node:assert/strict";
import { balanceTable, naiveTable, outcomeTable, paradigmTable, parsedTable } from "./tables.ts";
import { GENERATED } from "./testdata/generated.ts";
import { ALL_BEINGS, annotated, place } from "./testdata/nouns.ts";

const linesOf = (table: string) => table.split("\n");

Deno.test("paradigmTable() has a case a row and a number a column", () => {
  const lines = linesOf(paradigmTable("deva", "a_masculine"));
  assert.equal(lines.length, 10);
  assert.equal(lines[0], "| देव | singular | dual | plural |");
  assert.equal(lines[7], "| genitive | देवस्य | देवयोः | देवानाम् |");
});

Deno.test("naiveTable() says what is wrong with strings put together", () => {
  const [, , right, vowel, ṇ] = linesOf(
    naiveTable("nara", "a_masculine", ["nom.sg", "gen.sg", "gen.pl"]),
  );
  assert.equal(right, "| nom.sg | नर + ः | नरः | – | नरः |");
  assert.match(vowel!, /नरअस्य \| "रअ": an independent vowel inside a word \| नरस्य \|$/);
  assert.match(ṇ!, /नराणाम् \|$/);
});

Deno.test("parsedTable() has a row for each word that fixes the cell, and one where none does", () => {
  const noun = annotated(ALL_BEINGS);
  const lines = linesOf(parsedTable([noun, { ...noun, fixedBy: [] }]));
  assert.equal(lines[2], "| भूतानि | bhūta | acc.pl | सर्वाणि | agreement | nom.pl.n acc.pl.n |");
  assert.equal(lines[4], "| भूतानि | bhūta | acc.pl | – | – | – |");
});

Deno.test("outcomeTable() tells of every cell tried what became of it", () => {
  const lines = linesOf(outcomeTable(place(ALL_BEINGS)));
  assert.equal(lines.length, 2 + 8);
  assert.ok(lines.includes("| case | भूतैः ins.pl | breaks agreement with सर्वाणि |"));
  assert.ok(lines.includes("| case | भूतानि nom.pl | same_form |"));
});

Deno.test("balanceTable() counts every pair once", () => {
  const { items } = GENERATED.aStems.set;
  const counts = linesOf(balanceTable(items)).slice(2).map((row) =>
    Number(row.split(" | ")[3]?.replace(" |", ""))
  );
  assert.equal(counts.reduce((sum, count) => sum + count, 0), items.length);
});
