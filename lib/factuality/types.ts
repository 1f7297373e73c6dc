/** What passes between the rooms of the fact checker, in the order in which it is made. */

/** Whatever could change a result; named in every report. */
type Settings = Readonly<Record<string, string | number | boolean>>;

/** Something that makes a result. */
export interface Named {
  readonly name: string;
  readonly settings: Settings;
}

/** A running operation throws the signal's reason when it aborts. */
export interface Stoppable {
  readonly signal?: AbortSignal;
}

/** A stretch of a text: UTF-16 offsets, `end` excluded; 0 ≤ start ≤ end ≤ length. */
export interface TextSpan {
  readonly start: number;
  readonly end: number;
}

/** Whether two stretches have a character in common. */
export const overlaps = (one: TextSpan, other: TextSpan) =>
  one.start < other.end && other.start < one.end;

/** What a claim turns on; a claim with a date or duration is temporal, with a quantity numerical. */
export const CLAIM_KINDS = ["factual", "temporal", "numerical"] as const;
export type ClaimKind = typeof CLAIM_KINDS[number];

/** Why a statement cannot be checked against any source. */
export type NotCheckable = "question" | "opinion" | "hedge" | "instruction" | "fragment";

/** What the splitter did to make the claim stand alone, or could not do. */
export type ClaimNote =
  | { readonly kind: "pronoun resolved"; readonly pronoun: string; readonly to: string }
  | { readonly kind: "pronoun unresolved"; readonly pronoun: string }
  | { readonly kind: "subject supplied"; readonly subject: string };

/** One atomic statement of a candidate output. */
export interface Claim {
  /** `c1`, `c2`, … in the order of the text. */
  readonly id: string;
  /** A sentence that can be checked on its own. */
  readonly text: string;
  /** Where the claim's own words stand in the candidate output, in order, without overlap. */
  readonly spans: readonly TextSpan[];
  /** The sentence it was taken from. */
  readonly sentence: TextSpan;
  readonly kind: ClaimKind;
  /** Undefined for a claim that can be checked. */
  readonly notCheckable: NotCheckable | undefined;
  readonly notes: readonly ClaimNote[];
}

