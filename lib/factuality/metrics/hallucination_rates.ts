import type { Interval } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import { type ClaimCounts, claimCounts, pooledCounts } from "./claim_counts.ts";
import type { ClassifiedResponse } from "./classified_response.ts";
import { shareInterval } from "./share_interval.ts";

/**
 * What counts as a hallucination: what the sources refute, or that and what they do not bear out
 * ("unsupported": refuted and unverifiable together, as MiHR is specified).
 */
export type HallucinationScope = "refuted" | "unsupported";

export const HALLUCINATION_SCOPES: readonly HallucinationScope[] = ["refuted", "unsupported"];

/** MiHR of one response. */
export interface ResponseRate {
  readonly counts: ClaimCounts;
  /** 0–1. */
  readonly rate: number | Unavailable;
  /** Why there is no rate; undefined where there is one. */
  readonly flag: "no claims" | "no claim was scored" | undefined;
}

/**
 * MiHR of one response: hallucinated / scored claims, 0–1 (HaluEval 2.0, arXiv 2401.03205).
 * Unavailable, with a flag, for a response without claims or without one that was scored.
 */
export function responseRate(
  { claims }: ClassifiedResponse,
  scope: HallucinationScope,
): ResponseRate {
  const counts = claimCounts(claims);
  const flag = claims.length === 0
    ? "no claims"
    : counts.scored === 0
    ? "no claim was scored"
    : undefined;
  const rate = flag === undefined ? hallucinated(counts, scope) / counts.scored : unavailable(flag);
  return { counts, rate, flag };
}

/**
 * MiHR pooled: hallucinated / scored claims of all responses together, 0–1. Long responses weigh
 * more. Unavailable without a scored claim. Unscored claims are in no rate; see `claimCounts`.
 */
export function pooledMicroRate(
  responses: readonly ClassifiedResponse[],
  scope: HallucinationScope,
): number | Unavailable {
  const counts = pooledCounts(responses);
  if (counts.scored > 0) return hallucinated(counts, scope) / counts.scored;
  return unavailable(scoredNothing(responses));
}

/**
 * MiHR as its authors report it: the mean over responses of hallucinated / scored claims, 0–1
 * (HaluEval 2.0, arXiv 2401.03205). Responses without a scored claim have none and are left out;
 * unavailable where there is no other.
 */
export function meanMicroRate(
  responses: readonly ClassifiedResponse[],
  scope: HallucinationScope,
): number | Unavailable {
  const rates = responses.map((response) => responseRate(response, scope).rate)
    .filter((rate) => typeof rate === "number");
  if (rates.length === 0) return unavailable(scoredNothing(responses));
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length;
}

/**
 * MaHR: responses with a hallucination / responses, 0–1 (HaluEval 2.0, arXiv 2401.03205). A response
 * that claims nothing has none and counts; one whose claims were all left unscored could have one
 * and is left out; of one with some unscored the scored ones decide, so that the rate is a lower
 * bound then. Unavailable where no response is left.
 */
export function macroRate(
  responses: readonly ClassifiedResponse[],
  scope: HallucinationScope,
): number | Unavailable {
  const known = responses.filter(isKnown);
  if (known.length === 0) return unavailable(scoredNothing(responses));
  const has = known.filter(({ claims }) => hallucinated(claimCounts(claims), scope) > 0);
  return has.length / known.length;
}

/**
 * MaHR with its interval: Wilson's where each cluster has one response, which holds at 0 and 1 too,
 * else by resampling whole clusters. Unavailable as {@link macroRate} is.
 */
export function macroRateInterval(
  responses: readonly ClassifiedResponse[],
  scope: HallucinationScope,
  random: RandomSource,
): Interval | Unavailable {
  const known = responses.filter(isKnown);
  if (known.length === 0) return unavailable(scoredNothing(responses));
  const items = known.map((value) => ({ cluster: value.cluster, value }));
  return shareInterval(items, (drawn) => macroRate(drawn, scope), random);
}

/** Whether it can be said that a response has a hallucination or none. */
function isKnown({ claims }: ClassifiedResponse): boolean {
  const { scored, unscored } = claimCounts(claims);
  return scored > 0 || unscored === 0;
}

function hallucinated({ refuted, unverifiable }: ClaimCounts, scope: HallucinationScope): number {
  return scope === "refuted" ? refuted : refuted + unverifiable;
}

function scoredNothing(responses: readonly ClassifiedResponse[]): string {
  if (responses.length === 0) return "no responses";
  const hasClaims = responses.some(({ claims }) => claims.length > 0);
  return hasClaims ? "no claim was scored" : "no claims";
}
