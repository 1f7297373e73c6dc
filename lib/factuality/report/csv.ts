import { formatCsv } from "../../files/csv.ts";
import { FACTUAL_ACCURACY } from "../evaluation/components.ts";
import type { ClaimResult, Evaluation } from "../evaluation/evaluation.ts";
import { gapsOf } from "./gaps.ts";
import { inertRow } from "./inert_row.ts";
import { isJudgesOnly } from "./unsupported_groups.ts";
import { judgementWords, standing, verdictCounts } from "./words.ts";

const CLAIM_COLUMNS = [
  "evaluation",
  "claim",
  "text",
  "start",
  "end",
  "kind",
  "verdict",
  "p_supported",
  "p_refuted",
  "p_not_enough_info",
  "unscored_reason",
  "retrieval",
  "unverifiable",
  "evidence",
  "evidence_collection",
  "evidence_passage",
  "findings",
  "judges",
  "verifier",
  "model_sha256",
] as const;

/** One row a claim; what is unknown is an empty field, never 0. */
export function claimsCsv(evaluations: readonly Evaluation[]): string {
  const rows = evaluations.flatMap((evaluation) =>
    evaluation.claims.map((result) => claimRow(evaluation.request.id, result))
  );
  return formatCsv(CLAIM_COLUMNS, rows.map(inertRow));
}

function claimRow(evaluation: string, result: ClaimResult) {
  const { claim, verdict, retrieval, unverifiable, judges } = result;
  const scored = verdict.kind === "scored" ? verdict : undefined;
  const evidence = scored?.evidence[0];
  return {
    evaluation,
    claim: claim.id,
    text: claim.text,
    start: claim.spans[0]?.start ?? "",
    end: claim.spans.at(-1)?.end ?? "",
    kind: claim.kind,
    verdict: standing(claim, verdict),
    p_supported: scored?.probabilities.supported ?? "",
    p_refuted: scored?.probabilities.refuted ?? "",
    p_not_enough_info: scored?.probabilities["not enough info"] ?? "",
    unscored_reason: verdict.kind === "unscored" ? verdict.reason : "",
    retrieval: retrieval.status,
    unverifiable,
    evidence: evidence?.text ?? "",
    evidence_collection: evidence?.collection ?? "",
    evidence_passage: evidence?.passageId ?? "",
    findings: scored?.findings.map(({ words }) => words).join("; ") ?? "",
    judges: judges.map(({ judge, judgement }) => `${judge}: ${judgementWords(judgement)}`)
      .join("; "),
    verifier: verdict.provenance.producedBy,
    model_sha256: verdict.provenance.modelSha256 ?? "",
  };
}

const EVALUATION_COLUMNS = [
  "evaluation",
  "mode",
  "factual_accuracy",
  "strategy",
  "judges_scored",
  "judges_asked",
  "variance",
  "low_confidence",
  "claims",
  "supported",
  "refuted",
  "not_enough_info",
  "unscored",
  "not_checkable",
  "not_borne_out",
  "doubted_by_judges_only",
  "disagreements",
  "gaps",
  "problems",
  "started_at",
  "milliseconds",
] as const;

/** One row an evaluation. */
export function evaluationsCsv(evaluations: readonly Evaluation[]): string {
  return formatCsv(EVALUATION_COLUMNS, evaluations.map(evaluationRow).map(inertRow));
}

function evaluationRow(evaluation: Evaluation) {
  const { request, mode, criteria, claims, unsupported, disagreements, problems } = evaluation;
  const ensemble = criteria.find(({ criterion }) => criterion === FACTUAL_ACCURACY)?.ensemble;
  const scored = ensemble?.kind === "scored" ? ensemble : undefined;
  const counts = verdictCounts(claims);
  return {
    evaluation: request.id,
    mode,
    factual_accuracy: scored?.score ?? "",
    strategy: scored?.strategy ?? "",
    judges_scored: scored?.scored ?? 0,
    judges_asked: criteria[0]?.judges.length ?? 0,
    variance: scored?.variance ?? "",
    low_confidence: scored?.lowConfidence ?? "",
    claims: claims.length,
    supported: counts.supported,
    refuted: counts.refuted,
    not_enough_info: counts["not enough info"],
    unscored: counts.unscored,
    not_checkable: counts["not checkable"],
    not_borne_out: unsupported.length,
    doubted_by_judges_only: unsupported.filter(isJudgesOnly).length,
    disagreements: disagreements.length,
    gaps: gapsOf(evaluation).length,
    problems: problems.join("; "),
    started_at: evaluation.startedAt,
    milliseconds: evaluation.milliseconds.total,
  };
}