interface SplitOptions extends Stoppable {
  /** Told how many sentences of how many are read. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** What takes a candidate output apart. */
export interface ClaimSplitter extends Named {
  /** Claims in the order of the text; none for a text without a statement. */
  split(text: string, options?: SplitOptions): Promise<SplitResult>;
}

/** The claims, and what was proposed (by a language model) but is not in the text. */
export interface SplitResult {
  readonly claims: readonly Claim[];
  readonly dropped: readonly { readonly text: string; readonly reason: string }[];
}

/** A stretch of running text that a claim is checked against, and where it is from. */
export interface Passage {
  /** Unique within its collection; `source` for the source text of an evaluation. */
  readonly id: string;
  readonly text: string;
  /** `source text`, or the knowledge base's name. */
  readonly collection: string;
  /** What it is about (a country, an article, a file); the empty string where nobody says. */
  readonly title: string;
  /** The part of it: a field, a heading; the empty string where there is none. */
  readonly section: string;
}

/** The collection of the text that a candidate output was written from. */
export const SOURCE_TEXT = "source text";

/** The source text of an evaluation as a passage. */
export const sourcePassage = (text: string): Passage => {
  return { id: "source", text, collection: SOURCE_TEXT, title: "", section: "" };
};

/** A passage that was found for a claim. */
export interface RetrievedPassage {
  readonly passage: Passage;
  /** BM25 of the first stage, ≥ 0; not comparable between knowledge bases. */
  readonly bm25: number;
  /** Of the sentence embeddings of claim and best sentence, −1 to 1; absent without re-ranking. */
  readonly cosine: number | undefined;
  /** From 1. */
  readonly rank: number;
}

/** What looks passages up for a claim: the best first; none where none is over the threshold. */
export interface Retriever extends Named {
  retrieve(claim: string, options?: Stoppable): Promise<readonly RetrievedPassage[]>;
}

/** What the sources say of a claim, in the order of every table. */
export const VERDICT_LABELS = ["supported", "refuted", "not enough info"] as const;
export type VerdictLabel = typeof VERDICT_LABELS[number];

/** Calibrated; each 0–1, together 1. */
export type VerdictProbabilities = Readonly<Record<VerdictLabel, number>>;

/** The words that a verdict rests on. */
export interface Evidence {
  readonly passageId: string;
  readonly collection: string;
  /** Where in the passage; `text` is what stands there. */
  readonly span: TextSpan;
  readonly text: string;
  /** How well it fits the claim, 0–1, in the verifier's own measure. */
  readonly relevance: number;
}

/** One thing that was seen, in words: "source says 39.2 million, claim says 32.9 million". */
export interface Finding {
  /** The feature's name. */
  readonly feature: string;
  readonly words: string;
  readonly speaksFor: VerdictLabel;
}

/** What made a verdict or a judgement. */
export interface Provenance {
  /** Name of the verifier or judge. */
  readonly producedBy: string;
  /** Of the weights; undefined where there are none, or a server does not say. */
  readonly modelSha256: string | undefined;
  /** Of the prompt's template; undefined where nothing was prompted. */
  readonly promptSha256: string | undefined;
}

/** How the answer was read. A verifier without text output has read nothing. */
export type ParseStatus = "not parsed" | "complete" | "repaired" | "partial";

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

export interface Unscored {
  readonly kind: "unscored";
  readonly reason: UnscoredReason;
  /** One sentence for the reader. */
  readonly message: string;
  /** What had come back before it ended; undefined where nothing had. */
  readonly partialText: string | undefined;
  readonly provenance: Provenance;
}

export interface ScoredVerdict {
  readonly kind: "scored";
  /** By `decide()`. */
  readonly label: VerdictLabel;
  readonly probabilities: VerdictProbabilities;
  /** The best first. */
  readonly evidence: readonly Evidence[];
  readonly findings: readonly Finding[];
  readonly parse: ParseStatus;
  /** Chain of thought of a prompted model; the empty string for others. */
  readonly reasoning: string;
  readonly provenance: Provenance;
}

export type Verdict = ScoredVerdict | Unscored;

/** Checks a statement against passages. The trained verifier, the baselines and any model are one. */
export interface Verifier extends Named {
  /** One verdict a claim, in order, unscored without a passage; never throws for a model's answer. */
  verify(
    claims: readonly string[],
    passages: readonly Passage[],
    options?: Stoppable,
  ): Promise<readonly Verdict[]>;
}

/** A phrase that a judge holds against the text. */
export interface FlaggedPhrase {
  readonly phrase: string;
  /** Where it stands in the judged text; undefined where the judge's words do not stand there. */
  readonly span: TextSpan | undefined;
  readonly reason: string;
}

export interface ScoredJudgement {
  readonly kind: "scored";
  /** 0–100. */
  readonly score: number;
  /** Of a score that is a mean of answers: how many, and by how many points² the mean would vary. */
  readonly repetition?: { readonly draws: number; readonly variance: number | undefined };
  /** Chain of thought before the score; of one that answers by probabilities, what they were. */
  readonly reasoning: string;
  readonly flagged: readonly FlaggedPhrase[];
  readonly parse: ParseStatus;
  readonly provenance: Provenance;
}

export type Judgement = ScoredJudgement | Unscored;

/** What a judge is asked: a template's name and the values of its placeholders. */
export interface JudgeTask {
  /** Key in the prompts file: `factual_accuracy`, `claim`, `relevance`, the user's own. */
  readonly template: string;
  readonly values: Readonly<Record<string, string>>;
  /** The text whose phrases are flagged. */
  readonly judgedText: string;
}

/** How far a judge is to be trusted, measured on claims with known labels; see its file. */
export interface MeasuredAccuracy {
  /** 0–1; 0.5 is chance. */
  readonly balancedAccuracy: number;
  readonly low: number;
  readonly high: number;
  readonly n: number;
  /** What it was measured on. */
  readonly on: string;
}

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

export const AGGREGATION_STRATEGIES = [
  "mean",
  "median",
  "weighted average",
  "majority vote",
] as const;
export type AggregationStrategy = typeof AGGREGATION_STRATEGIES[number];

/** What the judges say together. */
interface ScoredEnsemble {
  readonly kind: "scored";
  /** 0–100; for a majority vote the share of votes for "accurate", × 100. */
  readonly score: number;
  readonly strategy: AggregationStrategy;
  /** Judges that gave a score, and all that were asked. */
  readonly scored: number;
  readonly asked: number;
  /** Sample variance of the scores, in points²; undefined with fewer than two. */
  readonly variance: number | undefined;
  /** Greatest less smallest score, in points. */
  readonly range: number;
  /** Variance over the threshold (20), fewer than two scores, or a tied vote, as the reasons say. */
  readonly lowConfidence: boolean;
  readonly reasons: readonly string[];
}

export type EnsembleScore = ScoredEnsemble | Pick<Unscored, "kind" | "reason" | "message">;

/** What is to be evaluated. */
export interface EvaluationRequest {
  /** Unique in its batch. */
  readonly id: string;
  /** The text that the candidate was written from or is checked against; empty where there is none. */
  readonly source: string;
  readonly candidate: string;
  /** The question that was answered; empty where there was none. */
  readonly question: string;
  /** Who wrote the candidate, and what names the query that others answered too. */
  readonly system?: string;
  readonly query?: string;
}

/** A claim, what was looked up for it, and what each component says. */
export interface ClaimResult {
  readonly claim: Claim;
  /** After a failure the evaluation says why, and goes on with the source alone. */
  readonly retrieval: {
    readonly status: "disabled" | "found" | "nothing found" | "failed";
    readonly message: string;
  };
  readonly passages: readonly RetrievedPassage[];
  readonly verdict: Verdict;
  /** Judges asked about this claim alone; empty where they were not asked. */
  readonly judges: readonly JudgeResult[];
  /** Nothing found in the knowledge base and not enough info in the source. */
  readonly unverifiable: boolean;
}

/** One judge's answer to one question, and how long it took. */
export interface JudgeResult {
  readonly judge: string;
  readonly measured: MeasuredAccuracy | undefined;
  readonly judgement: Judgement;
  readonly milliseconds: number;
}

/** The criterion that every evaluation is judged by first. */
export const FACTUAL_ACCURACY = "factual_accuracy";

/** One criterion, judged by everyone. */
export interface CriterionResult {
  readonly criterion: string;
  readonly judges: readonly JudgeResult[];
  readonly ensemble: EnsembleScore;
}

export type HallucinationKind =
  | "factual error"
  | "unsupported claim"
  | "temporal inconsistency"
  | "numerical error"
  /** Two claims of the candidate exclude one another. */
  | "internal contradiction";

/** One entry of the unified list of what the sources do not bear out. */
export interface UnsupportedClaim {
  readonly claimId: string;
  /** The claim, or the phrase that a judge flagged where it belongs to no claim. */
  readonly text: string;
  readonly spans: readonly TextSpan[];
  readonly kind: HallucinationKind;
  /** `verifier`, and the names of judges; their reasons are in the same order. */
  readonly detectedBy: readonly string[];
  readonly evidence: readonly Evidence[];
  readonly reasons: readonly string[];
}

/** Two claims of one candidate that exclude one another. */
export interface Contradiction {
  readonly claimIds: readonly [string, string];
  /** Of "refuted" of the one read as the other's source, 0–1; the greater of both directions. */
  readonly probability: number;
  readonly words: string;
}

/** How the candidate was grounded. */
export type EvaluationMode = "source" | "source and retrieval" | "retrieval" | "zero retrieval";

/** What can be said of a text by itself, whatever its sources say. */
export interface InternalConsistency {
  readonly contradictions: readonly Contradiction[];
  /** Pairs of claims that were compared, of so many that say much the same. */
  readonly compared?: { readonly pairs: number; readonly of: number } | undefined;
  /** Log-probability in nats a token of each claim under a small language model; undefined without one. */
  readonly plausibility: readonly Readonly<{ claimId: string; value: number | undefined }>[];
}

/** Everything that one evaluation found: all reports are made from this value and nothing else. */
export interface Evaluation {
  /** 1 lacks what is optional in the configuration. */
  readonly schemaVersion: 1 | 2;
  readonly request: EvaluationRequest;
  readonly mode: EvaluationMode;
  readonly claims: readonly ClaimResult[];
  /** Statements that a language model proposed but that are not in the text. */
  readonly droppedClaims: SplitResult["dropped"];
  /** `factual_accuracy` first, then the configured ones. */
  readonly criteria: readonly CriterionResult[];
  readonly unsupported: readonly UnsupportedClaim[];
  /** Only where two claims or more could be compared. */
  readonly consistency: InternalConsistency | undefined;
  /** Verifier and judges of different opinion about a claim, with both reasons. */
  readonly disagreements: readonly Readonly<Record<"claimId" | "judge" | "words", string>>[];
  /** What went wrong and was passed over, in sentences. */
  readonly problems: readonly string[];
  /** What failed and may well succeed when it is asked again, in sentences: empty where all is done. */
  readonly failed: readonly string[];
  readonly configuration: EvaluationConfiguration;
  /** ISO 8601 in UTC. */
  readonly startedAt: string;
  readonly milliseconds: Readonly<
    Record<"total" | "splitting" | "retrieval" | "verification" | "judging", number>
  >;
}

/** Every setting that could change a figure. */
export interface EvaluationConfiguration {
  readonly splitter: Named;
  readonly retriever: Named | undefined;
  readonly verifier: Named;
  readonly judges: readonly Named[];
  readonly aggregation: string;
  /** SHA-256 of the prompts file; that of each prompt stands with the answer to it. */
  readonly promptsSha256: string;
  /** Touchstone's version, as `deno.json` has it. */
  readonly touchstone?: string;
  /** That judges are asked about, `factual_accuracy` first; none without judges. */
  readonly criteria?: readonly string[];
  /** Thresholds of decisions, and limits. */
  readonly parameters?: Settings;
}
