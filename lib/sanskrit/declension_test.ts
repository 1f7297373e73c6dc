import assert from "node:assert/strict";
import { CASES, CELLS, formatCell, NUMBERS, parseCell } from "./cell.ts";
import { type DeclensionClass, DECLENSIONS, endingOf } from "./declension.ts";
import { fromIast, joinEnding } from "./devanagari.ts";
import { decline } from "./paradigms.ts";

/** The tables of the specification; an empty vocative is the stem itself. */
const PRINTED: readonly (readonly [DeclensionClass, string])[] = [
  [
    "a_masculine",
    `ः    औ      आः
     म्   औ      आन्
     एन   आभ्याम्  ऐः
     आय   आभ्याम्  एभ्यः
     आत्  आभ्याम्  एभ्यः
     अस्य  अयोः    आनाम्
     ए    अयोः    एषु
     -    औ      आः`,
  ],
  [
    "a_neuter",
    `म्   ए      आनि
     म्   ए      आनि
     एन   आभ्याम्  ऐः
     आय   आभ्याम्  एभ्यः
     आत्  आभ्याम्  एभ्यः
     अस्य  अयोः    आनाम्
     ए    अयोः    एषु
     -    ए      आनि`,
  ],
  [
    "ā_feminine",
    `आ     ए      आः
     आम्   ए      आः
     अया   आभ्याम्  आभिः
     आयै   आभ्याम्  आभ्यः
     आयाः  आभ्याम्  आभ्यः
     आयाः  अयोः    आनाम्
     आयाम्  अयोः    आसु
     ए     ए      आः`,
  ],
];

for (const [name, table] of PRINTED) {
  Deno.test(`endingOf() prints ${name} as the specification does`, () => {
    const rows = table.split("\n").map((line) => line.trim().split(/\s+/u));
    CASES.forEach((kase, at) => {
      const found = NUMBERS.map((number) => endingOf(name, { case: kase, number }) || "-");
      assert.deepEqual(found, rows[at], kase);
    });
  });
}

Deno.test("endingOf() prints the usual ending of a doublet, and i-stems likewise", () => {
  assert.equal(endingOf("i_feminine", parseCell("dat.sg")), "अये");
  assert.equal(endingOf("i_masculine", parseCell("nom.sg")), "ः");
  assert.equal(endingOf("i_masculine", parseCell("gen.du")), "योः");
  assert.equal(endingOf("u_masculine", parseCell("ins.sg")), "उना");
});

Deno.test("endingOf() joined to the stem is the form, where no n becomes ṇ", () => {
  const stems = [["deva", "a_masculine"], ["phala", "a_neuter"], ["vidyā", "ā_feminine"]] as const;
  for (const [stem, name] of stems) {
    const { forms } = decline(stem, name);
    for (const cell of CELLS) {
      const joined = joinEnding(fromIast(stem), endingOf(name, cell));
      assert.equal(joined, fromIast(forms(cell)[0]!), formatCell(cell));
    }
  }
});

Deno.test("DECLENSIONS says gender, stem end and label of each class", () => {
  const { gender, stemEnd, label } = DECLENSIONS.ā_feminine;
  assert.deepEqual([gender, stemEnd, label], ["feminine", "ā", "ā-stem"]);
  assert.equal(DECLENSIONS.a_neuter.label, "a-stem");
});
