/**
 * What passes between the rooms of the fact checker, in the order in which it is made. What a report
 * holds is a schema: the types are inferred from it, and `report/formats.ts` writes and reads by it, so the
 * order of keys is that of the files.
 */
import { z } from "zod";

/** A value as a schema reads it, which nobody changes. */
type Frozen<Value> = Value extends object ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
  : Value;
type Read<Schema extends z.ZodType> = Frozen<z.infer<Schema>>;

/** JSON has no `undefined`: what is unknown is null there. */
const orUnknown = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullable().transform((value) => value ?? undefined);
const TEXT = z.string();
const TEXTS = z.array(TEXT);
const COUNT = z.int().min(0);
const AMOUNT = z.number().min(0);
/** 0–1. */
export const SHARE = AMOUNT.max(1);
/** 64 lower-case hexadecimal digits. */
export const SHA256 = TEXT.regex(/^[\da-f]{64}$/);

/** Whatever could change a result; named in every report. */
const SETTINGS = z.record(TEXT, z.union([TEXT, z.number(), z.boolean()]));
const NAMED = z.strictObject({ name: TEXT, settings: SETTINGS });
/** Something that makes a result. */
export type Named = Read<typeof NAMED>;

/** A running operation throws the signal's reason when it aborts. */
export interface Stoppable {
  readonly signal?: AbortSignal;
}

const SPAN = z.strictObject({ start: COUNT, end: COUNT })
  .refine(({ start, end }) => start <= end, "the span ends before it starts");
/** A stretch of a text: UTF-16 offsets, `end` excluded; 0 ≤ start ≤ end ≤ length. */
export type TextSpan = Read<typeof SPAN>;

/** Whether two stretches have a character in common. */
export const overlaps = (one: TextSpan, other: TextSpan) =>
  one.start < other.end && other.start < one.end;

/** What a claim turns on; a claim with a date or duration is temporal, with a quantity numerical. */
export const CLAIM_KINDS = ["factual", "temporal", "numerical"] as const;
export type ClaimKind = typeof CLAIM_KINDS[number];

/** Why a statement cannot be checked against any source. */
const NOT_CHECKABLE = z.enum(["question", "opinion", "hedge", "instruction", "fragment"]);
export type NotCheckable = Read<typeof NOT_CHECKABLE>;

/** What the splitter did to make the claim stand alone, or could not do. */
const NOTE = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("pronoun resolved"), pronoun: TEXT, to: TEXT }),
  z.strictObject({ kind: z.literal("pronoun unresolved"), pronoun: TEXT }),
  z.strictObject({ kind: z.literal("subject supplied"), subject: TEXT }),
  // Of a cell its row and column, of an item what introduces the list.
  z.strictObject({ kind: z.literal("lead-in supplied"), words: TEXT }),
]);
export type ClaimNote = Read<typeof NOTE>;

const CLAIM = z.strictObject({
  /** `c1`, `c2`, … in the order of the text. */
  id: TEXT,
  /** A sentence that can be checked on its own. */
  text: TEXT,
  /** Where the claim's own words stand in the candidate output, in order, without overlap. */
  spans: z.array(SPAN),
  /** The sentence it was taken from. */
  sentence: SPAN,
  kind: z.enum(CLAIM_KINDS),
  /** Undefined for a claim that can be checked. */
  notCheckable: orUnknown(NOT_CHECKABLE),
  notes: z.array(NOTE),
});
/** One atomic statement of a candidate output. */
export type Claim = Read<typeof CLAIM>;

