import { aggregate, isAtChance } from "../judges/aggregate.ts";
import type { EnsembleScore } from "../judges/ensemble_score.ts";
import { askJudges } from "./ask_judges.ts";
import type { ClaimResult, CriterionResult, JudgeResult } from "./evaluation.ts";
import { claimTask, criteriaInOrder, criterionTask, type VerifiedClaim } from "./judge_tasks.ts";
import type { Run } from "./run.ts";
import { passagesOf } from "./verify_claims.ts";

/** What the judges say of a candidate. */
export interface Judged {
  /** Factual accuracy first; none without judges. */
  readonly criteria: readonly CriterionResult[];
  readonly claims: readonly ClaimResult[];
}

/** Judges each criterion of the whole text and then, where that is wanted, each claim by itself. */
export async function judgeCandidate(
  run: Run,
  verified: readonly VerifiedClaim[],
): Promise<Judged> {
  const { request, components } = run;
  const criteria = components.judges.length === 0 ? [] : criteriaInOrder(components.criteria);
  const asked = components.judgeClaims ? verified.filter((claim) => canBeJudged(run, claim)) : [];
  const answers = await askJudges(run, [
    ...criteria.map((criterion) => criterionTask(criterion, request, verified)),
    ...asked.map((result) =>
      claimTask(result.claim.text, passagesOf(request.source, result), request.question)
    ),
  ]);
  const ofClaim = new Map(asked.map((result, index) => [result, answers[criteria.length + index]]));
  return {
    criteria: criteria.map((criterion, index) => criterionResult(run, criterion, answers[index]!)),
    claims: verified.map((result) => ({ ...result, judges: ofClaim.get(result) ?? [] })),
  };
}

/** A claim that can be checked, and something to check it against. */
function canBeJudged({ request }: Run, result: VerifiedClaim): boolean {
  return result.claim.notCheckable === undefined && passagesOf(request.source, result).length > 0;
}

function criterionResult(
  { components: { judges: asked, aggregation, lowConfidenceVariance } }: Run,
  criterion: string,
  judges: readonly JudgeResult[],
): CriterionResult {
  const judgements = judges.map(({ judgement }) => judgement);
  const weights = asked.map(({ weight }) => weight);
  const ensemble = aggregate(judgements, aggregation, weights, lowConfidenceVariance);
  return { criterion, judges, ensemble: asked.every(isAtChance) ? doubted(ensemble) : ensemble };
}

/** A score of judges of whom none is told from chance: it is shown, and nothing rests on it. */
function doubted(ensemble: EnsembleScore): EnsembleScore {
  if (ensemble.kind === "unscored") return ensemble;
  const reasons = ["no judge was measured to be better than chance", ...ensemble.reasons];
  return { ...ensemble, lowConfidence: true, reasons };
}
