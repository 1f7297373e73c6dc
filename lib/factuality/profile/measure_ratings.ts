import {
  type BootstrapInterval,
  clusterBootstrap,
  type ClusteredValue,
} from "../../stats/intervals.ts";
import { fleissKappa, fleissKappaInterval } from "../../stats/fleiss_kappa.ts";
import { gwetAc1, gwetAc1Interval } from "../../stats/gwet_ac1.ts";
import { krippendorffAlpha } from "../../stats/krippendorff.ts";
import type { RandomSource } from "../../stats/random.ts";
import type { RatedItem } from "../../stats/rated_items.ts";
import { type Unavailable, unavailable } from "../../stats/unavailable.ts";
import { RESPONSE_BOOTSTRAP } from "../metrics/response_interval.ts";
import type { RandomOf } from "./measure_responses.ts";
import type { ClaimRating } from "./profile_input.ts";
import { type ProfileMetric, profileMetric } from "./profile_metrics.ts";
import { ratedClaims } from "./rated_claims.ts";

export type AgreementMetricName = "fleissKappa" | "krippendorffAlpha" | "gwetAc1";

/**
 * How far raters agree about claims, beyond chance. Fleiss' κ needs equally many ratings of each
 * claim, so it is over the claims that every rater rated; the others bear missing ratings.
 *
 * @throws {RangeError} for a label that is none of `labels`, and a rater with two of one claim.
 */
export function measureRatings(
  ratings: readonly ClaimRating[],
  labels: readonly string[],
  randomOf: RandomOf,
): Readonly<Record<AgreementMetricName, ProfileMetric>> {
  const raters = new Set(ratings.map(({ rater }) => rater)).size;
  if (raters < 2) {
    const none = unavailable(raters === 0 ? "no claim was rated" : "fewer than two raters");
    return { fleissKappa: none, krippendorffAlpha: none, gwetAc1: none };
  }
  const items = ratedClaims(ratings).map(({ query, cluster, claimId, votes }) => ({
    id: JSON.stringify([query, claimId]),
    cluster,
    labels: votes.map(({ label }) => label),
  }));
  const whole = items.filter((item) => item.labels.length === raters);
  return {
    fleissKappa: fleiss(whole, labels, randomOf("fleissKappa")),
    krippendorffAlpha: krippendorff(items, labels, randomOf("krippendorffAlpha")),
    gwetAc1: gwet(items, labels, randomOf("gwetAc1")),
  };
}

type Items = readonly Required<RatedItem<string>>[];

function fleiss(items: Items, labels: readonly string[], random: RandomSource): ProfileMetric {
  if (items.length === 0) return unavailable("no claim was rated by every rater");
  const found = fleissKappa(items, labels);
  if (found.kind === "unavailable") {
    const observed = found.observed?.toFixed(2);
    return unavailable(`${found.reason}; observed agreement ${observed}`);
  }
  return profileMetric(found.kappa, found.items, fleissKappaInterval(items, labels, random));
}

function gwet(items: Items, labels: readonly string[], random: RandomSource): ProfileMetric {
  const found = gwetAc1(items, labels);
  if (found.kind === "unavailable") return found;
  return profileMetric(found.ac1, found.items, gwetAc1Interval(items, labels, random));
}

function krippendorff(
  items: Items,
  labels: readonly string[],
  random: RandomSource,
): ProfileMetric {
  const alphaOf = (units: readonly (readonly string[])[]) =>
    krippendorffAlpha(units.map((unit) => unit.map((label) => labels.indexOf(label))), "nominal");
  const found = alphaOf(items.map((item) => item.labels));
  if (found.kind === "unavailable") return found;
  const values = items.map(({ cluster, labels }) => ({ cluster, value: labels }));
  return profileMetric(found.alpha, found.units, alphaInterval(values, alphaOf, random));
}

function alphaInterval(
  items: readonly ClusteredValue<readonly string[]>[],
  alphaOf: (units: readonly (readonly string[])[]) => ReturnType<typeof krippendorffAlpha>,
  random: RandomSource,
): BootstrapInterval | Unavailable {
  return clusterBootstrap({
    items,
    statistic: (drawn) => {
      const found = alphaOf(drawn);
      return found.kind === "alpha" ? found.alpha : undefined;
    },
    ...RESPONSE_BOOTSTRAP,
    random,
  });
}
