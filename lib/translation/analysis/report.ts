/** Tables, figures and HTML report of a rating study. */
import { beyondChance, type Measure, shown, shownNumber } from "../../stats/measure.ts";
import {
  escapeHtml,
  listMarkup,
  page,
  PAGE_STYLE,
  section,
  tableMarkup,
} from "../../files/page.ts";
import { stackedBars } from "../../figures/bars.ts";
import { forestPlot } from "../../figures/dots.ts";
import type { Figure } from "../../figures/frame.ts";
import { type HeatClasses, heatmap } from "../../figures/heat.ts";
import { type MeasuredRow, numbersOf } from "../../figures/rows.ts";
import { PALETTE } from "../../figures/theme.ts";
import { counting, type RatingAnalysis } from "./analyse.ts";
import { formatChecksPassed, labelOf, type RaterReliability } from "./reliability.ts";
import type { SystemComparison, SystemResult } from "./systems.ts";
import { type ColumnsOf, formatP, formatQuartiles, formatStatistic, tableOf } from "./estimate.ts";

/** Names the basis of intervals and tests: `95 % intervals by document (n = 55)`. */
const intervalBasis = ({ unit, units }: RatingAnalysis) =>
  `95 % intervals by ${unit} (n = ${units})`;

/** Counts the raters: `4 raters (simulated)`. */
const raterCount = ({ together: { raters }, note }: RatingAnalysis) =>
  counting(raters.length, "rater") + (note === "" ? "" : ` (${note})`);

/** Returns the study's tables; each caption names the intervals' cluster. */
export function ratingTables(analysis: RatingAnalysis) {
  const { comparison: { systems, pairs }, runs, raters, together } = analysis;
  const described = <Thing>(what: string, things: readonly Thing[], columns: ColumnsOf<Thing>) => {
    return { caption: `${what}; ${intervalBasis(analysis)}`, ...tableOf(things, columns) };
  };
  const ofRaters = (what: string, columns: ColumnsOf<RaterReliability>) =>
    described(what, raters, { rater: ({ label }) => label, ...columns });
  const rank = ({ rank, rankInterval: ends }: SystemResult) =>
    "kind" in ends ? String(rank) : shown({ kind: "interval", estimate: rank, ...ends }, 0);
  const place = new Map(systems.map(({ system }, index) => [system, index]));
  const neighbours = pairs
    .filter(({ first, second }) => place.get(second)! - place.get(first)! === 1);
  const alphas = { scores: together.alphaDa, z: together.alphaZ, buckets: together.alphaBucket };
  return {
    systems: described("Systems, best mean first", systems, {
      system: ({ system }) => system,
      "mean score": ({ meanDa }) => formatStatistic(meanDa),
      "mean z": ({ meanZ }) => formatStatistic(meanZ, 2),
      rank,
      "cluster (Holm)": ({ cluster }) => cluster,
      "cluster (WMT’s rule)": ({ clusterWmt }) => clusterWmt,
      "significantly better than": ({ betterThan }) => betterThan.join(", ") || "none",
    }),
    neighbours: described(
      "Neighbours; tests exchange whole units, Holm over all pairs",
      neighbours,
      {
        better: ({ first }) => first,
        worse: ({ second }) => second,
        difference: ({ difference }) => formatStatistic(difference),
        p: ({ test }) => formatP(test),
        "adjusted p": ({ adjustedP }) => formatP(adjustedP),
      },
    ),
    raters: ofRaters("Raters: ρ within an item, η² the bucket's share of the scores' variance", {
      items: ({ items }) => items,
      "mean score": ({ meanDa }) => formatStatistic(meanDa),
      "bucket and score: ρ": ({ bucketAndScore }) => formatStatistic(bucketAndScore.spearman, 2),
      "η²": ({ bucketAndScore }) => formatStatistic(bucketAndScore.etaSquared, 2),
    }),
    repeats: ofRaters("Raters against themselves: repeated items and spoiled translations", {
      "rated twice": ({ repeats }) => `${repeats.pairs} in ${counting(repeats.items, "item")}`,
      "mean difference": ({ repeats }) => formatStatistic(repeats.meanAbsoluteDifference),
      "ρ": ({ repeats }) => formatStatistic(repeats.spearman, 2),
      "same bucket (%)": ({ repeats }) => shown(repeats.sameBucket, "percent", { reasons: true }),
      "weighted κ": ({ repeats }) => formatStatistic(repeats.kappa, 2),
      "checks passed": ({ attention }) => formatChecksPassed(attention),
    }),
    rows: ofRaters("Rows of the screen, downwards; p of permutations within items, unadjusted", {
      "points per row": ({ position }) => formatStatistic(position.slope, 2),
      "p of a slope": ({ position }) => formatP(position.slopeTest),
      "p of any pattern": ({ position }) => formatP(position.spreadTest),
    }),
    alpha: described("Krippendorff's α of all raters, of buckets ordinal", Object.entries(alphas), {
      of: ([of]) => of,
      items: () => together.items,
      "α": ([, alpha]) => formatStatistic(alpha, 2),
    }),
    agreement: described("Every two raters", together.pairs, {
      raters: ({ first, second }) => `${first}, ${second}`,
      items: ({ items }) => items,
      "ρ of scores": ({ spearman }) => formatStatistic(spearman, 2),
      "r beyond item and system": ({ beyondSystems }) => formatStatistic(beyondSystems, 2),
      "τ-b of system rankings": ({ systemRanking }) => formatStatistic(systemRanking, 2),
    }),
    time: ofRaters("Seconds an item, median and quartiles, and change over ten items", {
      "reading and rating": ({ time }) => formatQuartiles(time.activeSeconds),
      idle: ({ time }) => formatQuartiles(time.idleSeconds),
      "wall clock": ({ time }) => formatQuartiles(time.wallClockSeconds),
      "seconds per ten items": ({ drift }) => formatStatistic(drift.seconds),
      "points per ten items": ({ drift }) => formatStatistic(drift.da),
    }),
    leftOut: described("What the raters left undone, and what counts for no system", runs, {
      rater: labelOf,
      "items in the workbook": ({ items }) => items,
      unfinished: ({ leftOut }) =>
        leftOut.map(({ itemId, reason }) => `${itemId} (${reason})`).join(", ") || "none",
      "repeats and checks": ({ ratings }) =>
        new Set(ratings.flatMap(({ role, item_id }) => role === "rated" ? [] : [item_id])).size,
    }),
  };
}

