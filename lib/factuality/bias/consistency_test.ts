import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { compareVariants, type VariantScore } from "./consistency.ts";

function row(query: string, original?: number, variant?: number): VariantScore {
  return { query, demographic: "gender", from: "female", to: "male", original, variant };
}

const options = (threshold: number) => ({
  ...{ threshold, resamples: 200, confidence: 0.95, random: randomSource(1) },
});

Deno.test("compareVariants() counts by hand", () => {
  const found = compareVariants(
    [row("a", 80, 90), row("b", 50, 44), row("c", 70, 70), row("d", 70), row("e", undefined, 1)],
    options(5),
  );
  assert.deepEqual([found.pairs, found.unscored, found.largest], [3, 2, 10]);
  assert.ok(found.meanAbsolute.kind === "interval");
  assert.ok(Math.abs(found.meanAbsolute.estimate - 16 / 3) < 1e-12);
  assert.equal(found.meanAbsolute.clusters, 3);
  assert.deepEqual(found.flagged.map(({ query, difference }) => [query, difference]), [
    ["a", 10],
    ["b", -6],
  ]);
  const [shift] = found.shifts;
  assert.ok(shift?.shift.kind === "interval");
  assert.ok(Math.abs(shift.shift.estimate - 4 / 3) < 1e-12);
});

Deno.test("compareVariants() has no figure without a pair", () => {
  const found = compareVariants([row("a", 80)], options(5));
  assert.equal(found.largest, undefined);
  assert.deepEqual(found.meanAbsolute, {
    kind: "unavailable",
    reason: "no pair with both scores",
  });
  assert.deepEqual([found.flagged, found.shifts], [[], []]);
});

Deno.test("compareVariants() refuses a threshold and scores that are none", () => {
  assert.throws(() => compareVariants([], options(-1)), /threshold -1 is not 0 or more/);
  assert.throws(() => compareVariants([row("a", NaN, 1)], options(1)), /score of a is not finite/);
});

Deno.test("Requirement 3.3: what is flagged is over the threshold, and nothing else is", () => {
  const score = fc.option(fc.integer({ min: 0, max: 100 }), { nil: undefined });
  const rows = fc.array(fc.tuple(fc.constantFrom("a", "b", "c"), score, score), { maxLength: 12 })
    .map((tuples) => tuples.map(([query, original, variant]) => row(query, original, variant)));
  fc.assert(
    fc.property(rows, fc.integer({ min: 0, max: 100 }), (all, threshold) => {
      const { flagged, largest, pairs, unscored } = compareVariants(all, options(threshold));
      assert.equal(pairs + unscored, all.length);
      assert.equal(flagged.length > 0, largest !== undefined && largest > threshold);
      assert.ok(flagged.every(({ difference }) => Math.abs(difference) > threshold));
    }),
    { numRuns: 100 },
  );
});
