import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import { type ClaimCounts, claimCounts } from "./claim_counts.ts";
import type { ClassifiedResponse } from "./classified_response.ts";

/** Facts from which a response is long enough: γ of the published scorer. */
export const FACT_SCORE_GAMMA = 10;

/** FActScore and what it rests on. */
export interface FactScore {
  /** Mean precision × penalty over the responses that responded, 0–1. */
  readonly score: number | Unavailable;
  /** The same without the penalty, 0–1. */
  readonly unpenalised: number | Unavailable;
  /** Responses with facts / all responses, 0–1. */
  readonly respondRatio: number | Unavailable;
  /** Mean number of scored facts of the responses that have any. */
  readonly factsPerResponse: number | Unavailable;
  /** Responses in the means. */
  readonly responded: number;
  readonly abstained: number;
  /** Neither: no claim that could be checked, or none that was scored. */
  readonly withoutFacts: number;
}

/**
 * FActScore (Min et al. 2023, arXiv 2305.14251; `factscorer.py`): the mean, over responses that do not
 * abstain, of supported/n × penalty, with penalty e^(1 − γ/n) for n ≤ γ facts and 1 for more.
 *
 * A response that does not abstain but has no facts (a question back, an opinion) has no precision:
 * it is left out of the means and lowers the respond ratio, as in the published scorer, and is
 * counted apart. n counts scored facts only.
 *
 * @throws {RangeError} for a γ that is not over 0.
 */
export function factScore(
  responses: readonly ClassifiedResponse[],
  gamma: number = FACT_SCORE_GAMMA,
): FactScore {
  if (!(gamma > 0)) throw new RangeError(`Cannot score facts: γ is ${gamma}, not over 0.`);
  const answering = responses.filter(({ abstained }) => !abstained);
  const counts = answering.map(({ claims }) => claimCounts(claims))
    .filter(({ scored }) => scored > 0);
  const none = responses.length === 0 ? "no responses" : "no response has a fact that was scored";
  const mean = (value: (counts: ClaimCounts) => number) =>
    counts.length === 0
      ? unavailable(none)
      : counts.reduce((sum, each) => sum + value(each), 0) / counts.length;
  return {
    score: mean((each) => each.supported / each.scored * lengthPenalty(each.scored, gamma)),
    unpenalised: mean(({ supported, scored }) => supported / scored),
    respondRatio: responses.length === 0
      ? unavailable("no responses")
      : counts.length / responses.length,
    factsPerResponse: mean(({ scored }) => scored),
    responded: counts.length,
    abstained: responses.length - answering.length,
    withoutFacts: answering.length - counts.length,
  };
}

/** 1 for more than γ facts, else e^(1 − γ/n): 1 at γ, 0.37 at half of it. */
function lengthPenalty(facts: number, gamma: number): number {
  return facts > gamma ? 1 : Math.exp(1 - gamma / facts);
}
