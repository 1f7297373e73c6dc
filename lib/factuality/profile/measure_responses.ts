import type { RandomSource } from "../../stats/random.ts";
import { claimCounts, pooledCounts } from "../metrics/claim_counts.ts";
import type { ClassifiedResponse } from "../metrics/classified_response.ts";
import { factScore } from "../metrics/fact_score.ts";
import { factualPrecision } from "../metrics/factual_precision.ts";
import {
  macroRate,
  macroRateInterval,
  meanMicroRate,
  pooledMicroRate,
} from "../metrics/hallucination_rates.ts";
import { responseInterval, type ResponseMetric } from "../metrics/response_interval.ts";
import { shareInterval } from "../metrics/share_interval.ts";
import { type ProfileMetric, profileMetric, type ProfileMetricName } from "./profile_metrics.ts";

const ofFactScore =
  (figure: "score" | "unpenalised" | "respondRatio" | "factsPerResponse") =>
  (responses: readonly ClassifiedResponse[]) => factScore(responses)[figure];

/** The metrics that responses alone give. */
export const RESPONSE_METRICS = {
  mihr: (responses) => meanMicroRate(responses, "unsupported"),
  mihrRefuted: (responses) => meanMicroRate(responses, "refuted"),
  mihrPooled: (responses) => pooledMicroRate(responses, "unsupported"),
  mihrPooledRefuted: (responses) => pooledMicroRate(responses, "refuted"),
  mahr: (responses) => macroRate(responses, "unsupported"),
  mahrRefuted: (responses) => macroRate(responses, "refuted"),
  factualPrecision,
  factScore: ofFactScore("score"),
  factScoreUnpenalised: ofFactScore("unpenalised"),
  respondRatio: ofFactScore("respondRatio"),
  factsPerResponse: ofFactScore("factsPerResponse"),
} as const satisfies Readonly<Partial<Record<ProfileMetricName, ResponseMetric>>>;

export type ResponseMetricName = keyof typeof RESPONSE_METRICS;

/** A random source of its own for each metric, so that none changes another's interval. */
export type RandomOf = (metric: ProfileMetricName) => RandomSource;

/**
 * Every one of them with its interval by resampling clusters of responses; shares of responses have
 * Wilson's where each is a cluster of its own.
 */
export function measureResponses(
  responses: readonly ClassifiedResponse[],
  randomOf: RandomOf,
): Readonly<Record<ResponseMetricName, ProfileMetric>> {
  const names = Object.keys(RESPONSE_METRICS) as ResponseMetricName[];
  const entries = names.map((name) => {
    const metric = RESPONSE_METRICS[name];
    const interval = intervalOf(name, responses, randomOf(name));
    return [name, profileMetric(metric(responses), countOf(name, responses), interval)] as const;
  });
  return Object.fromEntries(entries) as Record<ResponseMetricName, ProfileMetric>;
}

function intervalOf(
  name: ResponseMetricName,
  responses: readonly ClassifiedResponse[],
  random: RandomSource,
) {
  if (name === "mahr") return macroRateInterval(responses, "unsupported", random);
  if (name === "mahrRefuted") return macroRateInterval(responses, "refuted", random);
  if (name === "respondRatio") {
    const items = responses.map((value) => ({ cluster: value.cluster, value }));
    return shareInterval(items, RESPONSE_METRICS[name], random);
  }
  return responseInterval(responses, RESPONSE_METRICS[name], random);
}

/** What the metric's description says is counted. */
function countOf(name: ResponseMetricName, responses: readonly ClassifiedResponse[]): number {
  const counts = responses.map(({ claims }) => claimCounts(claims));
  switch (name) {
    case "mihr":
    case "mihrRefuted":
      return counts.filter(({ scored }) => scored > 0).length;
    case "mihrPooled":
    case "mihrPooledRefuted":
    case "factualPrecision":
      return pooledCounts(responses).scored;
    case "mahr":
    case "mahrRefuted":
      return counts.filter(({ scored, unscored }) => scored > 0 || unscored === 0).length;
    case "factScore":
    case "factScoreUnpenalised":
    case "factsPerResponse":
      return factScore(responses).responded;
    case "respondRatio":
      return responses.length;
  }
}
