import assert from "node:assert/strict";
import fc from "fast-check";
import { formatPairId, parsePairId, sentenceDifference, stripPunctuation } from "./pair.ts";
import { proposal } from "./testdata/norse.ts";

Deno.test("Feature: old-norse-minimal-pairs, Property 13: ID format consistency", () => {
  assert.equal(formatPairId("ON", "QUIRKY_CASE", 1), "ON_QUIRKY_CASE_001");
  const phenomenon = fc.stringMatching(/^[A-Z][A-Z0-9]{0,8}(_[A-Z0-9]{1,8}){0,2}$/);
  const prefix = fc.stringMatching(/^[A-Z][A-Z0-9]{0,3}$/);
  fc.assert(
    fc.property(prefix, phenomenon, fc.integer({ min: 1, max: 999 }), (prefix, name, number) => {
      const id = formatPairId(prefix, name, number);
      assert.match(id, /^[A-Z0-9]+_[A-Z0-9_]+_\d{3}$/);
      assert.deepEqual(parsePairId(id), { prefix, phenomenon: name, number });
    }),
    { numRuns: 300 },
  );
});

Deno.test("formatPairId() and parsePairId() refuse what the pattern has no room for", () => {
  for (const n of [0, -1, 1000, 1.5, NaN]) {
    assert.throws(() => formatPairId("ON", "UMLAUT", n), RangeError);
  }
  const names = [["ON", "umlaut"], ["ON", ""], ["ON", "UM-LAUT"], ["ON", "_UMLAUT"], ["O_N", "X"]];
  for (const [prefix, name] of names) {
    assert.throws(() => formatPairId(prefix!, name!, 1), SyntaxError);
  }
  for (const id of ["", "ON_UMLAUT_1", "ON_UMLAUT_0001", "ON_UMLAUT_000", "ON_001", "on_x_001"]) {
    assert.throws(() => parsePairId(id), SyntaxError, id);
  }
});

Deno.test("sentenceDifference() finds the token that differs, punctuation stripped", () => {
  const cases = [
    ["Hánum líkaði þat.", "Hann líkaði þat.", 0, "Hánum", "Hann"],
    ["Ok er hánum, þótti þat.", "Ok er hann, þótti þat.", 2, "hánum", "hann"],
    ["Þat líkaði «hánum».", "Þat líkaði «hann».", 2, "hánum", "hann"],
    ["देवस्य पुत्रः गच्छति ।", "देवेन पुत्रः गच्छति ।", 0, "देवस्य", "देवेन"],
    // Only a vowel sign or a visarga is lost: the whole word is the token, not a part of a letter.
    ["नरः वने॥", "नर वने॥", 0, "नरः", "नर"],
    ["देवौ।", "देवो।", 0, "देवौ", "देवो"],
  ] as const;
  for (const [first, second, ...expected] of cases) {
    const found = sentenceDifference(first, second);
    assert.ok(found.kind === "one_token", first);
    assert.deepEqual([found.index, found.from, found.to], expected);
  }
  assert.deepEqual(stripPunctuation("«वाक्‍»।"), { before: "«", core: "वाक्‍", after: "»।" });
});

Deno.test("sentenceDifference() says why there is not exactly one", () => {
  const cases = [
    ["Hann fór.", "Hann fór.", "none", "the sentences are the same"],
    ["mǫnnum", "mo\u0328nnum", "none", "the sentences are the same"],
    ["Hann fór heim.", "Hon fór heima.", "several_tokens", "2 tokens differ: 1, 3"],
    ["Hann fór.", "Hann fór heim.", "token_count", "one sentence has 2 tokens, the other 3"],
    ["Hann, fór.", "Hann fór.", "punctuation", "token 1 differs in punctuation"],
    ["Hann - fór.", "Hann : fór.", "punctuation", "token 2 differs in punctuation"],
  ] as const;
  for (const [first, second, kind, words] of cases) {
    assert.deepEqual(sentenceDifference(first, second), { kind, words });
  }
});

Deno.test("Feature: old-norse-minimal-pairs, Property 5: minimal pair single-feature difference; Property 7: minimal change preservation", () => {
  fc.assert(
    fc.property(proposal, fc.nat(), ({ grammatical, ungrammatical, target }, at) => {
      const difference = sentenceDifference(grammatical, ungrammatical);
      assert.ok(difference.kind === "one_token" && difference.from === target);
      const [good, bad] = [grammatical.split(" "), ungrammatical.split(" ")];
      const { index } = difference;
      assert.deepEqual(good.toSpliced(index, 1), bad.toSpliced(index, 1));
      // A second change anywhere else is always noticed.
      const other = (index + 1 + at % (good.length - 1)) % good.length;
      const worse = bad.with(other, `x${bad[other]}`).join(" ");
      assert.equal(sentenceDifference(grammatical, worse).kind, "several_tokens");
    }),
    { numRuns: 200 },
  );
});
