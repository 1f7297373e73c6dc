import { formatCsv } from "../files/csv.ts";
import { designStatistics } from "./design_statistics.ts";
import { ORDERS } from "./forced_choice.ts";
import type { PairLikelihood } from "./likelihood_rows.ts";
import { compareModels, type ModelScores } from "./model_comparison.ts";
import {
  groupStatistics,
  type ModelRecord,
  recordOf,
  type StatisticItem,
} from "./model_statistics.ts";
import type { DatasetItem } from "./number_pairs.ts";
import { bothOrders, type OrderPlan } from "./order_plan.ts";
import type { IntervalSettings } from "./resampled_sums.ts";
import type { Response } from "./responses.ts";
import { ALL, type Statistic, STATISTIC_TABLE } from "./statistics_row.ts";

/** Models that are compared with each other, and the questions that count for them. */
export interface ComparedModels {
  /** In the order of the rows; each with what there is of it. */
  readonly models: readonly string[];
  /** Both orders of every pair unless told. */
  readonly orders?: OrderPlan;
}

/** A part of the pairs that is looked at by itself. */
export interface PairPart<Phenomenon extends string> {
  /** In the place of the phenomenon; neither a phenomenon's name nor that of all pairs. */
  readonly name: string;
  readonly has: (item: DatasetItem<Phenomenon>) => boolean;
}

export interface StatisticsOptions<Phenomenon extends string> extends IntervalSettings {
  readonly items: readonly DatasetItem<Phenomenon>[];
  /** In the order of the rows. */
  readonly phenomena: readonly Phenomenon[];
  readonly responses: readonly Response[];
  readonly likelihoods: readonly PairLikelihood[];
  /** Further parts of the pairs, such as one case, named as the rows are to name them. */
  readonly parts?: readonly PairPart<Phenomenon>[];
  /** Panels side by side: no figure is of models of two of them. */
  readonly panels: readonly ComparedModels[];
}

/**
 * Every row of `statistics.csv`. Panel by panel: for each model, over all pairs and for each
 * phenomenon and part, the measures of forced choice and likelihood with their agreement; then every two
 * models of the panel compared. Last the smallest accuracy that the design would tell from guessing.
 * Where one order a pair is asked, parts have no forced choice: the orders are balanced over all pairs
 * of a phenomenon, and on a part of them a liking for a letter would pass for accuracy.
 */
export function computeStatistics<Phenomenon extends string>(
  options: StatisticsOptions<Phenomenon>,
): readonly Statistic[] {
  const groups = groupsOf(options);
  const rows = options.panels.flatMap((panel) => panelStatistics(panel, groups, options));
  const designed = groups.slice(0, 1 + options.phenomena.length);
  return [...rows, ...designed.flatMap(designStatistics)];
}

/** `statistics.csv` as text. */
export function formatStatistics(statistics: readonly Statistic[]): string {
  return formatCsv(STATISTIC_TABLE.columns, statistics.map(STATISTIC_TABLE.format));
}

/** All pairs, those of a phenomenon, or a part of them. */
interface Group {
  readonly phenomenon: string;
  readonly items: readonly StatisticItem[];
  readonly isPart: boolean;
}

function groupsOf<Phenomenon extends string>(
  { items, phenomena, parts = [] }: StatisticsOptions<Phenomenon>,
): readonly Group[] {
  const all: PairPart<Phenomenon> = { name: ALL, has: () => true };
  const named = phenomena.map((name): PairPart<Phenomenon> => ({
    name,
    has: ({ pair }) => pair.phenomenon === name,
  }));
  return [all, ...named, ...parts].map(({ name, has }) => ({
    phenomenon: name,
    items: items.filter(has).map(({ pair, certificate }) => ({
      id: pair.id,
      lemma: certificate.lemma,
    })),
    isPart: parts.some((part) => part.name === name),
  }));
}

function panelStatistics<Phenomenon extends string>(
  { models, orders = bothOrders }: ComparedModels,
  groups: readonly Group[],
  options: StatisticsOptions<Phenomenon>,
): readonly Statistic[] {
  const { responses, likelihoods } = options;
  const items = groups[0]?.items ?? [];
  const records = models.map((model) => recordOf(model, responses, likelihoods, orders));
  const isBalanced = items.every(({ id }) => orders(id).length === ORDERS.length);
  const rows = records.flatMap((record) =>
    groups.flatMap((group) => {
      const told = group.isPart && !isBalanced ? { ...record, answers: new Map() } : record;
      return groupStatistics({ ...group, record: told, orders }, options);
    })
  );
  const lemmas = new Map(items.map(({ id, lemma }) => [id, lemma]));
  const scores = records.map((record) => scoresOf(record, items, orders))
    .filter(({ pairs }) => pairs.size > 0);
  return [...rows, ...compareModels(scores, (id) => lemmas.get(id) ?? id, options)];
}

/** Of the pairs answered in all their orders, how many were right. */
function scoresOf(
  { model, answers }: ModelRecord,
  items: readonly StatisticItem[],
  orders: OrderPlan,
): ModelScores {
  const pairs = new Map(items.flatMap(({ id }) => {
    const [own, asked] = [answers.get(id) ?? [], orders(id).length];
    const right = own.filter(({ correct }) => correct).length;
    return own.length === asked && asked > 0 ? [[id, { right, asked }] as const] : [];
  }));
  return { model, pairs };
}
