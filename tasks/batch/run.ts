import { openStatusLine } from "../../lib/files/status_line.ts";
import { type ApiKey, readGroqKeys } from "../../lib/models/hosted/api_keys.ts";
import { type BatchJob, isUnderWay } from "../../lib/models/hosted/batch/job.ts";
import { lockJobs, openJobStore } from "../../lib/models/hosted/batch/job_store.ts";
import { openBatchServices, SETTLE_SECONDS } from "../../lib/models/hosted/batch/open_services.ts";
import { runBatches } from "../../lib/models/hosted/batch/run.ts";
import { formatWait } from "../../lib/models/hosted/key_ring_report.ts";
import { sleep } from "../../lib/models/hosted/time_limit.ts";
import { formatJob, formatLook } from "../../lib/pairs/batches/batch_text.ts";
import { batchFolder } from "../../lib/pairs/batches/under_way.ts";
import { panelTables } from "../../lib/pairs/batches/panel_batches.ts";
import { requireSamePairs } from "../../lib/pairs/panels/answers.ts";
import type { OrderPlan } from "../../lib/pairs/order_plan.ts";
import type { BatchTaskOptions } from "./options.ts";
import {
  ordersOf,
  outcomeOf,
  requireModels,
  tellEstimate,
  tellRemaining,
  tellStatus,
} from "./survey.ts";
import type { BatchTaskWorld } from "./world.ts";

/**
 * Submits, follows and merges batches as told.
 * @returns Whether every question of the run has an answer, or all that was told to be done is done:
 * an estimate.
 */
export async function runBatchTask(
  options: BatchTaskOptions,
  world: BatchTaskWorld,
): Promise<"complete" | "incomplete"> {
  const { mode } = options;
  requireSamePairs(world.study, world.pairs);
  requireModels(world.panel, options.models);
  const orders = ordersOf(options, world);
  if (mode === "status") tellStatus(options, world, orders);
  else if (mode !== "fetch") tellEstimate(options, world, orders);
  if (mode === "estimate") return "complete";
  if (mode !== "status") await work(options, world, orders);
  return outcomeOf(options, world, orders);
}

async function work(
  options: BatchTaskOptions,
  world: BatchTaskWorld,
  orders: OrderPlan,
): Promise<void> {
  const { study, panel, print } = world;
  const keys = readGroqKeys(study.connection.env);
  const folder = batchFolder(study, panel);
  using _lock = await lockJobs(folder);
  const closed = openJobStore(folder).jobs().filter(({ step }) => step === "closed");
  const before = new Set(closed.map(({ name }) => name));
  const jobs = await follow(keys, options, world, orders);
  for (const job of jobs) if (!before.has(job.name)) print(formatJob(job));
  if (jobs.length === 0) print(NO_BATCH[options.mode === "fetch" ? "fetch" : "all"]);
  const underWay = jobs.filter(isUnderWay).length;
  if (underWay > 0) {
    const again = `run \`deno task batch --study ${study.name}\` again, or with --fetch-only`;
    print(`Batches under way: ${underWay}; ${again}, to bring their answers in.`);
  }
  tellRemaining(options, world, orders);
}

const NO_BATCH = {
  fetch: "Nothing to fetch: no batch of this panel was submitted.",
  all: "No batch was submitted.",
} as const;

async function follow(
  keys: readonly ApiKey[],
  { mode, models, window, pollSeconds }: BatchTaskOptions,
  { study, pairs, panel, print, signal, status, standIn }: BatchTaskWorld,
  orders: OrderPlan,
): Promise<readonly BatchJob[]> {
  using line = openStatusLine(status);
  using opened = openBatchServices(keys, {
    window,
    onWait: (wait) => line.show(formatWait(wait)),
    ...(signal ? { signal } : {}),
    ...(standIn ? { standIn } : {}),
  });
  const questions = { study, pairs, panel, ...(standIn ? { baseUrl: standIn.baseUrl } : {}) };
  const told = new Set<string>();
  return await runBatches({
    series: { study: study.name, panel: panel.name },
    store: openJobStore(batchFolder(study, panel)),
    services: opened.services,
    ...panelTables(questions, { orders, ...(models ? { models } : {}) }),
    mode: mode === "submit" || mode === "fetch" ? mode : "all",
    pollSeconds,
    settleSeconds: standIn?.settleSeconds ?? SETTLE_SECONDS,
    now: Date.now,
    sleep: (milliseconds) => sleep(milliseconds, signal ?? new AbortController().signal),
    onNote: (note) => {
      if (!told.has(note)) print(note); // A hindrance that lasts is told once, not at every look.
      told.add(note);
    },
    onLook: (steps) => {
      if (steps.some(({ job }) => isUnderWay(job))) line.show(formatLook(steps, pollSeconds));
    },
    ...(signal ? { signal } : {}),
  });
}
