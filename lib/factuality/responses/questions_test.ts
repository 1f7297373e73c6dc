import assert from "node:assert/strict";
import type { FactbookField } from "../retrieval/factbook_fields.ts";
import { splitCountries } from "../training/country_split.ts";
import { KNOWLEDGE_SEED } from "../training/knowledge_claims.ts";
import { countryQuestions, usualName } from "./questions.ts";

const CODES = Array.from({ length: 40 }, (_, i) => `c${i}`);
const NEEDED = ["Location", "Government type", "Economic overview"];

function fieldsOf(codes: readonly string[], names: readonly string[]): readonly FactbookField[] {
  return codes.flatMap((code) =>
    names.map((field) => ({
      ...{ country: `Land ${code}`, code, region: "r", section: "s", field },
      ...{ subfield: "", text: "t" },
    }))
  );
}

Deno.test("countryQuestions() asks about held-out countries that are described, a prefix of more", () => {
  const fields = fieldsOf(CODES, NEEDED);
  const splits = splitCountries(CODES, KNOWLEDGE_SEED);
  const six = countryQuestions(fields, { count: 6, seed: 1 });
  assert.ok(six.every(({ id }) => splits.get(id) === "test"));
  assert.deepEqual(countryQuestions(fields, { count: 3, seed: 1 }), six.slice(0, 3));
  assert.match(six[0]!.question, /^Write three sentences about .* of Land c\d+\.$/);
});

Deno.test("countryQuestions() leaves out what the base does not describe, and says how many there are", () => {
  const fields = fieldsOf(CODES, NEEDED.slice(1));
  assert.throws(() => countryQuestions(fields, { count: 1, seed: 1 }), /0 are held out/);
});

Deno.test("usualName() is what stands before the bracket", () => {
  assert.equal(usualName("Holy See (Vatican City)"), "Holy See");
  assert.equal(usualName("Kenya"), "Kenya");
});
