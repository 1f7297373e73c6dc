/**
 * Computes every row of `statistics.csv`.
 * There are rows for single models, for comparisons of two models of a panel, and for the design.
 * @module
 */
import { unorderedPairs } from "../stats/agreement.ts";
import { minimumDetectableEffect } from "../stats/paired_tests.ts";
import { exactMcNemar, holmAdjust } from "../stats/paired_tests.ts";
import type { PairLikelihood, Response } from "./answers.ts";
import { type Baseline, bestRule, type RuleValues, ruleValues } from "./artefacts.ts";
import {
  ALL,
  clusteredStatistics,
  type CountStatistic,
  DESIGN,
  type Statistic,
  type Tally,
  withoutValue,
} from "./clustered.ts";
import { bothOrders, type OrderPlan, ORDERS } from "./forced_choice.ts";
import {
  type GroupedPairs,
  groupedStatistics,
  type GroupItem,
  type PairGroup,
  pairGroups,
} from "./groups.ts";
import {
  AGREEMENT_MEASURES,
  AS_ALONE,
  countAgreement,
  countAnswers,
  countLikelihood,
  countRegions,
  FORCED_CHOICE_MEASURES,
  LIKELIHOOD_MEASURES,
  NEED_BOTH_ORDERS,
  preference,
  ratioOrUndefined,
  REGION_MEASURES,
} from "./measures.ts";

/** Models of one panel, which are compared with each other, and their pairs. */
interface ComparedModels {
  /** Models in row order, each with the measures that its answers permit. */
  readonly models: readonly string[];
  /** Models with forced choice; all by default. The others have likelihoods only. */
  readonly asked?: readonly string[];
  readonly orders?: OrderPlan;
}

interface StatisticsOptions<Phenomenon extends string> extends GroupedPairs<Phenomenon> {
  readonly responses: readonly Response[];
  readonly likelihoods: readonly PairLikelihood[];
  /** Panels. Models of different panels are not compared. */
  readonly panels: readonly ComparedModels[];
  /** True to exclude pairs without an answer or score, per model; n is reduced. */
  readonly isPartial?: boolean;
  /**
   * Grammar-free baselines. Each accuracy is compared with that of the best one on the same pairs.
   */
  readonly rules?: readonly Baseline[];
}

/** Inputs of the rows of one model. */
interface Setting {
  readonly orders: OrderPlan;
  readonly rules: RuleValues;
  readonly isPartial: boolean;
}

/**
 * Computes every row of `statistics.csv`.
 *
 * For each panel: each model's measures of forced choice, likelihood and their agreement, over all
 * pairs, phenomena and subsets; then comparisons of every two models. The last rows state the
 * minimum accuracy that the design can distinguish from chance. With one order per pair, subsets
 * have no forced choice: their orders are not balanced, so that a preference for a letter would
 * appear as accuracy.
 */
export function computeStatistics<Phenomenon extends string>(
  options: StatisticsOptions<Phenomenon>,
): readonly Statistic[] {
  const { panels, responses, likelihoods, isPartial = false, rules = [] } = options;
  const { designed, parts } = pairGroups(options);
  const whole = designed[0]!.items();
  const pairs = [...options.items, ...options.further ?? []].map(({ pair }) => pair);
  const values = ruleValues(rules, pairs);
  const rows = panels.flatMap(({ models, asked = models, orders = bothOrders }) => {
    const records = models.map((model): ModelRecord => {
      const own = responses.filter((row) =>
        row.model === model && asked.includes(model) && orders(row.pairId).includes(row.order)
      );
      const scored = likelihoods.filter((row) => row.model === model);
      return {
        model,
        answers: Map.groupBy(own, ({ pairId }) => pairId),
        scored: new Map(scored.map((row) => [row.pairId, row])),
      };
    });
    const setting = { orders, rules: values, isPartial };
    const statistics = records.flatMap((record) => {
      const ofPart = askedInBoth(whole, orders) ? record : { ...record, answers: new Map() };
      return [
        ...designed.flatMap((own) => groupRows(record, own, setting)),
        ...parts.flatMap((own) => groupRows(ofPart, own, setting)),
      ];
    });
    return [...statistics, ...compareModels(records, whole, setting)];
  });
  return [...rows, ...designed.flatMap(designStatistics)];
}

interface ModelRecord {
  readonly model: string;
  readonly answers: ReadonlyMap<string, readonly Response[]>;
  readonly scored: ReadonlyMap<string, PairLikelihood>;
}

