import { dotPlot, type DotRow } from "../../figures/dot_plot.ts";
import { forestPlot } from "../../figures/forest_plot.ts";
import type { Measure } from "../../figures/measure.ts";
import type { Figure } from "../../figures/render.ts";
import type { ProfileComparison } from "./compare_profiles.ts";
import type { HallucinationProfile } from "./hallucination_profile.ts";
import { PROFILE_METRICS, type ProfileMetric, type ProfileMetricName } from "./profile_metrics.ts";

/** What the figure shows of a profile, by how it is read. The others are in the table only. */
const SHOWN: Readonly<Record<string, readonly ProfileMetricName[]>> = {
  "Less is better": [
    "mihr",
    "mihrRefuted",
    "mahr",
    "uncertainty",
    "falseAcceptance",
    "overRefusal",
  ],
  "More is better": ["factualPrecision", "factScore", "consensusF1"],
};

/** What is below 0 where raters agree less than by chance, and so has an axis of its own. */
const AGREEMENTS: readonly ProfileMetricName[] = ["fleissKappa", "krippendorffAlpha", "gwetAc1"];

/**
 * Profiles side by side: shares of every model with their intervals, in place of a radar.
 * @throws {RangeError} without profiles, or for more than seven.
 */
export function profileFigure(profiles: readonly HallucinationProfile[]): Figure {
  const models = profiles.map(({ model }) => model);
  return dotPlot({
    title: "Hallucination profiles",
    subtitle:
      "By the verifier's word, with 95 % intervals; – where a metric could not be computed.",
    alt: `Metrics of hallucination of ${models.join(", ")}, each with its interval.`,
    series: models,
    rows: Object.entries(SHOWN).flatMap(([group, names]) => rowsOf(profiles, names, group)),
    axis: { label: "Share", format: "decimal", domain: [0, 1] },
  });
}

/** How far the raters of each model's claims agree. Throws as {@link profileFigure} does. */
export function agreementFigure(profiles: readonly HallucinationProfile[]): Figure {
  const models = profiles.map(({ model }) => model);
  const rows = rowsOf(profiles, AGREEMENTS);
  const least = lowest(rows.flatMap(({ measures }) => measures));
  return dotPlot({
    title: "Agreement of raters about claims",
    subtitle: "1 is full agreement, 0 as by chance; 95 % intervals.",
    alt: `Agreement of the raters of claims of ${models.join(", ")}, with intervals.`,
    series: models,
    rows,
    axis: {
      ...{ label: "Agreement beyond chance", format: "decimal" },
      // All of it or half: in between its ticks would run into one another.
      domain: [least < 0 ? Math.min(-1, least) : 0, 1],
      reference: { value: 0, label: "chance" },
    },
  });
}

function rowsOf(
  profiles: readonly HallucinationProfile[],
  names: readonly ProfileMetricName[],
  group?: string,
): readonly DotRow[] {
  return names.map((name) => ({
    ...group === undefined ? {} : { group },
    label: PROFILE_METRICS[name].title,
    measures: profiles.map(({ metrics }) => measureOf(metrics[name])),
  }));
}

/**
 * Differences between models on the queries that they share.
 * @throws {RangeError} where there is none: of a single model.
 */
export function differencesFigure({ differences }: ProfileComparison): Figure {
  const rows = differences.map(({ metric, first, second, difference }) => ({
    group: PROFILE_METRICS[metric].title,
    label: `${first} − ${second}`,
    measure: measureOf(difference),
  }));
  const least = lowest(rows.map(({ measure }) => measure));
  const most = -lowest(rows.map(({ measure }) => negative(measure)));
  return forestPlot({
    title: "Differences between models",
    subtitle: "On shared queries, in pairs; 95 % intervals, each for itself.",
    alt: "Differences of models by metric, with intervals and a line at no difference.",
    rows,
    axis: {
      ...{ label: "First less second", format: "decimal" },
      domain: [Math.min(least, -0.1), Math.max(most, 0.1)],
      reference: { value: 0, label: "no difference" },
    },
  });
}

/** A metric without an interval is a point. */
function measureOf(metric: ProfileMetric): Measure {
  if (metric.kind === "unavailable") return metric;
  const { estimate, interval } = metric;
  if (interval.kind === "unavailable") return { kind: "value", estimate };
  return { kind: "interval", estimate, low: interval.low, high: interval.high };
}

/** 0, or the tenth below the lowest end of all. */
function lowest(measures: readonly Measure[]): number {
  const ends = measures.map((measure) => {
    if (measure.kind === "unavailable") return 0;
    return measure.kind === "interval" ? measure.low : measure.estimate;
  });
  return Math.floor(10 * Math.min(0, ...ends)) / 10;
}

function negative(measure: Measure): Measure {
  if (measure.kind === "unavailable") return measure;
  const estimate = -measure.estimate;
  if (measure.kind === "value") return { ...measure, estimate };
  return { ...measure, estimate, low: -measure.high, high: -measure.low };
}
