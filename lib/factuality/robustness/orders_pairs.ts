import type { BothOrders, OrderedAnswer, Outcome } from "../pairwise/comparison.ts";
import { outcomeOf } from "../pairwise/compare.ts";
import type { Unscored } from "../verdicts/verdict.ts";
import type { OrderRow } from "./orders_rows.ts";

/** A pair with the answers in both orders. */
export interface PairOfRows {
  readonly country: string;
  readonly a: number;
  readonly b: number;
  readonly answers: BothOrders;
  readonly outcome: Outcome;
  /** Undefined for components that compare. */
  readonly scores: readonly [number, number] | undefined;
}

/** Enough of an answer to tell the outcome; the reasoning is not kept. */
function answerOf({ status, winner, component }: OrderRow): OrderedAnswer | Unscored {
  const provenance = { producedBy: component, modelSha256: undefined, promptSha256: undefined };
  if (status === "scored" && winner !== "") {
    return { kind: "answer", winner, reasoning: "", parse: "complete", provenance };
  }
  const reason = status === "scored" ? "failure" : status;
  return { kind: "unscored", reason, message: reason, partialText: undefined, provenance };
}

/** A text of a ladder, as outcomes name it. */
export const textId = (errors: number) => `k = ${errors}`;

/** The pairs that stand in both orders; one that was broken off in between is not there yet. */
export function pairsOf(rows: readonly OrderRow[]): readonly PairOfRows[] {
  const groups = Map.groupBy(
    rows,
    ({ country, errors_a, errors_b }) => JSON.stringify([country, errors_a, errors_b]),
  );
  return [...groups.values()].flatMap((group) => {
    const [aFirst, bFirst] = [group.find(isFirst("a")), group.find(isFirst("b"))];
    if (aFirst === undefined || bFirst === undefined) return [];
    const { country, errors_a: a, errors_b: b, score_a, score_b } = aFirst;
    const answers = { aFirst: answerOf(aFirst), bFirst: answerOf(bFirst) };
    const scores = score_a === "" || score_b === "" ? undefined : [score_a, score_b] as const;
    const outcome = outcomeOf(answers, textId(a), textId(b));
    return [{ country, a, b, answers, outcome, scores }];
  });
}

const isFirst = (wanted: "a" | "b") => ({ first }: OrderRow) => first === wanted;
