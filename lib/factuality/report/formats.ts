/** Evaluations as CSV, and as JSON in both directions, by the schema of `../types.ts`. */
import { type CsvValue, damageReason, formatCsv, withoutFormulas } from "../../files/csv.ts";
import { EVALUATION, SCHEMA_VERSION } from "../types.ts";
import type { ClaimResult, EnsembleScore, Evaluation, JudgeResult } from "../types.ts";
import {
  doubtfulClaims,
  findingWords,
  isJudgesOnly,
  judgementWords,
  missingScores,
  reasonsForDoubt,
  scoredAccuracy,
} from "./words.ts";
import { statusOf, verdictCounts } from "./words.ts";

/** Columns in order, each with its value. */
type Columns<Subject> = Readonly<Record<string, (subject: Subject) => CsvValue | undefined>>;

/**
 * Formats a CSV table. Unknown values are empty fields, never 0, and no text can run as a formula.
 */
function tableOf<Subject>(columns: Columns<Subject>, subjects: readonly Subject[]): string {
  const cell = (value: CsvValue) => typeof value === "string" ? withoutFormulas(value) : value;
  const rows = subjects.map((subject) =>
    Object.fromEntries(
      Object.entries(columns).map(([name, valueOf]) => [name, cell(valueOf(subject) ?? "")]),
    )
  );
  return formatCsv(Object.keys(columns), rows);
}

const scored = ({ verdict }: ClaimResult) => verdict.kind === "scored" ? verdict : undefined;
const bestOf = (one: ClaimResult) => scored(one)?.evidence[0];
const unscored = (answer: { readonly kind: string; readonly reason?: string }) =>
  answer.kind === "unscored" ? answer.reason : "";

type EvaluatedClaim = ClaimResult & { readonly evaluation: string };
type Described<Subject> = readonly [sentence: string, value: Columns<Subject>[string]];

/** Columns of claims, with their descriptions for the manifest. */
const CLAIMS: Readonly<Record<string, Described<EvaluatedClaim>>> = {
  evaluation: ["id of the evaluation request", ({ evaluation }) => evaluation],
  claim: ["number of the claim in the text", ({ claim }) => claim.id],
  text: ["claim in a form that can be read without context", ({ claim }) => claim.text],
  start: [
    "start of the claim's words in the candidate, in UTF-16 units",
    ({ claim }) => claim.spans[0]?.start,
  ],
  end: [
    "end of the claim's words in the candidate, in UTF-16 units",
    ({ claim }) => claim.spans.at(-1)?.end,
  ],
  kind: ["type of claim: factual, temporal or numerical", ({ claim }) => claim.kind],
  verdict: [
    "supported, refuted, not enough info, disputed, or the reason why it was not checked",
    statusOf,
  ],
  p_supported: [
    "probability that the claim is supported, 0–1; empty if unscored",
    (one) => scored(one)?.probabilities.supported,
  ],
  p_refuted: [
    "probability that the claim is refuted, 0–1",
    (one) => scored(one)?.probabilities.refuted,
  ],
  p_not_enough_info: [
    "probability of not enough info, 0–1",
    (one) => scored(one)?.probabilities["not enough info"],
  ],
  unscored_reason: ["reason for a missing verdict", ({ verdict }) => unscored(verdict)],
  retrieval: [
    "retrieval: disabled, found, nothing found or failed",
    ({ retrieval }) => retrieval.status,
  ],
  doubts: [
    "doubts about a supported claim: observations, or a probability under 0.7",
    (one) => reasonsForDoubt(one).join("; "),
  ],
  unverifiable: [
    "true where the knowledge base has no passage and the source says too little",
    ({ unverifiable }) => unverifiable,
  ],
  evidence: ["words on which the verdict rests", (one) => bestOf(one)?.text],
  evidence_collection: [
    "collection of the evidence: source text, or the knowledge base",
    (one) => bestOf(one)?.collection,
  ],
  evidence_passage: ["id of the evidence passage", (one) => bestOf(one)?.passageId],
  findings: [
    "observations of the verifier",
    ({ verdict }) => verdict.kind === "scored" ? findingWords(verdict).join("; ") : "",
  ],
  judges: [
    "score of each judge for this claim",
    ({ judges }) =>
      judges.map(({ judge, judgement }) => `${judge}: ${judgementWords(judgement)}`).join("; "),
  ],
  verifier: ["name of the verifier", ({ verdict }) => verdict.provenance.producedBy],
  model_sha256: [
    "SHA-256 of the verifier's weights",
    ({ verdict }) => verdict.provenance.modelSha256,
  ],
};
const column = <Place extends 0 | 1>(place: Place) =>
  Object.fromEntries(Object.entries(CLAIMS).map(([name, both]) => [name, both[place]]));
