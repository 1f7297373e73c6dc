import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { FactbookField } from "../retrieval/factbook_fields.ts";
import { splitCountries } from "../training/country_split.ts";
import { KNOWLEDGE_SEED } from "../training/knowledge_claims.ts";
import { textLadders } from "./orders_ladder.ts";

function field(index: number, name: string, subfield: string, text: string): FactbookField {
  const [country, code] = [`Land ${index}`, `c${index}`];
  return { country, code, region: "europe", section: "People", field: name, subfield, text };
}

/** Countries that do not exist: five numbers, a capital and a coast of none each. */
const FIELDS = Array.from({ length: 16 }, (_, index) => [
  field(index, "Population", "total", `${index + 1},512,806 (2025 est.)`),
  field(index, "Capital", "name", `Town ${"ABCDEFGHIJKLMNOP"[index]}burg`),
  field(index, "Birth rate", "", `${10 + index}.88 births/1,000 population (2025 est.)`),
  field(index, "Death rate", "", `${5 + index}.31 deaths/1,000 population (2025 est.)`),
  field(index, "Coastline", "", "0 km"),
  field(index, "Airports", "", `${20 + index} (2025)`),
]).flat();

const LADDERS = textLadders(FIELDS, { count: 100, seed: 1 });

test("textLadders() plants one error more with each text, in four sentences", () => {
  assert.ok(LADDERS.length > 1);
  for (const { texts } of LADDERS) {
    assert.deepEqual(texts.map(({ errors }) => errors), [0, 1, 2, 3]);
    const [truth, ...others] = texts.map(({ claims }) => claims);
    assert.equal(truth!.length, 4);
    const wrong = others.map((claims) => claims.filter((claim, at) => claim !== truth![at]));
    assert.deepEqual(wrong.map(({ length }) => length), [1, 2, 3]);
    assert.ok(wrong[0]!.every((claim) => wrong[1]!.includes(claim)));
    assert.ok(wrong[1]!.every((claim) => wrong[2]!.includes(claim)));
    assert.equal(texts[3]!.text, texts[3]!.claims.join(" "));
  }
});

test("textLadders() tells of held-out countries only, and makes no coast of 0 km one of 1", () => {
  const splits = splitCountries(FIELDS.map(({ code }) => code), KNOWLEDGE_SEED);
  for (const { country, texts } of LADDERS) {
    assert.equal(splits.get(country.replace("Land ", "c")), "test");
    assert.doesNotMatch(texts[0]!.text, /coast/i);
  }
});

test("Requirement 14.3: ladders are the same for the same seed, and fewer are the first of more", () => {
  fc.assert(
    fc.property(fc.integer(), fc.nat(4), (seed, count) => {
      const all = textLadders(FIELDS, { count: 100, seed });
      assert.deepEqual(textLadders(FIELDS, { count, seed }), all.slice(0, count));
    }),
    { numRuns: 100 },
  );
});
