/** Every row of `statistics.csv`: each model by itself, every two of a panel, and the design. */
import { minimumDetectableEffect } from "../stats/intervals.ts";
import { exactMcNemar, holmAdjust } from "../stats/paired_tests.ts";
import type { PairLikelihood, Response } from "./answers.ts";
import {
  ALL,
  clusteredStatistics,
  DESIGN,
  type IntervalSettings,
  type Statistic,
} from "./clustered.ts";
import type { DatasetItem } from "./dataset.ts";
import { bothOrders, type OrderPlan, ORDERS } from "./forced_choice.ts";
import {
  AGREEMENT_MEASURES,
  countAgreement,
  countAnswers,
  countLikelihood,
  FORCED_CHOICE_MEASURES,
  LIKELIHOOD_MEASURES,
  NEED_BOTH_ORDERS,
  preference,
  share,
} from "./measures.ts";

/** Models that are compared with each other, and the questions that count for them. */
interface ComparedModels {
  /** In the order of the rows; each with what there is of it. */
  readonly models: readonly string[];
  readonly orders?: OrderPlan;
}

export interface PairPart<Phenomenon extends string> {
  /** In the place of the phenomenon; neither a phenomenon's name nor that of all pairs. */
  readonly name: string;
  readonly has: (item: DatasetItem<Phenomenon>) => boolean;
}

interface StatisticsOptions<Phenomenon extends string> extends IntervalSettings {
  readonly items: readonly DatasetItem<Phenomenon>[];
  readonly phenomena: readonly Phenomenon[];
  readonly responses: readonly Response[];
  readonly likelihoods: readonly PairLikelihood[];
  /** Further parts of the pairs, such as one case, named as the rows are to name them. */
  readonly parts?: readonly PairPart<Phenomenon>[];
  /** Panels side by side: no figure is of models of two of them. */
  readonly panels: readonly ComparedModels[];
}

interface Group {
  readonly phenomenon: string;
  readonly items: readonly { readonly id: string; readonly lemma: string }[];
}

/**
 * Every row of `statistics.csv`. Panel by panel: for each model, over all pairs, each phenomenon and part,
 * the measures of forced choice and likelihood with their agreement; then every two models compared. Last
 * the smallest accuracy that the design would tell from guessing. Where one order a pair is asked, parts
 * have no forced choice: on them the orders are not balanced, and a liking for a letter would pass for
 * accuracy.
 */
export function computeStatistics<Phenomenon extends string>(
  options: StatisticsOptions<Phenomenon>,
): readonly Statistic[] {
  const { items, phenomena, parts = [], panels, responses, likelihoods } = options;
  const group = (phenomenon: string, has: PairPart<Phenomenon>["has"]): Group => ({
    phenomenon,
    items: items.filter(has).map(({ pair: { id }, certificate: { lemma } }) => ({ id, lemma })),
  });
  const whole = group(ALL, () => true);
  const designed = [
    whole,
    ...phenomena.map((name) => group(name, ({ pair }) => pair.phenomenon === name)),
  ];
  const partGroups = parts.map(({ name, has }) => group(name, has));
  const rows = panels.flatMap(({ models, orders = bothOrders }) => {
    const records = models.map((model): ModelRecord => {
      const own = responses.filter((row) =>
        row.model === model && orders(row.pairId).includes(row.order)
      );
      const scored = likelihoods.filter((row) => row.model === model);
      return {
        model,
        answers: Map.groupBy(own, ({ pairId }) => pairId),
        scored: new Map(scored.map((row) => [row.pairId, row])),
      };
    });
    const statistics = records.flatMap((record) => {
      const ofPart = askedInBoth(whole, orders) ? record : { ...record, answers: new Map() };
      return [
        ...designed.flatMap((own) => groupStatistics(record, own, orders, options)),
        ...partGroups.flatMap((own) => groupStatistics(ofPart, own, orders, options)),
      ];
    });
    return [...statistics, ...compareModels(records, whole, orders, options)];
  });
  return [...rows, ...designed.flatMap(designStatistics)];
}

interface ModelRecord {
  readonly model: string;
  readonly answers: ReadonlyMap<string, readonly Response[]>;
  readonly scored: ReadonlyMap<string, PairLikelihood>;
}

function askedInBoth({ items }: Group, orders: OrderPlan): boolean {
  return items.every(({ id }) => orders(id).length === ORDERS.length);
}

/** The measures of one model on one group of pairs; those of a way it was not asked are left out. */
function groupStatistics(
  { model, answers, scored }: ModelRecord,
  group: Group,
  orders: OrderPlan,
  settings: IntervalSettings,
): readonly Statistic[] {
  const place = { model, phenomenon: group.phenomenon };
  const counted = <Counts>(count: (id: string) => Counts | undefined) =>
    group.items.flatMap(({ id, lemma }) => {
      const counts = count(id);
      return counts ? [{ lemma, counts }] : [];
    });
  const chosen = counted((id) => answers.has(id) ? countAnswers(answers.get(id)!) : undefined);
  const likely = counted((id) => scored.has(id) ? countLikelihood(scored.get(id)!) : undefined);
  const agreeing = counted((id) => {
    const [own, row] = [answers.get(id), scored.get(id)];
    if (own?.length !== orders(id).length || row === undefined) return undefined;
    return countAgreement(
      own.every(({ correct }) => correct),
      preference(row, "total") === "grammatical",
    );
  });
  const isBalanced = askedInBoth(group, orders);
  const choice = clusteredStatistics(place, chosen, FORCED_CHOICE_MEASURES, settings)
    .map((row): Statistic => {
      if (isBalanced || !NEED_BOTH_ORDERS.includes(row.measure)) return row;
      const method = "not available: it needs every pair in both orders";
      return { ...row, value: { kind: "unavailable" }, method };
    });
  return [
    ...(answers.size === 0 ? [] : choice),
    ...(scored.size === 0 ? [] : clusteredStatistics(place, likely, LIKELIHOOD_MEASURES, settings)),
    ...(answers.size === 0 || scored.size === 0
      ? []
      : clusteredStatistics(place, agreeing, AGREEMENT_MEASURES, settings)),
  ];
}