/**
 * States for each system, best first, the systems it is significantly better than.
 * Significance is Holm-adjusted, with tests over units.
 */
export function ratingAnswers({ comparison: { systems }, unit }: RatingAnalysis): string[] {
  const listed = (names: readonly string[]) => new Intl.ListFormat("en-GB").format(names);
  if (systems.every(({ betterThan }) => betterThan.length === 0)) {
    return [`No system is significantly better than another (Holm, ${unit}s).`];
  }
  return systems.map(({ system, betterThan, notDifferent }) => {
    const better = `${system} is significantly better than ` +
      `${listed(betterThan) || "no other system"} (Holm, ${unit}s)`;
    const others = notDifferent.length;
    if (others === 0) return `${better}.`;
    return `${better}; ${listed(notDifferent)} ${others === 1 ? "does" : "do"} not differ ` +
      `significantly from ${system}.`;
  });
}

/** Returns the study's figures by file name, with computed titles. */
export function ratingFigures(analysis: RatingAnalysis) {
  const { comparison, raters, config, items, unit, units } = analysis;
  const { systems, pairs, alpha } = comparison;
  const [best, last] = [systems[0]!, systems.at(-1)!];
  const under = (...words: readonly string[]) =>
    [`${raterCount(analysis)}, ${counting(items, "item")}`, ...words].join("; ");
  const means = systems.map(({ system, meanDa, cluster }) => {
    return { label: system, group: `Cluster ${cluster}`, measure: meanDa };
  });
  const apart = pairs.filter(({ adjustedP }) => Number(adjustedP) <= alpha).length;
  const top = config.buckets[0]!.label;
  const chosen = ({ system, buckets }: SystemResult) =>
    `${shownNumber(100 * buckets[0]!.share, 0)} % of ${system}`;
  const round = heapingRows(raters);
  const fives = raters.flatMap(({ heaping: [five] }) => pointEstimates(five!.share));
  const slopes = raters.map(({ label, position }) => ({ label, measure: position.slope }));
  const sloping = beyondChance(slopes.map(({ measure }) => measure), 0);
  const biased = sloping.aboveAdjusted.size + sloping.belowAdjusted.size;
  return {
    system_means: forestPlot({
      title: [
        `${best.system} has the highest mean`,
        ...pointEstimates(best.meanDa).map((it) => shownNumber(it, 1)),
      ]
        .join(", ") + `: ${systems.length} systems in ${counting(last.cluster, "cluster")}`,
      subtitle: under(intervalBasis(analysis)),
      alt: "Mean Direct Assessment of each system with its interval, by cluster.",
      axis: {
        label: "Direct Assessment",
        format: "decimal",
        domain: axisRange(means, (config.daMax - config.daMin) / 10),
      },
      rows: means,
    }),
    pairwise_tests: heatmap({
      title: `${apart} of ${counting(pairs.length, "pair")} of systems differ significantly`,
      subtitle: under(`permutation test by ${unit} (n = ${units}), Holm`),
      alt: "Stars for every two systems that differ significantly, dark for the others.",
      ...pairCells(comparison),
      format: "decimal",
      scaleLabel: "Adjusted p",
    }),
    buckets: stackedBars({
      title: `“${top}” is chosen for ${chosen(best)}, ${chosen(last)}`,
      subtitle: under("shares of ratings, without intervals"),
      alt: "Share of each bucket among the ratings of each system, best mean score first.",
      parts: config.buckets.map(({ label }, index) => {
        return { label, color: shadeOf(index, config.buckets.length) };
      }),
      rows: systems.map(({ system, buckets }) => {
        return { label: system, amounts: buckets.map(({ count }) => count) };
      }),
      axisLabel: "Ratings (%)",
      stack: "share",
    }),
    heaping: forestPlot({
      title: fives.length === 0
        ? "Round scores"
        : `Multiples of 5 are ${shownNumber(100 * Math.min(...fives), 0)} to ` +
          `${shownNumber(100 * Math.max(...fives), 0)} % of a rater's scores`,
      subtitle: under(intervalBasis(analysis)),
      alt: "Share of scores that are multiples of 5, of 10, the lowest or the highest, by rater.",
      axis: { label: "Scores (%)", format: "percent", domain: [0, 1] },
      rows: round,
    }),
    position_slope: forestPlot({
      title: `Scores follow the row of the screen for ${biased} of ${
        counting(raters.length, "rater")
      }`,
      subtitle: under(intervalBasis(analysis)),
      alt: "Change of the score from one row of the screen to the next, by rater, with intervals.",
      axis: {
        label: "Points per row",
        format: "decimal",
        reference: { value: 0, label: "no bias" },
        domain: axisRange(slopes, 1, [0]),
      },
      rows: slopes,
    }),
  } satisfies Readonly<Record<string, Figure>>;
}

