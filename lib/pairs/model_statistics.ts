import { AGREEMENT_MEASURES, countAgreement } from "./agreement_measures.ts";
import { clusteredStatistics } from "./clustered_statistic.ts";
import { ORDERS } from "./forced_choice.ts";
import {
  countAnswers,
  FORCED_CHOICE_MEASURES,
  NEED_BOTH_ORDERS,
} from "./forced_choice_measures.ts";
import { countLikelihood, LIKELIHOOD_MEASURES, preference } from "./likelihood_measures.ts";
import type { PairLikelihood } from "./likelihood_rows.ts";
import type { OrderPlan } from "./order_plan.ts";
import type { IntervalSettings } from "./resampled_sums.ts";
import type { Response } from "./responses.ts";
import type { Statistic } from "./statistics_row.ts";

/** What is known of one pair, whatever the model. */
export interface StatisticItem {
  readonly id: string;
  readonly lemma: string;
}

/** What one model gave, by pair id. */
export interface ModelRecord {
  readonly model: string;
  readonly answers: ReadonlyMap<string, readonly Response[]>;
  readonly scored: ReadonlyMap<string, PairLikelihood>;
}

/** One model on some pairs: all of them, or those of a phenomenon. */
export interface ModelGroup {
  readonly record: ModelRecord;
  readonly phenomenon: string;
  readonly items: readonly StatisticItem[];
  readonly orders: OrderPlan;
}

/** The record of a model: of its answers those to questions planned. */
export function recordOf(
  model: string,
  responses: readonly Response[],
  likelihoods: readonly PairLikelihood[],
  orders: OrderPlan,
): ModelRecord {
  const isPlanned = (row: Response) =>
    row.model === model && orders(row.pairId).includes(row.order);
  const scored = likelihoods.filter((row) => row.model === model);
  return {
    model,
    answers: Map.groupBy(responses.filter(isPlanned), ({ pairId }) => pairId),
    scored: new Map(scored.map((row) => [row.pairId, row])),
  };
}

/** The measures of one model on one group of pairs; those of a way it was not asked are left out. */
export function groupStatistics(
  group: ModelGroup,
  settings: IntervalSettings,
): readonly Statistic[] {
  const { record: { answers, scored } } = group;
  return [
    ...(answers.size > 0 ? choiceRows(group, settings) : []),
    ...(scored.size > 0 ? likelihoodRows(group, settings) : []),
    ...(answers.size > 0 && scored.size > 0 ? agreementRows(group, settings) : []),
  ];
}

const placeOf = ({ record, phenomenon }: ModelGroup) => ({ model: record.model, phenomenon });

function choiceRows(group: ModelGroup, settings: IntervalSettings): readonly Statistic[] {
  const { items, orders, record } = group;
  const counted = items.flatMap(({ id, lemma }) => {
    const own = record.answers.get(id);
    return own ? [{ lemma, counts: countAnswers(own) }] : [];
  });
  const rows = clusteredStatistics(placeOf(group), counted, FORCED_CHOICE_MEASURES, settings);
  if (items.every(({ id }) => orders(id).length === ORDERS.length)) return rows;
  const method = "not available: it needs every pair in both orders";
  return rows.map((row) =>
    NEED_BOTH_ORDERS.includes(row.measure)
      ? { ...row, value: { kind: "unavailable" as const }, method }
      : row
  );
}

function likelihoodRows(group: ModelGroup, settings: IntervalSettings): readonly Statistic[] {
  const counted = group.items.flatMap(({ id, lemma }) => {
    const row = group.record.scored.get(id);
    return row ? [{ lemma, counts: countLikelihood(row) }] : [];
  });
  return clusteredStatistics(placeOf(group), counted, LIKELIHOOD_MEASURES, settings);
}

function agreementRows(group: ModelGroup, settings: IntervalSettings): readonly Statistic[] {
  const { answers, scored } = group.record;
  const counted = group.items.flatMap(({ id, lemma }) => {
    const [own, row] = [answers.get(id), scored.get(id)];
    if (own?.length !== group.orders(id).length || row === undefined) return [];
    const isRight = preference(row, "total") === "grammatical";
    return [{ lemma, counts: countAgreement(own.every(({ correct }) => correct), isRight) }];
  });
  return clusteredStatistics(placeOf(group), counted, AGREEMENT_MEASURES, settings);
}