/**
 * Every two models compared on the pairs that both have answered in all their orders: a pair counts for the
 * model that is right in more of them (exact McNemar; with both orders the sign test on pairs). Answers are
 * not the unit, for the two orders of a pair are not independent. Nor are pairs of one lemma: the test
 * ignores that, the interval of the difference, a bootstrap over lemmas, does not. Holm's adjustment is
 * over the comparisons of these models, which are those of one panel.
 */
function compareModels(
  records: readonly ModelRecord[],
  { items }: Group,
  orders: OrderPlan,
  settings: IntervalSettings,
): readonly Statistic[] {
  const rightOf = ({ answers }: ModelRecord, id: string) => {
    const own = answers.get(id) ?? [];
    if (own.length === 0 || own.length !== orders(id).length) return undefined;
    return own.filter(({ correct }) => correct).length;
  };
  const answering = records.filter((record) =>
    items.some(({ id }) => rightOf(record, id) !== undefined)
  );
  const couples = answering.flatMap((first, index) =>
    answering.slice(index + 1).map((second) => {
      const counted = items.flatMap(({ id, lemma }) => {
        const [firstRight, secondRight] = [rightOf(first, id), rightOf(second, id)];
        if (firstRight === undefined || secondRight === undefined) return [];
        return [{ lemma, counts: { firstRight, secondRight, asked: orders(id).length } }];
      });
      const leads = counted.map(({ counts }) => counts.firstRight - counts.secondRight);
      const model = `${first.model} vs ${second.model}`;
      const onlyFirst = leads.filter((lead) => lead > 0).length;
      return { model, counted, onlyFirst, onlySecond: leads.filter((lead) => lead < 0).length };
    })
  );
  const pValues = couples.map((couple) => exactMcNemar(couple));
  const adjusted = holmAdjust(pValues);
  return couples.flatMap(({ model, counted, onlyFirst, onlySecond }, index) => {
    const place = { model, phenomenon: ALL };
    const [n, clusters] = [counted.length, new Set(counted.map(({ lemma }) => lemma)).size];
    const point = (measure: string, estimate: number | undefined, method: string): Statistic => ({
      ...place,
      measure,
      n,
      clusters,
      ...(estimate === undefined || n === 0
        ? { value: { kind: "unavailable" }, method: "no pair answered by both" }
        : { value: { kind: "point", estimate }, method }),
    });
    const holm = `the same, Holm-adjusted over ${couples.length} comparisons`;
    return [
      ...clusteredStatistics(place, counted, [DIFFERENCE], settings),
      point("pairs_first_better", onlyFirst, "pairs on which the first is right in more orders"),
      point("pairs_second_better", onlySecond, "pairs on which the second is right in more orders"),
      point("mcnemar_p", pValues[index], "exact McNemar on pairs, two-sided; lemmas ignored"),
      point("mcnemar_p_holm", adjusted[index], holm),
    ];
  });
}

type CoupleCounts = Readonly<Record<"firstRight" | "secondRight" | "asked", number>>;

const DIFFERENCE = {
  name: "accuracy_difference",
  method: "accuracy of the first minus that of the second, on pairs answered by both",
  of: ({ firstRight, secondRight, asked }: CoupleCounts) => share(firstRight - secondRight, asked),
  n: ({ asked }: CoupleCounts) => asked,
};

/**
 * The smallest accuracy that one judgement per pair would tell from guessing: once with every pair
 * a trial of its own, once with every lemma one. The truth lies between.
 */
function designStatistics({ phenomenon, items }: Group): readonly Statistic[] {
  const n = items.length;
  const clusters = new Set(items.map(({ lemma }) => lemma)).size;
  const row = (measure: string, trials: number, meaning: string): Statistic => {
    const found = trials === 0
      ? { kind: "unavailable" as const, reason: "no pairs" }
      : minimumDetectableEffect({ n: trials });
    const method = "smallest accuracy told from guessing, exact binomial, two-sided 0.05, " +
      `power 0.8; ${meaning}`;
    return {
      ...{ model: DESIGN, phenomenon, measure, n, clusters },
      ...(found.kind === "unavailable"
        ? { value: { kind: "unavailable" }, method: found.reason }
        : { value: { kind: "point", estimate: found.accuracy }, method }),
    };
  };
  return [
    row("minimum_detectable_accuracy", n, "pairs taken as independent"),
    row("minimum_detectable_accuracy_by_lemma", clusters, "pairs of a lemma taken as one trial"),
  ];
}
