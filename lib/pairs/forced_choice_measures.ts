import { detectSignal } from "../stats/signal_detection.ts";
import type { Measure } from "./clustered_statistic.ts";
import { ORDERS } from "./forced_choice.ts";
import type { Response } from "./responses.ts";
import type { Tally } from "./tally.ts";

type Count =
  | "answers"
  | "correct"
  | "invalid"
  | "pairs"
  | "rightInBoth"
  | "validInBoth"
  | "sameSentence"
  | "answeredAWhenAtA"
  | "validWhenAtA"
  | "answeredAWhenAtB"
  | "validWhenAtB";

/** What one model's answers to one pair add to every measure. */
export type ForcedChoiceCounts = Tally<Count>;

/** Counts the answers of one model to one pair: at most one of each order. */
export function countAnswers(answers: readonly Response[]): ForcedChoiceCounts {
  const count = (test: (answer: Response) => boolean) => answers.filter(test).length;
  const valid = answers.filter(({ response }) => response !== "INVALID");
  const isA = ({ response }: Response) => response === "A";
  const atA = valid.filter(({ order }) => order === "A_gram");
  const atB = valid.filter(({ order }) => order === "B_gram");
  const both = answers.length === ORDERS.length;
  const validInBoth = both && valid.length === ORDERS.length;
  const correct = count((answer) => answer.correct);
  return {
    answers: answers.length,
    correct,
    invalid: answers.length - valid.length,
    pairs: Number(both),
    rightInBoth: Number(both && correct === ORDERS.length),
    validInBoth: Number(validInBoth),
    // Right in both or wrong in both: the same sentence was chosen wherever it stood.
    sameSentence: Number(validInBoth && correct !== 1),
    answeredAWhenAtA: atA.filter(isA).length,
    validWhenAtA: atA.length,
    answeredAWhenAtB: atB.filter(isA).length,
    validWhenAtB: atB.length,
  };
}

/** A share, or nothing of nothing. */
export function share(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}

function detection(counts: ForcedChoiceCounts) {
  const found = detectSignal({
    grammaticalAtA: { answeredA: counts.answeredAWhenAtA, n: counts.validWhenAtA },
    grammaticalAtB: { answeredA: counts.answeredAWhenAtB, n: counts.validWhenAtB },
  });
  return found.kind === "detection" ? found : undefined;
}

/**
 * Measures of one pair in two orders. d' and bias are not among them: asked in one order a pair, the
 * pairs with the grammatical sentence at A give the hits, the others the false alarms.
 */
export const NEED_BOTH_ORDERS: readonly string[] = ["accuracy_both_orders", "consistency"];

/** What forced choices are measured by. Chance is 0.5 except where the method says otherwise. */
export const FORCED_CHOICE_MEASURES: readonly Measure<ForcedChoiceCounts>[] = [
  {
    name: "accuracy",
    isShare: true,
    method: "correct / answers, invalid answers counted as not correct",
    of: ({ correct, answers }) => share(correct, answers),
    n: ({ answers }) => answers,
  },
  {
    name: "accuracy_valid",
    isShare: true,
    method: "correct / valid answers",
    of: ({ correct, answers, invalid }) => share(correct, answers - invalid),
    n: ({ answers, invalid }) => answers - invalid,
  },
  {
    name: "accuracy_upper_bound",
    isShare: true,
    method: "as if every invalid answer were correct",
    of: ({ correct, invalid, answers }) => share(correct + invalid, answers),
    n: ({ answers }) => answers,
  },
  {
    name: "invalid_rate",
    isShare: true,
    method: "invalid answers / answers",
    of: ({ invalid, answers }) => share(invalid, answers),
    n: ({ answers }) => answers,
  },
  {
    name: "accuracy_both_orders",
    isShare: true,
    method: "pairs right in both orders / pairs asked in both; chance 0.25",
    of: ({ rightInBoth, pairs }) => share(rightInBoth, pairs),
    n: ({ pairs }) => pairs,
  },
  {
    name: "consistency",
    isShare: true,
    method: "pairs with the same sentence chosen in both orders / pairs valid in both",
    of: ({ sameSentence, validInBoth }) => share(sameSentence, validInBoth),
    n: ({ validInBoth }) => validInBoth,
  },
  {
    name: "d_prime",
    method: "sensitivity d' over valid answers, log-linear correction; 0 = guessing",
    of: (counts) => detection(counts)?.dPrime,
    n: ({ validWhenAtA, validWhenAtB }) => validWhenAtA + validWhenAtB,
  },
  {
    name: "position_bias",
    method: "-c over valid answers, log-linear correction; positive = towards A",
    of: (counts) => detection(counts)?.positionBias,
    n: ({ validWhenAtA, validWhenAtB }) => validWhenAtA + validWhenAtB,
  },
];
