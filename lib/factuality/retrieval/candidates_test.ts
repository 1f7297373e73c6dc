import assert from "node:assert/strict";
import fc from "fast-check";
import { candidatesOf } from "./candidates.ts";
import type { Passage } from "./passage.ts";
import { buildIndex } from "./passage_index.ts";

const passage = (title: string, section: string, text: string): Passage => ({
  id: `${title}/${section}`,
  text: `${section}. ${text}`,
  collection: "test",
  title,
  section,
});

/** Ten places that border Norway, and Kenya, which does not. */
const NEIGHBOURS = Array.from(
  { length: 10 },
  (_, number) => passage(`Place ${number}`, "Borders", "Norway"),
);
const KENYA = [
  passage("Kenya", "Borders", "border countries: Uganda, Somalia"),
  passage("Kenya", "Climate", "tropical"),
];
const FRANCE = [passage("France", "Capital", "Paris"), passage("France", "Coast", "mild")];
const ALIASES = new Map([["France", ["French"]]]);
const OPTIONS = { depth: 3, perTitle: 5, beside: [], minimumShare: 0, requireName: true };

const index = await buildIndex("test", [...NEIGHBOURS, ...KENYA, ...FRANCE], ALIASES);
const found = (claim: string, options = {}) =>
  candidatesOf(index, claim, { ...OPTIONS, ...options });
const ids = (claim: string, options = {}) => found(claim, options).map(({ passage }) => passage.id);

Deno.test("candidatesOf() looks under the titles that a claim names, however many others score", () => {
  assert.ok(ids("Kenya borders Norway.").includes("Kenya/Borders"));
  assert.ok(ids("Kenya’s border runs along Norway.").includes("Kenya/Borders"));
});

Deno.test("candidatesOf() finds what stands under the title of an adjective", () => {
  const [best] = found("The French capital is Berlin.");
  assert.equal(best?.passage.id, "France/Capital");
  assert.equal(best.titleNamed, true);
  assert.ok(best.bm25 > 0);
});

Deno.test("candidatesOf() takes what is given beside, once, though it shares the name alone", () => {
  const borders = NEIGHBOURS.length;
  const wet = { beside: [borders, borders], depth: 1 };
  assert.deepEqual(ids("Kenya is wet.", { depth: 1 }), ["Kenya/Climate"]);
  assert.deepEqual(ids("Kenya is wet.", wet).toSorted(), ["Kenya/Borders", "Kenya/Climate"]);
});

Deno.test("Requirement 6.5: a passage needs a name of the claim, which the first word may be", () => {
  assert.deepEqual(ids("Kenya's coast is in Togo.").filter((id) => id.startsWith("France")), []);
  assert.deepEqual(ids("The coast of Togo"), []);
  assert.deepEqual(ids("The coast of Togo", { requireName: false }), ["France/Coast"]);
});

Deno.test("Requirement 6.3: looking under titles adds passages, and takes none away", () => {
  const words = fc.array(fc.constantFrom("Kenya", "French", "Norway", "capital", "border", "1"));
  const count = fc.nat({ max: 4 });
  fc.assert(fc.property(words, count, count, (words, depth, perTitle) => {
    const claim = words.join(" ");
    const without = ids(claim, { depth, perTitle: 0 });
    const together = found(claim, { depth, perTitle });
    const names = new Set(together.map(({ passage }) => passage.id));
    assert.ok(without.every((id) => names.has(id)));
    assert.equal(names.size, together.length);
    assert.ok(together.length <= depth + 2 * perTitle);
    assert.deepEqual(
      together.map(({ bm25 }) => bm25).sort((a, b) => b - a),
      together.map((c) => c.bm25),
    );
  }));
});
