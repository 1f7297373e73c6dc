/** What comes of pairs of one's own: models asked and scored, every measure with its interval, one figure. */
import { join } from "node:path";
import { forestPlot } from "../figures/dots.ts";
import { shown } from "../stats/measure.ts";
import { saveFigure } from "../figures/frame.ts";
import { markdownTable } from "../figures/table.ts";
import type { Panel } from "../models/panel.ts";
import { failedKey, failedTable, readAnswers } from "./answers.ts";
import { sentencesAddress } from "./asked.ts";
import { againstChance, lookUp, type Statistic, statisticsTable } from "./clustered.ts";
import { evaluateSets, panelWork, type WorkDone } from "./evaluate.ts";
import { accuracyRows } from "./evidence.ts";
import { bothOrders, isAsked, type OrderPlan, ORDERS } from "./forced_choice.ts";
import type { OwnPairs } from "./own_pairs.ts";
import { withRegions } from "./measures.ts";
import { computeStatistics } from "./statistics.ts";

/** Asks and scores what is missing, the regions too; hosts and servers as `evaluatePanel` does, which it throws like. */
export async function askOwnPairs(
  own: OwnPairs,
  panel: Panel,
  options: { readonly signal?: AbortSignal; readonly threads?: number; readonly hosts?: boolean } =
    {},
): Promise<readonly WorkDone[]> {
  const sets = [own, own.regions].map(({ study, pairs }) => (
    { work: panelWork(study, pairs, panel), part: {} }
  ));
  return (await evaluateSets(sets, options)).flat();
}

/** Readings of a log-probability, the headline first. */
const LIKELIHOODS = {
  "total log-probability": "likelihood_accuracy_total",
  "log-probability per token": "likelihood_accuracy_per_token",
  "log-probability per byte": "likelihood_accuracy_per_byte",
  "log-probability of what differs": "likelihood_accuracy_word",
} as const;

/** All ways of judging a pair, in the order in which one stands for a model. */
const WAYS: readonly string[] = [...Object.values(LIKELIHOODS), "accuracy"];

/**
 * The measures of a panel's models on the pairs asked, in `statistics.csv`, and `accuracy.png`, whose title
 * says what was found. No model of another panel is among them, whatever stands in the folder; of a model
 * that lacks answers or likelihoods those are left out; a pair that failed is out of its model's denominator.
 * @returns besides statistics and figure its title, and what it draws as a Markdown table
 * @throws {RangeError} where no model has answered or scored all that was asked.
 */
export function ownResults(
  { study, pairs, regions, folder, ...own }: OwnPairs,
  panel: Panel,
  orders: OrderPlan = bothOrders,
) {
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
  const statistics = computeStatistics({
    items,
    phenomena: own.phenomena.length > 1 ? own.phenomena : [],
    responses: on.responses.filter(({ model }) => asked.includes(model)),
    likelihoods: withRegions(
      on.likelihoods.filter(({ model }) => scored.includes(model)),
      readAnswers(regions.study, regions.pairs).likelihoods,
    ),
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
  const table = markdownTable(
    ["model", "by", "correct, %", "n", "invalid, %", "correct of the valid, %"],
    rows.map(({ label, group, measure, n }) => {
      const isChoice = !Object.hasOwn(LIKELIHOODS, label);
      const [invalid, valid] = ["invalid_rate", "accuracy_valid"].map((name) =>
        isChoice ? shown(found.measure(group, name), "percent") : undefined
      );
      return [group, label, shown(measure, "percent"), n, invalid, valid];
    }),
  );
  return { statistics, finding: title, figure, table };
}

/** The best model by what it is judged by first, if it differs from chance; else that none does. */
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
  const told = above ?? results.findLast(({ side }) => side === "below chance");
  if (told === undefined) return `On ${pairs} pairs no model differs significantly from chance`;
  const [which, share] = above ? ["grammatical", told.share] : ["ungrammatical", told.wrong];
  const percent = (100 * share).toFixed(0);
  return `${told.model} ${told.verb} the ${which} sentence in ${percent} % of ${told.n} pairs`;
}