interface SplitOptions extends Stoppable {
  /** Told how many sentences of how many are read. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** What takes a candidate output apart. */
export interface ClaimSplitter extends Named {
  /** Claims in the order of the text; none for a text without a statement. */
  split(text: string, options?: SplitOptions): Promise<SplitResult>;
}

const DROPPED = z.array(z.strictObject({ text: TEXT, reason: TEXT }));
/** The claims, and what was proposed (by a language model) but is not in the text. */
export interface SplitResult {
  readonly claims: readonly Claim[];
  readonly dropped: Read<typeof DROPPED>;
  /** Where a model did not write all that it would have: why, and whether it may when asked again. */
  readonly cut?: { readonly message: string; readonly mayPass: boolean } | undefined;
}

export const PASSAGE = z.strictObject({
  /** Unique within its collection; `source` for the source text of an evaluation. */
  id: TEXT,
  text: TEXT,
  /** `source text`, or the knowledge base's name. */
  collection: TEXT,
  /** What it is about (a country, an article, a file); the empty string where nobody says. */
  title: TEXT,
  /** The part of it: a field, a heading; the empty string where there is none. */
  section: TEXT,
});
/** A stretch of running text that a claim is checked against, and where it is from. */
export type Passage = Read<typeof PASSAGE>;

/** The collection of the text that a candidate output was written from. */
export const SOURCE_TEXT = "source text";

/** The source text of an evaluation as a passage. */
export const sourcePassage = (text: string): Passage => {
  return { id: "source", text, collection: SOURCE_TEXT, title: "", section: "" };
};

const RETRIEVED = z.strictObject({
  passage: PASSAGE,
  /** BM25 of the first stage, ≥ 0; not comparable between knowledge bases. */
  bm25: AMOUNT,
  /** Of the sentence embeddings of claim and best sentence, −1 to 1; absent without re-ranking. */
  cosine: orUnknown(z.number()),
  /** From 1. */
  rank: COUNT.min(1),
});
/** A passage that was found for a claim. */
export type RetrievedPassage = Read<typeof RETRIEVED>;

/** What looks passages up for a claim: the best first; none where none is over the threshold. */
export interface Retriever extends Named {
  retrieve(claim: string, options?: Stoppable): Promise<readonly RetrievedPassage[]>;
}

/** What the sources say of a claim, in the order of every table. */
export const VERDICT_LABELS = ["supported", "refuted", "not enough info"] as const;
const LABEL = z.enum(VERDICT_LABELS);
export type VerdictLabel = typeof VERDICT_LABELS[number];

const PROBABILITIES = z.strictObject({
  supported: SHARE,
  refuted: SHARE,
  "not enough info": SHARE,
});
/** Calibrated; each 0–1, together 1. */
export type VerdictProbabilities = Read<typeof PROBABILITIES>;

const EVIDENCE = z.strictObject({
  passageId: TEXT,
  collection: TEXT,
  /** Where in the passage; `text` is what stands there. */
  span: SPAN,
  text: TEXT,
  /** How well it fits the claim, 0–1, in the verifier's own measure. */
  relevance: SHARE,
});
/** The words that a verdict rests on. */
export type Evidence = Read<typeof EVIDENCE>;

/** `feature` is its name. */
const FINDING = z.strictObject({ feature: TEXT, words: TEXT, speaksFor: LABEL });
/** One thing that was seen, in words: "source says 39.2 million, claim says 32.9 million". */
export type Finding = Read<typeof FINDING>;

const PROVENANCE = z.strictObject({
  /** Name of the verifier or judge. */
  producedBy: TEXT,
  /** Of the weights; undefined where there are none, or a server does not say. */
  modelSha256: orUnknown(TEXT),
  /** Of the prompt's template; undefined where nothing was prompted. */
  promptSha256: orUnknown(TEXT),
});
/** What made a verdict or a judgement. */
export type Provenance = Read<typeof PROVENANCE>;

/** How the answer was read. A verifier without text output has read nothing. */
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

/** Why there is no verdict or score. Never 0, never a default label. */
export type UnscoredReason = typeof UNSCORED_REASONS[number];

/** Whether what made it unscored may have passed when it is asked again. */
export const mayPass = (reason: UnscoredReason | "scored" | undefined) =>
  reason === "failure" || reason === "time-out";

const WHY_NOT = z.strictObject({
  kind: z.literal("unscored"),
  reason: z.enum(UNSCORED_REASONS),
  /** One sentence for the reader. */
  message: TEXT,
});
const UNSCORED = WHY_NOT.extend({
  /** What had come back before it ended; undefined where nothing had. */
  partialText: orUnknown(TEXT),
  provenance: PROVENANCE,
});
export type Unscored = Read<typeof UNSCORED>;

const SCORED_VERDICT = z.strictObject({
  kind: z.literal("scored"),
  /** By `decide()`. */
  label: LABEL,
  probabilities: PROBABILITIES,
  /** The best first. */
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
  /** Sources of labelled claims, each by a fit without it. */
  sources: COUNT,
  bands: z.array(z.strictObject({
    /** Least probability of the verdict's label, and the one it stays under; 1 is in the last. */
    ...{ from: SHARE, to: SHARE },
    /** Claims that it was measured on. */
    n: COUNT,
    /** Mean over the sources of the share of verdicts that are right; null without a claim. */
    right: SHARE.nullable(),
  })),
});
/** How often a verifier's verdicts are right, by how sure they are. */
export type TrustBands = Read<typeof TRUST_BANDS>;

/** Checks a statement against passages. The trained verifier, the baselines and any model are one. */
export interface Verifier extends Named {
  /** How often its verdicts are right on claims that it was not fitted to; undefined where nobody measured it. */
  readonly trust?: TrustBands | undefined;
  /** One verdict a claim, in order, unscored without a passage; never throws for a model's answer. */
  verify(
    claims: readonly string[],
    passages: readonly Passage[],
    options?: Stoppable,
  ): Promise<readonly Verdict[]>;
}

const FLAGGED = z.strictObject({
  phrase: TEXT,
  /** Where it stands in the judged text; undefined where the judge's words do not stand there. */
  span: orUnknown(SPAN),
  reason: TEXT,
});
/** A phrase that a judge holds against the text. */
export type FlaggedPhrase = Read<typeof FLAGGED>;

const SCORED_JUDGEMENT = z.strictObject({
  kind: z.literal("scored"),
  /** 0–100. */
  score: AMOUNT.max(100),
  /** Of a score that is a mean of answers: how many, and by how many points² the mean would vary. */
  repetition: z.strictObject({ draws: COUNT, variance: orUnknown(AMOUNT) }).optional(),
  /** Chain of thought before the score; of one that answers by probabilities, what they were. */
  reasoning: TEXT,
  flagged: z.array(FLAGGED),
  parse: PARSE,
  provenance: PROVENANCE,
});
export type ScoredJudgement = Read<typeof SCORED_JUDGEMENT>;
const JUDGEMENT = z.discriminatedUnion("kind", [UNSCORED, SCORED_JUDGEMENT]);
export type Judgement = Read<typeof JUDGEMENT>;

/** What components answer, one by one. */
export const ANSWER_SCHEMAS = {
  verdict: VERDICT,
  judgement: JUDGEMENT,
  passages: z.array(RETRIEVED),
};

/** What a judge is asked: a template's name and the values of its placeholders. */
export interface JudgeTask {
  /** Key in the prompts file: `factual_accuracy`, `claim`, `relevance`, the user's own. */
  readonly template: string;
  readonly values: Readonly<Record<string, string>>;
  /** The text whose phrases are flagged. */
  readonly judgedText: string;
}

export const MEASURED = z.strictObject({
  /** 0–1; 0.5 is chance. */
  balancedAccuracy: SHARE,
  low: SHARE,
  high: SHARE,
  n: COUNT,
  /** What it was measured on. */
  on: TEXT,
});
/** How far a judge is to be trusted, measured on claims with known labels; see its file. */
export type MeasuredAccuracy = Read<typeof MEASURED>;

export interface Judge extends Named {
  /** In a weighted average, ≥ 0. */
  readonly weight: number;
  /** Undefined where nobody has measured it. */
  readonly measured: MeasuredAccuracy | undefined;
  /** Whether the weight was configured: somebody stands for it, measured or not. */
  readonly vouched?: boolean;
  /** Calls in flight at once that it bears. */
  readonly concurrency: number;
  /** Never throws for what a model answered. */
  judge(task: JudgeTask, options?: Stoppable): Promise<Judgement>;
}

const JUDGED = z.strictObject({
  judge: TEXT,
  measured: orUnknown(MEASURED),
  judgement: JUDGEMENT,
  milliseconds: AMOUNT,
});
/** One judge's answer to one question, and how long it took. */
export type JudgeResult = Read<typeof JUDGED>;

/** What of a writing judge's answer is its score: the number it wrote, or what that is to be expected. */
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
  /** 0–100; for a majority vote the share of votes for "accurate", × 100. */
  score: AMOUNT.max(100),
  strategy: z.enum(AGGREGATION_STRATEGIES),
  /** Judges that gave a score, and all that were asked. */
  scored: COUNT,
  asked: COUNT,
  /** Sample variance of the scores, in points²; undefined with fewer than two. */
  variance: orUnknown(AMOUNT),
  /** Greatest less smallest score, in points. */
  range: AMOUNT,
  /** Variance over the threshold (20), fewer than two scores, or a tied vote, as the reasons say. */
  lowConfidence: z.boolean(),
  reasons: TEXTS,
});
const ENSEMBLE = z.discriminatedUnion("kind", [WHY_NOT, SCORED_ENSEMBLE]);
/** What the judges say together. */
export type EnsembleScore = Read<typeof ENSEMBLE>;

