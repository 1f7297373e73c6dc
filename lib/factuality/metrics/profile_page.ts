/** Comparison of profiles as figures and one self-contained HTML page. */
import { Buffer } from "node:buffer";
import { dotPlot, forestPlot } from "../../figures/dots.ts";
import type { Figure } from "../../figures/frame.ts";
import { type Measure } from "../../stats/measure.ts";
import {
  escapeHtml,
  listMarkup,
  page,
  PAGE_STYLE,
  section,
  tableMarkup,
} from "../../files/page.ts";
import { type HallucinationProfile, HIGH_RELIABILITY_LIMITS, HIGH_RISK } from "./profile.ts";
import type { ProfileComparison } from "./profile.ts";
import { metricWords, plottedMeasure, PROFILE_METRIC_NAMES } from "./profile_metrics.ts";
import { PROFILE_METRICS } from "./profile_metrics.ts";
import type { ProfileMetric, ProfileMetricName } from "./profile_metrics.ts";

type Profiles = readonly HallucinationProfile[];

const titlesOf = (metrics: readonly ProfileMetricName[]) =>
  metrics.map((metric) => PROFILE_METRICS[metric].title).join(", ");

/** Metrics of the figure by direction (lower or higher is better). The table has all others. */
const LOWER_IS_BETTER = [
  "mihr",
  "mihrRefuted",
  "mahr",
  "uncertainty",
  "falseAcceptance",
  "overRefusal",
] as const;
const HIGHER_IS_BETTER = ["factualPrecision", "factScore", "consensusF1"] as const;
const SHOWN = { "Less is better": LOWER_IS_BETTER, "More is better": HIGHER_IS_BETTER };

/** Draws every model's shares with intervals. @throws {RangeError} for 0 or more than 7 models. */
function profileFigure(profiles: Profiles): Figure {
  const models = profiles.map(({ model }) => model);
  return dotPlot({
    title: "Hallucination profiles",
    subtitle:
      "By the verifier's word, with 95 % intervals; – where a metric could not be computed.",
    alt: `Metrics of hallucination of ${models.join(", ")}, each with its interval.`,
    series: models,
    rows: Object.entries<readonly ProfileMetricName[]>(SHOWN).flatMap(([group, names]) =>
      rowsOf(profiles, names).map((row) => ({ group, ...row }))
    ),
    axis: { label: "Share", format: "decimal", domain: [0, 1] },
  });
}

/** Draws the raters' agreement on each model's claims; negative below chance. */
function agreementFigure(profiles: Profiles): Figure {
  const models = profiles.map(({ model }) => model);
  const rows = rowsOf(profiles, ["fleissKappa", "krippendorffAlpha", "gwetAc1"]);
  const least = axisEnd(rows.flatMap(({ measures }) => measures), "low");
  return dotPlot({
    title: "Agreement of raters about claims",
    subtitle: "1 is full agreement, 0 as by chance; 95 % intervals.",
    alt: `Agreement of the raters of claims of ${models.join(", ")}, with intervals.`,
    series: models,
    rows,
    axis: {
      label: "Agreement beyond chance",
      format: "decimal",
      // Whole or half units: finer ticks would overlap.
      domain: [least < 0 ? Math.min(-1, least) : 0, 1],
      reference: { value: 0, label: "chance" },
    },
  });
}

const rowsOf = (profiles: Profiles, names: readonly ProfileMetricName[]) =>
  names.map((name) => ({
    label: PROFILE_METRICS[name].title,
    measures: profiles.map(({ metrics }) => measureOf(metrics[name])),
  }));

/** Draws differences between models on shared queries. @throws {RangeError} for a single model. */
function differencesFigure({ differences }: ProfileComparison): Figure {
  const rows = differences.map(({ metric, first, second, difference }) => ({
    group: PROFILE_METRICS[metric].title,
    label: `${first} − ${second}`,
    measure: measureOf(difference),
  }));
  const measures = rows.map(({ measure }) => measure);
  const [low, high] = [axisEnd(measures, "low"), axisEnd(measures, "high")];
  return forestPlot({
    title: "Differences between models",
    subtitle: "On shared queries, in pairs; 95 % intervals, each for itself.",
    alt: "Differences of models by metric, with intervals and a line at no difference.",
    rows,
    axis: {
      label: "First less second",
      format: "decimal",
      domain: [Math.min(low, -0.1), Math.max(-high, 0.1)],
      reference: { value: 0, label: "no difference" },
    },
  });
}

