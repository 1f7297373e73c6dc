/**
 * Data types of the fact checker in the order of its stages. Everything a report holds has a
 * schema, from which the type is inferred and by which `report/formats.ts` reads and writes. The
 * order of keys is therefore that of the files.
 */
import { z } from "zod";

/** A parsed value, deeply read-only. */
type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
  : Value;
type Read<Schema extends z.ZodType> = Frozen<z.infer<Schema>>;

/** Makes a schema nullable, since JSON has no `undefined`, and reads null as undefined. */
const orUnknown = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().transform((value) => value ?? undefined);
const TEXT = z.string();
const TEXTS = z.array(TEXT);
const COUNT = z.int().min(0);
const AMOUNT = z.number().min(0);
/** Schema of a share, 0–1. */
export const SHARE = AMOUNT.max(1);
/** Schema of a SHA-256 as 64 lower-case hexadecimal digits. */
export const SHA256 = TEXT.regex(/^[\da-f]{64}$/);

/** Settings that could change a result; every report names them. */
const SETTINGS = z.record(TEXT, z.union([TEXT, z.number(), z.boolean()]));
const NAMED = z.strictObject({ name: TEXT, settings: SETTINGS });
/** A component with its name and settings. */
export type Named = Read<typeof NAMED>;

/** Options of an operation that throws the signal's reason when it aborts. */
export interface AbortOptions {
  readonly signal?: AbortSignal;
}

const SPAN = z.strictObject({ start: COUNT, end: COUNT })
  .refine(({ start, end }) => start <= end, "the span ends before it starts");
/** A span of a text in UTF-16 offsets, `end` excluded; 0 ≤ start ≤ end ≤ length. */
export type TextSpan = Read<typeof SPAN>;

/** Tests whether two spans share a character. */
export const overlaps = (one: TextSpan, other: TextSpan) =>
  one.start < other.end && other.start < one.end;

/** Kinds of claims: with a date or duration temporal, with a quantity numerical, else factual. */
export const CLAIM_KINDS = ["factual", "temporal", "numerical"] as const;
export type ClaimKind = typeof CLAIM_KINDS[number];

/** Reasons why a statement cannot be checked against any source. */
const NOT_CHECKABLE = z.enum(["question", "opinion", "hedge", "instruction", "fragment"]);
export type NotCheckable = Read<typeof NOT_CHECKABLE>;

/** The splitter's notes: changes that make a claim stand alone, and those that it could not make. */
const NOTE = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("pronoun resolved"), pronoun: TEXT, to: TEXT }),
  z.strictObject({ kind: z.literal("pronoun unresolved"), pronoun: TEXT }),
  z.strictObject({ kind: z.literal("subject supplied"), subject: TEXT }),
  // Row and column of a table's cell, lead-in of a list's item.
  z.strictObject({ kind: z.literal("lead-in supplied"), words: TEXT }),
]);
export type ClaimNote = Read<typeof NOTE>;

const CLAIM = z.strictObject({
  /** Ids `c1`, `c2`, … in text order. */
  id: TEXT,
  /** The claim as a sentence that can be checked alone. */
  text: TEXT,
  /** Spans of the claim's words in the candidate, in order, without overlap. */
  spans: z.array(SPAN),
  /** Sentence of origin. */
  sentence: SPAN,
  kind: z.enum(CLAIM_KINDS),
  /** Reason why it cannot be checked; undefined for checkable claims. */
  notCheckable: orUnknown(NOT_CHECKABLE),
  notes: z.array(NOTE),
});
/** An atomic claim of a candidate text. */
export type Claim = Read<typeof CLAIM>;

