import assert from "node:assert/strict";
import fc from "fast-check";
import { formatPairId, PAIR_ID_PATTERN, parsePairId } from "./identifier.ts";

Deno.test("formatPairId() gives the specification's example", () => {
  assert.equal(formatPairId("ON", "QUIRKY_CASE", 1), "ON_QUIRKY_CASE_001");
  assert.equal(formatPairId("SA", "CASE2", 120), "SA_CASE2_120");
});

Deno.test("Feature: old-norse-minimal-pairs, Property 13: ID format consistency", () => {
  const phenomenon = fc.stringMatching(/^[A-Z][A-Z0-9]{0,8}(_[A-Z0-9]{1,8}){0,2}$/);
  const prefix = fc.stringMatching(/^[A-Z][A-Z0-9]{0,3}$/);
  fc.assert(
    fc.property(prefix, phenomenon, fc.integer({ min: 1, max: 999 }), (prefix, name, number) => {
      const id = formatPairId(prefix, name, number);
      assert.match(id, PAIR_ID_PATTERN);
      assert.match(id, /^[A-Z0-9]+_[A-Z0-9_]+_\d{3}$/);
      assert.deepEqual(parsePairId(id), { prefix, phenomenon: name, number });
    }),
    { numRuns: 300 },
  );
});

Deno.test("formatPairId() refuses numbers and names that the pattern has no room for", () => {
  for (const n of [0, -1, 1000, 1.5, NaN]) {
    assert.throws(() => formatPairId("ON", "UMLAUT", n), RangeError);
  }
  for (const name of ["umlaut", "", "UM-LAUT", "_UMLAUT", "UMLAUT_"]) {
    assert.throws(() => formatPairId("ON", name, 1), SyntaxError);
  }
  for (const prefix of ["", "on", "O_N"]) {
    assert.throws(() => formatPairId(prefix, "UMLAUT", 1), SyntaxError);
  }
});

Deno.test("parsePairId() refuses what formatPairId() does not give", () => {
  for (
    const id of ["", "ON_UMLAUT_1", "ON_UMLAUT_0001", "ON_UMLAUT_000", "ON_001", "on_umlaut_001"]
  ) {
    assert.throws(() => parsePairId(id), SyntaxError, id);
  }
});