const measureOf = (metric: ProfileMetric): Measure =>
  metric.kind === "unavailable" ? metric : plottedMeasure(metric);

/**
 * Returns the lowest lower end of the intervals, rounded down to a tenth, at most 0. For "high" it
 * returns minus the highest upper end, rounded up.
 */
function axisEnd(measures: readonly Measure[], end: "low" | "high"): number {
  const sign = end === "low" ? 1 : -1;
  const ends = measures.map((measure) => {
    if (measure.kind === "unavailable") return 0;
    return sign * (measure.kind === "interval" ? measure[end] : measure.estimate);
  });
  return Math.floor(10 * Math.min(0, ...ends)) / 10;
}

const STYLE = `${PAGE_STYLE}
.chart { margin: .5rem 0 1rem; }
.chart img { display: block; width: 100%; max-width: 36rem; height: auto; background: #ffffff;
  border: 1px solid var(--hair); border-radius: 6px; }
`;

/** Renders profiles as one self-contained HTML file without scripts. */
export function profilePage(comparison: ProfileComparison): string {
  const { profiles } = comparison;
  const models = escapeHtml(profiles.map(({ model }) => model).join("; "));
  const gaps = profiles.flatMap(({ model, notComputed }) =>
    [...Map.groupBy(notComputed, ({ reason }) => reason)].map(([reason, entries]) =>
      [model, titlesOf(entries.map(({ metric }) => metric)), reason].map(escapeHtml).join(": ")
    )
  );
  const leftOut = profiles.flatMap(({ model, leftOut = [] }) =>
    leftOut.map(({ query, reason }) => escapeHtml(`${model}, ${query}: ${reason}`))
  );
  return page({
    title: `Hallucination ${profiles.length === 1 ? "profile" : "profiles"}: ${models}`,
    style: STYLE,
    allowed: "img-src data:",
    header: `<p>Claims are supported, refuted or unverifiable according to the verifier, which makes
errors. A metric that could not be computed states its reason.</p>`,
    main: `${section("Reliability", reliabilityTable(profiles))}
${section("Metrics of every model", `${charts(profiles)}\n${metricsTable(profiles)}`)}
${section("Differences", differencesSection(comparison))}
${claimsSections(profiles)}
${section("Left out: text or source is not English", listMarkup(leftOut))}
${section("What could not be computed", listMarkup(gaps))}`,
    footer: section("How it was made", settingsList(comparison)),
    script: "",
  });
}

/** Table of each model's reliability and risk, with reasons. */
function reliabilityTable(profiles: Profiles): string {
  const rule = (thresholds: typeof HIGH_RISK) =>
    thresholds.map(({ metric, side, value }) => `${titlesOf([metric])} ${side} ${value}`)
      .join(" or ");
  const rows = profiles.map(({ model, reliability, risk }) => {
    const [level, reasons] = reliability.kind === "unavailable"
      ? [`– ${escapeHtml(reliability.reason)}`, []]
      : [`<strong>${reliability.level}</strong>`, reliability.reasons];
    const flag = risk.high ? `<strong class="refuted">high risk</strong>` : "not flagged";
    const unknown = titlesOf(risk.unknown) || "nothing";
    return [escapeHtml(model), level, flag, listMarkup(reasons.map(escapeHtml)), unknown];
  });
  const columns = ["model", "reliability", "risk", "why", "not known of the rule"];
  return `${tableMarkup("How far each model can be relied upon", columns, rows)}\n` +
    `<p class="quiet">High risk: ${rule(HIGH_RISK)}, as specified. Reliability is low then; high ` +
    `where all three are known and none of these holds: ${
      rule(HIGH_RELIABILITY_LIMITS)
    }, a convention; medium ` +
    "else.</p>";
}

/** Dot plots; none for more models than a reader can distinguish. */
const charts = (profiles: Profiles) =>
  profiles.length > 7
    ? ""
    : `${chart(profileFigure(profiles))}\n${chart(agreementFigure(profiles))}`;

