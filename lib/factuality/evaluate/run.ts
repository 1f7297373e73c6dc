import { setImmediate } from "node:timers/promises";
import { withoutSecrets } from "../../models/hosted/api_keys.ts";
import type { LanguageModel } from "../../models/model.ts";
import type {
  AggregationStrategy,
  ClaimSplitter,
  EvaluationConfiguration,
  EvaluationRequest,
  FlaggedPhrase,
  Judge,
  Named,
  Retriever,
  ScoredJudgement,
  ScoredVerdict,
  Unscored,
  UnscoredReason,
  Verifier,
} from "../types.ts";

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

/** Name and settings of every component, as an evaluation keeps them. */
export function configurationOf(components: EvaluationComponents): EvaluationConfiguration {
  const { splitter, retriever, verifier, judges, aggregation, promptsSha256 } = components;
  const named = ({ name, settings }: Named): Named => ({ name, settings: { ...settings } });
  return {
    splitter: named(splitter),
    retriever: retriever && named(retriever),
    verifier: named(verifier),
    judges: judges.map(({ name, settings, weight }) => ({
      name,
      settings: { ...settings, weight },
    })),
    aggregation,
    promptsSha256,
  };
}

/** Time for an evaluation: the time of day, and milliseconds on a clock that only goes forward. */
export interface EvaluationClock {
  now(): Date;
  milliseconds(): number;
}

/** What the stages of one evaluation share. */
export interface Run {
  readonly request: EvaluationRequest;
  readonly components: EvaluationComponents;
  readonly clock: EvaluationClock;
  readonly signal: AbortSignal | undefined;
  /** What went wrong and was passed over, in sentences. */
  readonly problems: Set<string>;
}

/** What takes the place of a verdict or judgement that there is none of. */
export function unscored(producedBy: string, reason: UnscoredReason, message: string): Unscored {
  const provenance = { producedBy, modelSha256: undefined, promptSha256: undefined };
  return { kind: "unscored", reason, message, partialText: undefined, provenance };
}

/**
 * What `work` gives; where it fails the problem is told and `instead` of it is taken. Where memory
 * does not suffice caches are cleared and it is tried once more.
 * @throws the signal's reason when it has aborted.
 */
export async function orElse<Result>(
  { components, problems, signal }: Run,
  what: string,
  work: () => Promise<Result>,
  instead: (message: string) => Result,
): Promise<Result> {
  await nextTurn(signal);
  for (let retried = false;; retried = true) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (!retried && isMemoryError(error)) {
        await components.clearCaches?.();
        problems.add(`${what} ran out of memory; caches were cleared and it was tried again.`);
        continue;
      }
      const message = `${what} failed: ${errorWords(error)}`;
      problems.add(message);
      return instead(message);
    }
  }
}

/**
 * Waits for the next turn of the event loop. Models in this process answer without one: a Ctrl-C would
 * not be noticed before all work is done.
 * @throws the signal's reason when it has aborted.
 */
export async function nextTurn(signal: AbortSignal | undefined): Promise<void> {
  await setImmediate();
  signal?.throwIfAborted();
}

/** What an error says, on one line and without keys or addresses. */
export function errorWords(error: unknown): string {
  const words = error instanceof Error ? error.message || error.name : String(error);
  return withoutSecrets(words.replace(/\s+/g, " ").trim(), []);
}

/** What engines, libraries and V8 say when memory does not suffice. */
const OUT_OF_MEMORY =
  /\bout of memory\b|array buffer allocation failed|invalid (?:array|typed array|string) length|cannot allocate|failed to allocate|bad_alloc|ENOMEM|failed to (?:create|initialize) (?:the )?context|insufficient memory/i;

/** Whether an error, or one of its causes, says that memory does not suffice. */
export function isMemoryError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OUT_OF_MEMORY.test(error.message) || error.cause !== error && isMemoryError(error.cause);
}

/** Why a verifier says so: its reasoning, else what it saw that speaks for its label, else how sure it is. */
export function verdictReason(verdict: ScoredVerdict): string {
  if (verdict.reasoning !== "") return verdict.reasoning;
  const seen = verdict.findings.filter(({ speaksFor }) => speaksFor === verdict.label);
  if (seen.length > 0) return seen.map(({ words }) => words).join("; ");
  return `probability ${Math.round(100 * verdict.probabilities[verdict.label])} %`;
}

/** A phrase that a judge holds against a text, and why. */
export const flagWords = ({ phrase, reason }: FlaggedPhrase) => `"${phrase}": ${reason}`;

/** Why a judge gave its score: its reasoning, else the phrases it flagged. */
export function judgementReason({ reasoning, flagged }: ScoredJudgement): string {
  return reasoning || flagged.map(flagWords).join("; ") || "no reason given";
}
