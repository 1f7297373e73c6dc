import assert from "node:assert/strict";
import fc from "fast-check";
import { CASES, type Cell, CELLS, formatCell, NUMBERS, parseCell } from "./cell.ts";
import { type DeclensionClass, DECLENSIONS } from "./declension.ts";
import { fromIast } from "./devanagari.ts";
import { decline, declineAdjective } from "./paradigms.ts";
import { GOLDEN } from "./paradigms/testdata/golden.ts";
import { STEMS } from "./paradigms/testdata/stems.ts";

const lines = (table: string) => table.trim().split("\n").map((line) => line.trim().split(/\s+/u));

for (const { stem, class: name, script, table } of GOLDEN) {
  Deno.test(`decline() gives all 24 cells of ${stem} (${name}) in ${script}`, () => {
    const paradigm = decline(stem, name);
    const written = (form: string) => script === "IAST" ? form : fromIast(form);
    const found = CASES.map((kase) =>
      NUMBERS.map((number) => paradigm.forms({ case: kase, number }).map(written).join("/"))
    );
    assert.deepEqual(found, lines(table));
  });
}

for (const { class: name, cells, lines: table } of STEMS) {
  for (const [stem, ...expected] of lines(table)) {
    Deno.test(`decline() gives ${stem} (${name}) as worked by hand`, () => {
      const { forms } = decline(stem!, name);
      const found = cells.split(" ").map((cell) => fromIast(forms(parseCell(cell))[0]!));
      assert.deepEqual(found, expected);
    });
  }
}

const labels = (cells: readonly Cell[]) => cells.map(formatCell).join(" ");

Deno.test("cellsOf() names every cell that a form may be", () => {
  assert.equal(labels(decline("deva", "a_masculine").cellsOf("devau")), "nom.du acc.du voc.du");
  const phala = decline("phala", "a_neuter");
  assert.equal(labels(phala.cellsOf("phalam")), "nom.sg acc.sg");
  assert.equal(labels(phala.cellsOf("phale")), "nom.du acc.du loc.sg voc.du");
  const vidyā = decline("vidyā", "ā_feminine");
  assert.equal(labels(vidyā.cellsOf("vidyāyāḥ")), "abl.sg gen.sg");
  assert.equal(labels(vidyā.cellsOf("vidye")), "nom.du acc.du voc.sg voc.du");
  assert.equal(labels(decline("mati", "i_feminine").cellsOf("matyai")), "dat.sg");
  assert.equal(labels(phala.cellsOf("devau")), "");
});

Deno.test("decline() leaves both forms where only an earlier member has r or ṣ", () => {
  const { forms, cellsOf } = decline("karma-yoga", "a_masculine");
  assert.deepEqual(forms(parseCell("ins.sg")), ["karmayogena", "karmayogeṇa"]);
  assert.deepEqual(forms(parseCell("acc.pl")), ["karmayogān"]);
  assert.equal(labels(cellsOf("karmayogeṇa")), "ins.sg");
  const blocked = decline("sarva-bhūta", "a_neuter");
  assert.deepEqual(blocked.forms(parseCell("nom.pl")), ["sarvabhūtāni"]);
});

Deno.test("decline() leaves the n of a stem as the dictionary has it", () => {
  const { forms } = decline("durnaya", "a_masculine");
  assert.deepEqual(forms(parseCell("nom.sg")), ["durnayaḥ"]);
  assert.deepEqual(forms(parseCell("ins.sg")), ["durnayena"]);
});

Deno.test("decline() refuses a stem that its class does not fit or that is no IAST", () => {
  const refused = (stem: string, name: DeclensionClass) => () => decline(stem, name);
  assert.throws(
    refused("rājan", "a_masculine"),
    /Cannot decline "rājan" as a_masculine: the stem must end in -a\./,
  );
  assert.throws(refused("deva", "ā_feminine"), RangeError);
  assert.throws(refused("vidyā", "a_masculine"), RangeError);
  assert.throws(refused("rājan", "an_masculine"), /must end in -an after two consonants/);
  assert.throws(refused("nāman", "an_neuter"), RangeError);
  assert.throws(refused("", "a_masculine"), RangeError);
  assert.throws(refused("kula-", "a_masculine"), RangeError);
  assert.throws(refused("देव", "a_masculine"), SyntaxError);
  assert.throws(refused("qula-dharma", "a_masculine"), SyntaxError);
});

Deno.test("declineAdjective() gives three genders of one stem", () => {
  const at = (kind: "nominal" | "pronominal" | "pronominal_in_t", stem: string, cell: string) => {
    const { masculine, feminine, neuter } = declineAdjective(stem, kind);
    return [masculine, feminine, neuter].map(({ forms }) => forms(parseCell(cell)).join("/"));
  };
  assert.deepEqual(at("nominal", "priya", "nom.pl"), ["priyāḥ", "priyāḥ", "priyāṇi"]);
  assert.deepEqual(at("nominal", "priya", "ins.sg"), ["priyeṇa", "priyayā", "priyeṇa"]);
  assert.deepEqual(at("pronominal", "sarva", "nom.pl"), ["sarve", "sarvāḥ", "sarvāṇi"]);
  assert.deepEqual(at("pronominal", "sarva", "gen.pl"), ["sarveṣām", "sarvāsām", "sarveṣām"]);
  assert.deepEqual(at("pronominal_in_t", "anya", "nom.sg"), ["anyaḥ", "anyā", "anyat"]);
  assert.throws(() => declineAdjective("mahat", "nominal"), RangeError);
});

const stemOf = fc.tuple(
  fc.array(
    fc.tuple(fc.constantFrom("k", "r", "ṣ", "n", "t", "m", "y"), fc.constantFrom("a", "ī")),
    {
      minLength: 1,
      maxLength: 4,
    },
  ),
  fc.constantFrom(...Object.keys(DECLENSIONS) as DeclensionClass[]),
).map(([syllables, name]) =>
  [`${syllables.flat().join("")}rm${DECLENSIONS[name].stemEnd}`, name] as const
);

Deno.test("decline() fills every cell, and cellsOf() finds it again (property, 200 runs)", () => {
  fc.assert(
    fc.property(stemOf, ([stem, name]) => {
      const { forms, cellsOf } = decline(stem, name);
      for (const cell of CELLS) {
        assert.ok(forms(cell).length > 0);
        for (const form of forms(cell)) assert.ok(cellsOf(form).includes(cell), form);
      }
    }),
    { numRuns: 200 },
  );
});