function chart({ png, alt, width, height }: Figure): string {
  const data = Buffer.from(png).toString("base64");
  return `<div class="chart"><img src="data:image/png;base64,${data}" alt="${escapeHtml(alt)}" ` +
    `width="${width}" height="${height}"></div>`;
}

/** Table of all metrics of all models. */
function metricsTable(profiles: Profiles): string {
  const rows = PROFILE_METRIC_NAMES.map((name) => {
    const { title, better, counted } = PROFILE_METRICS[name];
    const reading = { lower: "less is better; ", higher: "more is better; ", neither: "" }[better];
    return [
      `${escapeHtml(title)}<br><span class="quiet">${reading}n: ${counted}</span>`,
      ...profiles.map(({ metrics }) => escapeHtml(metricWords(metrics[name]))),
    ];
  });
  const columns = ["metric", ...profiles.map(({ model }) => escapeHtml(model))];
  return tableMarkup("Estimates with 95 % intervals", columns, rows);
}

/** Differences as figure and table; nothing for a single model. */
function differencesSection(comparison: ProfileComparison): string {
  if (comparison.differences.length === 0) return "";
  const rows = comparison.differences.map(({ metric, first, second, difference }) => [
    PROFILE_METRICS[metric].title,
    ...[first, second, metricWords(difference)].map(escapeHtml),
  ]);
  const last = "first less second; n: queries for which both have it";
  const shown = tableMarkup("Paired by query", ["metric", "first", "second", last], rows);
  return `${chart(differencesFigure(comparison))}\n${shown}`;
}

/** Sections on claim classes, disputed claims and unanimous claims. */
function claimsSections(profiles: Profiles): string {
  const kinds = ["supported", "refuted", "unverifiable", "unscored"] as const;
  const rows = profiles.map(({ model, counts }) => {
    return [escapeHtml(model), ...kinds.map((kind) => `${counts[kind]}`)];
  });
  const columns = ["model", "supported", "refuted", "unverifiable", "not scored (in no rate)"];
  const agreed = votesTables(profiles, "consensus", "All raters agree");
  // Long and of minor interest: collapsed at first.
  const folded = `<details><summary>Show them</summary>\n${agreed}\n</details>`;
  return [
    section("Claims by class", tableMarkup("Claims of all responses", columns, rows)),
    section("Disputed claims", votesTables(profiles, "disputed", "Raters differ")),
    section("Consensus claims", agreed === "" ? "" : folded),
  ].filter((part) => part !== "").join("\n");
}

function votesTables(profiles: Profiles, kind: "disputed" | "consensus", words: string): string {
  return profiles.filter(({ claims }) => claims[kind].length > 0).map(({ model, claims }) => {
    const rated = claims.disputed.length + claims.consensus.length;
    const caption = `${escapeHtml(model)}: ${words} on ${claims[kind].length} of ${rated} claims`;
    const rows = claims[kind].map(({ text, query, votes }) => {
      const byLabel = [...Map.groupBy(votes, ({ label }) => label)].map(([label, group]) =>
        `<strong>${escapeHtml(label)}</strong>: ${
          escapeHtml(group.map(({ rater }) => rater).join(", "))
        }`
      );
      return [escapeHtml(text), escapeHtml(query), byLabel.join("<br>")];
    });
    return tableMarkup(caption, ["claim", "query", "votes"], rows);
  }).join("\n");
}

/** List of settings and seeds. */
function settingsList({ profiles, seed }: ProfileComparison): string {
  const blocks = profiles.map(({ model, provenance: { madeAt, settings }, seed }) => {
    const lines = Object.entries(settings).map(([key, value]) => escapeHtml(`${key}: ${value}`));
    const made = [`made ${madeAt}`, `seed of the intervals: ${seed}`];
    return `<h3>${escapeHtml(model)}</h3>\n${listMarkup([...made, ...lines])}`;
  });
  const differences = profiles.length < 2
    ? ""
    : `<p>Seed of the intervals of differences: ${escapeHtml(String(seed))}</p>`;
  return `<div class="quiet">${blocks.join("\n")}${differences}</div>`;
}
