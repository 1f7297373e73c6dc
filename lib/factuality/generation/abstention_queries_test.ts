import assert from "node:assert/strict";
import fc from "fast-check";
import type { FactbookField } from "../retrieval/factbook.ts";
import { abstentionQueries, knownWords } from "./abstention_queries.ts";
import { QUERY_KINDS } from "./tables.ts";

Deno.test("knownWords() knows words whatever their case and accents, the dictionary's, and slips of the pen", () => {
  const texts = ["The Orange River rises in Lesotho; São Tomé."];
  const isKnown = knownWords(texts, (word) => word === "otter");
  assert.ok(["lesotho", "Orange", "sao", "tomé", "otter", "in"].every(isKnown));
  assert.ok(["lestho", "lesothoo", "lesatho", "lesohto"].every(isKnown));
  // Of the dictionary's words and of those under four letters there are no slips.
  assert.ok(!["lasatho", "ottera", "inx"].some(isKnown));
});

const COUNTRIES =
  "Argentina Botswana Cambodia Denmark Ethiopia Finland Guatemala Honduras Indonesia Madagascar";
const place = { code: "aa", region: "africa", section: "Geography" };
const FIELDS: readonly FactbookField[] = COUNTRIES.split(" ").flatMap((country) => {
  const field = (field: string, subfield: string, text: string) => {
    return { ...place, country, field, subfield, text };
  };
  const president = `President ${country} ${country.toUpperCase()} (since 2019)`;
  return [
    field("Capital", "name", `${country}ville`),
    field("Major rivers (by length in km)", "", `${country} - 900 km`),
    field("Major lakes (area sq km)", "", `Lake ${country} - 70 sq km`),
    field("Languages", "Languages", `${country} (official)`),
    field("Executive branch", "chief of state", president),
  ];
});
const isKnown = knownWords(FIELDS.map(({ text }) => text), () => false);
const made = (seed: number, perKind = 2) => abstentionQueries(FIELDS, isKnown, perKind, seed);

Deno.test("Requirement 20.1: every kind is asked about what exists and what does not, in the same words", () => {
  const queries = made(7);
  assert.equal(new Set(queries.map(({ id }) => id)).size, QUERY_KINDS.length * 4);
  for (const kind of QUERY_KINDS) {
    const forms = (exists: boolean) =>
      queries.filter((query) => query.kind === kind && query.exists === exists)
        .map(({ name, question }) => question.replace(name, "{}"));
    assert.deepEqual(forms(true), forms(false));
  }
});

Deno.test("Requirement 20.1: invented names are new words, each given once, the same by seed", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
      const names = made(seed).filter(({ exists }) => !exists).map(({ name }) => name);
      assert.equal(new Set(names).size, names.length);
      assert.ok(names.every((name) => name.split(" ").some((word) => !isKnown(word))));
    }),
    { numRuns: 100 },
  );
  assert.deepEqual(made(3), made(3));
  assert.throws(() => made(1, 11), RangeError);
});
