import { type BootstrapInterval, clusterBootstrap } from "../../stats/intervals.ts";
import type { RandomSource } from "../../stats/random.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
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

/** Something measured of one model's answer to one query. */
export interface QueryResult {
  readonly query: string;
  /** What the bootstrap resamples. */
  readonly cluster: string;
}

/**
 * The first model's figure less the second's on the queries for which both have it, with an interval by
 * resampling both answers to a query together: what is hard for one is hard for the other, so that
 * two separate intervals would be too wide for their difference. Positive: the first has more.
 * `n` is the number of those queries. Unavailable without any, and as
 * {@link responseInterval}.
 *
 * @throws {RangeError} for two results of one model for one query.
 */
export function pairedDifference<Result extends QueryResult>(
  first: readonly Result[],
  second: readonly Result[],
  figure: (results: readonly Result[]) => number | Unavailable,
  random: RandomSource,
): BootstrapInterval | Unavailable {
  const others = byQuery(second);
  const shared = [...byQuery(first)].flatMap(([query, one]) => {
    const other = others.get(query);
    return other === undefined ? [] : [{ cluster: one.cluster, value: { one, other } }];
  });
  if (shared.length === 0) return unavailable("no query was answered by both");
  const has = (result: Result) => numberOf(figure([result])) !== undefined;
  const both = shared.filter(({ value: { one, other } }) => has(one) && has(other));
  if (both.length === 0) return unavailable("on no shared query do both have the figure");
  return clusterBootstrap({
    items: both,
    statistic: (drawn) => {
      const one = numberOf(figure(drawn.map(({ one }) => one)));
      const other = numberOf(figure(drawn.map(({ other }) => other)));
      return one === undefined || other === undefined ? undefined : one - other;
    },
    ...RESPONSE_BOOTSTRAP,
    random,
  });
}

function byQuery<Result extends QueryResult>(
  results: readonly Result[],
): ReadonlyMap<string, Result> {
  const found = new Map<string, Result>();
  for (const result of results) {
    if (found.has(result.query)) {
      throw new RangeError(
        `Cannot compare models: one has two results for ${result.query}; give one a query.`,
      );
    }
    found.set(result.query, result);
  }
  return found;
}

const numberOf = (value: number | Unavailable) => typeof value === "number" ? value : undefined;