function askedInBoth(items: readonly GroupItem[], orders: OrderPlan): boolean {
  return items.every(({ pair: { id } }) => orders(id).length === ORDERS.length);
}

/** Returns a model's measures on one group of pairs, for the tasks that it was given. */
function groupRows(
  { model, answers, scored }: ModelRecord,
  group: PairGroup,
  { orders, rules, isPartial }: Setting,
): readonly Statistic[] {
  const place = { model, phenomenon: group.phenomenon };
  const items = group.items(scored);
  const rule = bestRule(rules, items);
  /** Returns the rows of forced choice or likelihood; none if the model has no such data. */
  const rowsOf = <Name extends string>(
    isAsked: boolean,
    count: (id: string) => Tally<Name> | undefined,
    measures: readonly CountStatistic<Tally<Name>>[],
  ) => {
    const counted = items.flatMap(({ pair: { id }, ...item }) => {
      const counts = count(id);
      if (counts === undefined) return [];
      const ruled = rule && { rule: rule.values.get(id)!, ruled: 1 };
      return [{ ...item, counts: { ...counts, ...ruled } }];
    });
    const isWhole = counted.length === items.length || isPartial && counted.length > 0;
    if (!isAsked || group.isWhole && !isWhole) return [];
    const isShown = (one: (typeof measures)[number]) => isAccuracy(one) || one.name === AS_ALONE;
    const wanted = group.accuraciesOnly ? measures.filter(isShown) : measures;
    const leads = rule
      ? measures.filter(isAccuracy).map((measure) => lessRule(measure, rule.name))
      : [];
    return groupedStatistics<string>(place, counted, [...wanted, ...leads]);
  };
  const isBalanced = askedInBoth(items, orders);
  const choice = rowsOf(
    answers.size > 0,
    (id) => answers.has(id) ? countAnswers(answers.get(id)!) : undefined,
    FORCED_CHOICE_MEASURES,
  ).map((row): Statistic => {
    if (isBalanced || !NEED_BOTH_ORDERS.includes(row.measure)) return row;
    return { ...row, ...withoutValue("not available: it needs every pair in both orders") };
  });
  const ofRow = <Counts>(count: (row: PairLikelihood) => Counts) => (id: string) => {
    const row = scored.get(id);
    return row && count(row);
  };
  const hasRegions = scored.values().some(({ regions }) => regions !== undefined);
  return [
    ...choice,
    ...rowsOf(scored.size > 0, ofRow(countLikelihood), LIKELIHOOD_MEASURES),
    ...rowsOf(hasRegions, ofRow(countRegions), REGION_MEASURES),
    ...rowsOf(answers.size > 0 && scored.size > 0, (id) => {
      const [own, row] = [answers.get(id), scored.get(id)];
      if (own?.length !== orders(id).length || row === undefined) return undefined;
      const isRight = own.every(({ correct }) => correct);
      return countAgreement(isRight, preference(row, "total") === "grammatical");
    }, AGREEMENT_MEASURES),
  ];
}

/** Tests for an accuracy. Tables by subset show accuracies and compare them with baselines. */
const isAccuracy = ({ name }: { readonly name: string }) =>
  name === "accuracy" || name.startsWith("likelihood_accuracy_");

/** Returns the paired difference of an accuracy from a baseline's, with the same weights. */
function lessRule<Name extends string>(
  { name, method, of, n }: CountStatistic<Tally<Name>>,
  rule: string,
): CountStatistic<Tally<Name | "rule" | "ruled">> {
  return {
    name: `${name}_less_best_rule`,
    method:
      `${method}; less the share that ${rule} gets right (ties half), the best rule without ` +
      "grammar on these pairs",
    of: (counts) => {
      const own = of(counts);
      return own === undefined ? undefined : own - counts.rule / counts.ruled;
    },
    n,
    bounds: [-1, 1],
  };
}

/** Compares models by forced choice; see {@link compareCouples}. */
function compareModels(
  records: readonly ModelRecord[],
  items: readonly GroupItem[],
  { orders }: Setting,
): readonly Statistic[] {
  const recordOf = new Map(records.map((record) => [record.model, record]));
  return compareCouples([...recordOf.keys()], items, (model, id) => {
    const own = recordOf.get(model)!.answers.get(id) ?? [];
    const asked = orders(id).length;
    if (own.length === 0 || own.length !== asked) return undefined;
    return { right: own.filter(({ correct }) => correct).length, asked };
  });
}

