import assert from "node:assert/strict";
import fc from "fast-check";
import { compareTexts, majorityOf, outcomeOf } from "./compare.ts";
import type { Comparison, OrderedChoice, Outcome } from "./comparison.ts";
import { first, longer, MADE_UNSCORED, madeAnswer, madeJudge } from "./testdata/pairwise_judges.ts";

const TASK = {
  source: "Paris is the capital of France.",
  question: "",
  a: { id: "x", text: "Paris is in France, of which it is the capital." },
  b: { id: "y", text: "Paris." },
};

const outcome = (aFirst: OrderedChoice, bFirst: OrderedChoice) =>
  outcomeOf({ aFirst: madeAnswer(aFirst), bFirst: madeAnswer(bFirst) }, "x", "y");

Deno.test("outcomeOf() gives the winner only where both orders name the same text", () => {
  const table: readonly (readonly [OrderedChoice, OrderedChoice, string])[] = [
    ["first", "second", "x"],
    ["second", "first", "y"],
    ["tie", "tie", "declared tie"],
    ["first", "first", "order-inconsistent tie"],
    ["second", "second", "order-inconsistent tie"],
    ["first", "tie", "order-inconsistent tie"],
    ["tie", "second", "order-inconsistent tie"],
  ];
  for (const [aFirst, bFirst, expected] of table) {
    const found = outcome(aFirst, bFirst);
    assert.equal(found.kind === "winner" ? found.winner : found.kind, expected);
  }
});

Deno.test("outcomeOf() is unscored where one order is, and says which", () => {
  assert.deepEqual(outcomeOf({ aFirst: madeAnswer("first"), bFirst: MADE_UNSCORED }, "x", "y"), {
    kind: "unscored",
    reason: "malformed answer",
    message: "y first: The answer names no winner.",
  });
});

const X: Outcome = { kind: "winner", winner: "x" };
const Y: Outcome = { kind: "winner", winner: "y" };
const NOTHING: Outcome = { kind: "unscored", reason: "time-out", message: "60 s" };

Deno.test("majorityOf() wants more than half of the judges that gave an outcome", () => {
  assert.deepEqual(majorityOf([X, X, Y], "x", "y"), X);
  assert.deepEqual(majorityOf([X, Y], "x", "y"), { kind: "no majority" });
  assert.deepEqual(majorityOf([X, NOTHING, NOTHING], "x", "y"), X);
  assert.deepEqual(majorityOf([X, { kind: "declared tie" }], "x", "y"), { kind: "no majority" });
  assert.deepEqual(
    majorityOf([{ kind: "declared tie" }, { kind: "declared tie" }, Y], "x", "y"),
    { kind: "declared tie" },
  );
  assert.deepEqual(majorityOf([NOTHING], "x", "y"), NOTHING);
  assert.equal(majorityOf([], "x", "y").kind, "unscored");
});

Deno.test("compareTexts() asks each judge in both orders and keeps all reasons", async () => {
  const { outcome, judges, votes } = await compareTexts([longer, first], TASK);
  assert.deepEqual(outcome, { kind: "no majority" });
  assert.deepEqual(votes, { a: 1, b: 0, declaredTie: 0, orderInconsistentTie: 1, unscored: 0 });
  assert.deepEqual(
    judges.map(({ judge, outcome: { kind } }) => [judge, kind]),
    [["longer", "winner"], ["first", "order-inconsistent tie"]],
  );
  assert.deepEqual(judges[0]!.answers, {
    aFirst: madeAnswer("first"),
    bFirst: madeAnswer("second"),
  });
});

Deno.test("compareTexts() refuses two texts of one name, and ends with the signal", async () => {
  await assert.rejects(
    compareTexts([longer], { ...TASK, b: { ...TASK.b, id: "x" } }),
    /^RangeError: Cannot compare texts: both have the id x; rename one$/,
  );
  const signal = AbortSignal.abort(new Error("stopped"));
  await assert.rejects(compareTexts([longer], TASK, { signal }), /^Error: stopped$/);
});

const mirrored = ({ outcome }: Comparison) => outcome.kind === "winner" ? outcome.winner : outcome;

Deno.test("Requirement 10.2: the outcome is the same whichever text is called a", async () => {
  const choice = fc.constantFrom("first", "second", "tie", "malformed" as const);
  const judgeOf = (answers: readonly ("first" | "second" | "tie" | "malformed")[], at: number) =>
    madeJudge(`j${at}`, ({ first }) => answers[first === TASK.a.text ? 0 : 1]!);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(choice, choice), { maxLength: 3 }), async (answers) => {
      const judges = answers.map(judgeOf);
      const one = await compareTexts(judges, TASK);
      const other = await compareTexts(judges, { ...TASK, a: TASK.b, b: TASK.a });
      const [found, swapped] = [one, other].map(mirrored);
      // Which order an unscored one is told of depends on which was asked first.
      if (one.outcome.kind === "unscored") assert.equal(other.outcome.kind, "unscored");
      else assert.deepEqual(found, swapped);
      assert.deepEqual([one.votes.a, one.votes.b], [other.votes.b, other.votes.a]);
    }),
    { numRuns: 200 },
  );
});
