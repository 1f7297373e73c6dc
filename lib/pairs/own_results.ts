/**
 * Evaluates a user's pairs: asks and scores models, and reports measures with intervals and a
 * figure.
 * @module
 */
import { join } from "node:path";
import { measureColumns, name, number, table, wholeNumber } from "../files/table.ts";
import { forestPlot } from "../figures/dots.ts";
import { heatmap } from "../figures/heat.ts";
import { unorderedPairs } from "../stats/agreement.ts";
import { type Measure, measureFields, measureOfFields, shown } from "../stats/measure.ts";
import { saveFigure } from "../figures/frame.ts";
import { markdownTable } from "../figures/table.ts";
import type { Panel } from "../models/panel.ts";
import {
  failedKey,
  failedTable,
  likelihoodKey,
  type PairLikelihood,
  readAnswers,
} from "./answers.ts";
import { sentencesAddress } from "./addresses.ts";
import {
  againstChance,
  lookUp,
  type Statistic,
  type StatisticLookup,
  statisticsTable,
} from "./clustered.ts";
import type { DatasetItem } from "./dataset.ts";
import { clustersOf, type PairPart } from "./groups.ts";
import {
  type AskedPanel,
  evaluateSets,
  type LocalRun,
  panelWork,
  type WorkDone,
} from "./evaluate.ts";
import { accuracyRows } from "./figure_rows.ts";
import { bothOrders, isAsked, type OrderPlan, ORDERS } from "./forced_choice.ts";
import type { OwnPairs } from "./own_pairs.ts";
import { preference, withRegions } from "./measures.ts";
import { compareCouples, computeStatistics, coupleName } from "./statistics.ts";

/**
 * Asks and scores what is missing, including regions. Hosts, servers and errors are as in
 * `evaluatePanel`.
 */
export async function askOwnPairs(
  own: OwnPairs,
  panel: Panel,
  options: { readonly signal?: AbortSignal; readonly local?: LocalRun; readonly hosts?: boolean } =
    {},
): Promise<readonly WorkDone[]> {
  const sets = [own, own.regions].map(({ study, pairs }) => (
    { work: panelWork(study, pairs, panel), part: {} }
  ));
  return (await evaluateSets(sets, options)).flat();
}

/** Scoring rules of a log-probability; the first is the headline. */
const LIKELIHOODS = {
  "total log-probability": "likelihood_accuracy_total",
  "log-probability per token": "likelihood_accuracy_per_token",
  "log-probability per byte": "likelihood_accuracy_per_byte",
  "log-probability of what differs": "likelihood_accuracy_word",
} as const;

/** Accuracies by priority. The first available one represents a model. */
const WAYS: readonly string[] = [...Object.values(LIKELIHOODS), "accuracy"];

/**
 * Writes measures of the panel's models to `statistics.csv` and a figure to `accuracy.png`.
 *
 * The figure's title states the finding. Models outside the panel are ignored. A model with missing
 * answers or likelihoods lacks these measures. A failed pair is excluded from its model's
 * denominator.
 * @returns statistics, figure, its title, and its numbers as a Markdown table
 * @throws {RangeError} where no model has answered or scored all pairs.
 */
