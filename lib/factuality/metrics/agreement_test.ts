import fc from "fast-check";
import assert from "node:assert/strict";
import { unavailable } from "../../stats/agreement.ts";
import { randomSource } from "../../stats/random.ts";
import {
  agreementOfPairs,
  claimMatrix,
  consensusF1,
  equivalenceClasses,
  meanConsensus,
} from "./agreement.ts";
import type { Entails } from "./agreement.ts";
import type { ClassifiedResponse } from "./rates.ts";
import { ratings, response } from "./testdata/made.ts";

Deno.test("Requirement 10.4: Cohen's κ of every two raters, over the claims that both rated, by hand", () => {
  const { raters, cells } = agreementOfPairs(ratings("ss", "sn", "nn", "n–"));
  assert.deepEqual(raters, ["rater 1", "rater 2"]);
  // On three claims: agreed 2/3, expected 2/3·1/3 + 1/3·2/3 = 4/9, κ = (2/3 − 4/9) / (5/9).
  const cell = cells[0]![1]!;
  assert.ok(cell.kind === "value" && Math.abs(cell.estimate - 0.4) < 1e-12);
  assert.deepEqual(cells[1]![0], cell);
  assert.equal(cells[0]![0]!.kind, "unavailable");
  const chance = agreementOfPairs(
    ratings("ss", "sn").map((one) => ({ ...one, aboveChance: false })),
  );
  assert.deepEqual(chance.cells[0]![1], unavailable("not measured above chance"));
});

Deno.test("turned sentences are one statement; what is turned round is another", () => {
  const clusterSizes = (texts: readonly string[]) =>
    equivalenceClasses(texts.map((text) => ({ text })), () => false).map((group) => group.length);
  const same = [
    "Tokyo is the capital of Japan.",
    "The capital of Japan is Tokyo.",
    "Japan's capital is Tokyo.",
    "Tokyo is Japan's capital.",
  ];
  assert.deepEqual(clusterSizes(same), [4]);
  assert.deepEqual(clusterSizes(["Spain borders France.", "France borders Spain"]), [2]);
  const apart = [
    ["Tokyo is the capital of Japan.", "Japan is the capital of Tokyo."],
    ["Tokyo is the capital of Japan.", "Tokyo was the capital of Japan."],
    ["Ada invaded Spain.", "Spain invaded Ada."],
    ["Tokyo is the capital of Japan.", "Tokyo is not the capital of Japan."],
  ];
  for (const pair of apart) assert.deepEqual(clusterSizes(pair), [1, 1], pair[1]);
});

/** One response a model, of claims that are single words. */
const answers = (texts: Readonly<Record<string, string>>): ClassifiedResponse[] =>
  Object.entries(texts).map(([model, words]) => ({
    ...response("q", "", { model }),
    claims: words.split(" ").filter((word) => word !== "").map((text, index) => (
      { id: `c${index + 1}`, text, label: "supported" }
    )),
  }));

/** Letters say the same whatever their case. A digit more says more: `a1` entails `a`. */
const entails: Entails = (premise, claim) =>
  premise.toLowerCase() === claim.toLowerCase() || premise.startsWith(claim);

// By hand: the others of x hold a (y, z) and b (y, z) by majority; c is y's alone, d z's alone.
const FOUR = claimMatrix(answers({ x: "a c e", y: "a b c", z: "A b d" }), entails);

Deno.test("Requirement 16.3 and 16.4: precision, recall and F1 are those worked by hand", () => {
  const score = consensusF1(FOUR, "x");
  assert.deepEqual([score.precision, score.recall], [2 / 3, 1 / 2]);
  assert.equal(score.f1, (2 * (2 / 3) * (1 / 2)) / (2 / 3 + 1 / 2));
  const { statements, supported, consensus, included, others } = score;
  assert.deepEqual([statements, supported, consensus, included, others], [3, 2, 2, 1, 2]);
  // A stronger claim is taken for a weaker consensus, not the other way round.
  const matrix = claimMatrix(answers({ x: "a1", y: "a" }), entails);
  const [x, y] = ["x", "y"].map((model) => consensusF1(matrix, model));
  assert.deepEqual([x!.precision, x!.recall, y!.precision, y!.recall], [0, 1, 1, 0]);
});

Deno.test("Requirement 16.5: F1 is 0 where it can be nothing else, and else unavailable with the reason", () => {
  const cases: readonly (readonly [Readonly<Record<string, string>>, number | string])[] = [
    [{ x: "a", y: "b" }, 0],
    [{ x: "", y: "a", z: "a" }, 0],
    [{ x: "a", y: "b", z: "c" }, 0],
    [{ x: "a" }, "no other model claims anything"],
    [{ x: "", y: "b", z: "c" }, "it states nothing"],
    [{ x: "a", y: "a", z: "c" }, "the other models agree on nothing"],
  ];
  for (const [texts, expected] of cases) {
    const { f1 } = consensusF1(claimMatrix(answers(texts), entails), "x");
    assert.equal(typeof f1 === "number" ? f1 : f1.reason, expected);
  }
});

Deno.test("meanConsensus() is over the queries that have the figure", () => {
  const other = claimMatrix(answers({ x: "a" }), entails);
  const scores = [consensusF1(FOUR, "x"), { ...consensusF1(other, "x"), cluster: "r" }];
  assert.equal(meanConsensus(scores, "recall"), 1 / 2);
  const none = unavailable("no other model claims anything");
  assert.deepEqual(meanConsensus(scores.slice(1), "f1"), none);
});

const WORDS = fc.array(fc.constantFrom("a", "b", "c", "d", "a1", "A"), { maxLength: 5 })
  .map((words) => words.join(" "));

Deno.test("Requirement 16.2: every claim is in one statement, and the order of models changes nothing", () => {
  fc.assert(
    fc.property(fc.array(WORDS, { minLength: 1, maxLength: 4 }), fc.nat(), (texts, seed) => {
      const made = answers(Object.fromEntries(texts.map((text, index) => [`m${index}`, text])));
      const matrix = claimMatrix(made, entails);
      const placed = matrix.statements.flatMap(({ claims }) => claims);
      assert.equal(placed.length, made.flatMap(({ claims }) => claims).length);
      for (const { stances } of matrix.statements) assert.ok(stances.includes("states"));
      assert.deepEqual(claimMatrix(randomSource(seed).shuffle(made), entails), matrix);
    }),
    { numRuns: 200 },
  );
});
