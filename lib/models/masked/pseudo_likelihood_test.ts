import assert from "node:assert/strict";
import { pseudoLikelihoodModel, pseudoLikelihoodQueries } from "./pseudo_likelihood.ts";
import { JOINT_MODEL } from "./testdata/joint_model.ts";

const original = pseudoLikelihoodModel(JOINT_MODEL, "original");
const withinWord = pseudoLikelihoodModel(JOINT_MODEL, "within_word_l2r");

function assertClose(found: number | undefined, expected: number): void {
  assert.ok(Math.abs(found! - expected) < 1e-12, `${found} is not ${expected}`);
}

Deno.test("pseudoLikelihoodQueries() hides a token, or also the later tokens of its word", () => {
  const tokens = [0, 0, 1, 2, 2, 2].map((word) => ({ piece: "x", word }));
  const masked = (variant: "original" | "within_word_l2r") =>
    pseudoLikelihoodQueries(tokens, variant).map((query) => query.masked);
  assert.deepEqual(masked("original"), [[0], [1], [2], [3], [4], [5]]);
  assert.deepEqual(masked("within_word_l2r"), [[0, 1], [1], [2], [3, 4, 5], [4, 5], [5]]);
});

Deno.test("pseudoLikelihoodModel() in both variants, by hand from a joint table", async () => {
  const [found] = await original.score(["01 1"]);
  // P(0 | _11) = 4/(4 + 8), P(1 | 0_1) = 4/(2 + 4), P(1 | 01_) = 4/(3 + 4).
  assertClose(found?.logProbability, Math.log(1 / 3 * 2 / 3 * 4 / 7));
  assert.deepEqual([found?.tokens, found?.bytes], [3, 4]);
  const [within, ...words] = await withinWord.score(["01 1", "000", "011", "110"]);
  // P(0 | __1) = (2 + 4)/(2 + 4 + 6 + 8); the two others as before.
  assertClose(within?.logProbability, Math.log(3 / 10 * 2 / 3 * 4 / 7));
  // The chain rule for a text of one word.
  words.forEach(({ logProbability }, at) => {
    assertClose(logProbability, Math.log([1, 4, 7][at]! / 36));
  });
});

Deno.test("pseudoLikelihoodModel() refuses an empty text and stops when told to", async () => {
  await assert.rejects(original.score([""]), /^RangeError: Cannot score "": it is empty$/);
  const signal = AbortSignal.abort(new DOMException("stop", "AbortError"));
  await assert.rejects(original.score(["011"], { signal }), { name: "AbortError" });
});
