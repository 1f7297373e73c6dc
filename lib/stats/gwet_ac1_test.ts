import assert from "node:assert/strict";
import fc from "fast-check";
import { gwetAc1, gwetAc1Interval } from "./gwet_ac1.ts";
import { fleissKappa } from "./fleiss_kappa.ts";
import { randomSource } from "./random.ts";
import type { RatedItem } from "./rated_items.ts";

/** Gwet 2014, Handbook of Inter-Rater Reliability: twelve units, four raters, some ratings missing. */
const PUBLISHED = ["111", "2232", "3333", "3333", "2222", "1234", "4444", "1121", "2222", "555"]
  .concat(["11", "3"])
  .map((labels, i) => ({ id: `u${i + 1}`, labels: [...labels] }));

function pairs(...rows: readonly (readonly [string, number])[]): readonly RatedItem<string>[] {
  return rows.flatMap(([labels, count]) =>
    Array.from({ length: count }, (_, i) => ({ id: `${labels}${i}`, labels: [...labels] }))
  );
}

Deno.test("gwetAc1() gives the published AC1 where ratings are missing", () => {
  const found = gwetAc1(PUBLISHED, ["1", "2", "3", "4", "5"]);
  assert.ok(found.kind === "ac1");
  assert.equal(found.ac1.toFixed(5), "0.77544");
  assert.equal(found.items, 11);
});

Deno.test("gwetAc1() gives the published AC1 where nearly all ratings are one label", () => {
  // Gwet 2002: 118, 5, 2 and 0 of 125; Cohen's κ is −0.0234.
  const found = gwetAc1(pairs(["++", 118], ["+-", 5], ["-+", 2]), ["+", "-"]);
  assert.ok(found.kind === "ac1" && found.ac1.toFixed(4) === "0.9408");
});

Deno.test("gwetAc1() gives AC1 worked by hand", () => {
  // aa ab bb bb: Pa = 3/4; shares 3/8 and 5/8; Pe = 2 · (3/8 · 5/8) = 30/64; (48 − 30)/(64 − 30).
  const found = gwetAc1(pairs(["aa", 1], ["ab", 1], ["bb", 2]), ["a", "b"]);
  assert.ok(found.kind === "ac1" && Math.abs(found.ac1 - 18 / 34) < 1e-15);
  // Three labels, one unused: Pe = (30/64) / 2.
  const three = gwetAc1(pairs(["aa", 1], ["ab", 1], ["bb", 2]), ["a", "b", "c"]);
  assert.ok(three.kind === "ac1" && Math.abs(three.ac1 - (48 - 15) / (64 - 15)) < 1e-15);
});

Deno.test("gwetAc1() is 1 for one label only, where κ is 0 / 0", () => {
  const items = pairs(["aa", 3]);
  const found = gwetAc1(items, ["a", "b"]);
  assert.ok(found.kind === "ac1" && found.ac1 === 1 && found.expected === 0);
  assert.equal(fleissKappa(items, ["a", "b"]).kind, "unavailable");
});

Deno.test("gwetAc1() is unavailable without an item that two raters rated", () => {
  assert.equal(gwetAc1([], ["a", "b"]).kind, "unavailable");
  assert.equal(gwetAc1(pairs(["a", 3]), ["a", "b"]).kind, "unavailable");
  assert.throws(() => gwetAc1([{ id: "u1", labels: ["x"] }], ["a", "b"]), /item u1 is "x"/);
});

Deno.test("Requirement 17.1: AC1 is at most 1, and chance agreement at most 1 / K", () => {
  const labels = ["a", "b", "c"];
  const row = fc.array(fc.constantFrom(...labels), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 10 }), (rows) => {
      const found = gwetAc1(rows.map((given, i) => ({ id: `${i}`, labels: given })), labels);
      if (found.kind === "unavailable") return assert.ok(rows.every(({ length }) => length < 2));
      assert.ok(found.ac1 <= 1 + 1e-12 && found.expected <= 1 / 3 + 1e-12);
      assert.ok(found.observed >= 0 && found.observed <= 1);
    }),
    { numRuns: 200 },
  );
});

Deno.test("gwetAc1Interval() holds the estimate", () => {
  const found = gwetAc1Interval(PUBLISHED, ["1", "2", "3", "4", "5"], randomSource(1));
  assert.ok(found.kind === "interval");
  assert.ok(found.low < 0.77 && found.high > 0.78 && found.clusters === 12);
});
