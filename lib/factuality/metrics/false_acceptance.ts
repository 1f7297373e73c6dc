import type { Interval } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import { shareInterval } from "./share_interval.ts";

/** A query about something, and whether the model declined to speak of it. */
export interface AbstentionOutcome {
  readonly query: string;
  /** What the bootstrap resamples: the query, or what several queries are about. */
  readonly cluster: string;
  /** Whether what it asks about exists. */
  readonly exists: boolean;
  /** Undefined where nobody could tell: in no rate. */
  readonly abstained: boolean | undefined;
}

export type RefusalOutcome =
  | "correct refusal"
  /** It wrote about what does not exist as if it did. */
  | "false acceptance"
  | "over-refusal"
  | "answer";

/** What an outcome is called; undefined where nobody could tell. */
export function refusalOutcome(
  { exists, abstained }: AbstentionOutcome,
): RefusalOutcome | undefined {
  if (abstained === undefined) return undefined;
  if (exists) return abstained ? "over-refusal" : "answer";
  return abstained ? "correct refusal" : "false acceptance";
}

/**
 * False acceptance rate: failed abstentions / queries about what does not exist, 0–1 (HalluLens,
 * `nonsense_name.py`). A model that always refuses has 0, so read it beside {@link overRefusalRate}.
 * Unavailable without such a query, or where of none it could be told whether the model declined.
 */
export function falseAcceptanceRate(
  outcomes: readonly AbstentionOutcome[],
): number | Unavailable {
  const about = outcomes.filter(({ exists }) => !exists);
  return share(about, (abstained) => !abstained, "no query about what does not exist");
}

/** Refusals / queries about what exists, 0–1. Unavailable as {@link falseAcceptanceRate} is. */
export function overRefusalRate(outcomes: readonly AbstentionOutcome[]): number | Unavailable {
  const about = outcomes.filter(({ exists }) => exists);
  return share(about, (abstained) => abstained, "no query about what exists");
}

/**
 * The false acceptance rate with its interval: Wilson's where each cluster has one query, which holds
 * at 0 and 1 too, else by resampling whole clusters. Unavailable as the rate is.
 */
export function falseAcceptanceInterval(
  outcomes: readonly AbstentionOutcome[],
  random: RandomSource,
): Interval | Unavailable {
  const about = outcomes.filter(({ exists }) => !exists);
  return rateInterval(about, falseAcceptanceRate, random);
}

/** The over-refusal rate with its interval, as {@link falseAcceptanceInterval}. */
export function overRefusalInterval(
  outcomes: readonly AbstentionOutcome[],
  random: RandomSource,
): Interval | Unavailable {
  const about = outcomes.filter(({ exists }) => exists);
  return rateInterval(about, overRefusalRate, random);
}

function rateInterval(
  outcomes: readonly AbstentionOutcome[],
  rate: (outcomes: readonly AbstentionOutcome[]) => number | Unavailable,
  random: RandomSource,
): Interval | Unavailable {
  const estimate = rate(outcomes);
  if (typeof estimate !== "number") return estimate;
  const known = outcomes.filter(({ abstained }) => abstained !== undefined);
  return shareInterval(known.map((value) => ({ cluster: value.cluster, value })), rate, random);
}

function share(
  outcomes: readonly AbstentionOutcome[],
  isFailure: (abstained: boolean) => boolean,
  none: string,
): number | Unavailable {
  const known = outcomes.flatMap(({ abstained }) => abstained === undefined ? [] : [abstained]);
  if (outcomes.length === 0) return unavailable(none);
  if (known.length === 0) return unavailable("nobody has told whether its answers decline");
  return known.filter(isFailure).length / known.length;
}
