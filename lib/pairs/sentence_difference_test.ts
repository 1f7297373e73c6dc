import assert from "node:assert/strict";
import fc from "fast-check";
import { sentenceDifference, stripPunctuation, variantForm } from "./sentence_difference.ts";
import { proposal } from "./testdata/norse.ts";

const one = (index: number, from: string, to: string) => ({ kind: "one_token", index, from, to });

Deno.test("sentenceDifference() finds the token that differs, punctuation stripped", () => {
  const difference = sentenceDifference;
  assert.deepEqual(
    difference("Hánum líkaði þat.", "Hann líkaði þat."),
    one(0, "Hánum", "Hann"),
  );
  assert.deepEqual(
    difference("Ok er hánum, þótti þat.", "Ok er hann, þótti þat."),
    one(2, "hánum", "hann"),
  );
  assert.deepEqual(
    difference("Þat líkaði «hánum».", "Þat líkaði «hann»."),
    one(2, "hánum", "hann"),
  );
});

Deno.test("sentenceDifference() says why there is not exactly one", () => {
  const difference = sentenceDifference;
  assert.deepEqual(difference("Hann fór.", "Hann fór."), { kind: "none" });
  assert.deepEqual(difference("mǫnnum", "mo\u0328nnum"), { kind: "none" });
  assert.deepEqual(difference("Hann fór heim.", "Hon fór heima."), {
    kind: "several_tokens",
    indices: [0, 2],
  });
  assert.deepEqual(difference("Hann fór.", "Hann fór heim."), {
    kind: "token_count",
    from: 2,
    to: 3,
  });
  assert.deepEqual(difference("Hann, fór.", "Hann fór."), { kind: "punctuation", index: 0 });
  assert.deepEqual(difference("Hann - fór.", "Hann : fór."), { kind: "punctuation", index: 1 });
});

Deno.test("sentenceDifference() keeps Devanagari graphemes whole", () => {
  assert.deepEqual(
    sentenceDifference("देवस्य पुत्रः गच्छति ।", "देवेन पुत्रः गच्छति ।"),
    one(0, "देवस्य", "देवेन"),
  );
  // Only a vowel sign or a visarga is lost: the whole word is the token, not a part of a letter.
  assert.deepEqual(sentenceDifference("नरः वने॥", "नर वने॥"), one(0, "नरः", "नर"));
  assert.deepEqual(sentenceDifference("देवौ।", "देवो।"), one(0, "देवौ", "देवो"));
  assert.deepEqual(stripPunctuation("«वाक्‍»।"), { before: "«", core: "वाक्‍", after: "»।" });
});

Deno.test("variantForm() names the form put in the target's place", () => {
  const pair = { grammatical: "Þat líkaði hánum.", ungrammatical: "Þat líkaði hann." };
  assert.equal(variantForm(pair), "hann");
  assert.throws(
    () => variantForm({ ...pair, ungrammatical: pair.grammatical }),
    /Þat líkaði hánum\.": the sentences are the same/,
  );
});

Deno.test("Feature: old-norse-minimal-pairs, Property 5: minimal pair single-feature difference", () => {
  fc.assert(
    fc.property(proposal, ({ grammatical, ungrammatical, target }) => {
      const difference = sentenceDifference(grammatical, ungrammatical);
      assert.equal(difference.kind, "one_token");
      assert.equal(difference.kind === "one_token" && difference.from, target);
    }),
    { numRuns: 200 },
  );
});

Deno.test("Feature: old-norse-minimal-pairs, Property 7: minimal change preservation", () => {
  fc.assert(
    fc.property(proposal, fc.nat(), (made, at) => {
      const { grammatical, ungrammatical } = made;
      const difference = sentenceDifference(grammatical, ungrammatical);
      const [good, bad] = [grammatical.split(" "), ungrammatical.split(" ")];
      const index = difference.kind === "one_token" ? difference.index : -1;
      assert.deepEqual(good.toSpliced(index, 1), bad.toSpliced(index, 1));
      // A second change anywhere else is always noticed.
      const other = (index + 1 + at % (good.length - 1)) % good.length;
      const worse = bad.with(other, `x${bad[other]}`).join(" ");
      assert.equal(sentenceDifference(grammatical, worse).kind, "several_tokens");
    }),
    { numRuns: 200 },
  );
});
