import assert from "node:assert/strict";
import { bareForms } from "./bare_forms.ts";
import { item } from "./testdata/items.ts";

Deno.test("bareForms() are the two forms in pausa, each pair of forms once, ids counting up", () => {
  const records = bareForms([
    item("deva", "acc.sg.m", "gen.sg.m"),
    item("deva", "acc.sg.m", "gen.sg.m"),
    item("kula-dharma", "nom.pl.m", "nom.sg.m"),
  ]);
  assert.deepEqual(
    records.map(({ id, grammatical, ungrammatical }) => [id, grammatical, ungrammatical]),
    [
      ["bare_0001", "देवम्", "देवस्य"],
      ["bare_0002", "कुलधर्माः", "कुलधर्मः"],
    ],
  );
  assert.equal(records[0]?.context, "");
  assert.equal(records[1]?.stem, "कुलधर्म");
});
