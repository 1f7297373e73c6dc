import assert from "node:assert/strict";
import { bestPart } from "./best_part.ts";
import { nameTerms } from "./names.ts";

const passage = (section: string, text: string) => ({
  id: "p",
  text,
  collection: "c",
  title: "France",
  section,
});

Deno.test("bestPart() takes the part with most of the claim's words, under title and section", () => {
  const filler = "Nothing of the kind is said in these words. ".repeat(5).trim();
  const text = `${filler} The capital is Paris. ${filler}`;
  const part = bestPart(passage("Cities", text), new Set(["capital", "paris"]));
  assert.match(part, /^France, Cities: .*The capital is Paris\./);
  assert.ok(part.split(" ").length <= 42);
});

Deno.test("bestPart() does not say the section twice", () => {
  const part = bestPart(passage("Capital", "Capital. name: Paris"), new Set(["paris"]));
  assert.equal(part, "France: Capital. name: Paris");
});

Deno.test("nameTerms() takes capitals within the claim, else at its beginning", () => {
  assert.deepEqual([...nameTerms("The exports of Côte d’Ivoire")], ["cote", "ivoire"]);
  assert.deepEqual([...nameTerms("France exports wine")], ["france"]);
  assert.deepEqual([...nameTerms("the sea is salt")], []);
  assert.deepEqual([...nameTerms("")], []);
});
