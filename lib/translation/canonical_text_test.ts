import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalText } from "./canonical_text.ts";

Deno.test("canonicalText() turns line ends into LF, drops controls and mends surrogates", () => {
  assert.equal(canonicalText("a\r\nb\rc\nd\te"), "a\nb\nc\nd\te");
  assert.equal(canonicalText("\0a\x0bb\x1f\x7fc\ufffe\uffff"), "abc");
  assert.equal(canonicalText("\ud800x\udc00"), "\ufffdx\ufffd");
});

Deno.test("canonicalText() leaves emoji, NFD, edge spaces and formulas as they are", () => {
  for (const text of ["👩‍👧", "e\u0301", " a ", "=1+1", "007", "\u00a0", "_x0041_"]) {
    assert.equal(canonicalText(text), text);
  }
});

Deno.test("NFR-1: canonicalText() is idempotent on any text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.constantFrom("\ud800", "\r", ""), (a, b) => {
      const once = canonicalText(a + b + a);
      assert.equal(canonicalText(once), once);
    }),
    { numRuns: 500 },
  );
});
