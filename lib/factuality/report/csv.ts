import { type CsvValue, formatCsv, inertText } from "../../files/csv.ts";
import {
  type ClaimResult,
  type EnsembleScore,
  type Evaluation,
  FACTUAL_ACCURACY,
  type JudgeResult,
} from "../types.ts";
import { gapsOf, isJudgesOnly, judgementWords, statusOf, verdictCounts } from "./words.ts";

/** A table's columns in order, each with what stands in it. */
type Columns<Subject> = Readonly<Record<string, (subject: Subject) => CsvValue | undefined>>;

/** What is unknown is an empty field, never 0; texts are others' words: none that a spreadsheet would run. */
function tableOf<Subject>(columns: Columns<Subject>, subjects: readonly Subject[]): string {
  const names = Object.keys(columns);
  const cell = (value: CsvValue) => typeof value === "string" ? inertText(value) : value;
  const rows = subjects.map((subject) =>
    Object.fromEntries(names.map((name) => [name, cell(columns[name]!(subject) ?? "")]))
  );
  return formatCsv(names, rows);
}

const scoredVerdict = ({ verdict }: ClaimResult) => verdict.kind === "scored" ? verdict : undefined;

const CLAIM_COLUMNS: Columns<ClaimResult & { readonly evaluation: string }> = {
  evaluation: ({ evaluation }) => evaluation,
  claim: ({ claim }) => claim.id,
  text: ({ claim }) => claim.text,
  start: ({ claim }) => claim.spans[0]?.start,
  end: ({ claim }) => claim.spans.at(-1)?.end,
  kind: ({ claim }) => claim.kind,
  verdict: statusOf,
  p_supported: (result) => scoredVerdict(result)?.probabilities.supported,
  p_refuted: (result) => scoredVerdict(result)?.probabilities.refuted,
  p_not_enough_info: (result) => scoredVerdict(result)?.probabilities["not enough info"],
  unscored_reason: ({ verdict }) => verdict.kind === "unscored" ? verdict.reason : "",
  retrieval: ({ retrieval }) => retrieval.status,
  unverifiable: ({ unverifiable }) => unverifiable,
  evidence: (result) => scoredVerdict(result)?.evidence[0]?.text,
  evidence_collection: (result) => scoredVerdict(result)?.evidence[0]?.collection,
  evidence_passage: (result) => scoredVerdict(result)?.evidence[0]?.passageId,
  findings: (result) => scoredVerdict(result)?.findings.map(({ words }) => words).join("; "),
  judges: ({ judges }) =>
    judges.map(({ judge, judgement }) => `${judge}: ${judgementWords(judgement)}`).join("; "),
  verifier: ({ verdict }) => verdict.provenance.producedBy,
  model_sha256: ({ verdict }) => verdict.provenance.modelSha256,
};

/** One row a claim. */
export function claimsCsv(evaluations: readonly Evaluation[]): string {
  const rows = evaluations.flatMap(({ request, claims }) =>
    claims.map((result) => ({ ...result, evaluation: request.id }))
  );
  return tableOf(CLAIM_COLUMNS, rows);
}

function scoredEnsemble({ criteria }: Evaluation) {
  const ensemble = criteria.find(({ criterion }) => criterion === FACTUAL_ACCURACY)?.ensemble;
  return ensemble?.kind === "scored" ? ensemble : undefined;
}

const EVALUATION_COLUMNS: Columns<Evaluation> = {
  evaluation: ({ request }) => request.id,
  mode: ({ mode }) => mode,
  factual_accuracy: (evaluation) => scoredEnsemble(evaluation)?.score,
  strategy: (evaluation) => scoredEnsemble(evaluation)?.strategy,
  judges_scored: (evaluation) => scoredEnsemble(evaluation)?.scored ?? 0,
  judges_asked: ({ criteria }) => criteria[0]?.judges.length ?? 0,
  variance: (evaluation) => scoredEnsemble(evaluation)?.variance,
  low_confidence: (evaluation) => scoredEnsemble(evaluation)?.lowConfidence,
  claims: ({ claims }) => claims.length,
  supported: ({ claims }) => verdictCounts(claims).supported,
  refuted: ({ claims }) => verdictCounts(claims).refuted,
  not_enough_info: ({ claims }) => verdictCounts(claims)["not enough info"],
  unscored: ({ claims }) => verdictCounts(claims).unscored,
  not_checkable: ({ claims }) => verdictCounts(claims)["not checkable"],
  not_borne_out: ({ unsupported }) => unsupported.length,
  doubted_by_judges_only: ({ unsupported }) => unsupported.filter(isJudgesOnly).length,
  disagreements: ({ disagreements }) => disagreements.length,
  gaps: (evaluation) => gapsOf(evaluation).length,
  problems: ({ problems }) => problems.join("; "),
  started_at: ({ startedAt }) => startedAt,
  milliseconds: ({ milliseconds }) => milliseconds.total,
};

/** One row an evaluation. */
export function evaluationsCsv(evaluations: readonly Evaluation[]): string {
  return tableOf(EVALUATION_COLUMNS, evaluations);
}

interface JudgeAnswer extends JudgeResult {
  readonly evaluation: string;
  readonly question: string;
  readonly ensemble: EnsembleScore | undefined;
}

const scoredJudgement = ({ judgement }: JudgeResult) =>
  judgement.kind === "scored" ? judgement : undefined;

const JUDGEMENT_COLUMNS: Columns<JudgeAnswer> = {
  evaluation: ({ evaluation }) => evaluation,
  question: ({ question }) => question,
  judge: ({ judge }) => judge,
  score: (result) => scoredJudgement(result)?.score,
  unscored_reason: ({ judgement }) => judgement.kind === "unscored" ? judgement.reason : "",
  consensus: ({ ensemble }) => ensemble?.kind === "scored" ? ensemble.score : "",
  parse: (result) => scoredJudgement(result)?.parse,
  flagged: (result) =>
    scoredJudgement(result)?.flagged.map(({ phrase, reason }) => `"${phrase}": ${reason}`)
      .join("; "),
  reasoning: (result) => scoredJudgement(result)?.reasoning,
  milliseconds: ({ milliseconds }) => milliseconds,
  model_sha256: ({ judgement }) => judgement.provenance.modelSha256,
  prompt_sha256: ({ judgement }) => judgement.provenance.promptSha256,
};

/** One row an answer of a judge: to each criterion, beside the consensus, and to each claim. */
export function judgementsCsv(evaluations: readonly Evaluation[]): string {
  const rows = evaluations.flatMap(({ request, criteria, claims }) => {
    const asked = [
      ...criteria.map(({ criterion, judges, ensemble }) => ({
        question: criterion,
        judges,
        ensemble,
      })),
      ...claims.map(({ claim, judges }) => ({
        question: `claim ${claim.id}`,
        judges,
        ensemble: undefined,
      })),
    ];
    return asked.flatMap(({ judges, ...about }) =>
      judges.map((result) => ({ ...result, ...about, evaluation: request.id }))
    );
  });
  return tableOf(JUDGEMENT_COLUMNS, rows);
}
