import type { VerdictLabel } from "../verdicts/verdict.ts";

/** One claim of a response with what the sources say of it. */
export interface ClassifiedClaim {
  /** Unique in its response. */
  readonly id: string;
  readonly text: string;
  /** Undefined where no verdict was reached: such a claim counts in no rate, and is counted apart. */
  readonly label: VerdictLabel | undefined;
}

/** What one model answered to one query, taken apart and classified. The input of every rate. */
export interface ClassifiedResponse {
  readonly model: string;
  /** The same query has the same id for every model. */
  readonly query: string;
  /** What the bootstrap resamples: the query, or the entity that several queries are about. */
  readonly cluster: string;
  /** Whether the model declined to answer; such a response has no factual precision. */
  readonly abstained: boolean;
  /** Claims that can be checked; those that cannot (questions, opinions) are left out before. */
  readonly claims: readonly ClassifiedClaim[];
}
