import { openJobStore } from "../../lib/models/hosted/batch/job_store.ts";
import { type RunTotal, totalOf } from "../../lib/models/hosted/estimate_total.ts";
import type { Panel } from "../../lib/models/panel.ts";
import { formatJob } from "../../lib/norse/batches/batch_text.ts";
import { batchEntries } from "../../lib/norse/batches/panel_batches.ts";
import { hostedEstimates } from "../../lib/norse/evaluation/estimates.ts";
import { pendingWork } from "../../lib/norse/evaluation/pending.ts";
import { ORDER_SEED } from "../../lib/norse/study.ts";
import { firstPairs, type OrderPlan, orderPlan } from "../../lib/pairs/order_plan.ts";
import type { MinimalPair } from "../../lib/pairs/pair.ts";
import type { BatchTaskOptions } from "./options.ts";
import type { BatchTaskWorld } from "./world.ts";

/** Groq's price of a batch, as a share of what the same calls cost one by one. */
const BATCH_PRICE = 0.5;

/** @throws {RangeError} for a model that is none of the panel's at Groq, and for a panel without any. */
export function requireModels(panel: Panel, models: readonly string[] = []): void {
  const known = batchEntries(panel).map(({ id }) => id);
  const unknown = models.find((id) => !known.includes(id));
  if (unknown === undefined && known.length > 0) return;
  throw new RangeError(
    `Cannot ask ${unknown ?? `the panel ${panel.name}`} in batches: ` +
      (known.length > 0
        ? `the panel has ${known.join(", ")} at Groq.`
        : "it has no model at Groq."),
  );
}

/** The questions of the run. */
export function ordersOf(
  { orders, limit }: BatchTaskOptions,
  pairs: readonly MinimalPair[],
): OrderPlan {
  const all = orderPlan(orders, pairs, ORDER_SEED);
  return limit === undefined ? all : firstPairs(all, pairs, limit);
}

/** Questions of the run without an answer, by panel id. */
function remaining(
  { models }: BatchTaskOptions,
  { pairs, panel, files }: BatchTaskWorld,
  orders: OrderPlan,
): ReadonlyMap<string, number> {
  const asked = batchEntries(panel).map(({ id }) => id).filter((id) =>
    models?.includes(id) ?? true
  );
  return new Map(
    pendingWork(pairs, panel, { orders, files }).filter(({ entry }) => asked.includes(entry.id))
      .map(({ entry, answers }) => [entry.id, answers]),
  );
}

/** Whether every question of the run has an answer. */
export function outcomeOf(
  options: BatchTaskOptions,
  world: BatchTaskWorld,
  orders: OrderPlan,
): "complete" | "incomplete" {
  const left = [...remaining(options, world, orders).values()];
  return left.every((count) => count === 0) ? "complete" : "incomplete";
}

/** Where every batch stands, and what has no answer; asks nobody. */
export function tellStatus(
  options: BatchTaskOptions,
  world: BatchTaskWorld,
  orders: OrderPlan,
): void {
  const jobs = openJobStore(world.folder).jobs();
  for (const job of jobs) world.print(formatJob(job));
  if (jobs.length === 0) world.print("No batch was submitted from here.");
  tellRemaining(options, world, orders);
}

/** Which models have questions without an answer. */
export function tellRemaining(
  options: BatchTaskOptions,
  world: BatchTaskWorld,
  orders: OrderPlan,
): void {
  for (const [id, count] of remaining(options, world, orders)) {
    if (count > 0) world.print(`${id}: ${count} questions without an answer`);
  }
}

/** What the questions without an answer would cost; those of batches under way are among them. */
export function tellEstimate(
  { models }: BatchTaskOptions,
  { pairs, panel, files, usage, print }: BatchTaskWorld,
  orders: OrderPlan,
): void {
  const estimates = hostedEstimates(pairs, panel, { orders, files, usage })
    .filter(({ entry }) => entry.kind === "groq" && (models?.includes(entry.id) ?? true));
  for (const { entry, estimate } of estimates) {
    print(describeCost(entry.id, estimate, ` (${estimate.basis})`));
  }
  if (estimates.length < 2) return;
  print(describeCost("together", totalOf(estimates.map(({ estimate }) => estimate))));
}

function describeCost(
  name: string,
  { calls, promptTokens, replyTokens, dollars }: RunTotal,
  basis = "",
): string {
  const cost = dollars === undefined ? "" : `, ${(dollars * BATCH_PRICE).toFixed(2)} US dollars`;
  const tokens = `${promptTokens} + ${replyTokens} tokens${basis}`;
  return `${name}: ${calls} questions without an answer, ${tokens}${cost} in batches`;
}
