import assert from "node:assert/strict";
import fc from "fast-check";
import { readSentences } from "../acquisition.ts";
import { PHENOMENA } from "../candidate.ts";
import { findCandidates } from "../generation.ts";
import { NORSE_PATHS } from "../paths.ts";
import { locate } from "../sentence.ts";
import { mayShow, planQuestions, spreadOut } from "./questions.ts";

const sentences = readSentences(NORSE_PATHS.sentences);

Deno.test("spreadOut() covers the list ever more closely: halves, quarters, eighths", () => {
  // Bit-reversed 0 … 7 is 0 4 2 6 1 5 3 7; the seed only turns it.
  const order = spreadOut([0, 1, 2, 3, 4, 5, 6, 7], 1);
  const first = order[0]!;
  assert.deepEqual(order.map((n) => (n - first + 8) % 8), [0, 4, 2, 6, 1, 5, 3, 7]);
  const begins = [1, 2, 3, 4, 5, 6].map((seed) => spreadOut([0, 1, 2, 3, 4, 5, 6, 7], seed)[0]);
  assert.ok(new Set(begins).size > 1, begins.join());
  assert.deepEqual(spreadOut([], 1), []);
  assert.deepEqual(spreadOut(["a"], 1), ["a"]);
});

Deno.test("spreadOut() loses and doubles nothing, and every beginning is even", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.integer(), (n, seed) => {
      const order = spreadOut(Array.from({ length: n }, (_, i) => i), seed);
      assert.deepEqual(order.toSorted((a, b) => a - b), order.map((_, i) => i));
      // No stretch of a quarter of the list is left out by the first sixteenth of twice its size.
      const asked = order.slice(0, Math.ceil(n / 2));
      for (let start = 0; start + 8 <= n; start++) {
        assert.ok(asked.some((i) => i >= start && i < start + 8), `${start} of ${n}`);
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("planQuestions() asks only where the phenomenon can show, each sentence once", () => {
  const plan = planQuestions(sentences, 1);
  assert.ok(plan.UMLAUT.every(({ normalised }) => /ǫ/iu.test(normalised)));
  assert.ok(plan.MIDDLE_VOICE.every(({ normalised }) => /[sz]k(?!\p{L})/u.test(normalised)));
  for (const phenomenon of PHENOMENA) {
    const ids = plan[phenomenon].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.length < sentences.length);
  }
  assert.deepEqual(planQuestions(sentences, 1), plan);
});

Deno.test("mayShow() leaves out hardly a sentence in which the rules find a pair", () => {
  const byPlace = new Map(sentences.map((s) => [JSON.stringify(locate(s)), s]));
  const { certified } = findCandidates(sentences);
  const missed = certified.filter(({ pair, certificate }) =>
    !mayShow(pair.phenomenon, byPlace.get(JSON.stringify(certificate.source))!)
  );
  assert.ok(missed.length <= 0.01 * certified.length, `${missed.length} of ${certified.length}`);
});
