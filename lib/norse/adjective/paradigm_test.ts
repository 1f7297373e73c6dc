import assert from "node:assert/strict";
import fc from "fast-check";
import { ADJECTIVES } from "./lexicon.ts";
import { DEFINITE_NOUN_CELLS, NOUN_CELLS } from "./nouns.ts";
import { CELLS, cellsOf, inflect, type PrincipalParts, type Strength } from "./paradigm.ts";

function partsOf(lemma: string, degree: "positive" | "superlative" = "positive"): PrincipalParts {
  const found = ADJECTIVES.find((adjective) =>
    adjective.lemma === lemma && adjective.degree === degree
  );
  assert.ok(found, `${lemma} is not in the lexicon`);
  return found.parts;
}

function column(lemma: string, strength: Strength, numberAndGender: string): string {
  return ["nom", "acc", "dat", "gen"].map((kase) => {
    const cell = CELLS.find((known) => known === `${kase}.${numberAndGender}`);
    assert.ok(cell);
    return inflect(partsOf(lemma), strength, cell);
  }).join(" ");
}

Deno.test("inflect() gives the handbook's strong langr, u-umlaut with it", () => {
  assert.equal(column("langr", "strong", "sg.masc"), "langr langan lǫngum langs");
  assert.equal(column("langr", "strong", "sg.fem"), "lǫng langa langri langrar");
  assert.equal(column("langr", "strong", "sg.neut"), "langt langt lǫngu langs");
  assert.equal(column("langr", "strong", "pl.masc"), "langir langa lǫngum langra");
  assert.equal(column("langr", "strong", "pl.fem"), "langar langar lǫngum langra");
  assert.equal(column("langr", "strong", "pl.neut"), "lǫng lǫng lǫngum langra");
});

Deno.test("inflect() gives the weak declension of langr", () => {
  assert.equal(column("langr", "weak", "sg.masc"), "langi langa langa langa");
  assert.equal(column("langr", "weak", "sg.fem"), "langa lǫngu lǫngu lǫngu");
  assert.equal(column("langr", "weak", "sg.neut"), "langa langa langa langa");
  assert.equal(column("langr", "weak", "pl.masc"), "lǫngu lǫngu lǫngum lǫngu");
});

Deno.test("inflect() drops the stem vowel of mikill, gamall, gǫfugr before vowels", () => {
  assert.equal(column("mikill", "strong", "sg.masc"), "mikill mikinn miklum mikils");
  assert.equal(column("mikill", "strong", "sg.fem"), "mikil mikla mikilli mikillar");
  assert.equal(column("gamall", "strong", "sg.fem"), "gǫmul gamla gamalli gamallar");
  assert.equal(column("gǫfugr", "weak", "sg.masc"), "gǫfgi gǫfga gǫfga gǫfga");
});

Deno.test("inflect() keeps j and v of the stem only where they stand", () => {
  assert.equal(column("óvígr", "weak", "sg.masc"), "óvígi óvígja óvígja óvígja");
  assert.equal(column("myrkr", "weak", "sg.fem"), "myrkva myrku myrku myrku");
});

Deno.test("inflect() assimilates the neuter -t", () => {
  const neuter = (lemma: string) => inflect(partsOf(lemma), "strong", "nom.sg.neut");
  const lemmas = ["góðr", "breiðr", "rauðr", "harðr", "sannr", "sléttr", "vitr", "kaldr", "hvítr"];
  assert.equal(lemmas.map(neuter).join(" "), "gott breitt rautt hart satt slétt vitrt kalt hvítt");
});

Deno.test("inflect() umlauts superlatives in -astr", () => {
  const parts = partsOf("gǫfugr", "superlative");
  assert.equal(inflect(parts, "weak", "nom.pl.masc"), "gǫfgustu");
  assert.equal(inflect(parts, "strong", "nom.pl.masc"), "gǫfgastir");
});

Deno.test("cellsOf() finds exactly the cells whose form it is, for every adjective", () => {
  const strengths = ["strong", "weak"] as const;
  fc.assert(
    fc.property(
      fc.constantFrom(...ADJECTIVES),
      fc.constantFrom(...CELLS),
      fc.constantFrom(...strengths),
      ({ parts }, cell, strength) => {
        const form = inflect(parts, strength, cell);
        const cells = cellsOf(parts, strength, form);
        assert.ok(cells.includes(cell));
        assert.ok(cells.every((other) => inflect(parts, strength, other) === form));
      },
    ),
    { numRuns: 300 },
  );
});

Deno.test("NOUN_CELLS knows every reading of an ambiguous form", () => {
  assert.deepEqual(NOUN_CELLS.get("menn"), ["nom.pl.masc", "acc.pl.masc"]);
  assert.deepEqual(NOUN_CELLS.get("fé"), [
    "nom.sg.neut",
    "acc.sg.neut",
    "dat.sg.neut",
    "nom.pl.neut",
    "acc.pl.neut",
  ]);
  assert.deepEqual(NOUN_CELLS.get("tíma"), [
    "acc.sg.masc",
    "dat.sg.masc",
    "gen.sg.masc",
    "acc.pl.masc",
    "gen.pl.masc",
  ]);
});

Deno.test("DEFINITE_NOUN_CELLS suffixes the article", () => {
  assert.deepEqual(DEFINITE_NOUN_CELLS.get("gullsins"), ["gen.sg.neut"]);
  assert.deepEqual(DEFINITE_NOUN_CELLS.get("úlfrinn"), ["nom.sg.masc"]);
  assert.deepEqual(DEFINITE_NOUN_CELLS.get("konungarnir"), ["nom.pl.masc"]);
});
