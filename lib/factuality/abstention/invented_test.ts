import assert from "node:assert/strict";
import fc from "fast-check";
import type { FactbookField } from "../retrieval/factbook_fields.ts";
import { abstentionQueries } from "./invented.ts";
import { knownWords } from "./known_words.ts";
import { QUERY_KINDS } from "./query_kinds.ts";

const COUNTRIES = [
  ...["Argentina", "Botswana", "Cambodia", "Denmark", "Ethiopia", "Finland", "Guatemala"],
  ...["Honduras", "Indonesia", "Madagascar"],
];
const place = { code: "aa", region: "africa", section: "Geography", subfield: "" };

const FIELDS: readonly FactbookField[] = COUNTRIES.flatMap((country) => [
  { ...place, country, field: "Capital", subfield: "name", text: `${country}ville` },
  { ...place, country, field: "Major rivers (by length in km)", text: `${country} - 900 km` },
  { ...place, country, field: "Major lakes (area sq km)", text: `Lake ${country} - 70 sq km` },
  { ...place, country, field: "Languages", subfield: "Languages", text: `${country} (official)` },
  {
    ...{ ...place, country, field: "Executive branch", subfield: "chief of state" },
    text: `President ${country} ${country.toUpperCase()} (since 2019)`,
  },
]);
const isKnown = knownWords(FIELDS.map(({ text }) => text), () => false);
const made = (seed: number) => abstentionQueries({ fields: FIELDS, isKnown, perKind: 2, seed });

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

Deno.test("Requirement 20.1: invented names are new words, each given once", () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e6 }), (seed) => {
      const names = made(seed).filter(({ exists }) => !exists).map(({ name }) => name);
      assert.equal(new Set(names).size, names.length);
      assert.ok(names.every((name) => name.split(" ").some((word) => !isKnown(word))));
    }),
    { numRuns: 100 },
  );
});

Deno.test("abstentionQueries() gives the same for the same seed", () => {
  assert.deepEqual(made(3), made(3));
  assert.notDeepEqual(made(3), made(4));
});

Deno.test("abstentionQueries() refuses more real things than it knows", () => {
  assert.throws(
    () => abstentionQueries({ fields: FIELDS, isKnown, perKind: 11, seed: 1 }),
    RangeError,
  );
});