interface SplitOptions extends AbortOptions {
  /** Receives the number of sentences read and in total. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** Splits a candidate text into claims. */
export interface ClaimSplitter extends Named {
  /** Returns claims in text order; none for a text without statements. */
  split(text: string, options?: SplitOptions): Promise<SplitResult>;
}

const DROPPED = z.array(z.strictObject({ text: TEXT, reason: TEXT }));
/** The claims, and proposed statements that the text does not contain. */
export interface SplitResult {
  readonly claims: readonly Claim[];
  readonly dropped: Read<typeof DROPPED>;
  /** Reason why a model's output is incomplete, and whether another attempt may succeed. */
  readonly cut?: { readonly message: string; readonly isTransient: boolean } | undefined;
}

export const PASSAGE = z.strictObject({
  /** Id, unique in its collection; `source` for an evaluation's source text. */
  id: TEXT,
  text: TEXT,
  /** Collection: `source text`, or the knowledge base's name. */
  collection: TEXT,
  /** Subject (a country, an article, a file); the empty string where unknown. */
  title: TEXT,
  /** Field or heading within the title; the empty string where there is none. */
  section: TEXT,
});
/** A passage of running text with its origin, against which claims are checked. */
export type Passage = Read<typeof PASSAGE>;

/** Collection name of an evaluation's source text. */
export const SOURCE_TEXT = "source text";

/** Returns an evaluation's source text as a passage. */
export const sourcePassage = (text: string): Passage => {
  return { id: "source", text, collection: SOURCE_TEXT, title: "", section: "" };
};

const RETRIEVED = z.strictObject({
  passage: PASSAGE,
  /** BM25 score of the first stage, ≥ 0. Not comparable between knowledge bases. */
  bm25: AMOUNT,
  /** Cosine of the embeddings of claim and best sentence, −1 to 1. Absent without re-ranking. */
  cosine: orUnknown(z.number()),
  /** Rank from 1. */
  rank: COUNT.min(1),
});
/** A passage retrieved for a claim. */
export type RetrievedPassage = Read<typeof RETRIEVED>;

/** Retrieves passages for a claim, best first; none where all are below the threshold. */
export interface Retriever extends Named {
  retrieve(claim: string, options?: AbortOptions): Promise<readonly RetrievedPassage[]>;
}

/** Verdict labels, in the order of every table. */
export const VERDICT_LABELS = ["supported", "refuted", "not enough info"] as const;
const LABEL = z.enum(VERDICT_LABELS);
export type VerdictLabel = typeof VERDICT_LABELS[number];

const PROBABILITIES = z.strictObject({
  supported: SHARE,
  refuted: SHARE,
  "not enough info": SHARE,
});
/** Calibrated probabilities of the verdicts, each 0–1, with sum 1. */
export type VerdictProbabilities = Read<typeof PROBABILITIES>;

const EVIDENCE = z.strictObject({
  passageId: TEXT,
  collection: TEXT,
  /** Span in the passage; `text` is its content. */
  span: SPAN,
  text: TEXT,
  /** Relevance to the claim, 0–1, on the verifier's scale. */
  relevance: SHARE,
});
/** Evidence for a verdict: a span of a passage. */
export type Evidence = Read<typeof EVIDENCE>;

/** Schema of a finding; `feature` is the feature's name. */
const FINDING = z.strictObject({ feature: TEXT, words: TEXT, speaksFor: LABEL });
/** An observation in words: "source says 39.2 million, claim says 32.9 million". */
export type VerdictFinding = Read<typeof FINDING>;

const PROVENANCE = z.strictObject({
  /** Name of the verifier or judge. */
  producedBy: TEXT,
  /** SHA-256 of the weights. Undefined without weights, or where a server does not report it. */
  modelSha256: orUnknown(TEXT),
  /** SHA-256 of the prompt template; undefined without a prompt. */
  promptSha256: orUnknown(TEXT),
});
/** Origin of a verdict or judgement. */
export type Provenance = Read<typeof PROVENANCE>;

/** Parse status of an answer; `not parsed` for verifiers without text output. */
const PARSE = z.enum(["not parsed", "complete", "repaired", "partial"]);
export type ParseStatus = Read<typeof PARSE>;

export const UNSCORED_REASONS = [
  "not checkable",
  "no evidence",
  "malformed answer",
  "refusal",
  "time-out",
  "failure",
  "too long",
  "not measured",
  "unsteady",
] as const;

/** Reasons for a missing verdict or score. It is never 0 and never a default label. */
export type UnscoredReason = typeof UNSCORED_REASONS[number];

/** Tests whether another attempt may succeed. */
export const isTransient = (reason: UnscoredReason | "scored" | undefined) =>
  reason === "failure" || reason === "time-out";

const WHY_NOT = z.strictObject({
  kind: z.literal("unscored"),
  reason: z.enum(UNSCORED_REASONS),
  /** Explanation in one sentence. */
  message: TEXT,
});
const UNSCORED = WHY_NOT.extend({
  /** Text received before the failure; undefined without any. */
  partialText: orUnknown(TEXT),
  provenance: PROVENANCE,
});
export type Unscored = Read<typeof UNSCORED>;

const SCORED_VERDICT = z.strictObject({
  kind: z.literal("scored"),
  /** Label by `decide()`. */
  label: LABEL,
  probabilities: PROBABILITIES,
  /** Evidence, best first. */
  evidence: z.array(EVIDENCE),
  findings: z.array(FINDING),
  parse: PARSE,
  /** Chain of thought of a prompted model; the empty string for others. */
  reasoning: TEXT,
  provenance: PROVENANCE,
});
export type ScoredVerdict = Read<typeof SCORED_VERDICT>;
const VERDICT = z.discriminatedUnion("kind", [UNSCORED, SCORED_VERDICT]);
export type Verdict = Read<typeof VERDICT>;

export const TRUST_BANDS = z.strictObject({
  /** Number of sources of labelled claims. Each is measured by a fit without it. */
  sources: COUNT,
  bands: z.array(z.strictObject({
    /** Bounds of P(label): at least `from` and below `to`, except that 1 is in the last band. */
    ...{ from: SHARE, to: SHARE },
    /** Number of claims measured. */
    n: COUNT,
    /** Share of correct verdicts, averaged over the sources; null without claims. */
    right: SHARE.nullable(),
  })),
});
/** Accuracy of a verifier's verdicts by their confidence. */
export type TrustBands = Read<typeof TRUST_BANDS>;

/** Checks claims against passages: the trained verifier, the baselines, or any model. */
export interface Verifier extends Named {
  /** Accuracy on claims outside the fit; undefined where it was not measured. */
  readonly trust?: TrustBands | undefined;
  /**
   * Returns one verdict per claim, in order, unscored without passages. Never throws for a model's
   * answer.
   */
  verify(
    claims: readonly string[],
    passages: readonly Passage[],
    options?: AbortOptions,
  ): Promise<readonly Verdict[]>;
}

const FLAGGED = z.strictObject({
  phrase: TEXT,
  /** Span in the judged text. Undefined where the text does not contain the quoted words. */
  span: orUnknown(SPAN),
  reason: TEXT,
});
/** A phrase that a judge holds against the text. */
export type FlaggedPhrase = Read<typeof FLAGGED>;

const SCORED_JUDGEMENT = z.strictObject({
  kind: z.literal("scored"),
  /** Score, 0–100. */
  score: AMOUNT.max(100),
  /** Number of draws of a mean score, and its variance in points². */
  repetition: z.strictObject({ draws: COUNT, variance: orUnknown(AMOUNT) }).optional(),
  /** Chain of thought before the score, or the probabilities in words. */
  reasoning: TEXT,
  flagged: z.array(FLAGGED),
  parse: PARSE,
  provenance: PROVENANCE,
});
export type ScoredJudgement = Read<typeof SCORED_JUDGEMENT>;
const JUDGEMENT = z.discriminatedUnion("kind", [UNSCORED, SCORED_JUDGEMENT]);
export type Judgement = Read<typeof JUDGEMENT>;

/** Schemas of the components' answers. */
export const ANSWER_SCHEMAS = {
  verdict: VERDICT,
  judgement: JUDGEMENT,
  passages: z.array(RETRIEVED),
};

/** A judge's task: a template's name and the values of its placeholders. */
export interface JudgeTask {
  /** Template name in the prompts file: `factual_accuracy`, `claim`, `relevance`, or a user's. */
  readonly template: string;
  readonly values: Readonly<Record<string, string>>;
  /** Text whose phrases are flagged. */
  readonly judgedText: string;
}

export const MEASURED = z.strictObject({
  /** Balanced accuracy, 0–1; chance is 0.5. */
  balancedAccuracy: SHARE,
  low: SHARE,
  high: SHARE,
  n: COUNT,
  /** Name of the set it was measured on. */
  on: TEXT,
});
/** A judge's accuracy on labelled claims; see its file. */
export type MeasuredAccuracy = Read<typeof MEASURED>;

export interface Judge extends Named {
  /** Weight in a weighted average, ≥ 0. */
  readonly weight: number;
  /** Measured accuracy; undefined where it was not measured. */
  readonly measured: MeasuredAccuracy | undefined;
  /** True where the configuration states the weight, which vouches for the judge. */
  readonly vouched?: boolean;
  /** Maximum number of concurrent calls. */
  readonly concurrency: number;
  /** Judges a task. Never throws for the model's answer. */
  judge(task: JudgeTask, options?: AbortOptions): Promise<Judgement>;
}

const JUDGED = z.strictObject({
  judge: TEXT,
  measured: orUnknown(MEASURED),
  judgement: JUDGEMENT,
  milliseconds: AMOUNT,
});
/** One judge's answer to one task, with its duration. */
export type JudgeResult = Read<typeof JUDGED>;

/** Scoring of a generated answer: the written number, or its expected value. */
export const SCORINGS = ["written", "expected"] as const;

export const AGGREGATION_STRATEGIES = [
  "mean",
  "median",
  "weighted average",
  "majority vote",
] as const;
export type AggregationStrategy = typeof AGGREGATION_STRATEGIES[number];

const SCORED_ENSEMBLE = z.strictObject({
  kind: z.literal("scored"),
  /** Score, 0–100; for a majority vote the share of votes for "accurate", × 100. */
  score: AMOUNT.max(100),
  strategy: z.enum(AGGREGATION_STRATEGIES),
  /** Number of judges with a score, and of all judges asked. */
  scored: COUNT,
  asked: COUNT,
  /** Sample variance of the scores in points²; undefined for fewer than two. */
  variance: orUnknown(AMOUNT),
  /** Maximum minus minimum score, in points. */
  range: AMOUNT,
  /**
   * True for low confidence. The reasons are a variance above the threshold (20), fewer than two
   * scores, or a tied vote.
   */
  lowConfidence: z.boolean(),
  reasons: TEXTS,
});
const ENSEMBLE = z.discriminatedUnion("kind", [WHY_NOT, SCORED_ENSEMBLE]);
/** Combined score of all judges. */
export type EnsembleScore = Read<typeof ENSEMBLE>;

const REQUEST = z.strictObject({
  /** Id, unique in its batch. */
  id: TEXT,
  /** Text that the candidate was written from, or is checked against. May be empty. */
  source: TEXT,
  candidate: TEXT,
  /** Question that the candidate answers; may be empty. */
  question: TEXT,
  /** System that wrote the candidate, and id of the query that several systems answered. */
  system: TEXT.optional(),
  query: TEXT.optional(),
});
/** A text to be evaluated. */
export type EvaluationRequest = Read<typeof REQUEST>;

const CLAIM_RESULT = z.strictObject({
  claim: CLAIM,
  /** Result of retrieval. After a failure the evaluation continues with the source alone. */
  retrieval: z.strictObject({
    status: z.enum(["disabled", "not looked up", "found", "nothing found", "failed"]),
    message: TEXT,
  }),
  passages: z.array(RETRIEVED),
  verdict: VERDICT,
  /** Judgements of this claim alone; empty where judges were not asked. */
  judges: z.array(JUDGED),
  /** True where the source leaves the claim open and retrieval found nothing. */
  unverifiable: z.boolean(),
});
/** A claim with its passages and every component's answer. */
export type ClaimResult = Read<typeof CLAIM_RESULT>;

/** Criterion judged first in every evaluation. */
export const FACTUAL_ACCURACY = "factual_accuracy";

/** Returns the criteria in order: factual accuracy first, each once. */
export const criteriaInOrder = (configured: readonly string[]): readonly string[] => [
  ...new Set([FACTUAL_ACCURACY, ...configured]),
];

/** Name of the template for judging one claim. */
export const CLAIM_TEMPLATE = "claim";

/** Schema of one criterion with all judgements. */
const CRITERION = z.strictObject({ criterion: TEXT, judges: z.array(JUDGED), ensemble: ENSEMBLE });
export type CriterionResult = Read<typeof CRITERION>;

/**
 * Kinds of unsupported claims. An internal contradiction is between two claims of the candidate.
 */
const HALLUCINATION = z.enum([
  "factual error",
  "unsupported claim",
  "temporal inconsistency",
  "numerical error",
  "internal contradiction",
]);
export type HallucinationKind = Read<typeof HALLUCINATION>;

const UNSUPPORTED = z.strictObject({
  claimId: TEXT,
  /** The claim, or a flagged phrase outside any claim. */
  text: TEXT,
  spans: z.array(SPAN),
  kind: HALLUCINATION,
  /** `verifier` and names of judges; their reasons are in the same order. */
  detectedBy: TEXTS,
  evidence: z.array(EVIDENCE),
  reasons: TEXTS,
});
/** An entry of the unified list of unsupported statements. */
export type UnsupportedClaim = Read<typeof UNSUPPORTED>;

const CONTRADICTION = z.strictObject({
  claimIds: z.tuple([TEXT, TEXT]),
  /** P("refuted") of one claim with the other as source, 0–1, the greater of both directions. */
  probability: SHARE,
  words: TEXT,
});
/** Two contradictory claims of one candidate. */
export type Contradiction = Read<typeof CONTRADICTION>;

const CONSISTENCY = z.strictObject({
  contradictions: z.array(CONTRADICTION),
  /** Number of claim pairs compared, of all similar pairs. */
  compared: z.strictObject({ pairs: AMOUNT, of: AMOUNT }).optional(),
  /**
   * Log-probability of each claim under a small language model, in nats per token. Undefined
   * without one.
   */
  plausibility: z.array(z.strictObject({ claimId: TEXT, value: orUnknown(z.number()) })),
});
/** Consistency of a text without its sources. */
export type InternalConsistency = Read<typeof CONSISTENCY>;

const CONFIGURATION = z.strictObject({
  splitter: NAMED,
  retriever: orUnknown(NAMED),
  verifier: NAMED,
  judges: z.array(NAMED),
  aggregation: TEXT,
  /** SHA-256 of the prompts file; answers carry that of their prompt. */
  promptsSha256: TEXT,
  /** Version of Touchstone from `deno.json`. */
  touchstone: TEXT,
  /** Criteria for judges, `factual_accuracy` first; none without judges. */
  criteria: TEXTS,
  /** Decision thresholds and limits. */
  parameters: SETTINGS,
});
/** Settings that could change a result. */
export type EvaluationConfiguration = Read<typeof CONFIGURATION>;

/** Version of the schema that this Touchstone writes and reads. */
export const SCHEMA_VERSION = 2;

export const EVALUATION = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION),
  request: REQUEST,
  /** Share of correct verdicts at this confidence, 0–1, and its number of sources. */
  trust: z.strictObject({ right: SHARE, verdicts: COUNT, sources: COUNT }).optional(),
  /** Sentence naming a text or source that is not English. */
  foreign: TEXT.optional(),
  /** Grounding of the candidate. */
  mode: z.enum(["source", "source and retrieval", "retrieval", "zero retrieval"]),
  claims: z.array(CLAIM_RESULT),
  /** Statements proposed by a language model but absent from the text. */
  droppedClaims: DROPPED,
  /** Judged criteria: `factual_accuracy` first, then the configured ones. */
  criteria: z.array(CRITERION),
  unsupported: z.array(UNSUPPORTED),
  /** Present where at least two claims could be compared. */
  consistency: orUnknown(CONSISTENCY),
  /** Disagreements between verifier and judges about a claim, with both reasons. */
  disagreements: z.array(z.strictObject({ claimId: TEXT, judge: TEXT, words: TEXT })),
  /** Problems that did not stop the evaluation, in sentences. */
  problems: TEXTS,
  /** Failures that another attempt may resolve, in sentences; empty for a complete evaluation. */
  failed: TEXTS.default([]),
  configuration: CONFIGURATION,
  /** Start time in UTC. */
  startedAt: z.iso.datetime(),
  milliseconds: z.strictObject({
    total: AMOUNT,
    splitting: AMOUNT,
    retrieval: AMOUNT,
    verification: AMOUNT,
    judging: AMOUNT,
  }),
});
/** The complete result of one evaluation, the only input of all reports. */
export type Evaluation = Read<typeof EVALUATION>;
export type EvaluationMode = Evaluation["mode"];

/** Returns all answers of verifier and judges in an evaluation. */
export const answersIn = ({ claims, criteria }: Pick<Evaluation, "claims" | "criteria">) => [
  ...claims.map(({ verdict }) => verdict),
  ...[...criteria, ...claims].flatMap(({ judges }) => judges.map(({ judgement }) => judgement)),
];

/** Human label of a claim. Binary sets do not separate refuted from not enough info. */
export type CaseLabel = VerdictLabel | "not supported";
