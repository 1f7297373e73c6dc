/** What comes of pairs of one's own: models asked and scored, every measure with its interval, one figure. */
import { join } from "node:path";
import { forestPlot } from "../figures/dots.ts";
import { type Figure, saveFigure } from "../figures/frame.ts";
import { markdownTable } from "../figures/table.ts";
import type { Panel } from "../models/panel.ts";
import { readAnswers } from "./answers.ts";
import {
  againstChance,
  lookUp,
  percentWithInterval,
  type Statistic,
  statisticsTable,
} from "./clustered.ts";
import { evaluatePanel, pendingWork, type WorkDone } from "./evaluate.ts";
import { type AccuracyRow, accuracyRows } from "./evidence.ts";
import { bothOrders, isAsked, type OrderPlan, ORDERS } from "./forced_choice.ts";
import type { OwnPairs } from "./own_pairs.ts";
import { withRegions } from "./regions.ts";
import { computeStatistics } from "./statistics.ts";

/** Asks and scores what is missing, the regions too; hosts and servers as `evaluatePanel` does, which it throws like. */
export async function askOwnPairs(
  own: OwnPairs,
  panel: Panel,
  options: { readonly signal?: AbortSignal; readonly threads?: number; readonly hosts?: boolean } =
    {},
): Promise<readonly WorkDone[]> {
  const done = await evaluatePanel(own.study, own.pairs, panel, options);
  const regions = await evaluatePanel(own.regions.study, own.regions.pairs, panel, options);
  return [...done, ...regions];
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

/** Seed of the bootstrap, so that intervals are the same on every machine. */
const SEED = 20261123;

export interface OwnResults {
  readonly statistics: readonly Statistic[];
  /** The figure's title. */
  readonly finding: string;
  readonly figure: Figure;
  /** What the figure draws, as a Markdown table. */
  readonly table: string;
}

/**
 * The measures of a panel's models on the pairs asked, in `statistics.csv`, and `accuracy.png`, whose title
 * says what was found. No model of another panel is among them, whatever stands in the folder; of a model that lacks
 * answers or likelihoods those are left out.
 * @throws {RangeError} where no model has answered or scored all that was asked.
 */
export async function ownResults(
  own: OwnPairs,
  panel: Panel,
  orders: OrderPlan = bothOrders,
): Promise<OwnResults> {
  const { study, pairs, regions, folder } = own;
  const on = readAnswers(study, pairs);
  const work = pendingWork(study, pairs, panel, { orders, on });
  const having = (role: "chat" | "likelihood", lacking: "answers" | "likelihoods") =>
    work.filter((one) => one.entry.roles.includes(role) && one[lacking] === 0)
      .map(({ entry }) => entry.id);
  const [asked, scored] = [having("chat", "answers"), having("likelihood", "likelihoods")];
  const models = panel.models.map(({ id }) => id)
    .filter((id) => asked.includes(id) || scored.includes(id));
  if (models.length === 0) {
    throw new RangeError(
      `Cannot measure: no model of ${panel.name} has answered or scored all pairs yet.`,
    );
  }
  const items = own.items.filter(({ pair }) => isAsked(orders)(pair));
  const likelihoods = withRegions(
    on.likelihoods.filter(({ model }) => scored.includes(model)),
    readAnswers(regions.study, regions.pairs).likelihoods,
  );
  const statistics = computeStatistics({
    items,
    phenomena: own.phenomena.length > 1 ? own.phenomena : [],
    responses: on.responses.filter(({ model }) => asked.includes(model)),
    likelihoods,
    panels: [{ models, orders }],
    seed: SEED,
  });
  statisticsTable({ path: join(folder, "statistics.csv") }).write(statistics);
  const isBoth = items.every(({ pair }) => orders(pair.id).length === ORDERS.length);
  const design = isBoth ? "both" : "counterbalanced";
  const rows = accuracyRows({
    ...{ statistics, artefacts: [], readouts: LIKELIHOODS },
    panels: [{ title: "local", models, asked, design, orders }],
  });
  const finding = findingOf(statistics, models, items.length);
  const clusters = statistics[0]!.clusters;
  const figure = forestPlot({
    title: finding,
    subtitle: `${study.name}: ${items.length} pairs` +
      (clusters < items.length ? ` of ${clusters} lemmas` : "") + "; 95 % intervals",
    alt: `Share of pairs on which each model is right, in every way of judging. ${finding}.`,
    axis: {
      ...{ label: "Correct (%)", format: "percent", domain: [0, 1] },
      reference: { value: 0.5, label: "chance" },
    },
    rows,
  });
  await saveFigure(join(folder, "accuracy.png"), figure);
  return { statistics, finding, figure, table: rowTable(rows) };
}

function rowTable(rows: readonly AccuracyRow[]): string {
  return markdownTable(
    ["model", "by", "correct, %", "n"],
    rows.map(({ label, group, measure, n }) => [group, label, percentWithInterval(measure), n]),
  );
}

/** The best of what models are judged by first, where it is told from chance; else that none is. */
function findingOf(statistics: readonly Statistic[], models: readonly string[], pairs: number) {
  const found = lookUp(statistics);
  const results = models.flatMap((model) => {
    const way = WAYS.find((name) => found.measure(model, name).kind !== "unavailable");
    if (way === undefined) return [];
    const measure = found.measure(model, way);
    const percent = measure.kind === "unavailable" ? 0 : 100 * measure.estimate;
    const chose = way === "accuracy" ? "chooses" : "finds more probable";
    return [{ model, percent, chose, standing: againstChance(found, model, way) }];
  }).toSorted((a, b) => b.percent - a.percent);
  const above = results.find(({ standing }) => standing === "above chance");
  const below = results.findLast(({ standing }) => standing === "below chance");
  const [told, which] = above ? [above, "grammatical"] : [below, "ungrammatical"];
  if (told === undefined) {
    return `On ${pairs} pairs ${
      models.length === 1 ? `${models[0]} is not` : "no model is"
    } told from chance`;
  }
  const share = above ? told.percent : 100 - told.percent;
  const verb = told.chose === "chooses" ? "chooses" : "prefers";
  return `${told.model} ${verb} the ${which} sentence in ${share.toFixed(0)} % of ${pairs} pairs`;
}
