import { estimateRun, type RunEstimate } from "../../models/hosted/estimate.ts";
import { meanTokens, readUsage } from "../../models/hosted/usage.ts";
import type { Panel } from "../../models/panel.ts";
import { formatPrompt } from "../forced_choice.ts";
import { bothOrders, type OrderPlan } from "../order_plan.ts";
import type { MinimalPair } from "../pair.ts";
import { questionKey } from "../responses.ts";
import type { PairStudy } from "../study.ts";
import { readAnswers } from "./answers.ts";
import { hostedEntries, type HostedEntry, limitsOf } from "./hosted_access.ts";

/** What it will take to ask a hosted model what it has not answered. */
export interface HostedEstimate {
  readonly entry: HostedEntry;
  readonly estimate: RunEstimate;
}

/**
 * What the rest of a run will take, model by model; asks nothing. Limits are counted for one
 * organisation: nobody can tell from keys how many there are.
 */
export function hostedEstimates(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  panel: Panel,
  { orders = bothOrders }: { readonly orders?: OrderPlan } = {},
): readonly HostedEstimate[] {
  const { generation } = panel;
  if (!generation) return [];
  const answered = new Set(readAnswers(study.files).responses.map(questionKey));
  const used = readUsage(study.connection.usage);
  const asked = hostedEntries(panel.models).filter(({ roles }) => roles.includes("chat"));
  return asked.map((entry) => {
    const prompts = openPrompts(study.question, pairs, entry.id, orders, answered);
    const promptBytes = prompts.reduce((sum, prompt) => sum + encoder.encode(prompt).length, 0);
    const measured = meanTokens(used, entry.id, "questions");
    const planned = { calls: prompts.length, promptBytes, organisations: 1, measured };
    return { entry, estimate: estimateRun(limitsOf(entry), generation, planned) };
  });
}

const encoder = new TextEncoder();

function openPrompts(
  question: string,
  pairs: readonly MinimalPair[],
  model: string,
  orders: OrderPlan,
  answered: ReadonlySet<string>,
): readonly string[] {
  return pairs.flatMap((pair) =>
    orders(pair.id)
      .filter((order) => !answered.has(questionKey({ model, pairId: pair.id, order })))
      .map((order) => formatPrompt(question, pair, order))
  );
}
