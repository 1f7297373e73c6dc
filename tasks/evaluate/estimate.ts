import type { Panel } from "../../lib/models/panel.ts";
import { hostedEstimates } from "../../lib/pairs/panels/estimates.ts";
import { type PendingWork, pendingWork } from "../../lib/pairs/panels/pending.ts";
import { withdrawnModels } from "../../lib/pairs/report/hosted_section.ts";
import { estimateTable } from "../../lib/pairs/report/hosted_tables.ts";
import type { OrderPlan } from "../../lib/pairs/order_plan.ts";
import type { Surroundings } from "./run.ts";

/** Prints what asking the rest will take, and what beside it is to be done. */
export function tellEstimate(
  panel: Panel,
  orders: OrderPlan,
  { study, pairs, print }: Surroundings,
): void {
  const estimates = hostedEstimates(study, pairs, panel, { orders });
  if (estimates.length > 0) print(`\n${estimateTable(estimates)}\n`);
  const ending = withdrawnModels(panel.models);
  if (ending.length > 0) {
    print(
      `Groq has announced the end of ${
        ending.join(" and ")
      }; data/panels/groq.yaml says what to do`,
    );
  }
  for (const work of pendingWork(study, pairs, panel, { orders })) {
    const beside = describeBeside(work);
    if (beside !== undefined) print(beside);
  }
}

/** What no estimate tells: scoring, and whatever this machine does itself. */
function describeBeside({ entry, answers, likelihoods }: PendingWork): string | undefined {
  const own = entry.kind === "gguf";
  const parts = [
    ...(own && answers > 0 ? [`${answers} questions`] : []),
    ...(likelihoods > 0 ? [`likelihoods of ${likelihoods} pairs`] : []),
  ];
  if (parts.length === 0) return undefined;
  return `${entry.id}: ${parts.join(" and ")}, ${own ? "on this machine" : "from its server"}`;
}
