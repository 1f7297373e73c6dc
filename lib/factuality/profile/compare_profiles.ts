import { randomSource } from "../../stats/random.ts";
import { unavailable } from "../../stats/unavailable.ts";
import { everyTwo } from "../every_two.ts";
import { meanConsensus } from "../metrics/consensus_f1.ts";
import { pairedDifference } from "../metrics/response_interval.ts";
import type { HallucinationProfile } from "./hallucination_profile.ts";
import { RESPONSE_METRICS } from "./measure_responses.ts";
import { type ProfileMetric, profileMetric, type ProfileMetricName } from "./profile_metrics.ts";

/** The first model's figure less the second's on the queries for which both have it. */
export interface ProfileDifference {
  readonly metric: ProfileMetricName;
  readonly first: string;
  readonly second: string;
  /** `n` counts those queries. */
  readonly difference: ProfileMetric;
}

/** Profiles side by side. */
export interface ProfileComparison {
  readonly profiles: readonly HallucinationProfile[];
  /** Every two models by every compared metric. */
  readonly differences: readonly ProfileDifference[];
  /** Of the intervals of the differences. */
  readonly seed: number | string;
}

/** What is compared in pairs: few, for every further one is a further chance of luck. */
export const COMPARED_METRICS = ["mihr", "mihrRefuted", "consensusF1"] as const;

type ComparedMetric = typeof COMPARED_METRICS[number];

/**
 * Compares models. A difference is over shared queries and has an interval by resampling them in
 * pairs; intervals are 95 % each, not corrected for how many there are.
 *
 * @throws {RangeError} for two profiles of one model, and a model with two results for a query.
 */
export function compareProfiles(
  profiles: readonly HallucinationProfile[],
  seed: number | string,
): ProfileComparison {
  const models = profiles.map(({ model }) => model);
  const twice = models.find((model, index) => models.indexOf(model) !== index);
  if (twice !== undefined) {
    throw new RangeError(`Cannot compare profiles: two are of ${twice}; name them apart.`);
  }
  const differences = COMPARED_METRICS.flatMap((metric) =>
    everyTwo(profiles).map(([first, second]) => difference(metric, first, second, seed))
  );
  return { profiles, differences, seed };
}

function difference(
  metric: ComparedMetric,
  first: HallucinationProfile,
  second: HallucinationProfile,
  seed: number | string,
): ProfileDifference {
  const random = randomSource(`${seed} ${metric} ${first.model} ${second.model}`);
  const found = metric === "consensusF1"
    ? pairedDifference(
      first.consensus,
      second.consensus,
      (scores) => meanConsensus(scores, "f1"),
      random,
    )
    : pairedDifference(first.responses, second.responses, RESPONSE_METRICS[metric], random);
  return {
    metric,
    first: first.model,
    second: second.model,
    difference: found.kind === "unavailable"
      ? unavailable(found.reason)
      : profileMetric(found.estimate, found.n, found),
  };
}
