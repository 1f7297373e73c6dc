import { openStatusLine, type StatusOptions } from "../../lib/files/status_line.ts";
import { type ApiKey, readGroqKeys } from "../../lib/models/hosted/api_keys.ts";
import { type BatchJob, isUnderWay } from "../../lib/models/hosted/batch/job.ts";
import { lockJobs, openJobStore } from "../../lib/models/hosted/batch/job_store.ts";
import {
  type BatchServicesOptions,
  openBatchServices,
  SETTLE_SECONDS,
} from "../../lib/models/hosted/batch/open_services.ts";
import { runBatches } from "../../lib/models/hosted/batch/run.ts";
import { formatWait } from "../../lib/models/hosted/key_ring_report.ts";
import { sleep } from "../../lib/models/hosted/time_limit.ts";
import type { Panel } from "../../lib/models/panel.ts";
import { formatJob, formatLook } from "../../lib/norse/batches/batch_text.ts";
import { batchEntries, panelTables } from "../../lib/norse/batches/panel_batches.ts";
import { type AnswerFiles, requireSamePairs } from "../../lib/norse/evaluation/answers.ts";
import { hostedEstimates } from "../../lib/norse/evaluation/estimates.ts";
import { pendingWork } from "../../lib/norse/evaluation/pending.ts";
import { ORDER_SEED } from "../../lib/norse/study.ts";
import { firstPairs, type OrderPlan, orderPlan } from "../../lib/pairs/order_plan.ts";
import type { MinimalPair } from "../../lib/pairs/pair.ts";
import type { BatchTaskOptions } from "./options.ts";

/** The study and the place in which the task works. */
export interface BatchTaskWorld {
  readonly pairs: readonly MinimalPair[];
  readonly panel: Panel;
  readonly files: AnswerFiles;
  /** Path of the `.env` file. */
  readonly env: string;
  /** Tokens of earlier answers. */
  readonly usage: string;
  /** Where batches are followed. */
  readonly folder: string;
  readonly print: (line: string) => void;
  readonly signal?: AbortSignal;
  /** Where the status is shown; the error output unless told. */
  readonly status?: StatusOptions;
  /** In tests only. */
  readonly standIn?: BatchServicesOptions["standIn"] & { readonly settleSeconds: number };
}

/** Groq's price of a batch, as a share of what the same calls cost one by one. */
const BATCH_PRICE = 0.5;

/**
 * Submits, follows and merges batches as told.
 * @returns Whether every question of the run has an answer.
 */
export async function runBatchTask(
  options: BatchTaskOptions,
  world: BatchTaskWorld,
): Promise<"complete" | "incomplete"> {
  const { pairs, panel, files, folder, print } = world;
  requireSamePairs(pairs, files);
  requireModels(panel, options.models);
  const orders = ordersOf(options, pairs);
  if (options.mode === "status") return showStatus(options, world, orders);
  if (options.mode !== "fetch") tellEstimate(options, world, orders);
  if (options.mode === "estimate") return outcomeOf(options, world, orders);
  const keys = readGroqKeys(world.env);
  using _lock = await lockJobs(folder);
  const before = new Set(
    openJobStore(folder).jobs().filter(({ step }) => step === "closed")
      .map(({ name }) => name),
  );
  const jobs = await follow(keys, options, world, orders);
  for (const job of jobs) if (!before.has(job.name)) print(formatJob(job));
  const underWay = jobs.filter(isUnderWay);
  if (underWay.length > 0) {
    const again = "run `deno task batch` again, or with --fetch-only";
    print(`${underWay.length} batches are under way: ${again}, to bring their answers in.`);
  }
  return outcomeOf(options, world, orders);
}

async function follow(
  keys: readonly ApiKey[],
  { mode, models, window, pollSeconds }: BatchTaskOptions,
  { pairs, panel, files, folder, print, signal, status, standIn }: BatchTaskWorld,
  orders: OrderPlan,
): Promise<readonly BatchJob[]> {
  using line = openStatusLine(status);
  using opened = openBatchServices(keys, {
    window,
    onWait: (wait) => line.show(formatWait(wait)),
    ...(signal ? { signal } : {}),
    ...(standIn ? { standIn } : {}),
  });
  const questions = { pairs, panel, files, ...(standIn ? { baseUrl: standIn.baseUrl } : {}) };
  const told = new Set<string>();
  return await runBatches({
    series: { study: "norse", panel: panel.name },
    store: openJobStore(folder),
    services: opened.services,
    ...panelTables(questions, { orders, ...(models ? { models } : {}) }),
    mode: mode === "submit" || mode === "fetch" ? mode : "all",
    pollSeconds,
    settleSeconds: standIn?.settleSeconds ?? SETTLE_SECONDS,
    now: Date.now,
    sleep: (milliseconds) => sleep(milliseconds, signal ?? new AbortController().signal),
    // A hindrance that lasts is told once, not at every look.
    onNote: (note) => told.has(note) || (told.add(note), print(note)),
    onLook: (steps) => {
      if (steps.some(({ job }) => isUnderWay(job))) line.show(formatLook(steps, pollSeconds));
    },
    ...(signal ? { signal } : {}),
  });
}

function requireModels(panel: Panel, models: readonly string[] = []): void {
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

function ordersOf({ orders, limit }: BatchTaskOptions, pairs: readonly MinimalPair[]): OrderPlan {
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

function outcomeOf(options: BatchTaskOptions, world: BatchTaskWorld, orders: OrderPlan) {
  const left = [...remaining(options, world, orders).values()];
  return left.every((count) => count === 0) ? "complete" : "incomplete";
}

function showStatus(options: BatchTaskOptions, world: BatchTaskWorld, orders: OrderPlan) {
  const jobs = openJobStore(world.folder).jobs();
  for (const job of jobs) world.print(formatJob(job));
  if (jobs.length === 0) world.print("No batch was submitted from here.");
  for (const [id, count] of remaining(options, world, orders)) {
    world.print(`${id}: ${count} questions without an answer`);
  }
  return outcomeOf(options, world, orders);
}

/** What the questions without an answer would cost; those of batches under way are among them. */
function tellEstimate(
  { models }: BatchTaskOptions,
  { pairs, panel, files, usage, print }: BatchTaskWorld,
  orders: OrderPlan,
): void {
  for (const { entry, estimate } of hostedEstimates(pairs, panel, { orders, files, usage })) {
    if (entry.kind !== "groq" || !(models?.includes(entry.id) ?? true)) continue;
    const { calls, promptTokens, replyTokens, basis, dollars } = estimate;
    const cost = dollars === undefined ? "" : `, ${(dollars * BATCH_PRICE).toFixed(2)} US dollars`;
    const tokens = `${promptTokens} + ${replyTokens} tokens (${basis})`;
    print(`${entry.id}: ${calls} questions without an answer, ${tokens}${cost} in batches`);
  }
}
