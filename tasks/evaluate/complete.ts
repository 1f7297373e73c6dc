import { orderPlan } from "../../lib/pairs/order_plan.ts";
import { isPending, pendingWork } from "../../lib/pairs/panels/pending.ts";
import { DESIGN_WORDS } from "../../lib/pairs/report/per_panel.ts";
import type { EvaluateOptions } from "./options.ts";
import type { Surroundings } from "./run.ts";
import { unscored } from "./scoring.ts";

export const INCOMPLETE =
  "Incomplete; everything so far is kept. Run the same command again to go on.";

/** What to do when all that was asked for is answered; some models or pairs are not the panel. */
export function completeWords(
  { orders: design }: EvaluateOptions,
  surroundings: Surroundings,
): string {
  const { study, pairs, panel, beside } = surroundings;
  const orders = orderPlan(design, pairs, study.orderSeed);
  const left = pendingWork(study, pairs, panel, { orders }).filter(isPending);
  const lacks = left.map(({ entry, answers, likelihoods }) =>
    `${entry.id} lacks ${
      [
        ...(answers > 0 ? [`${answers} answers`] : []),
        ...(likelihoods > 0 ? [`${likelihoods} pairs of likelihoods`] : []),
      ].join(" and ")
    }`
  );
  const unscoredBeside = (beside?.(panel) ?? []).flatMap((scoring) =>
    unscored(scoring).map(({ model, pairs }) =>
      `${model} lacks likelihoods of ${pairs} pairs of ${scoring.study.name}`
    )
  );
  const all = [...lacks, ...unscoredBeside];
  if (all.length === 0) return `Complete. Now: ${study.commands.compute}`;
  return `Complete for these questions. Of the panel ${panel.name} (${DESIGN_WORDS[design]}) ` +
    `${all.join(", ")}: without --models and --limit they are asked too.`;
}