const REQUEST = z.strictObject({
  /** Unique in its batch. */
  id: TEXT,
  /** The text that the candidate was written from or is checked against; empty where there is none. */
  source: TEXT,
  candidate: TEXT,
  /** The question that was answered; empty where there was none. */
  question: TEXT,
  /** Who wrote the candidate, and what names the query that others answered too. */
  system: TEXT.optional(),
  query: TEXT.optional(),
});
/** What is to be evaluated. */
export type EvaluationRequest = Read<typeof REQUEST>;

const CLAIM_RESULT = z.strictObject({
  claim: CLAIM,
  /** After a failure the evaluation says why, and goes on with the source alone. */
  retrieval: z.strictObject({
    status: z.enum(["disabled", "not looked up", "found", "nothing found", "failed"]),
    message: TEXT,
  }),
  passages: z.array(RETRIEVED),
  verdict: VERDICT,
  /** Judges asked about this claim alone; empty where they were not asked. */
  judges: z.array(JUDGED),
  /** Nothing found in the knowledge base, or not looked up, and the source leaves it open: not borne out. */
  unverifiable: z.boolean(),
});
/** A claim, what was looked up for it, and what each component says. */
export type ClaimResult = Read<typeof CLAIM_RESULT>;

/** The criterion that every evaluation is judged by first. */
export const FACTUAL_ACCURACY = "factual_accuracy";

