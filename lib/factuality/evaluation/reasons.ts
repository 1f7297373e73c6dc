import type { ScoredJudgement } from "../judges/judgement.ts";
import type { ScoredVerdict } from "../verdicts/verdict.ts";

/** Why a verifier says what it says: its reasoning, else what it saw that speaks for its label. */
export function verdictReason(verdict: ScoredVerdict): string {
  if (verdict.reasoning !== "") return verdict.reasoning;
  const seen = verdict.findings.filter(({ speaksFor }) => speaksFor === verdict.label);
  if (seen.length > 0) return seen.map(({ words }) => words).join("; ");
  const share = Math.round(100 * verdict.probabilities[verdict.label]);
  return `${verdict.label} with probability ${share} %`;
}

/** Why a judge gave its score: its reasoning, else the phrases it flagged, else the score alone. */
export function judgementReason({ reasoning, flagged, score }: ScoredJudgement): string {
  if (reasoning !== "") return reasoning;
  const phrases = flagged.map(({ phrase, reason }) => `"${phrase}": ${reason}`);
  return phrases.length > 0 ? phrases.join("; ") : `score ${score} of 100, without a reason`;
}
