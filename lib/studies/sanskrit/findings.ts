/** Findings 4 and 5 of RESULTS.md: each a heading, its tables and figures, and what follows from it. */
import { figureImage, findingSection } from "../../figures/finding.ts";
import { markdownTable } from "../../figures/table.ts";
import { modelLabel } from "../../models/masked/pseudo_likelihood.ts";
import { artefactMeasure, baselineLabel } from "../../pairs/artefacts.ts";
import { isConstructed, lookUp } from "../../pairs/clustered.ts";
import {
  accuracyCells,
  accuracyRows,
  bestAgainstBaseline,
  listInWords,
} from "../../pairs/figure_rows.ts";
import { ORDERS } from "../../pairs/forced_choice.ts";
import { scoringTable } from "../../pairs/tables.ts";
import { type Measure, shown } from "../../stats/measure.ts";
import { PHENOMENON_NAMES, readFigureData, strongestJudge } from "./figure_rows.ts";
import { VARIANTS } from "./metrics.ts";

type FigureData = ReturnType<typeof readFigureData>;

const TOTAL = "likelihood_accuracy_total";

const percent = (measure: Measure) => shown(measure, "percent");

/** Scoring rules in the order of the tables. */
export const WAYS = [
  { way: "forced choice", measure: "accuracy" },
  { way: "total log-probability", measure: TOTAL },
  { way: "per token", measure: "likelihood_accuracy_per_token" },
  { way: "per byte", measure: "likelihood_accuracy_per_byte" },
] as const;

/** Groups of pairs by the variant's number of tokens, fewer first. */
export const LENGTHS: Readonly<Record<string, string>> = {
  "tokens.shorter": "variant has fewer tokens",
  "tokens.same": "as many",
  "tokens.longer": "more tokens",
};

/** Returns the study's part of RESULTS.md, as Markdown. Every number comes from the data. */
export function sanskritSection(data: FigureData): string {
  return [
    "## Sanskrit contrast sets",
    originOfPairs(data),
    baselineFinding(data),
    lengthFinding(data),
    "Every table is in [notebook 24](notebooks/24_sanskrit_metrics.ipynb), every figure with ten " +
    "errors in [notebook 25](notebooks/25_sanskrit_figures.ipynb).",
  ].join("\n\n");
}

/** Describes the pairs, their readers, and the headline score with its reason. */
function originOfPairs({ sets, review }: FigureData): string {
  const ids = new Set(sets.main.map(({ pair }) => pair.id));
  const read = review.filter((row) => ids.has(row.pairId));
  const wrong = read.filter(({ rating }) => rating === 0).length;
  return `**No human expert has read these pairs.** ${ids.size} pairs from the Bhagavad Gītā are ` +
    `certified by rules. Language models read ${read.length} of them blind: they called ${wrong} ` +
    "variants clearly wrong and doubted the others.\n\n" +
    "**Headline score:** total log-probability, as the specification defines accuracy: " +
    "P(grammatical) > P(ungrammatical).";
}

type BaselineData = Pick<
  FigureData,
  "artefacts" | "leftOut" | "masked" | "models" | "panels" | "probes" | "statistics"
>;