export function ownResults(
  own: OwnPairs,
  panel: AskedPanel,
  orders: OrderPlan = bothOrders,
) {
  const { study, pairs, folder } = own;
  const on = readAnswers(study, pairs);
  const work = panelWork(study, pairs, panel, { orders, on });
  const failed = new Map(
    (study.files.failed ? failedTable(study.files.failed).readSoFar().rows : [])
      .map((row) => [failedKey(row), row.asked]),
  );
  const asked = work.models.filter(({ entry, choices: { missing, kept } }) =>
    entry.roles.includes("chat") && kept.size > 0 &&
    missing.values().every(({ model, pairId, order: way, asked }) =>
      failed.get(failedKey({ model, pairId, way })) === asked
    )
  ).map(({ entry }) => entry.id);
  const scored = work.models.filter(({ entry: { id: model, roles }, scores: { missing, kept } }) =>
    roles.includes("likelihood") && kept.size > 0 &&
    missing.values().every((pair) =>
      failed.get(failedKey({ model, pairId: pair.id, way: "likelihood" })) ===
        sentencesAddress(pair)
    )
  ).map(({ entry }) => entry.id);
  const models = panel.models.map(({ id }) => id)
    .filter((id) => asked.includes(id) || scored.includes(id));
  if (models.length === 0) {
    throw new RangeError(
      `Cannot measure: no model of ${panel.name} has answered or scored all pairs yet.`,
    );
  }
  const items = own.items.filter(({ pair }) => isAsked(orders)(pair));
  const phenomena = own.phenomena.length > 1 ? own.phenomena : [];
  const responses = on.responses.filter(({ model }) => asked.includes(model));
  const scores = on.likelihoods.filter(({ model }) => scored.includes(model));
  const likelihoods = scores.length === 0
    ? []
    : withRegions(scores, readAnswers(own.regions.study, own.regions.pairs).likelihoods);
  const parts = directionParts(phenomena, own.directions);
  const statistics = computeStatistics({
    ...{ items, phenomena, parts, responses, likelihoods },
    panels: [{ models, orders }],
    isPartial: true,
  });
  statisticsTable({ path: join(folder, "statistics.csv") }).write(statistics);
  const isBoth = items.every(({ pair }) => orders(pair.id).length === ORDERS.length);
  const design = isBoth ? "both" : "counterbalanced";
  const panels = [{ title: "local", models, asked, design, orders } as const];
  const rows = accuracyRows({
    statistics,
    panels,
    artefacts: [],
    readouts: LIKELIHOODS,
    constant: true,
  });
  const title = findingOf(statistics, models, items.length);
  const { clusters } = statistics[0]!;
  const figure = forestPlot({
    title,
    subtitle: `${study.name}: ${items.length} pairs` +
      (clusters < items.length ? ` of ${clusters} lemmas` : "") + "; 95 % intervals",
    alt: `Share of pairs on which each model is right, in every way of judging. ${title}.`,
    axis: {
      label: "Correct (%)",
      format: "percent",
      domain: [0, 1],
      reference: { value: 0.5, label: "chance" },
    },
    rows,
  });
  saveFigure(join(folder, "accuracy.png"), figure);
  const found = lookUp(statistics);
  // Of answers that choose nothing the share, wherever one was asked to choose.
  const isChoice = (label: string) => !Object.hasOwn(LIKELIHOODS, label);
  const ofChoices = rows.some(({ label }) => isChoice(label))
    ? { "invalid, %": "invalid_rate", "correct of the valid, %": "accuracy_valid" }
    : {};
  const accuracies = markdownTable(
    ["model", "by", "correct, %", "n", ...Object.keys(ofChoices)],
    rows.map(({ label, group, measure, n }) => {
      const shares = Object.values(ofChoices).map((name) =>
        isChoice(label) ? shown(found.measure(group, name), "percent") : undefined
      );
      return [group, label, shown(measure, "percent"), n, ...shares];
    }),
  );
  const groups = [...phenomena, ...parts.map(({ name }) => name)];
  const heat = groups.length > 0 ? phenomenonResults(found, models, groups, study.name) : undefined;
  if (heat) saveFigure(join(folder, "phenomena.png"), heat.figure);
  const comparisons = compareOwn({ items, models, likelihoods, statistics });
  const compared = comparisonTableOf(join(folder, "comparison.csv"));
  if (comparisons.length > 0) compared.write(comparisons);
  const tables = [
    accuracies,
    heat?.table,
    comparisons.length > 0 && comparisonMarkdown(comparisons),
  ];
  return {
    statistics,
    comparisons,
    finding: title,
    figure,
    table: tables.filter(Boolean).join("\n\n"),
  };
}

