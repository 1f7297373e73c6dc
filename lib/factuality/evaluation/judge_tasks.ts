import type { JudgeTask } from "../judges/judgement.ts";
import type { Passage } from "../retrieval/passage.ts";
import { CLAIM_TEMPLATE, FACTUAL_ACCURACY } from "./components.ts";
import type { ClaimResult, EvaluationRequest } from "./evaluation.ts";

/** A claim before judges were asked. */
export type VerifiedClaim = Omit<ClaimResult, "judges">;

/** The criteria in the order they are judged in: factual accuracy first, each once. */
export function criteriaInOrder(configured: readonly string[]): readonly string[] {
  return [...new Set([FACTUAL_ACCURACY, ...configured])];
}

/**
 * A judge is shown the candidate, the verifier's verdicts, and as the source what there is to check
 * against: the source text and what was looked up.
 */
export function criterionTask(
  criterion: string,
  { source, candidate, question }: EvaluationRequest,
  claims: readonly VerifiedClaim[],
): JudgeTask {
  const looked = claims.flatMap(({ passages }) => passages.map(({ passage }) => passage));
  const context = [source, numbered(distinct(looked))].filter((text) => text.trim() !== "");
  const verdicts = claims.map(verdictLine).join("\n");
  const values = { source: context.join("\n\n"), candidate, question, verdicts };
  return { template: criterion, values, judgedText: candidate };
}

/** About one claim, a judge is not shown the verdict: the two are to be compared. */
export function claimTask(
  claim: string,
  passages: readonly Passage[],
  question: string,
): JudgeTask {
  const values = { claim, passages: numbered(passages), question };
  return { template: CLAIM_TEMPLATE, values, judgedText: claim };
}

function numbered(passages: readonly Passage[]): string {
  return passages.map(({ title, section, text }, index) => {
    const from = [title, section].filter((part) => part !== "").join(", ");
    return `[${index + 1}] ${from === "" ? "" : `(${from}) `}${text}`;
  }).join("\n");
}

function distinct(passages: readonly Passage[]): readonly Passage[] {
  const byId = new Map(
    passages.map((passage) => [`${passage.collection}\n${passage.id}`, passage]),
  );
  return [...byId.values()];
}

function verdictLine({ claim, verdict }: VerifiedClaim): string {
  if (verdict.kind === "unscored") return `- ${claim.text}: not scored (${verdict.reason})`;
  const percent = Math.round(100 * verdict.probabilities[verdict.label]);
  const words = verdict.findings.map((finding) => finding.words).join("; ");
  return `- ${claim.text}: ${verdict.label} (${percent} %)${words === "" ? "" : `; ${words}`}`;
}
