import assert from "node:assert/strict";
import fc from "fast-check";
import type { FactbookField } from "../retrieval/factbook_fields.ts";
import { choiceQuestions } from "./choice_questions.ts";

function field(code: string, name: string, subfield: string, text: string): FactbookField {
  const country = `Country ${code.toUpperCase()}`;
  return { country, code, region: "africa", section: "S", field: name, subfield, text };
}

const CODES = [..."abcdefghijklmnopqrstuvwxyz"].map((letter) => `q${letter}`);

/** Letters, so that no name is part of another. */
const capital = (code: string) => `${code.toUpperCase()}ville`;

const FIELDS = CODES.flatMap((code, i) => [
  field(code, "Capital", "name", `${capital(code)}; note - a port`),
  field(code, "Independence", "", `1 May ${1900 + i} (from the ${["UK", "Spain"][i % 2]})`),
  field(code, "Languages", "Languages", `${code.toUpperCase()}ish (official), other`),
]);

const all = (seed: number) => choiceQuestions(FIELDS, { split: "test", count: 1_000, seed });

Deno.test("choiceQuestions() takes the right option from the country's own field", () => {
  const questions = all(1);
  for (const { id, options, cluster, kind } of questions) {
    assert.equal(id, `${cluster}/${kind}`);
    if (kind === "capital") assert.equal(options[0], capital(cluster));
    if (kind === "year of independence") {
      assert.equal(options[0], `${1900 + CODES.indexOf(cluster)}`);
    }
  }
  assert.deepEqual(new Set(questions.map(({ kind }) => kind)), new Set(ALL_KINDS));
});

/** Of former rulers there are two, too few for three wrong options. */
const ALL_KINDS = ["capital", "language", "year of independence"];

Deno.test("choiceQuestions() gives four different options, the wrong ones not in the country's field", () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      for (const { options, cluster } of all(seed)) {
        assert.equal(new Set(options).size, 4);
        const own = FIELDS.filter(({ code }) => code === cluster).map(({ text }) => text).join();
        assert.ok(options.slice(1).every((option) => !own.includes(option)));
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("choiceQuestions() asks about the countries of one split, kind by kind in turn", () => {
  const test = new Set(all(1).map(({ cluster }) => cluster));
  const train = choiceQuestions(FIELDS, { split: "train", count: 1_000, seed: 1 });
  assert.ok(test.size > 0 && train.every(({ cluster }) => !test.has(cluster)));
  assert.deepEqual(
    train.slice(0, 4).map(({ kind }) => kind),
    ["capital", "language", "year of independence", "capital"],
  );
});

Deno.test("choiceQuestions() gives the same questions for a seed, and fewer of them first ones", () => {
  assert.deepEqual(all(3), all(3));
  const few = choiceQuestions(FIELDS, { split: "test", count: 5, seed: 3 });
  assert.deepEqual(few, all(3).slice(0, 5));
});

Deno.test("choiceQuestions() takes for wrong nothing that the country's history tells", () => {
  const told = CODES.map((code) => field(code, "Background", "", "once French, then British"));
  const rulers = ["UK", "France", "Spain", "Japan", "Belgium", "Portugal"];
  const fields = CODES.flatMap((code, i) => [
    field(code, "Independence", "", `1 May 1960 (from ${rulers[i % rulers.length]})`),
  ]);
  const questions = choiceQuestions([...fields, ...told], { split: "train", count: 99, seed: 1 });
  const asked = questions.filter(({ kind }) => kind === "former ruler");
  assert.ok(asked.length > 5);
  const wrong = new Set(asked.flatMap(({ options }) => options.slice(1)));
  assert.deepEqual([...wrong].sort(), ["Belgium", "Japan", "Portugal", "Spain"]);
});

Deno.test("choiceQuestions() leaves out an answer that the country's name gives away", () => {
  const fields = CODES.map((code) => field(code, "Capital", "name", `Country City ${code}`));
  assert.deepEqual(choiceQuestions(fields, { split: "test", count: 9, seed: 1 }), []);
});
