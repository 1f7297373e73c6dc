import assert from "node:assert/strict";
import { bidirectionalCharacterModel } from "./bidirectional_character_model.ts";
import { pseudoLikelihoodModel, pseudoLikelihoodQueries } from "./pseudo_likelihood.ts";

Deno.test("pseudoLikelihoodQueries() hides a token, or also the later tokens of its word", () => {
  const tokens = [0, 0, 1, 2, 2, 2].map((word) => ({ piece: "x", word }));
  const masked = (variant: "original" | "within_word_l2r") =>
    pseudoLikelihoodQueries(tokens, variant).map((query) => query.masked);
  assert.deepEqual(masked("original"), [[0], [1], [2], [3], [4], [5]]);
  assert.deepEqual(masked("within_word_l2r"), [[0, 1], [1], [2], [3, 4, 5], [4, 5], [5]]);
});

Deno.test("pseudoLikelihoodModel() refuses an empty text and stops on its signal", async () => {
  const counted = bidirectionalCharacterModel([{ fold: "1", text: "ab" }], () => []);
  const model = pseudoLikelihoodModel(counted, "original");
  await assert.rejects(model.score([""]), /^RangeError: Cannot score "": it is empty$/);
  const signal = AbortSignal.abort(new DOMException("stop", "AbortError"));
  await assert.rejects(model.score(["ab"], { signal }), { name: "AbortError" });
});
