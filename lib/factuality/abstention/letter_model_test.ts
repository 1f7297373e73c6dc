import assert from "node:assert/strict";
import fc from "fast-check";
import { randomSource } from "../../stats/random.ts";
import { letterModel } from "./letter_model.ts";

Deno.test("letterModel() of one word without repeated pairs writes that word again", () => {
  assert.equal(letterModel(["Malta"])(randomSource(1)), "malta");
});

Deno.test("letterModel() refuses to learn from nothing", () => {
  assert.throws(() => letterModel(["", ""]), RangeError);
});

Deno.test("letterModel() only ever writes three letters in a row that it has seen", () => {
  const seen = ["norway", "romania", "armenia", "malta", "mali"];
  const triples = new Set(
    seen.flatMap((word) => [...`##${word}#`].map((_, i, all) => all.slice(i, i + 3).join(""))),
  );
  const draw = letterModel(seen);
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const word = [...`##${draw(randomSource(seed))}#`];
      assert.ok(word.slice(2).every((_, i) => triples.has(word.slice(i, i + 3).join(""))));
    }),
    { numRuns: 200 },
  );
});
