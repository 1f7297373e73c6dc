import { markdownTable } from "../../../figures/markdown_table.ts";
import type { ClaimMatrix, Stance } from "../../metrics/claim_matrix.ts";
import type { ProfileComparison } from "../../profile/compare_profiles.ts";
import type { HallucinationProfile } from "../../profile/hallucination_profile.ts";
import { metricWords } from "../../profile/page/metric_words.ts";
import { PROFILE_METRICS, type ProfileMetricName } from "../../profile/profile_metrics.ts";

type Profiles = readonly HallucinationProfile[];

/** Chosen metrics of every system, with intervals and n. */
export function metricsTable(profiles: Profiles, metrics: readonly ProfileMetricName[]): string {
  return markdownTable(
    ["system", ...metrics.map((name) => PROFILE_METRICS[name].title)],
    profiles.map((profile) => [
      profile.model,
      ...metrics.map((name) => metricWords(profile.metrics[name])),
    ]),
  );
}

/** Claims of each system by class. */
export function claimClassesTable(profiles: Profiles): string {
  return markdownTable(
    ["system", "responses", "supported", "refuted", "unverifiable", "not scored"],
    profiles.map(({ model, responses, counts }) => [
      ...[model, responses.length, counts.supported, counts.refuted, counts.unverifiable],
      counts.unscored,
    ]),
  );
}

/** How far each system can be relied upon, and why. */
export function reliabilityTable(profiles: Profiles): string {
  return markdownTable(
    ["system", "reliability", "high risk", "why", "not known"],
    profiles.map(({ model, reliability, risk }) => [
      model,
      reliability.kind === "unavailable" ? `– (${reliability.reason})` : reliability.level,
      risk.high ? "yes" : "no",
      reliability.kind === "unavailable" ? "" : reliability.reasons.join("; "),
      risk.unknown.map((metric) => PROFILE_METRICS[metric].title).join(", "),
    ]),
  );
}

/** Every two systems on the queries that both answered. */
export function differencesTable({ differences }: ProfileComparison): string {
  return markdownTable(
    ["metric", "first", "second", "first less second"],
    differences.map(({ metric, first, second, difference }) => [
      ...[PROFILE_METRICS[metric].title, first, second, metricWords(difference)],
    ]),
  );
}

/** The most divided claims of each system, with who voted what. */
export function disputedTable(profiles: Profiles, most: number): string {
  return markdownTable(
    ["system", "claim", "votes"],
    profiles.flatMap(({ model, claims }) =>
      claims.disputed.slice(0, most).map(({ text, votes }) => [
        ...[model, text, votes.map(({ rater, label }) => `${rater}: ${label}`).join("; ")],
      ])
    ),
  );
}

/** How many claims raters agree on. */
export function agreementCountsTable(profiles: Profiles): string {
  return markdownTable(
    ["system", "disputed", "consensus", "rated once"],
    profiles.map(({ model, claims }) => [
      ...[model, claims.disputed.length, claims.consensus.length, claims.ratedOnce],
    ]),
  );
}

const STANCE_SIGNS: Readonly<Record<Stance, string>> = {
  states: "states",
  entails: "entails",
  silent: "",
};

/** Statements × systems of one query. */
export function matrixTable({ models, statements }: ClaimMatrix): string {
  return markdownTable(
    ["statement", ...models],
    statements.map(({ text, stances }) => [text, ...stances.map((one) => STANCE_SIGNS[one])]),
  );
}

/** What could not be computed, and why. */
export function gapsTable(profiles: Profiles): string {
  return markdownTable(
    ["system", "metric", "why"],
    profiles.flatMap(({ model, notComputed }) =>
      notComputed.map(({ metric, reason }) => [model, PROFILE_METRICS[metric].title, reason])
    ),
  );
}
