import { openJobStore } from "../../lib/models/hosted/batch/job_store.ts";
import { type RunTotal, totalOf } from "../../lib/models/hosted/estimate_total.ts";
import type { Panel } from "../../lib/models/panel.ts";
import { formatJob } from "../../lib/pairs/batches/batch_text.ts";
import { batchEntries } from "../../lib/pairs/batches/panel_batches.ts";
import { hostedEstimates } from "../../lib/pairs/panels/estimates.ts";
import { pendingWork } from "../../lib/pairs/panels/pending.ts";
import { batchFolder } from "../../lib/pairs/batches/under_way.ts";
import { firstPairs, type OrderPlan, orderPlan } from "../../lib/pairs/order_plan.ts";
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
  { study, pairs }: Pick<BatchTaskWorld, "study" | "pairs">,
): OrderPlan {
  const all = orderPlan(orders, pairs, study.orderSeed);
  return limit === undefined ? all : firstPairs(all, pairs, limit);
}

/** Questions of the run without an answer, by panel id. */
function remaining(
  { models }: BatchTaskOptions,
  { study, pairs, panel }: BatchTaskWorld,
  orders: OrderPlan,
): ReadonlyMap<string, number> {
  const asked = batchEntries(panel).map(({ id }) => id).filter((id) =>
    models?.includes(id) ?? true
  );
  return new Map(
    pendingWork(study, pairs, panel, { orders }).filter(({ entry }) => asked.includes(entry.id))
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
  const jobs = openJobStore(batchFolder(world.study, world.panel)).jobs();
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
  { study, pairs, panel, print }: BatchTaskWorld,
  orders: OrderPlan,
): void {
  const estimates = hostedEstimates(study, pairs, panel, { orders })
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