export const CLAIM_SENTENCES = column(0);

/** Formats one row per claim. */
export function claimsCsv(evaluations: readonly Evaluation[]): string {
  const rows = evaluations.flatMap(({ request, claims }) =>
    claims.map((result) => ({ ...result, evaluation: request.id }))
  );
  return tableOf(column(1), rows);
}

const EVALUATION_COLUMNS: Columns<Evaluation> = {
  evaluation: ({ request }) => request.id,
  mode: ({ mode }) => mode,
  factual_accuracy: (evaluation) => scoredAccuracy(evaluation)?.score,
  strategy: (evaluation) => scoredAccuracy(evaluation)?.strategy,
  judges_scored: (evaluation) => scoredAccuracy(evaluation)?.scored ?? 0,
  judges_asked: ({ criteria }) => criteria[0]?.judges.length ?? 0,
  variance: (evaluation) => scoredAccuracy(evaluation)?.variance,
  low_confidence: (evaluation) => scoredAccuracy(evaluation)?.lowConfidence,
  claims: ({ claims }) => claims.length,
  supported: ({ claims }) => verdictCounts(claims).supported,
  refuted: ({ claims }) => verdictCounts(claims).refuted,
  not_enough_info: ({ claims }) => verdictCounts(claims)["not enough info"],
  disputed: ({ claims }) => verdictCounts(claims).disputed,
  supported_with_doubts: (evaluation) => doubtfulClaims(evaluation).length,
  unverifiable: ({ claims }) => verdictCounts(claims).unverifiable,
  unscored: ({ claims }) => verdictCounts(claims).unscored,
  not_checkable: ({ claims }) => verdictCounts(claims)["not checkable"],
  not_borne_out: ({ unsupported }) =>
    unsupported.filter(({ kind }) => kind !== "internal contradiction").length,
  internal_contradictions: ({ consistency }) => consistency?.contradictions.length,
  doubted_by_judges_only: ({ unsupported }) => unsupported.filter(isJudgesOnly).length,
  disagreements: ({ disagreements }) => disagreements.length,
  gaps: (evaluation) => missingScores(evaluation).length,
  problems: ({ problems }) => problems.join("; "),
  started_at: ({ startedAt }) => startedAt,
  milliseconds: ({ milliseconds }) => milliseconds.total,
};

/** Formats one row per evaluation. */
export const evaluationsCsv = (evaluations: readonly Evaluation[]) =>
  tableOf(EVALUATION_COLUMNS, evaluations);

const optionalText = ({ judgement }: JudgeResult) =>
  judgement.kind === "scored" ? judgement : undefined;

const JUDGEMENT_COLUMNS: Columns<
  JudgeResult & { evaluation: string; question: string; ensemble: EnsembleScore | undefined }
> = {
  evaluation: ({ evaluation }) => evaluation,
  question: ({ question }) => question,
  judge: ({ judge }) => judge,
  score: (result) => optionalText(result)?.score,
  unscored_reason: ({ judgement }) => unscored(judgement),
  consensus: ({ ensemble }) => ensemble?.kind === "scored" ? ensemble.score : "",
  draws: (result) => optionalText(result)?.repetition?.draws,
  repetition_variance: (result) => optionalText(result)?.repetition?.variance,
  parse: (result) => optionalText(result)?.parse,
  flagged: (result) =>
    optionalText(result)?.flagged.map(({ phrase, reason }) => `"${phrase}": ${reason}`).join("; "),
  reasoning: (result) => optionalText(result)?.reasoning,
  milliseconds: ({ milliseconds }) => milliseconds,
  model_sha256: ({ judgement }) => judgement.provenance.modelSha256,
  prompt_sha256: ({ judgement }) => judgement.provenance.promptSha256,
};

