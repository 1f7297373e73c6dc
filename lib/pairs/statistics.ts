/** Every row of `statistics.csv`: each model by itself, every two of a panel, and the design. */
import { minimumDetectableEffect } from "../stats/intervals.ts";
import { exactMcNemar, holmAdjust } from "../stats/paired_tests.ts";
import type { PairLikelihood, Response } from "./answers.ts";
import { type Baseline, bestRule, type RuleValues, ruleValues } from "./artefacts.ts";
import {
  ALL,
  clusteredStatistics,
  DESIGN,
  type IntervalSettings,
  type Measure,
  type Statistic,
  type Tally,
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
  REGION_MEASURES,
  share,
} from "./measures.ts";

export type { PairPart } from "./groups.ts";

/** Models that are compared with each other, and the questions that count for them. */
interface ComparedModels {
  /** In the order of the rows; each with what there is of it. */
  readonly models: readonly string[];
  readonly orders?: OrderPlan;
}

interface StatisticsOptions<Phenomenon extends string>
  extends IntervalSettings, GroupedPairs<Phenomenon> {
  readonly responses: readonly Response[];
  readonly likelihoods: readonly PairLikelihood[];
  /** Panels side by side: no figure is of models of two of them. */
  readonly panels: readonly ComparedModels[];
  /** Rules without grammar: every accuracy is held against the best of them on the same pairs. */
  readonly rules?: readonly Baseline[];
}

/** What the rows of one model are made with. */
interface Setting extends IntervalSettings {
  readonly orders: OrderPlan;
  readonly rules: RuleValues;
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
  const { panels, responses, likelihoods, rules = [] } = options;
  const { designed, parts } = pairGroups(options);
  const whole = designed[0]!.items();
  const pairs = [...options.items, ...options.further ?? []].map(({ pair }) => pair);
  const values = ruleValues(rules, pairs);
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
    const setting = { ...options, orders, rules: values };
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

/** The measures of one model on one group of pairs; those of a way it was not asked are left out. */
function groupRows(
  { model, answers, scored }: ModelRecord,
  group: PairGroup,
  { orders, rules, ...settings }: Setting,
): readonly Statistic[] {
  const place = { model, phenomenon: group.phenomenon };
  const items = group.items(scored);
  const rule = bestRule(rules, items);
  /** The rows of one way of asking: nothing where it was not asked. */
  const rowsOf = <Name extends string>(
    isAsked: boolean,
    count: (id: string) => Tally<Name> | undefined,
    measures: readonly Measure<Tally<Name>>[],
  ) => {
    const counted = items.flatMap(({ pair: { id }, ...item }) => {
      const counts = count(id);
      return counts ? [{ id, ...item, counts }] : [];
    });
    if (!isAsked || (group.isWhole && counted.length < items.length)) return [];
    const isShown = (one: (typeof measures)[number]) => isAccuracy(one) || one.name === AS_ALONE;
    const wanted = group.accuraciesOnly ? measures.filter(isShown) : measures;
    const compared = rule
      ? measures.filter(isAccuracy).map((measure) => lessRule(measure, rule.name))
      : [];
    // κ is of all its counts and of nothing else.
    const withRule = compared.length === 0 ? counted : counted.map(({ id, counts, ...item }) => {
      return { ...item, counts: { ...counts, rule: rule!.values.get(id)!, ruled: 1 } };
    });
    return groupedStatistics<string>(place, withRule, [...wanted, ...compared], settings);
  };
  const isBalanced = askedInBoth(items, orders);
  const choice = rowsOf(
    answers.size > 0,
    (id) => answers.has(id) ? countAnswers(answers.get(id)!) : undefined,
    FORCED_CHOICE_MEASURES,
  ).map((row): Statistic => {
    if (isBalanced || !NEED_BOTH_ORDERS.includes(row.measure)) return row;
    const method = "not available: it needs every pair in both orders";
    return { ...row, value: { kind: "unavailable" }, method };
  });
  const has = (id: string) => scored.get(id);
  return [
    ...choice,
    ...rowsOf(scored.size > 0, (id) => has(id) && countLikelihood(has(id)!), LIKELIHOOD_MEASURES),
    ...rowsOf(
      [...scored.values()].some(({ regions }) => regions !== undefined),
      (id) => has(id) && countRegions(has(id)!),
      REGION_MEASURES,
    ),
    ...rowsOf(answers.size > 0 && scored.size > 0, (id) => {
      const [own, row] = [answers.get(id), has(id)];
      if (own?.length !== orders(id).length || row === undefined) return undefined;
      return countAgreement(
        own.every(({ correct }) => correct),
        preference(row, "total") === "grammatical",
      );
    }, AGREEMENT_MEASURES),
  ];
}

/** The accuracies that tables by part give, and that are held against rules: of all that was asked. */
const isAccuracy = ({ name }: { readonly name: string }) =>
  name === "accuracy" || name.startsWith("likelihood_accuracy_");

/** An accuracy less a rule's on the same pairs, of which each counts as often as in the accuracy. */
function lessRule<Name extends string>(
  { name, method, of, n }: Measure<Tally<Name>>,
  rule: string,
): Measure<Tally<Name | "rule" | "ruled">> {
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
  };
}

/**
 * Every two models compared on the pairs that both have answered in all their orders: a pair counts for the
 * model that is right in more of them (exact McNemar; with both orders the sign test on pairs). Answers are
 * not the unit, for the two orders of a pair are not independent. Nor are pairs of one lemma: the test
 * ignores that, the clustered interval of the difference does not. Holm's adjustment is
 * over the comparisons of these models, which are those of one panel.
 */
function compareModels(
  records: readonly ModelRecord[],
  items: readonly GroupItem[],
  { orders, ...settings }: Setting,
): readonly Statistic[] {
  const rightOf = ({ answers }: ModelRecord, id: string) => {
    const own = answers.get(id) ?? [];
    if (own.length === 0 || own.length !== orders(id).length) return undefined;
    return own.filter(({ correct }) => correct).length;
  };
  const answering = records.filter((record) =>
    items.some(({ pair: { id } }) => rightOf(record, id) !== undefined)
  );
  const couples = answering.flatMap((first, index) =>
    answering.slice(index + 1).map((second) => {
      const counted = items.flatMap(({ pair: { id }, ...item }) => {
        const [firstRight, secondRight] = [rightOf(first, id), rightOf(second, id)];
        if (firstRight === undefined || secondRight === undefined) return [];
        return [{ ...item, counts: { firstRight, secondRight, asked: orders(id).length } }];
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
function designStatistics({ phenomenon, items: itemsOf }: PairGroup): readonly Statistic[] {
  const items = itemsOf();
  const n = items.length;
  const clusters = new Set(items.map(({ lemma }) => lemma)).size;
  const row = (measure: string, trials: number, meaning: string): Statistic => {
    const found = trials === 0
      ? { kind: "unavailable" as const, reason: "no pairs" }
      : minimumDetectableEffect(trials);
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