/** Finding 4: the best score against the best grammar-free baseline, and on sentences that are new. */
export function baselineFinding(data: BaselineData): string {
  const { models, masked, artefacts, statistics, leftOut } = data;
  const found = lookUp(statistics);
  const best = bestAgainstBaseline(accuracyRows({ ...data, masked: [] }));
  if (best === undefined) throw new RangeError("Cannot write finding 4: nothing was scored.");
  const { model, baseline, verdict } = best;
  const { n } = model;
  const title = {
    better: `${model.group} is ahead of every grammar-free baseline`,
    level: `No difference shown between ${model.group} and ${baseline.label}`,
    worse: `No score reaches ${baseline.label}`,
  }[verdict];
  const oneLetter = models.filter((name) => isConstructed(found.measure(name, "accuracy")));
  const balanced = artefacts.find(({ phenomenon }) => phenomenon === "balanced")?.n ?? 0;
  const directions = [
    { title: `all pairs (${n})`, rowsOf: (group: string) => group },
    { title: `balanced part (${balanced})`, rowsOf: () => "balanced" },
  ];
  return findingSection({
    number: 4,
    title,
    parts: [
      `The best score is that of ${model.group} (${model.label}): it prefers the attested line in ` +
      `${percent(model.measure)} % of ${n} pairs (chance: 50 %). The baseline of ` +
      `${baseline.label} scores ${percent(baseline.measure)} %. The paired difference is ` +
      `${percent(model.lead)} points.`,
      scoringTable({
        ...{ models: [...models, ...masked], ways: WAYS, directions, found, artefacts },
        leadOn: "ALL",
      }),
      "Accuracy in per cent with 95 % intervals. The last column is the paired difference on all " +
      "pairs. In the balanced part, length, form frequency and metre score 50 %. PLL is the " +
      "pseudo-log-likelihood of a character model estimated from the other verses. `in context` was scored for Old Norse only.",
      oneLetter.length === 0
        ? ""
        : `Asked to choose, ${listInWords(oneLetter)} ${
          oneLetter.length === 1 ? "names" : "name"
        } the same letter in both orders of every pair.`,
      ...leftOut.map(({ model, lacks }) =>
        `${model} lacks ${lacks.both} of ${
          ORDERS.length * n
        } answers of the forced choice. The table ` +
        "has its log-probabilities, but no choices."
      ),
      figureImage("sanskrit/less_baseline", "Paired differences from the best baseline"),
      noveltyTable(data),
      probeTable(data),
      figureImage("sanskrit/text_and_probes", "Paired differences from new sentences and IAST"),
    ],
    soWhat: "if a text may have been memorised, test new sentences as well, and report character " +
      "n-grams with both.",
    files: ["statistics.csv", "artefacts.csv", "probe_statistics.csv"],
  });
}

/** Baselines and headline scores, by whether the variant is in the text. */
function noveltyTable({ artefacts, statistics, models }: BaselineData): string {
  const found = lookUp(statistics);
  const sizes = Object.keys(VARIANTS).map((part) =>
    artefacts.find(({ phenomenon }) => phenomenon === part)?.n ?? 0
  );
  if (sizes.includes(0)) return "";
  const counted = ["form_frequency", "character_5gram"];
  const scored = models.filter((model) => found.measure(model, TOTAL).kind !== "unavailable");
  const cells = (measureOf: (part: string) => Measure) =>
    Object.keys(VARIANTS).map((part) => percent(measureOf(part)));
  return "Accuracy where the variant occurs as a word elsewhere in the text, and where it does not:\n\n" +
    markdownTable(
      ["", ...Object.values(VARIANTS).map((name, i) => `${name} (${sizes[i]}), %`)],
      [
        ...counted.map((name) => [
          baselineLabel(name),
          ...cells((part) => artefactMeasure(artefacts, name, part)),
        ]),
        ...scored.map((model) => [
          `${model}, total`,
          ...cells((part) => found.measure(model, TOTAL, part)),
        ]),
      ],
    );
}

/** Accuracies on the text, new sentences and IAST. Differences are on matched pairs. */
function probeTable({ probes }: Pick<FigureData, "probes">): string {
  const found = lookUp(probes);
  const models = [...new Set(probes.map(({ model }) => model))]
    .filter((model) => found.measure(model, TOTAL, "text").kind !== "unavailable");
  const less = (model: string, set: string) =>
    found.measure(model, "accuracy_difference", `text-${set}`);
  const undecided = models.filter((model) => {
    const difference = less(model, "control");
    return difference.kind === "interval" && difference.low <= 0 && difference.high >= 0;
  });
  return "Any model may have read the Gītā in training, but none can have read the new sentences with " +
    `the same nouns. For ${undecided.length} of ${models.length} models no difference in accuracy ` +
    "between lines and new sentences is shown. The difference is taken over pairs with the same " +
    "noun and the same change, so it is not that of the two columns.\n\n" +
    markdownTable(
      [
        ...["total log-probability", "lines, %", "new sentences, %", "lines minus new, points"],
        ...["lines in IAST, %", "Devanagari minus IAST, points"],
      ],
      models.map((model) => [
        ...[modelLabel(model), percent(found.measure(model, TOTAL, "text"))],
        ...[percent(found.measure(model, TOTAL, "control")), percent(less(model, "control"))],
        ...[percent(found.measure(model, TOTAL, "iast")), percent(less(model, "iast"))],
      ]),
    );
}

type LengthData = Pick<
  FigureData,
  "likelihoods" | "masked" | "models" | "panels" | "statistics"