/** Returns subsets of the pairs by direction, and by phenomenon and direction. */
function directionParts(
  phenomena: readonly string[],
  directions: ReadonlyMap<string, string> = new Map(),
): readonly PairPart<string>[] {
  return [...new Set(directions.values())].sort().flatMap((direction) => {
    const isOf = ({ pair }: DatasetItem) => directions.get(pair.id) === direction;
    return [
      { name: `direction ${direction}`, has: isOf },
      ...phenomena.map((phenomenon) => ({
        name: `${phenomenon}, direction ${direction}`,
        has: (item: DatasetItem) => item.pair.phenomenon === phenomenon && isOf(item),
      })),
    ].map((part) => ({ ...part, accuraciesOnly: true }));
  });
}

/** Accuracies by which phenomena and models are compared. */
const COMPARED = {
  "total log-probability": "likelihood_accuracy_total",
  choice: "accuracy",
} as const;

/** Returns each model's accuracy on each phenomenon as a Markdown table and a heat map. */
function phenomenonResults(
  found: StatisticLookup,
  models: readonly string[],
  groups: readonly string[],
  name: string,
) {
  const columns = models.flatMap((model) =>
    Object.entries(COMPARED).flatMap(([way, measure]) =>
      found.measure(model, measure).kind === "unavailable"
        ? []
        : [{ label: `${model}, ${way}`, model, measure }]
    )
  );
  const cellOf = ({ model, measure }: (typeof columns)[number], group: string) => {
    const own = found.measure(model, measure, group);
    return own.kind === "unavailable"
      ? undefined
      : `${shown(own, "percent")}, n = ${found.row(model, measure, group).n}`;
  };
  const table = markdownTable(
    ["phenomenon", ...columns.map(({ label }) => label)],
    groups.map((group) => [group, ...columns.map((column) => cellOf(column, group))]),
  );
  const figure = heatmap({
    title: "Share of pairs on which each model is right, by phenomenon",
    subtitle: `${name}; percent; 95 % intervals decide the colour`,
    alt: `Accuracy of ${columns.length} model readouts on ${groups.length} groups of pairs.`,
    rows: groups,
    columns: columns.map(({ label }) => label),
    cells: groups.map((group) =>
      columns.map(({ model, measure }) => found.measure(model, measure, group))
    ),
    scale: { reference: 0.5, label: "chance" },
    format: "percent",
    scaleLabel: "Correct (%)",
  });
  return { table, figure };
}

/** Comparison of two models' accuracies on the pairs that both answered or scored. */
interface Comparison {
  readonly by: string;
  readonly first: string;
  readonly second: string;
  /** Difference in accuracy: first minus second. */
  readonly difference: Measure;
  readonly firstBetter: number;
  readonly secondBetter: number;
  readonly pairs: number;
  /**
   * p value of the exact McNemar test. `pHolm` is adjusted over comparisons by the same accuracy.
   */
  readonly p: number;
  readonly pHolm: number;
}

/** Defines `comparison.csv`. */
const comparisonTableOf = (path: string) =>
  table({
    path,
    about: "comparisons of all pairs of models",
    maker: "`deno task evaluate --pairs`",
    columns: {
      by: name("compared measure: total log-probability or choice"),
      first: name("name of the first model"),
      second: name("name of the second model"),
      ...measureColumns("clustered by lemma"),
      first_better: wholeNumber("number of pairs that the first model gets right in more orders"),
      second_better: wholeNumber("number of pairs that the second model gets right in more orders"),
      pairs: wholeNumber("number of pairs that both answered or scored"),
      mcnemar_p: number("p-value of the exact McNemar test, two-sided", { min: 0, max: 1 }),
      mcnemar_p_holm: number("p-value adjusted by Holm's method over all pairs of models", {
        min: 0,
        max: 1,
      }),
    },
    form: {
      read: ({ first_better, second_better, mcnemar_p, mcnemar_p_holm, ...row }): Comparison => ({
        by: row.by,
        first: row.first,
        second: row.second,
        difference: measureOfFields(row, "not available"),
        firstBetter: first_better,
        secondBetter: second_better,
        pairs: row.pairs,
        p: mcnemar_p,
        pHolm: mcnemar_p_holm,
      }),
      write: ({ difference, firstBetter, secondBetter, p, pHolm, ...row }) => ({
        ...row,
        ...measureFields(difference),
        first_better: firstBetter,
        second_better: secondBetter,
        mcnemar_p: p,
        mcnemar_p_holm: pHolm,
      }),
    },
    key: ["by", "first", "second"],
  });

