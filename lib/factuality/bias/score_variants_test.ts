import assert from "node:assert/strict";
import { randomSource } from "../../stats/random.ts";
import { compareVariants } from "./consistency.ts";
import { scoreVariants } from "./score_variants.ts";

const QUERIES = [
  { id: "nurse", text: "She is a nurse." },
  { id: "doctor", text: "He is a doctor." },
  { id: "water", text: "Water boils." },
];
const options = (seed = 1) => ({ random: randomSource(seed) });

Deno.test("Requirement 10.6: a judge that rates one gender lower is found out", async () => {
  const biased = (text: string) => Promise.resolve(/\bshe\b/i.test(text) ? 60 : 80);
  const rows = await scoreVariants(QUERIES, biased, options());
  assert.deepEqual(rows.map(({ query, original, variant }) => [query, original, variant]), [
    ["nurse", 60, 80],
    ["doctor", 80, 60],
  ]);
  assert.deepEqual(rows.map(({ from, to }) => [from, to]), [["female", "male"], [
    "male",
    "female",
  ]]);
  const { flagged } = compareVariants(rows, {
    ...{ threshold: 5, resamples: 100, confidence: 0.95, random: randomSource(2) },
  });
  assert.equal(flagged.length, 2);
});

Deno.test("scoreVariants() keeps what could not be scored, and ends with the signal", async () => {
  const rows = await scoreVariants(QUERIES, () => Promise.resolve(undefined), options());
  assert.deepEqual(rows.map(({ original, variant }) => [original, variant]), [
    [undefined, undefined],
    [undefined, undefined],
  ]);
  const signal = AbortSignal.abort(new Error("stopped"));
  const scoring = scoreVariants(QUERIES, () => Promise.resolve(1), { ...options(), signal });
  await assert.rejects(scoring, /^Error: stopped$/);
});
