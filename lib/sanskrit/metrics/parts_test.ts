import assert from "node:assert/strict";
import fc from "fast-check";
import { CASES, formatCell, NUMBERS } from "../cell.ts";
import { scan } from "../metre.ts";
import { labelLines, type Verse, verseId } from "../verses.ts";
import { contrastParts, listedPart, partNames, partsOf, reviewParts } from "./parts.ts";
import { madeContrast } from "./testdata/made_contrast.ts";

const verse = (number: number, line: string): Verse => ({
  ...{ id: verseId(1, number), chapter: 1, verse: number, speaker: "" },
  ...{ lines: labelLines([line]), ...scan([line]) },
});

Deno.test("partsOf() names the cells, the form's frequency, the relation and the metre", () => {
  assert.deepEqual(partsOf(madeContrast({}), 0), [
    ...["from_genitive", "to_dative", "cells_genitive_dative"],
    ...["form_unseen", "relation_adnominal", "metre_kept", "vocative_excluded"],
  ]);
  const number = madeContrast({
    phenomenon: "number",
    cells: ["nom.pl", "nom.sg"],
    grammatical: "सर्वे देवाः",
    ungrammatical: "सर्वे देवः",
    target: "देवाः",
    relation: "agreement",
    marks: ["metre_changed", "compound"],
  });
  assert.deepEqual(partsOf(number, 2), [
    ...[
      "number_plural_singular",
      "form_rare",
      "relation_agreement",
      "metre_changed",
      "vocative_excluded",
    ],
  ]);
});

Deno.test("partsOf() calls a form rare once or twice, frequent from three times", () => {
  const classes = [0, 1, 2, 3, 40].map((count) => partsOf(madeContrast({}), count)[3]);
  assert.deepEqual(classes, [
    ...["form_unseen", "form_rare", "form_rare", "form_frequent", "form_frequent"],
  ]);
});

Deno.test("contrastParts() counts forms outside the pair's own verse and names only parts with a pair", () => {
  const item = madeContrast({ source: [1, 1] });
  const verses = [verse(1, "देवस्य देवस्य फलं"), verse(2, "फलं देवस्य")];
  const parts = contrastParts([item], verses);
  assert.deepEqual(parts.map(({ name }) => name), [
    ...["from_genitive", "to_dative", "cells_genitive_dative"],
    ...["form_rare", "relation_adnominal", "metre_kept", "vocative_excluded"],
  ]);
  assert.ok(parts.every(({ has }) => has(item)));
  const other = madeContrast({ id: "morph_0002" });
  assert.ok(parts.every(({ has }) => !has(other)));
});

Deno.test("listedPart() has the pairs of its list", () => {
  const { has } = listedPart("balanced", ["morph_0002"]);
  assert.deepEqual([has(madeContrast({})), has(madeContrast({ id: "morph_0002" }))], [false, true]);
});

Deno.test("partNames() heads parts by what follows their prefix", () =>
  assert.deepEqual(
    partNames([{ name: "from_dative" }, { name: "number_dual_plural" }], "number_"),
    { number_dual_plural: "dual → plural" },
  ));

Deno.test("partsOf() puts each pair in one part of each kind (property, 200 runs)", () => {
  const cell = fc.record({
    case: fc.constantFrom(...CASES),
    number: fc.constantFrom(...NUMBERS),
  });
  fc.assert(
    fc.property(cell, fc.constantFrom(...CASES), fc.nat(50), (from, kase, count) => {
      fc.pre(from.case !== kase);
      const cells = [formatCell(from), formatCell({ ...from, case: kase })] as const;
      const names = partsOf(madeContrast({ cells }), count);
      const ofKind = (prefix: string) => names.filter((name) => name.startsWith(prefix)).length;
      const kinds = ["from_", "to_", "cells_", "form_", "relation_", "metre_"].map(ofKind);
      assert.deepEqual(kinds, [1, 1, 1, 1, 1, 1]);
    }),
    { numRuns: 200 },
  );
});

Deno.test("reviewParts() parts what a blind reader was sure of from what was doubted", () => {
  const row = (pairId: string, rating: number) => ({
    ...{ pairId, rating, sha256: "", choseGrammatical: true },
  });
  const parts = reviewParts([row("morph_0001", 0), row("morph_0002", 1), row("morph_0003", 0)]);
  const pair = (id: string) => ({ pair: { id } }) as Parameters<(typeof parts)[number]["has"]>[0];
  const members = parts.map(({ name, has }) => [
    name,
    ["morph_0001", "morph_0002", "morph_0003", "morph_0004"].filter((id) => has(pair(id))).length,
  ]);
  assert.deepEqual(members, [["blind_wrong", 2], ["blind_doubtful", 1]]);
  assert.deepEqual(reviewParts([]), []);
});