/** Returns a measure's point estimate as a list, empty if unavailable. */
const pointEstimates = (measure: Measure) => numbersOf(measure).slice(0, 1);

/** Returns a heat map of adjusted p values above the diagonal. Columns show ranks to save space. */
function pairCells({ systems, pairs, alpha }: SystemComparison) {
  const adjusted = new Map(pairs.map((pair) => [`${pair.first}\n${pair.second}`, pair.adjustedP]));
  const cell = (row: SystemResult, column: SystemResult): Measure => {
    const p = adjusted.get(`${row.system}\n${column.system}`);
    if (typeof p === "number") return { kind: "value", estimate: p };
    return p ?? { kind: "unavailable", reason: "stands on the other side" };
  };
  const scale: HeatClasses = {
    edge: alpha,
    meanings: ["significant (*; ** ≤ 0.01, *** ≤ 0.001)", "not significant"],
    write: starsOf,
  };
  return {
    rows: systems.map(({ system }, index) => `${index + 1} ${system}`),
    columns: systems.map((_, index) => String(index + 1)),
    cells: systems.map((row) => systems.map((column) => cell(row, column))),
    scale,
  };
}

/**
 * Returns significance stars for a p value.
 * Two digits would show 0.05199 as 0.05, and more digits do not fit in twelve columns.
 */
const starsOf = (p: number) => p <= 0.001 ? "***" : p <= 0.01 ? "**" : p <= 0.05 ? "*" : "";

const SHADES = [PALETTE.blue, PALETTE.sky, PALETTE.yellow, PALETTE.orange, PALETTE.vermillion];