>;

/** Finding 5: effect of length normalisation, and preference for a number. */
export function lengthFinding(data: LengthData): string {
  const lengths = accuracyCells(data, LENGTHS);
  const { aboveAdjusted, belowAdjusted } = lengths.beyond;
  const longer = (rule: string) =>
    lengths.cells.flatMap((cells, i) => lengths.rows[i] === rule ? [cells.at(-1)!] : []);
  const [totals, perToken] = ["total", "per token"].map(longer) as [Measure[], Measure[]];
  const isReversed = totals.every((one) => aboveAdjusted.has(one)) &&
    perToken.every((one) => belowAdjusted.has(one));
  const range = (measures: readonly Measure[]) => {
    const values = measures.flatMap((one) => one.kind === "unavailable" ? [] : [one.estimate]);
    return [Math.min, Math.max].map((end) => (100 * end(...values)).toFixed(1)).join(" to ");
  };
  const phenomena = accuracyCells(data, PHENOMENON_NAMES);
  return findingSection({
    number: 5,
    title: isReversed
      ? "Length normalisation reverses the verdict"
      : "Accuracy depends on the number of tokens",
    parts: [
      `Where the variant has more tokens, the total is right on ${
        range(totals)
      } % of the pairs and ` +
      `the score per token on ${
        range(perToken)
      } % (chance: 50 %). Of ${lengths.beyond.n} accuracies ` +
      `by length, ${aboveAdjusted.size} lie above chance and ${belowAdjusted.size} below it after ` +
      "Holm's adjustment.",
      figureImage("sanskrit/accuracy_by_token_length", "Accuracy by difference in token length"),
      belowChance(phenomena),
      figureImage("sanskrit/by_phenomenon", "Accuracy of each model on each phenomenon"),
      numberTable(data),
    ],
    soWhat: "declare one scoring rule, report the others, and change each feature both ways; " +
      "otherwise a preference for a length or a form passes for grammar.",
    files: ["statistics.csv"],
  });
}

/**
 * Accuracies by phenomenon beyond chance after Holm's adjustment.
 * Those below chance are given one by one.
 */
function belowChance(phenomena: ReturnType<typeof accuracyCells>): string {
  const { rows, groups, columns, cells, beyond } = phenomena;
  const below = cells.flatMap((row, i) =>
    row.flatMap((cell, c) => {
      if (!beyond.belowAdjusted.has(cell)) return [];
      const total = cells[groups.findIndex((group) => group === groups[i])]![c]!;
      return [[groups[i], columns[c]!.toLowerCase(), rows[i], percent(cell), percent(total)]];
    })
  );
  const counts =
    `By phenomenon, ${beyond.aboveAdjusted.size} of ${beyond.n} accuracies lie above ` +
    `chance and ${beyond.belowAdjusted.size} below it after the adjustment.`;
  if (below.length === 0) return counts;
  const heads = [
    "model",
    "phenomenon",
    "scoring rule below chance",
    "accuracy, %",
    "accuracy by total, %",
  ];
  return `${counts}\n\n${markdownTable(heads, below)}`;
}

/** Accuracy of the strongest model by change of number and mirror. */
function numberTable(data: LengthData): string {
  const found = lookUp(data.statistics);
  const { model } = strongestJudge(data);
  const ways = [["singular", "plural"], ["plural", "singular"]] as const;
  const measured = ways.map(([from, to]) => found.measure(model, TOTAL, `number_${from}_${to}`));
  if (measured.some(({ kind }) => kind !== "interval")) return "";
  const sides = measured.map((one) =>
    one.kind === "interval" ? Math.sign(one.low - 0.5) + Math.sign(one.high - 0.5) : 0
  );
  const isPreference = sides[0]! * sides[1]! < 0;
  const preferred = ways[0][sides[0]! > 0 ? 0 : 1];
  return (isPreference
    ? `A preference for a form can also pass for grammar: ${model} prefers the ${preferred}, whichever ` +
      "number the line requires."
    : `Changes of number and their mirror, ${model}:`) +
    "\n\n" +
    markdownTable(
      ["the line requires", "variant", "pairs", "right by total, %"],
      ways.map(([from, to], i) => [
        ...[from, to, found.row(model, TOTAL, `number_${from}_${to}`).n, percent(measured[i]!)],
      ]),
    );
}
