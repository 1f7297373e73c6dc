import { claimTask } from "../evaluation/judge_tasks.ts";
import type { Judge } from "../judges/judgement.ts";
import type { Passage } from "../retrieval/passage.ts";
import type { Verifier } from "../verifiers/verifier.ts";
import type { SystemSettings } from "./ask_system.ts";
import type { RatingRow, ResponseClaimRow } from "./response_tables.ts";

/** Who says of a claim whether its passages bear it out. */
export interface ClaimRater {
  readonly name: string;
  readonly settings: SystemSettings;
  /** Probability that it is supported, 0–1; undefined where the rater has no score. */
  rate(
    claim: string,
    passages: readonly Passage[],
    signal: AbortSignal,
  ): Promise<number | undefined>;
}

/** A verifier as a rater. */
export function verifierRater({ name, settings, verify }: Verifier): ClaimRater {
  return {
    name,
    settings,
    async rate(claim, passages, signal) {
      const [verdict] = await verify([claim], passages, { signal });
      return verdict?.kind === "scored" ? verdict.probabilities.supported : undefined;
    },
  };
}

/**
 * A judge as a rater: score / 100 is read as the probability of "supported".
 *
 * @param prompts Hashes of the prompts it is asked by.
 */
export function judgeRater(judge: Judge, prompts: SystemSettings): ClaimRater {
  return {
    name: judge.name,
    settings: { ...judge.settings, ...prompts },
    async rate(claim, passages, signal) {
      const judgement = await judge.judge(claimTask(claim, passages, ""), { signal });
      return judgement.kind === "scored" ? judgement.score / 100 : undefined;
    },
  };
}

/** A rating as a row: "supported" from one half on, the same for all raters. */
export function ratingRow(
  { system, question_id, claim_id, claim }: ResponseClaimRow,
  rater: string,
  score: number | "" | undefined,
  settingsSha256: string,
): RatingRow {
  const common = { system, question_id, claim_id, claim, rater, settings_sha256: settingsSha256 };
  if (score === undefined || score === "") return { ...common, label: "", score: "" };
  const label = score >= 0.5 ? "supported" : "not supported";
  return { ...common, label, score: Number(score.toFixed(6)) };
}
