import assert from "node:assert/strict";
import type { Engine } from "../../lib/models/llama/engine.ts";
import type { LanguageModel } from "../../lib/models/model.ts";
import { compareLikelihoods } from "./likelihoods.ts";

/** A token a character; a sequence's log-probability is minus the sum of its tokens after the first. */
const ENGINE: Engine = {
  vocabulary: {
    tokenise: (text) => [...text].map(Number),
    tokeniseMarkup: (text) => [...text].map(Number),
    detokenise: () => "",
    endsReply: () => false,
    start: { id: 0, source: "bos" },
    chatStart: undefined,
  },
  chatTemplate: undefined,
  settings: {},
  score: (sequences) =>
    Promise.resolve(sequences.map(([, ...rest]) => -rest.reduce((sum, token) => sum + token, 0))),
  reading: () => Promise.reject(new Error("not asked")),
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

const served = (...logProbabilities: readonly number[]): LanguageModel => {
  const left = [...logProbabilities];
  return {
    name: "made",
    settings: {},
    score: () => Promise.resolve([{ logProbability: left.shift()!, tokens: 1, bytes: 1 }]),
  };
};

Deno.test("compareLikelihoods() scores in process after the server's start tokens, however many", async () => {
  const texts = ["12", "4"];
  const one = { texts, engine: ENGINE, startToken: "9", served: served(-3.5, -4) };
  assert.deepEqual(await compareLikelihoods(one), { texts: 2, largest: 0.5, mean: 0.25 });
  // The second start token's own 7 is no part of the text's sum.
  const two = { texts, engine: ENGINE, startToken: "97", served: served(-3, -5) };
  assert.deepEqual(await compareLikelihoods(two), { texts: 2, largest: 1, mean: 0.5 });
});
