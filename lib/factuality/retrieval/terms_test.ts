import assert from "node:assert/strict";
import fc from "fast-check";
import { termsOf } from "./terms.ts";

Deno.test("termsOf() folds case, accents, plurals and digit groups, and leaves stop words out", () => {
  assert.deepEqual(
    termsOf("The exports of Côte d’Ivoire: 39,200 sq km, 3.5% in 2024; Mali's cities"),
    "export cote d ivoire 39200 sq km 3.5 2024 mali city".split(" "),
  );
});

Deno.test("termsOf() follows Harman's three rules, short words excepted", () => {
  const words = "countries houses cars class status gas";
  assert.deepEqual(termsOf(words), ["country", "house", "car", "class", "status", "gas"]);
});

Deno.test("Requirement 6.3: termsOf() finds the same terms whatever the case and number format", () => {
  fc.assert(fc.property(fc.integer({ min: 0, max: 1e9 }), fc.string(), (number, text) => {
    assert.deepEqual(termsOf(number.toLocaleString("en")), [String(number)]);
    assert.deepEqual(termsOf(text.toLowerCase()), termsOf(text.toLowerCase().normalize("NFD")));
  }));
});
