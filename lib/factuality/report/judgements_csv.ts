import { formatCsv } from "../../files/csv.ts";
import type { Evaluation, JudgeResult } from "../evaluation/evaluation.ts";
import type { EnsembleScore } from "../judges/ensemble_score.ts";
import { inertRow } from "./inert_row.ts";

const JUDGEMENT_COLUMNS = [
  "evaluation",
  "question",
  "judge",
  "score",
  "unscored_reason",
  "consensus",
  "parse",
  "flagged",
  "reasoning",
  "milliseconds",
  "model_sha256",
  "prompt_sha256",
] as const;

/** One row an answer of a judge: to each criterion, beside the consensus, and to each claim. */
export function judgementsCsv(evaluations: readonly Evaluation[]): string {
  const rows = evaluations.flatMap(({ request, criteria, claims }) => [
    ...criteria.flatMap(({ criterion, judges, ensemble }) =>
      judges.map((result) => judgementRow(request.id, criterion, result, ensemble))
    ),
    ...claims.flatMap(({ claim, judges }) =>
      judges.map((result) => judgementRow(request.id, `claim ${claim.id}`, result, undefined))
    ),
  ]);
  return formatCsv(JUDGEMENT_COLUMNS, rows.map(inertRow));
}

function judgementRow(
  evaluation: string,
  question: string,
  { judge, judgement, milliseconds }: JudgeResult,
  ensemble: EnsembleScore | undefined,
) {
  const scored = judgement.kind === "scored" ? judgement : undefined;
  return {
    evaluation,
    question,
    judge,
    score: scored?.score ?? "",
    unscored_reason: judgement.kind === "unscored" ? judgement.reason : "",
    consensus: ensemble?.kind === "scored" ? ensemble.score : "",
    parse: scored?.parse ?? "",
    flagged: scored?.flagged.map(({ phrase, reason }) => `"${phrase}": ${reason}`).join("; ") ?? "",
    reasoning: scored?.reasoning ?? "",
    milliseconds,
    model_sha256: judgement.provenance.modelSha256 ?? "",
    prompt_sha256: judgement.provenance.promptSha256 ?? "",
  };
}
