import { escaped, list, table } from "../../report/html/markup.ts";
import type { ProfileComparison } from "../compare_profiles.ts";
import type { HallucinationProfile } from "../hallucination_profile.ts";
import {
  PROFILE_METRIC_NAMES,
  PROFILE_METRICS,
  type ProfileMetricName,
} from "../profile_metrics.ts";
import { HIGH_RISK, NOT_HIGH } from "../reliability.ts";
import { metricWords } from "./metric_words.ts";

type Profiles = readonly HallucinationProfile[];

/** Level and risk of each model with the reasons. */
export function reliabilityTable(profiles: Profiles): string {
  const rows = profiles.map(({ model, reliability, risk }) => [
    escaped(model),
    reliability.kind === "unavailable"
      ? `– ${escaped(reliability.reason)}`
      : `<strong>${reliability.level}</strong>`,
    risk.high ? `<strong class="refuted">high risk</strong>` : "not flagged",
    list((reliability.kind === "unavailable" ? [] : reliability.reasons).map(escaped)),
    risk.unknown.map((metric) => PROFILE_METRICS[metric].title).join(", ") || "nothing",
  ]);
  const columns = ["model", "reliability", "risk", "why", "not known of the rule"];
  return `${table("How far each model can be relied upon", columns, rows)}\n` +
    `<p class="quiet">High risk: ${rule(HIGH_RISK)}, as specified. Reliability is low then; high ` +
    `where all three are known and none of these holds: ${rule(NOT_HIGH)}, a convention; medium ` +
    "else.</p>";
}

function rule(thresholds: typeof HIGH_RISK): string {
  return thresholds.map(({ metric, side, value }) =>
    `${PROFILE_METRICS[metric].title} ${side} ${value}`
  ).join(" or ");
}

/** Every metric of every model. */
export function metricsTable(profiles: Profiles): string {
  const rows = PROFILE_METRIC_NAMES.map((name) => [
    metricHeading(name),
    ...profiles.map(({ metrics }) => escaped(metricWords(metrics[name]))),
  ]);
  const columns = ["metric", ...profiles.map(({ model }) => escaped(model))];
  return table("Estimates with 95 % intervals", columns, rows);
}

function metricHeading(name: ProfileMetricName): string {
  const { title, better, counted } = PROFILE_METRICS[name];
  const reading = { lower: "less is better; ", higher: "more is better; ", neither: "" }[better];
  return `${escaped(title)}<br><span class="quiet">${reading}n: ${counted}</span>`;
}

/** What could not be computed and why, of each model. */
export function notComputedList(profiles: Profiles): string {
  return list(profiles.flatMap(({ model, notComputed }) => {
    const byReason = Map.groupBy(notComputed, ({ reason }) => reason);
    return [...byReason].map(([reason, entries]) => {
      const titles = entries.map(({ metric }) => PROFILE_METRICS[metric].title).join(", ");
      return `${escaped(model)}: ${escaped(titles)}: ${escaped(reason)}`;
    });
  }));
}

/** Settings and seeds. */
export function settingsList({ profiles, seed }: ProfileComparison): string {
  const blocks = profiles.map(({ model, provenance, seed }) => {
    const settings = Object.entries(provenance.settings)
      .map(([key, value]) => escaped(`${key}: ${value}`));
    return `<h3>${escaped(model)}</h3>\n` +
      list(
        [`made ${provenance.madeAt}`, `seed of the intervals: ${seed}`, ...settings].map(String),
      );
  });
  const differences = profiles.length < 2
    ? ""
    : `<p>Seed of the intervals of differences: ${escaped(String(seed))}</p>`;
  return `<div class="quiet">${blocks.join("\n")}${differences}</div>`;
}
