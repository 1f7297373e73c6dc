import assert from "node:assert/strict";
import { compareRankings, resampledRankings } from "./rank_agreement.ts";

const figures = (...values: readonly number[]) =>
  new Map(values.map((value, index) => [`system ${index}`, value]));

Deno.test("compareRankings() gives τ-b of every two measures, worked by hand", () => {
  // 1 2 3 against 1 3 2: two concordant, one discordant.
  const means = new Map([["a", figures(1, 2, 3)], ["b", figures(1, 3, 2)], [
    "c",
    figures(9, 8, 7),
  ]]);
  const found = compareRankings(means).map(({ first, second, tauB }) => [
    first + second,
    tauB.kind === "correlation" && tauB.coefficient,
  ]);
  assert.deepEqual(found, [["ab", 1 / 3], ["ac", -1], ["bc", -1 / 3]]);
});

Deno.test("compareRankings() compares only systems that both measures have", () => {
  const [one] = compareRankings(new Map([["a", figures(1, 2, 3)], ["b", figures(1, 2)]]));
  assert.deepEqual(one!.tauB, { kind: "correlation", coefficient: 1, n: 2 });
  const [none] = compareRankings(new Map([["a", figures(1, 2)], ["b", figures(5)]]));
  assert.equal(none!.tauB.kind, "unavailable");
});

Deno.test("resampledRankings() gives τ-b of the means with an interval over segments", () => {
  const segments = Array.from({ length: 11 }, (_, index) => ({
    segment: `s${index}`,
    document: "d",
    scores: new Map([
      ["a", figures(1, 2, 3)],
      // On average in the same order; in three segments of eleven turned round.
      ["b", index < 3 ? figures(3, 2, 1) : figures(1, 2, 3)],
    ]),
  }));
  const yardstick = { first: "a", second: "b" };
  const [pair] = resampledRankings(segments, { seed: 1, resamples: 500 }, yardstick);
  assert.deepEqual(pair!.tauB, { kind: "correlation", coefficient: 1, n: 3 });
  assert.ok(pair!.interval.kind === "interval");
  assert.deepEqual([pair!.interval.estimate, pair!.interval.high], [1, 1]);
  assert.ok(pair!.interval.low < 1);
  assert.equal(pair!.beyondYardstick, undefined);
});

Deno.test("resampledRankings() compares with the yardstick on the same resamples", () => {
  const segments = Array.from({ length: 11 }, (_, index) => {
    const unsure = index < 3 ? figures(3, 2, 1) : figures(1, 2, 3);
    const scores = new Map([["a", figures(1, 2, 3)], ["b", unsure], ["c", unsure]]);
    return { segment: `s${index}`, document: "d", scores };
  });
  const options = { seed: 1, resamples: 500 };
  const pairs = resampledRankings(segments, options, { first: "a", second: "b" });
  const [, ac, bc] = pairs.map(({ beyondYardstick }) => beyondYardstick);
  // b and c are one: however unsure a and b are, a and c are not less so.
  assert.ok(ac?.kind === "interval" && ac.low === 0 && ac.high === 0);
  assert.ok(bc?.kind === "interval" && bc.estimate === 0 && bc.high > 0);
});

Deno.test("compareRankings() counts the pairs of systems in the same order, a tie as another", () => {
  const means = new Map([["a", figures(1, 2, 3, 4)], ["b", figures(1, 3, 2, 2)]]);
  // Alike: 1–2, 1–3, 1–4; turned round: 2–3, 2–4; tied: 3–4.
  assert.equal(compareRankings(means)[0]!.pairwiseAccuracy, 0.5);
  const alone = compareRankings(new Map([["a", figures(1)], ["b", figures(2)]]));
  assert.equal((alone[0]!.pairwiseAccuracy as { kind: string }).kind, "unavailable");
});
