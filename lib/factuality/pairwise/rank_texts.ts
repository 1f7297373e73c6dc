import { everyTwo } from "../every_two.ts";
import { compareTexts } from "./compare.ts";
import type { Candidate, Comparison, ComparisonTask, PairwiseJudge } from "./comparison.ts";
import { rankCandidates, type Ranking } from "./ranking.ts";

/** Candidates in order, and every comparison that the order rests on. */
export interface RankedTexts extends Ranking {
  readonly comparisons: readonly Comparison[];
}

/**
 * Compares every two of the candidates for one source, in both orders, and ranks them: n(n − 1) calls
 * of each judge.
 *
 * @throws {RangeError} for fewer than two candidates or an id that stands twice; the signal's reason
 * when it aborts.
 */
export async function rankTexts(
  judges: readonly PairwiseJudge[],
  candidates: readonly Candidate[],
  { source, question }: Pick<ComparisonTask, "source" | "question">,
  options: { readonly signal?: AbortSignal } = {},
): Promise<RankedTexts> {
  const ids = candidates.map(({ id }) => id);
  const twice = ids.find((id, at) => ids.indexOf(id) !== at);
  if (twice !== undefined) throw new RangeError(`Cannot rank texts: the id ${twice} stands twice`);
  if (ids.length < 2) throw new RangeError(`Cannot rank texts: ${ids.length} is fewer than 2`);
  const comparisons: Comparison[] = [];
  for (const [a, b] of everyTwo(candidates)) {
    comparisons.push(await compareTexts(judges, { source, question, a, b }, options));
  }
  return { comparisons, ...rankCandidates(comparisons) };
}
