import { setImmediate } from "node:timers/promises";
import { withoutSecrets } from "../../models/hosted/api_keys.ts";
import type { LanguageModel } from "../../models/model.ts";
import type {
  AggregationStrategy,
  ClaimSplitter,
  EvaluationConfiguration,
  EvaluationRequest,
  Judge,
  Named,
  Retriever,
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

/** Time for an evaluation. */
export interface EvaluationClock {
  /** The time of day. */
  now(): Date;
  /** Milliseconds on a clock that only goes forward. */
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
  return {
    kind: "unscored",
    reason,
    message,
    partialText: undefined,
    provenance: { producedBy, modelSha256: undefined, promptSha256: undefined },
  };
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
  const attempt = async () => {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      if (!isMemoryError(error)) throw error;
      await components.clearCaches?.();
      problems.add(`${what} ran out of memory; caches were cleared and it was tried again.`);
      return await work();
    }
  };
  try {
    return await attempt();
  } catch (error) {
    signal?.throwIfAborted();
    const message = `${what} failed: ${errorWords(error)}`;
    problems.add(message);
    return instead(message);
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
const OUT_OF_MEMORY = [
  /\bout of memory\b/i,
  /array buffer allocation failed/i,
  /invalid (?:array|typed array|string) length/i,
  /cannot allocate|failed to allocate|bad_alloc|ENOMEM/i,
  /failed to (?:create|initialize) (?:the )?context/i,
  /insufficient memory/i,
];

/**
 * Whether an error says that memory does not suffice, be it V8, a native library or llama.cpp that
 * ran out of it. Its causes are looked at, too.
 */
export function isMemoryError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (OUT_OF_MEMORY.some((pattern) => pattern.test(error.message))) return true;
  return error.cause !== error && isMemoryError(error.cause);
}

/**
 * Does `work` on parts of so many items, one result an item. Where memory does not suffice caches
 * are cleared, the size is halved for all that is left, and the part is tried again, down to one
 * item at a time; a part that fails otherwise is given up, and the others are done all the same.
 *
 * @throws {RangeError} unless the size is a whole number from 1 on.
 */
export async function inSmallerParts<Item, Result>(
  items: readonly Item[],
  work: (part: readonly Item[]) => Promise<readonly Result[]>,
  { size, clearCaches, onRetry, giveUp }: {
    /** Items given at once at first, ≥ 1. */
    readonly size: number;
    /** Lets go of what can be computed again. */
    readonly clearCaches: () => void | Promise<void>;
    /** Told before each further attempt. */
    readonly onRetry: (size: number) => void;
    /** What stands for the results of a part that failed for good; may throw instead. */
    readonly giveUp: (part: readonly Item[], error: unknown) => readonly Result[];
  },
): Promise<Result[]> {
  if (!Number.isInteger(size) || size < 1) {
    throw new RangeError(`Cannot work on ${size} items at once: it is no whole number from 1 on.`);
  }
  const results: Result[] = [];
  let atOnce = size;
  while (results.length < items.length) {
    const part = items.slice(results.length, results.length + atOnce);
    try {
      const found = await work(part);
      if (found.length !== part.length) {
        throw new Error(`${found.length} answers came for ${part.length} items`);
      }
      results.push(...found);
    } catch (error) {
      if (isMemoryError(error) && part.length > 1) {
        await clearCaches();
        atOnce = Math.ceil(part.length / 2);
        onRetry(atOnce);
      } else {
        results.push(...giveUp(part, error));
      }
    }
  }
  return results;
}
