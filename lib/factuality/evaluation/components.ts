import type { LanguageModel } from "../../models/model.ts";
import type { ClaimSplitter } from "../claims/claim.ts";
import type { AggregationStrategy } from "../judges/ensemble_score.ts";
import type { Judge } from "../judges/judgement.ts";
import type { Retriever } from "../retrieval/passage.ts";
import type { Verifier } from "../verifiers/verifier.ts";

/** The template that every evaluation is judged by first. */
export const FACTUAL_ACCURACY = "factual_accuracy";

/** The template by which a judge is asked about one claim. */
export const CLAIM_TEMPLATE = "claim";

/** What an evaluation is made with; opened once, used for as many requests as there are. */
export interface EvaluationComponents {
  readonly splitter: ClaimSplitter;
  /** Undefined where no knowledge base is configured, or it could not be opened. */
  readonly retriever: Retriever | undefined;
  /** Why a configured knowledge base could not be opened, in one sentence. */
  readonly retrieverProblem: string | undefined;
  readonly verifier: Verifier;
  /** In the order of the configuration; may be none. */
  readonly judges: readonly Judge[];
  /** Whether judges are asked about each claim too: as many calls as there are claims. */
  readonly judgeClaims: boolean;
  readonly aggregation: AggregationStrategy;
  /** Variance of the judges' scores, in points², over which confidence is low; 20 by the specification. */
  readonly lowConfidenceVariance: number;
  /** Names of templates, each a score of its own; `factual_accuracy` is judged first in any case. */
  readonly criteria: readonly string[];
  /** SHA-256 of the prompts file. */
  readonly promptsSha256: string;
  /** Reads the candidate's own claims against one another; undefined where that is not wanted. */
  readonly consistency: ConsistencyComponents | undefined;
  /** Components that did not load and may be missing, in sentences: each report repeats them. */
  readonly problems: readonly string[];
  /** Claims that the verifier is given at once, ≥ 1; halved when memory does not suffice. */
  readonly batchSize: number;
  /** Lets go of what can be computed again, when memory does not suffice. */
  readonly clearCaches?: () => void | Promise<void>;
}

/** What is needed to judge a text by itself. */
export interface ConsistencyComponents {
  readonly verifier: Verifier;
  /** Gives each claim's log-probability; without one plausibility is unknown. */
  readonly languageModel: LanguageModel | undefined;
  /** Pairs of claims compared at most, ≥ 0: all pairs of a long text are too many. */
  readonly mostPairs: number;
  /** Whether that is done where sources were read, too; without any it always is. */
  readonly alsoWithSources: boolean;
}