/** Formats one row per judgement: of each criterion, next to the consensus, and of each claim. */
export function judgementsCsv(evaluations: readonly Evaluation[]): string {
  const rows = evaluations.flatMap(({ request: { id: evaluation }, criteria, claims }) => [
    ...criteria.flatMap(({ criterion: question, judges, ensemble }) =>
      judges.map((result) => ({ ...result, question, ensemble, evaluation }))
    ),
    ...claims.flatMap(({ claim, judges }) =>
      judges.map((one) => {
        return { ...one, question: `claim ${claim.id}`, ensemble: undefined, evaluation };
      })
    ),
  ]);
  return tableOf(JUDGEMENT_COLUMNS, rows);
}

/** Decimals that another processor reproduces: 3 for probabilities, fewer for points and nats. */
const DIGITS: Readonly<Record<string, number>> = {
  supported: 3,
  refuted: 3,
  "not enough info": 3,
  probability: 3,
  relevance: 3,
  cosine: 3,
  bm25: 2,
  value: 2,
  score: 1,
  variance: 1,
  range: 1,
};

/** Rounds an evaluation to reproducible digits, for committed files. */
export function roundedEvaluation(evaluation: Evaluation): Evaluation {
  const rounded = (key: string, value: unknown) =>
    typeof value === "number" && key in DIGITS ? Number(value.toFixed(DIGITS[key])) : value;
  const record = JSON.stringify(evaluationRecord(evaluation), rounded);
  return readEvaluation(JSON.parse(record), evaluation.request.id);
}

/**
 * Formats an evaluation as indented JSON, with null for unknown values. @throws {RangeError} for
 * NaN.
 */
export const evaluationJson = (evaluation: Evaluation) => finiteJson(evaluation, "evaluation");

/**
 * Returns the evaluation as an object for one line of JSON. Throws as {@link evaluationJson} does.
 */
export const evaluationRecord = (evaluation: Evaluation): object =>
  JSON.parse(evaluationJson(evaluation));

/**
 * Formats a value as indented JSON, null for `undefined`. Throws as {@link evaluationJson} does.
 */
export function finiteJson(value: unknown, what: string): string {
  const known = (key: string, value: unknown) => {
    if (typeof value === "number" && !Number.isFinite(value)) {
      throw new RangeError(`Cannot write the ${what}: ${key} is ${value}, no finite number.`);
    }
    return value === undefined ? null : value;
  };
  return `${JSON.stringify(value, known, 2)}\n`;
}

/** Parses JSON. @throws {SyntaxError} naming `name` for invalid JSON. */
export function parsedJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new SyntaxError(`Cannot read ${name}: it is no JSON (${damageReason(error)})`);
  }
}

/** Parses an evaluation from JSON. @throws {SyntaxError} naming `name` for any other content. */
export const readEvaluationJson = (text: string, name: string) =>
  readEvaluation(parsedJson(text, name), name);

/** Validates an evaluation from a parsed JSON value, as {@link readEvaluationJson} does. */
export function readEvaluation(value: unknown, name: string): Evaluation {
  const version = (value as { readonly schemaVersion?: unknown } | null)?.schemaVersion;
  if (typeof version !== "number") {
    throw new SyntaxError(`Cannot read ${name}: it is no evaluation, for it has no schemaVersion.`);
  }
  if (version !== SCHEMA_VERSION) {
    const advice = "read it with the Touchstone that wrote it, or evaluate the text again";
    throw new SyntaxError(
      `Cannot read ${name}: its schema is version ${version}, ` +
        `this Touchstone reads version ${SCHEMA_VERSION}; ${advice}.`,
    );
  }
  const { data, error } = EVALUATION.safeParse(value);
  if (data !== undefined) return data;
  throw new SyntaxError(`Cannot read ${name}: ${damageReason(error)}`);
}
