import type { Panel, PanelEntry } from "../../models/panel.ts";
import { missingLikelihoods } from "../likelihood_rows.ts";
import { missingAnswers } from "../metrics.ts";
import { bothOrders, isAsked, type OrderPlan } from "../order_plan.ts";
import type { MinimalPair } from "../pair.ts";
import type { PairStudy } from "../study.ts";
import { readAnswers, requireSamePairs } from "./answers.ts";

/** What a model of the panel still has to do. */
export interface PendingWork {
  readonly entry: PanelEntry;
  /** Questions of forced choice without an answer; 0 for a model that is not asked. */
  readonly answers: number;
  /** Pairs of the questions without likelihoods; 0 for a model that gives none. */
  readonly likelihoods: number;
}

/** Whether anything is left of it. */
export function isPending({ answers, likelihoods }: PendingWork): boolean {
  return answers > 0 || likelihoods > 0;
}

/**
 * What remains to be asked and scored. A model with nothing left need not be loaded.
 * @param orders the questions to be asked; both orders of every pair unless told.
 * @throws {Error} where answers on record belong to other pairs, naming file, model and remedy.
 */
export function pendingWork(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  panel: Panel,
  { orders = bothOrders }: { readonly orders?: OrderPlan } = {},
): readonly PendingWork[] {
  requireSamePairs(study, pairs);
  const { responses, likelihoods } = readAnswers(study.files);
  const models = panel.models.map(({ id }) => id);
  const unanswered = missingAnswers({ pairs, responses, models, orders });
  const wanted = pairs.filter(isAsked(orders));
  const unscored = missingLikelihoods({ pairs: wanted, likelihoods, models });
  return panel.models.map((entry) => ({
    entry,
    answers: entry.roles.includes("chat") ? unanswered.get(entry.id) ?? 0 : 0,
    likelihoods: entry.roles.includes("likelihood") ? unscored.get(entry.id) ?? 0 : 0,
  }));
}