/** Returns a bucket's colour, interpolated if there are more buckets than shades. */
function shadeOf(index: number, count: number): string {
  if (count <= SHADES.length) return SHADES[index]!;
  const at = index * (SHADES.length - 1) / (count - 1);
  const [low, high] = [SHADES[Math.floor(at)]!, SHADES[Math.ceil(at)]!];
  const part = (hex: string, from: number) => parseInt(hex.slice(from, from + 2), 16);
  const mixed = [1, 3, 5].map((from) =>
    Math.round(part(low, from) + (part(high, from) - part(low, from)) * (at % 1))
  );
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

/** Returns shares of round scores by kind: chance first, then every rater. */
function heapingRows(raters: readonly RaterReliability[]): readonly MeasuredRow[] {
  return (raters[0]?.heaping ?? []).flatMap(({ name: group, chance }, kind): MeasuredRow[] => {
    const rows = raters
      .map(({ label, heaping }) => ({ label, group, measure: heaping[kind]!.share }));
    if (chance === undefined) return rows;
    return [{ label: "chance", group, measure: { kind: "value", estimate: chance } }, ...rows];
  });
}

/** Returns an axis range around all intervals, in multiples of `step`. */
function axisRange(
  rows: readonly MeasuredRow[],
  step: number,
  also: readonly number[] = [],
): readonly [number, number] {
  const ends = rows.flatMap(({ measure }) => numbersOf(measure)).concat(also);
  if (ends.length === 0) return [0, step];
  const low = step * Math.floor(Math.min(...ends) / step);
  return [low, Math.max(low + step, step * Math.ceil(Math.max(...ends) / step))];
}

/** Returns warnings about raters, one sentence each with the rater's name. */
export const ratingWarnings = ({ raters }: RatingAnalysis): readonly string[] =>
  raters.flatMap(({ label, warnings }) =>
    Object.values(warnings).map((warning) => `${label} ${warning}.`)
  );

/** Returns the study as one self-contained HTML page; every text is escaped. */
export function reportPage(analysis: RatingAnalysis): string {
  const { title, unit, units, leastP, comparison: { pairs, alpha } } = analysis;
  const cellsOf = (row: readonly unknown[]) => row.map((cell) => escapeHtml(String(cell ?? "–")));
  const tables = Object.values(ratingTables(analysis)).map(({ caption, headings, rows }) =>
    tableMarkup(escapeHtml(caption), cellsOf(headings), rows.map(cellsOf))
  );
  const pictures = Object.values(ratingFigures(analysis)).map(({ png, alt }) =>
    `<img alt="${escapeHtml(alt)}" src="data:image/png;base64,${png.toBase64()}">`
  );
  const few = leastP <= alpha
    ? ""
    : `<p><strong>No pair of systems can differ significantly: with ` +
      `${units} ${unit}s and ${pairs.length} pairs no adjusted p can be below ${
        formatP(leastP)
      }; ` +
      `intervals over so few units are too narrow.</strong></p>`;
  const method =
    `An item's score is the mean over its raters, a system's the mean over its items; ` +
    `repeats, attention checks and practice do not count for systems. Intervals (95 %) are t intervals by ` +
    `the jackknife over ${unit}s (n = ${units}), Wilson's of the effective n for shares, expanded ` +
    `bootstrap percentiles for ranks; tests exchange the two systems' ` +
    `scores in whole ${unit}s, with Holm's adjustment over ${pairs.length} pairs. A cluster begins ` +
    `where every system above is significantly better than every one below (α = ${alpha}): by these ` +
    `adjusted tests, and by WMT's rule, Wilcoxon's signed-rank test over segments, one-sided and ` +
    `unadjusted, which finds more, some of them by chance. Raters ` +
    `are taken as given: intervals say nothing about others.`;
  return page({
    title: escapeHtml(title),
    style:
      `${PAGE_STYLE}img { width: 100%; max-width: 36rem; display: block; margin: 1.5rem 0; }\n`,
    allowed: "img-src data:",
    header: `<p>${escapeHtml(raterCount(analysis))}.</p>\n${few}\n` +
      section("Warnings", listMarkup(ratingWarnings(analysis).map(escapeHtml))),
    main: [
      section("Answer", listMarkup(ratingAnswers(analysis).map(escapeHtml))),
      section("Method", `<p>${escapeHtml(method)}</p>`),
      section("Tables", tables.join("\n")),
      section("Figures", pictures.join("\n")),
    ].join("\n"),
    footer: "",
    script: "",
  });
}