/** The criteria in the order they are judged in: factual accuracy first, each once. */
export const criteriaInOrder = (configured: readonly string[]): readonly string[] => [
  ...new Set([FACTUAL_ACCURACY, ...configured]),
];

/** The template by which a judge is asked about one claim. */
export const CLAIM_TEMPLATE = "claim";

/** One criterion, judged by everyone. */
const CRITERION = z.strictObject({ criterion: TEXT, judges: z.array(JUDGED), ensemble: ENSEMBLE });
export type CriterionResult = Read<typeof CRITERION>;

/** Of an internal contradiction two claims of the candidate exclude one another. */
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
  /** The claim, or the phrase that a judge flagged where it belongs to no claim. */
  text: TEXT,
  spans: z.array(SPAN),
  kind: HALLUCINATION,
  /** `verifier`, and the names of judges; their reasons are in the same order. */
  detectedBy: TEXTS,
  evidence: z.array(EVIDENCE),
  reasons: TEXTS,
});
/** One entry of the unified list of what the sources do not bear out. */
export type UnsupportedClaim = Read<typeof UNSUPPORTED>;

const CONTRADICTION = z.strictObject({
  claimIds: z.tuple([TEXT, TEXT]),
  /** Of "refuted" of the one read as the other's source, 0–1; the greater of both directions. */
  probability: SHARE,
  words: TEXT,
});
/** Two claims of one candidate that exclude one another. */
export type Contradiction = Read<typeof CONTRADICTION>;

