import type { Unscored } from "../verdicts/verdict.ts";
import type {
  BothOrders,
  Comparison,
  ComparisonTask,
  JudgeComparison,
  OrderedAnswer,
  OrderedTask,
  Outcome,
  PairwiseJudge,
  PanelOutcome,
  Votes,
} from "./comparison.ts";

interface CompareOptions {
  readonly signal?: AbortSignal;
}

/** The id of the better text, or `tie`. */
function choiceOf(answer: OrderedAnswer, firstId: string, secondId: string): string | undefined {
  if (answer.winner === "tie") return undefined;
  return answer.winner === "first" ? firstId : secondId;
}

/**
 * What follows from a judge's answers in both orders: the same winner wins, twice "tie" is a declared
 * tie, anything else a tie that comes of the order. Unscored where either answer is: one order alone
 * cannot tell the text from its place.
 */
export function outcomeOf({ aFirst, bFirst }: BothOrders, a: string, b: string): Outcome {
  const missing = [aFirst, bFirst].find((answer): answer is Unscored => answer.kind === "unscored");
  if (missing !== undefined) {
    const order = missing === aFirst ? `${a} first` : `${b} first`;
    return { kind: "unscored", reason: missing.reason, message: `${order}: ${missing.message}` };
  }
  const answers = [aFirst, bFirst] as readonly OrderedAnswer[];
  const one = choiceOf(answers[0]!, a, b);
  const other = choiceOf(answers[1]!, b, a);
  if (one !== other) return { kind: "order-inconsistent tie" };
  return one === undefined ? { kind: "declared tie" } : { kind: "winner", winner: one };
}

/** Counts the judges' outcomes. */
function countVotes(outcomes: readonly Outcome[], a: string, b: string): Votes {
  const count = (matches: (outcome: Outcome) => boolean) => outcomes.filter(matches).length;
  return {
    a: count((outcome) => outcome.kind === "winner" && outcome.winner === a),
    b: count((outcome) => outcome.kind === "winner" && outcome.winner === b),
    declaredTie: count(({ kind }) => kind === "declared tie"),
    orderInconsistentTie: count(({ kind }) => kind === "order-inconsistent tie"),
    unscored: count(({ kind }) => kind === "unscored"),
  };
}

/**
 * The outcome that more than half of those judges came to who came to one. Unscored where none did,
 * with the first reason; `no majority` where votes are split, of two judges who differ for instance.
 */
export function majorityOf(outcomes: readonly Outcome[], a: string, b: string): PanelOutcome {
  const votes = countVotes(outcomes, a, b);
  const scored = outcomes.length - votes.unscored;
  if (scored === 0) {
    return outcomes[0] ??
      { kind: "unscored", reason: "failure", message: "No judge was asked." };
  }
  if (2 * votes.a > scored) return { kind: "winner", winner: a };
  if (2 * votes.b > scored) return { kind: "winner", winner: b };
  if (2 * votes.declaredTie > scored) return { kind: "declared tie" };
  if (2 * votes.orderInconsistentTie > scored) return { kind: "order-inconsistent tie" };
  return { kind: "no majority" };
}

async function askBothOrders(
  judge: PairwiseJudge,
  { source, question, a, b }: ComparisonTask,
  options: CompareOptions,
): Promise<JudgeComparison> {
  const ask = (first: string, second: string) =>
    judge.compare({ source, question, first, second } satisfies OrderedTask, options);
  const aFirst = await ask(a.text, b.text);
  options.signal?.throwIfAborted();
  const answers = { aFirst, bFirst: await ask(b.text, a.text) };
  return { judge: judge.name, answers, outcome: outcomeOf(answers, a.id, b.id) };
}

/**
 * Asks each judge, one after the other, which of two texts is more accurate, in both orders.
 *
 * @throws {RangeError} where both have the same id; the signal's reason when it aborts.
 */
export async function compareTexts(
  judges: readonly PairwiseJudge[],
  task: ComparisonTask,
  options: CompareOptions = {},
): Promise<Comparison> {
  const [a, b] = [task.a.id, task.b.id];
  if (a === b) throw new RangeError(`Cannot compare texts: both have the id ${a}; rename one`);
  const comparisons: JudgeComparison[] = [];
  for (const judge of judges) {
    options.signal?.throwIfAborted();
    comparisons.push(await askBothOrders(judge, task, options));
  }
  const outcomes = comparisons.map(({ outcome }) => outcome);
  return {
    candidates: [a, b],
    judges: comparisons,
    votes: countVotes(outcomes, a, b),
    outcome: majorityOf(outcomes, a, b),
  };
}