/**
 * Compares every two models on the pairs that both answered in all orders, or scored.
 *
 * A pair counts for the model that is correct in more orders (exact McNemar test; with both orders,
 * a sign test on pairs). Pairs are the unit, because the two orders of a pair are dependent. The
 * test treats pairs of one lemma as independent; the clustered interval of the difference does not.
 * Holm's adjustment covers all comparisons of one panel.
 */
export function compareCouples(
  models: readonly string[],
  items: readonly GroupItem[],
  rightOf: (
    model: string,
    pairId: string,
  ) => { readonly right: number; readonly asked: number } | undefined,
): readonly Statistic[] {
  const answering = models.filter((model) =>
    items.some(({ pair: { id } }) => rightOf(model, id) !== undefined)
  );
  const couples = unorderedPairs(answering).map(([first, second]) => {
    const counted = items.flatMap(({ pair: { id }, ...item }) => {
      const [one, other] = [rightOf(first, id), rightOf(second, id)];
      if (one === undefined || other === undefined) return [];
      const [firstRight, secondRight] = [one.right, other.right];
      const better = {
        firstBetter: Number(firstRight > secondRight),
        secondBetter: Number(secondRight > firstRight),
      };
      const counts = { pairs: 1, asked: one.asked, firstRight, secondRight, ...better };
      return [{ ...item, counts }];
    });
    const sum = (name: "firstBetter" | "secondBetter") =>
      counted.reduce((n, { counts }) => n + counts[name], 0);
    const p = exactMcNemar({ onlyFirst: sum("firstBetter"), onlySecond: sum("secondBetter") });
    return { model: coupleName(first, second), counted, p };
  });
  const adjusted = holmAdjust(couples.map(({ p }) => p));
  const holm = `the same, Holm-adjusted over ${couples.length} comparisons`;
  return couples.flatMap(({ model, counted, p }, index) =>
    clusteredStatistics({ model, phenomenon: ALL }, counted, [
      DIFFERENCE,
      ofPairs("pairs_first_better", betterIn("first"), ({ firstBetter }) => firstBetter),
      ofPairs("pairs_second_better", betterIn("second"), ({ secondBetter }) => secondBetter),
      ofPairs("mcnemar_p", "exact McNemar on pairs, two-sided; lemmas ignored", () => p),
      ofPairs("mcnemar_p_holm", holm, () => adjusted[index]),
    ])
  );
}

/** Returns the name of a comparison of two models, used in the model column. */
export const coupleName = (first: string, second: string) => `${first} vs ${second}`;

type CoupleCounts = Tally<
  "pairs" | "asked" | "firstRight" | "secondRight" | "firstBetter" | "secondBetter"
>;

const betterIn = (which: string) => `pairs on which the ${which} is right in more orders`;

const DIFFERENCE: CountStatistic<CoupleCounts> = {
  name: "accuracy_difference",
  method: "accuracy of the first minus that of the second, on pairs answered by both",
  of: ({ firstRight, secondRight, asked }) => ratioOrUndefined(firstRight - secondRight, asked),
  n: ({ asked }) => asked,
  bounds: [-1, 1],
};

/** Returns a value for the compared pairs, without an interval. */
const ofPairs = (
  name: string,
  method: string,
  of: CountStatistic<CoupleCounts>["of"],
): CountStatistic<CoupleCounts> => ({
  name,
  method,
  of,
  n: ({ pairs }) => pairs,
  descriptive: true,
});

/**
 * Computes the minimum accuracy that one judgement per pair could distinguish from chance. It is
 * computed with pairs, and with lemmas, as independent trials. The true value is between the two.
 */
function designStatistics({ phenomenon, items: itemsOf }: PairGroup): readonly Statistic[] {
  const items = itemsOf();
  const [n, clusters] = [items.length, new Set(items.map(({ lemma }) => lemma)).size];
  const how = "smallest accuracy told from guessing, exact binomial, two-sided 0.05, power 0.8";
  return ([
    ["minimum_detectable_accuracy", n, "pairs taken as independent"],
    ["minimum_detectable_accuracy_by_lemma", clusters, "pairs of a lemma taken as one trial"],
  ] as const).map(([measure, trials, meaning]): Statistic => {
    const place = { model: DESIGN, phenomenon, measure, n, clusters };
    if (trials === 0) return { ...place, ...withoutValue("no pairs") };
    const found = minimumDetectableEffect(trials);
    if (found.kind === "unavailable") return { ...place, ...withoutValue(found.reason) };
    const value = { kind: "value", estimate: found.accuracy } as const;
    return { ...place, value, method: `${how}; ${meaning}` };
  });
}