const CONSISTENCY = z.strictObject({
  contradictions: z.array(CONTRADICTION),
  /** Pairs of claims that were compared, of so many that say much the same. */
  compared: z.strictObject({ pairs: AMOUNT, of: AMOUNT }).optional(),
  /** Log-probability in nats a token of each claim under a small language model; undefined without one. */
  plausibility: z.array(z.strictObject({ claimId: TEXT, value: orUnknown(z.number()) })),
});
/** What can be said of a text by itself, whatever its sources say. */
export type InternalConsistency = Read<typeof CONSISTENCY>;

const CONFIGURATION = z.strictObject({
  splitter: NAMED,
  retriever: orUnknown(NAMED),
  verifier: NAMED,
  judges: z.array(NAMED),
  aggregation: TEXT,
  /** SHA-256 of the prompts file; that of each prompt stands with the answer to it. */
  promptsSha256: TEXT,
  /** Touchstone's version, as `deno.json` has it. */
  touchstone: TEXT,
  /** That judges are asked about, `factual_accuracy` first; none without judges. */
  criteria: TEXTS,
  /** Thresholds of decisions, and limits. */
  parameters: SETTINGS,
});
/** Every setting that could change a figure. */
export type EvaluationConfiguration = Read<typeof CONFIGURATION>;

/** What this Touchstone writes and reads. */
export const SCHEMA_VERSION = 2;

export const EVALUATION = z.strictObject({
  schemaVersion: z.literal(SCHEMA_VERSION),
  request: REQUEST,
  /** Share of verdicts as sure as these that are right, 0–1, and the sources of claims that it was measured on. */
  trust: z.strictObject({ right: SHARE, verdicts: COUNT, sources: COUNT }).optional(),
  /** That text or source are not in English, in a sentence. */
  foreign: TEXT.optional(),
  /** How the candidate was grounded. */
  mode: z.enum(["source", "source and retrieval", "retrieval", "zero retrieval"]),
  claims: z.array(CLAIM_RESULT),
  /** Statements that a language model proposed but that are not in the text. */
  droppedClaims: DROPPED,
  /** `factual_accuracy` first, then the configured ones. */
  criteria: z.array(CRITERION),
  unsupported: z.array(UNSUPPORTED),
  /** Only where two claims or more could be compared. */
  consistency: orUnknown(CONSISTENCY),
  /** Verifier and judges of different opinion about a claim, with both reasons. */
  disagreements: z.array(z.strictObject({ claimId: TEXT, judge: TEXT, words: TEXT })),
  /** What went wrong and was passed over, in sentences. */
  problems: TEXTS,
  /** What failed and may well succeed when it is asked again, in sentences: empty where all is done. */
  failed: TEXTS.default([]),
  configuration: CONFIGURATION,
  /** In UTC. */
  startedAt: z.iso.datetime(),
  milliseconds: z.strictObject({
    total: AMOUNT,
    splitting: AMOUNT,
    retrieval: AMOUNT,
    verification: AMOUNT,
    judging: AMOUNT,
  }),
});
/** Everything that one evaluation found: all reports are made from this value and nothing else. */
export type Evaluation = Read<typeof EVALUATION>;
export type EvaluationMode = Evaluation["mode"];

/** All that verifier and judges answered in an evaluation. */
export const answersIn = ({ claims, criteria }: Pick<Evaluation, "claims" | "criteria">) => [
  ...claims.map(({ verdict }) => verdict),
  ...[...criteria, ...claims].flatMap(({ judges }) => judges.map(({ judgement }) => judgement)),
];

/** What people said of a claim; sets with two labels do not tell refuted from not enough info. */
export type CaseLabel = VerdictLabel | "not supported";
