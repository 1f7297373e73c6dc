import type { ScoredJudgement } from "../judges/judgement.ts";
import type { ScoredVerdict } from "../verdicts/verdict.ts";

/** Why a verifier says so: its reasoning, else what it saw that speaks for its label, else how sure it is. */
export function verdictReason(verdict: ScoredVerdict): string {
  if (verdict.reasoning !== "") return verdict.reasoning;
  const seen = verdict.findings.filter(({ speaksFor }) => speaksFor === verdict.label);
  if (seen.length > 0) return seen.map(({ words }) => words).join("; ");
  return `probability ${Math.round(100 * verdict.probabilities[verdict.label])} %`;
}

/** A judge's score as it stands in a sentence. */
export function scoreWords({ score }: ScoredJudgement): string {
  return `${Math.round(10 * score) / 10} of 100`;
}

/** Why a judge gave its score: its reasoning, else the phrases it flagged. */
export function judgementReason({ reasoning, flagged }: ScoredJudgement): string {
  if (reasoning !== "") return reasoning;
  const phrases = flagged.map(({ phrase, reason }) => `"${phrase}": ${reason}`);
  return phrases.length > 0 ? phrases.join("; ") : "no reason given";
}
