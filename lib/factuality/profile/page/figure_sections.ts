import { Buffer } from "node:buffer";
import type { Figure } from "../../../figures/render.ts";
import { escaped, table } from "../../report/html/markup.ts";
import type { ProfileComparison } from "../compare_profiles.ts";
import type { HallucinationProfile } from "../hallucination_profile.ts";
import { agreementFigure, differencesFigure, profileFigure } from "../profile_figures.ts";
import { PROFILE_METRICS } from "../profile_metrics.ts";
import { metricWords } from "./metric_words.ts";

/** Models that can be told apart in a figure. */
const MOST_SERIES = 7;

/** The dot plots; nothing for more models than they can show. */
export function profilesFigures(profiles: readonly HallucinationProfile[]): string {
  if (profiles.length > MOST_SERIES) return "";
  return `${chart(profileFigure(profiles))}\n${chart(agreementFigure(profiles))}`;
}

/** Differences as figure and table; nothing of a single model. */
export function differencesSection(comparison: ProfileComparison): string {
  const { differences } = comparison;
  if (differences.length === 0) return "";
  const rows = differences.map(({ metric, first, second, difference }) => [
    PROFILE_METRICS[metric].title,
    escaped(first),
    escaped(second),
    escaped(metricWords(difference)),
  ]);
  const columns = [
    "metric",
    "first",
    "second",
    "first less second; n: queries for which both have it",
  ];
  return `${chart(differencesFigure(comparison))}\n${table("Paired by query", columns, rows)}`;
}

function chart({ png, alt, width, height }: Figure): string {
  const data = Buffer.from(png).toString("base64");
  return `<div class="chart"><img src="data:image/png;base64,${data}" alt="${escaped(alt)}" ` +
    `width="${width}" height="${height}"></div>`;
}
