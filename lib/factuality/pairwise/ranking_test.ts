import assert from "node:assert/strict";
import fc from "fast-check";
import type { Comparison, PanelOutcome } from "./comparison.ts";
import { everyTwo } from "../every_two.ts";
import { rankCandidates } from "./ranking.ts";

const NO_VOTES = { a: 0, b: 0, declaredTie: 0, orderInconsistentTie: 0, unscored: 0 };

function compared(a: string, b: string, result: string): Comparison {
  const outcome: PanelOutcome = result === "unscored"
    ? { kind: "unscored", reason: "time-out", message: "" }
    : result === "declared tie" || result === "order-inconsistent tie" || result === "no majority"
    ? { kind: result }
    : { kind: "winner", winner: result };
  return { candidates: [a, b], judges: [], votes: NO_VOTES, outcome };
}

Deno.test("rankCandidates() counts wins and half of every tie", () => {
  const { standings, circles, balanced } = rankCandidates([
    compared("x", "y", "x"),
    compared("x", "z", "declared tie"),
    compared("y", "z", "order-inconsistent tie"),
  ]);
  assert.deepEqual(
    standings.map(({ candidate, score, rank }) => [candidate, score, rank]),
    [["x", 0.75, 1], ["z", 0.5, 2], ["y", 0.25, 3]],
  );
  assert.deepEqual(standings[1], {
    candidate: "z",
    wins: 0,
    losses: 0,
    declaredTies: 1,
    otherTies: 1,
    unscored: 0,
    score: 0.5,
    rank: 2,
  });
  assert.deepEqual([circles, balanced], [0, true]);
});

Deno.test("rankCandidates() tells a circle and gives its members one rank", () => {
  const { standings, circles } = rankCandidates([
    compared("x", "y", "x"),
    compared("y", "z", "y"),
    compared("x", "z", "z"),
  ]);
  assert.equal(circles, 1);
  assert.deepEqual(standings.map(({ rank }) => rank), [2, 2, 2]);
});

Deno.test("rankCandidates() gives no score where nothing was scored", () => {
  const { standings, balanced } = rankCandidates([
    compared("x", "y", "x"),
    compared("x", "z", "unscored"),
    compared("y", "z", "unscored"),
  ]);
  const [, , last] = standings;
  assert.deepEqual([last?.candidate, last?.score, last?.rank], ["z", undefined, undefined]);
  assert.deepEqual([last?.unscored, balanced], [2, false]);
});

Deno.test("Requirement 4: ranks of a full round follow the scores, which sum to half the comparisons", () => {
  const results = fc.array(fc.nat(3), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(results, (numbers) => {
      const pairs = everyTwo(["a", "b", "c", "d"]);
      const comparisons = pairs.map(([one, other], at) =>
        compared(one, other, [one, other, "declared tie", "no majority"][numbers[at]!]!)
      );
      const { standings, balanced } = rankCandidates(comparisons);
      assert.ok(balanced);
      const points = standings.reduce((sum, { score }) => sum + 3 * score!, 0);
      assert.ok(Math.abs(points - 6) < 1e-12);
      assert.equal(standings.reduce((sum, { rank }) => sum + rank!, 0), 10);
      for (const [one, other] of everyTwo(standings)) {
        assert.ok(one.score! >= other.score!);
        assert.equal(one.score === other.score, one.rank === other.rank);
      }
    }),
    { numRuns: 200 },
  );
});
