import type { Unscored } from "../../verdicts/verdict.ts";
import type { OrderedAnswer, OrderedChoice, OrderedTask, PairwiseJudge } from "../comparison.ts";

const PROVENANCE = { producedBy: "made", modelSha256: undefined, promptSha256: undefined };

/** An answer with its winner as the reason. */
export function madeAnswer(winner: OrderedChoice): OrderedAnswer {
  return {
    kind: "answer",
    winner,
    reasoning: `because ${winner}`,
    parse: "complete",
    provenance: PROVENANCE,
  };
}

/** What a judge that answered with nonsense is recorded as. */
export const MADE_UNSCORED: Unscored = {
  kind: "unscored",
  reason: "malformed answer",
  message: "The answer names no winner.",
  partialText: "well",
  provenance: PROVENANCE,
};

/** A judge that chooses by what it is shown. */
export function madeJudge(
  name: string,
  choose: (task: OrderedTask) => OrderedChoice | "malformed",
): PairwiseJudge {
  return {
    name,
    settings: {},
    concurrency: 1,
    compare(task) {
      const choice = choose(task);
      return Promise.resolve(choice === "malformed" ? MADE_UNSCORED : madeAnswer(choice));
    },
  };
}

/** Prefers the longer text wherever it stands. */
export const longer = madeJudge("longer", ({ first, second }) => {
  if (first.length === second.length) return "tie";
  return first.length > second.length ? "first" : "second";
});

/** Always the first: what position bias looks like. */
export const first = madeJudge("first", () => "first");