function compareOwn({ items, models, likelihoods, statistics }: {
  readonly items: readonly DatasetItem[];
  readonly models: readonly string[];
  readonly likelihoods: readonly PairLikelihood[];
  readonly statistics: readonly Statistic[];
}): readonly Comparison[] {
  const scored = new Map(likelihoods.map((row) => [likelihoodKey(row), row]));
  const grouped = items.map((item) => (
    { pair: item.pair, ...clustersOf(item), stratum: undefined }
  ));
  const byLikelihood = compareCouples(models, grouped, (model, pairId) => {
    const row = scored.get(likelihoodKey({ model, pairId }));
    return row && { right: Number(preference(row, "total") === "grammatical"), asked: 1 };
  });
  const ways = { "total log-probability": byLikelihood, choice: statistics };
  return Object.entries(ways).flatMap(([by, rows]) => {
    const found = lookUp(rows);
    const valueOf = (model: string, measure: string) => {
      const value = found.measure(model, measure);
      return value.kind === "unavailable" ? 0 : value.estimate;
    };
    return unorderedPairs(models).flatMap(([first, second]): readonly Comparison[] => {
      const couple = coupleName(first, second);
      const difference = found.measure(couple, "accuracy_difference");
      if (difference.kind === "unavailable") return [];
      return [{
        ...{ by, first, second, difference },
        firstBetter: valueOf(couple, "pairs_first_better"),
        secondBetter: valueOf(couple, "pairs_second_better"),
        pairs: found.row(couple, "pairs_first_better").n,
        p: valueOf(couple, "mcnemar_p"),
        pHolm: valueOf(couple, "mcnemar_p_holm"),
      }];
    });
  });
}

const comparisonMarkdown = (comparisons: readonly Comparison[]): string =>
  markdownTable(
    ["models", "by", "difference, points", "better on", "pairs", "p (McNemar)", "p (Holm)"],
    comparisons.map(({ by, first, second, difference, firstBetter, secondBetter, ...own }) => [
      `${first} less ${second}`,
      by,
      shown(difference, "percent"),
      `${firstBetter} : ${secondBetter}`,
      own.pairs,
      own.p.toPrecision(2),
      own.pHolm.toPrecision(2),
    ]),
  );

/**
 * Formats a sentence on the model with the highest accuracy, or on the lack of any difference from
 * chance.
 */
function findingOf(statistics: readonly Statistic[], models: readonly string[], pairs: number) {
  const found = lookUp(statistics);
  const results = models.flatMap((model) => {
    const value = (measure: string) => found.measure(model, measure);
    const first = WAYS.find((measure) => value(measure).kind !== "unavailable") ?? "";
    const own = value(first);
    const verb = first === "accuracy" ? "chooses" : "prefers";
    const side = againstChance(found, model, first);
    if (own.kind === "unavailable") return [];
    // Neither an answer that cannot be read nor a tie chooses the ungrammatical sentence.
    const estimateOf = (measure: string) => {
      const found = value(measure);
      return found.kind === "unavailable" ? undefined : found.estimate;
    };
    const notWrong = first === "accuracy"
      ? estimateOf("accuracy_upper_bound") ?? own.estimate
      : own.estimate + (estimateOf(first.replace("_accuracy_", "_ties_")) ?? 0);
    const n = first === "accuracy" ? pairs : found.row(model, first)!.n;
    return [{ model, share: own.estimate, wrong: 1 - notWrong, verb, side, n }];
  }).toSorted((a, b) => b.share - a.share);
  const above = results.find(({ side }) => side === "above chance");
  const finding = above ?? results.findLast(({ side }) => side === "below chance");
  if (finding === undefined) return `On ${pairs} pairs no model differs significantly from chance`;
  const [which, share] = above ? ["grammatical", finding.share] : ["ungrammatical", finding.wrong];
  const percent = (100 * share).toFixed(0);
  return `${finding.model} ${finding.verb} the ${which} sentence in ${percent} % of ${finding.n} pairs`;
}
