import type { ScoredJudgement } from "../judges/judgement.ts";
import type { ScoredVerdict } from "../verdicts/verdict.ts";
import { VOTE_THRESHOLD } from "../judges/aggregate.ts";
import { FACTUAL_ACCURACY } from "./components.ts";
import type { ClaimResult, CriterionResult, Evaluation } from "./evaluation.ts";
import { judgementReason, scoreWords, verdictReason } from "./reasons.ts";
import { overlaps } from "../text_span.ts";

type Disagreement = Evaluation["disagreements"][number];

/**
 * Where a judge and the verifier are of different opinion about a claim, with both reasons. A judge
 * that was asked about the claim accepts it from 50 points on. A judge that flagged words of a claim
 * in the whole text, and was not asked about it alone, rejects it; one that flagged nothing has said
 * nothing.
 */
export function disagreements(
  claims: readonly ClaimResult[],
  criteria: readonly CriterionResult[],
): readonly Disagreement[] {
  const accuracy = criteria.find(({ criterion }) => criterion === FACTUAL_ACCURACY)?.judges ?? [];
  return claims.flatMap((result) => {
    const { claim, verdict, judges } = result;
    if (verdict.kind === "unscored") return [];
    const accepted = verdict.label === "supported";
    const asked = judges.flatMap(({ judge, judgement }) => {
      if (judgement.kind === "unscored" || (judgement.score >= VOTE_THRESHOLD) === accepted) {
        return [];
      }
      return [disagreement(claim.id, verdict, judge, judgement)];
    });
    if (!accepted) return asked;
    const flagged = accuracy.flatMap(({ judge, judgement }) => {
      if (judgement.kind === "unscored" || judges.some((other) => other.judge === judge)) return [];
      const held = judgement.flagged.filter(({ span }) =>
        span !== undefined && claim.spans.some((own) => overlaps(own, span))
      );
      return held.length === 0 ? [] : [flaggedAgainst(claim.id, verdict, judge, held)];
    });
    return [...asked, ...flagged];
  });
}

function disagreement(
  claimId: string,
  verdict: ScoredVerdict,
  judge: string,
  judgement: ScoredJudgement,
): Disagreement {
  const words = `the verifier says ${verdict.label} (${verdictReason(verdict)}); ` +
    `${judge} gives it ${scoreWords(judgement)} (${judgementReason(judgement)})`;
  return { claimId, judge, words };
}

function flaggedAgainst(
  claimId: string,
  verdict: ScoredVerdict,
  judge: string,
  held: ScoredJudgement["flagged"],
): Disagreement {
  const phrases = held.map(({ phrase, reason }) => `"${phrase}": ${reason}`).join("; ");
  const words = `the verifier says ${verdict.label} (${verdictReason(verdict)}); ` +
    `${judge} flagged ${phrases}`;
  return { claimId, judge, words };
}
