import assert from "node:assert/strict";
import fc from "fast-check";
import { lookUp } from "../../pairs/statistic_lookup.ts";
import { perplexityStatistics } from "./perplexity.ts";
import { madeContrast } from "./testdata/made_contrast.ts";
import { scored } from "./testdata/scored.ts";

const SETTINGS = { seed: 1, resamples: 100 };
const ITEMS = [madeContrast({}), madeContrast({ id: "morph_0002", stem: "nara" })];

Deno.test("perplexityStatistics() weighs tokens, not pairs", () => {
  const rows = [
    scored("m", "morph_0001", [-4 * Math.LN2, -8 * Math.LN2], { tokens: 4 }),
    scored("m", "morph_0002", [-12 * Math.LN2, -12 * Math.LN2], { tokens: 12 }),
  ];
  const found = lookUp(perplexityStatistics(ITEMS, rows, ["m"], SETTINGS));
  const of = (measure: string) => {
    const { value, n } = found.row("m", measure);
    assert.ok(value.kind === "interval" && value.low <= value.high && n === 2);
    return value.estimate;
  };
  // 16 tokens: 16 bits, a bit each; then 20 bits, 2^(20/16).
  assert.ok(Math.abs(of("perplexity_grammatical") - 2) < 1e-12);
  assert.ok(Math.abs(of("perplexity_ungrammatical") - 2 ** 1.25) < 1e-12);
  assert.deepEqual(found.row("m", "perplexity_grammatical", "number").value, {
    kind: "unavailable",
  });
});

Deno.test("perplexity is never below 1, and the same for members that are the same (100 runs)", () => {
  const nats = fc.double({ min: -200, max: 0, noNaN: true });
  fc.assert(
    fc.property(nats, nats, (one, two) => {
      const rows = [scored("m", "morph_0001", [one, one]), scored("m", "morph_0002", [two, two])];
      const found = lookUp(perplexityStatistics(ITEMS, rows, ["m"], SETTINGS));
      const good = found.measure("m", "perplexity_grammatical");
      const bad = found.measure("m", "perplexity_ungrammatical");
      assert.deepEqual(good, bad);
      assert.ok(good.kind === "interval" && good.low >= 1 && good.estimate >= 1);
    }),
    { numRuns: 100 },
  );
});
