import type { LanguageModel } from "../../lib/models/model.ts";
import type { Panel } from "../../lib/models/panel.ts";
import { bothOrders, firstPairs, isAsked } from "../../lib/pairs/order_plan.ts";
import { evaluatePanel } from "../../lib/pairs/panels/evaluate_panel.ts";
import { likelihoodPanel } from "../../lib/pairs/panels/likelihood_panel.ts";
import type { WorkDone } from "../../lib/pairs/panels/panel_run.ts";
import { pendingWork } from "../../lib/pairs/panels/pending.ts";
import { scoreModels, unscoredPairs } from "../../lib/pairs/panels/score_models.ts";
import { workTable } from "../../lib/pairs/report/hosted_tables.ts";
import type { PairSet } from "../studies.ts";

/** Pairs that are scored without a question: by those models of a panel that can, or by others. */
export type Scoring =
  & PairSet
  & ({ readonly panel: Panel } | { readonly models: readonly LanguageModel[] });

export interface ScoringOptions {
  /** Only so many pairs of each set, of each phenomenon in turn; all where left out. */
  readonly limit?: number | undefined;
  readonly signal: AbortSignal;
  readonly print: (text: string) => void;
}

/** Scores what is missing, set by set, and prints it; gives whether nothing of it is left. */
export async function scoreAll(
  scorings: readonly Scoring[],
  options: ScoringOptions,
): Promise<boolean> {
  for (const scoring of scorings) {
    const done = await score(scoring, options);
    if (done.length > 0) {
      options.print(`\nLikelihoods of ${scoring.study.name}:\n\n${workTable(done)}`);
    }
  }
  return scorings.every((scoring) => unscored(scoring, options).length === 0);
}

/** Prints what {@link scoreAll} would score. */
export function tellScoring(scorings: readonly Scoring[], options: ScoringOptions): void {
  for (const scoring of scorings) {
    for (const { model, pairs } of unscored(scoring, options)) {
      options.print(`${model}: likelihoods of ${pairs} pairs of ${scoring.study.name}`);
    }
  }
}

async function score(
  scoring: Scoring,
  { limit, signal }: ScoringOptions,
): Promise<readonly WorkDone[]> {
  const { study, pairs } = scoring;
  const orders = planOf(scoring, limit);
  return "panel" in scoring
    ? await evaluatePanel(study, pairs, likelihoodPanel(scoring.panel), { orders, signal })
    : await scoreModels(study, pairs, scoring.models, { wanted: isAsked(orders), signal });
}

/** The models that have not scored all of the set, each with the number of pairs. */
export function unscored(
  scoring: Scoring,
  { limit }: Pick<ScoringOptions, "limit"> = {},
): readonly { readonly model: string; readonly pairs: number }[] {
  const { study, pairs } = scoring;
  const orders = planOf(scoring, limit);
  const left = "panel" in scoring
    ? pendingWork(study, pairs, likelihoodPanel(scoring.panel), { orders })
      .map(({ entry, likelihoods }) => ({ model: entry.id, pairs: likelihoods }))
    : [...unscoredPairs(study, pairs, scoring.models.map(({ name }) => name), {
      wanted: isAsked(orders),
    })].map(([model, pairs]) => ({ model, pairs }));
  return left.filter(({ pairs }) => pairs > 0);
}

function planOf({ pairs }: PairSet, limit: number | undefined) {
  return limit === undefined ? bothOrders : firstPairs(bothOrders, pairs, limit);
}
