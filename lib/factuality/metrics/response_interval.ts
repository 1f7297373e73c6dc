import { type BootstrapInterval, clusterBootstrap } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import type { Unavailable } from "../../stats/unavailable.ts";
import type { ClassifiedResponse } from "./classified_response.ts";

/** Any figure of some responses: a rate, a precision, a score. */
export type ResponseMetric = (responses: readonly ClassifiedResponse[]) => number | Unavailable;

/** 95 % from 2,000 resamples, as elsewhere in the house. */
export const RESPONSE_BOOTSTRAP = { confidence: 0.95, resamples: 2_000 } as const;

/**
 * A figure of responses with its interval by resampling clusters of whole responses, for the claims
 * of one response are not independent. `n` is the number of responses. Unavailable as
 * `clusterBootstrap` says: a figure of a single cluster has no interval.
 */
export function responseInterval(
  responses: readonly ClassifiedResponse[],
  metric: ResponseMetric,
  random: RandomSource,
): BootstrapInterval | Unavailable {
  return clusterBootstrap({
    items: responses.map((response) => ({ cluster: response.cluster, value: response })),
    statistic: (drawn) => numberOf(metric(drawn)),
    ...RESPONSE_BOOTSTRAP,
    random,
  });
}

/**
 * The first model's figure less the second's on the queries that both answered, with an interval by
 * resampling both answers to a query together: what is hard for one is hard for the other, so that
 * two separate intervals would be too wide for their difference. Positive: the first has more.
 * `n` is the number of shared queries. Unavailable without shared queries, and as
 * {@link responseInterval}.
 *
 * @throws {RangeError} for a model with two responses to one query.
 */
export function pairedDifference(
  first: readonly ClassifiedResponse[],
  second: readonly ClassifiedResponse[],
  metric: ResponseMetric,
  random: RandomSource,
): BootstrapInterval | Unavailable {
  const others = byQuery(second);
  const shared = [...byQuery(first)].flatMap(([query, one]) => {
    const other = others.get(query);
    return other === undefined ? [] : [{ cluster: one.cluster, value: { one, other } }];
  });
  return clusterBootstrap({
    items: shared,
    statistic: (drawn) => {
      const one = numberOf(metric(drawn.map(({ one }) => one)));
      const other = numberOf(metric(drawn.map(({ other }) => other)));
      return one === undefined || other === undefined ? undefined : one - other;
    },
    ...RESPONSE_BOOTSTRAP,
    random,
  });
}

function byQuery(
  responses: readonly ClassifiedResponse[],
): ReadonlyMap<string, ClassifiedResponse> {
  const found = new Map<string, ClassifiedResponse>();
  for (const response of responses) {
    const { model, query } = response;
    if (found.has(query)) {
      throw new RangeError(
        `Cannot compare models: ${model} has two responses to ${query}; give one a query.`,
      );
    }
    found.set(query, response);
  }
  return found;
}

const numberOf = (value: number | Unavailable) => typeof value === "number" ? value : undefined;
