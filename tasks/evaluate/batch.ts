import { openStatusLine, type StatusOptions } from "../../lib/files/progress.ts";
import { type ApiKey, readGroqKeys } from "../../lib/models/hosted/api_keys.ts";
import {
  type BatchServicesOptions,
  openBatchServices,
  SETTLE_SECONDS,
} from "../../lib/models/hosted/batch/groq_service.ts";
import {
  type BatchJob,
  isUnderWay,
  lockJobs,
  openJobStore,
} from "../../lib/models/hosted/batch/jobs.ts";
import { runBatches } from "../../lib/models/hosted/batch/run.ts";
import { type RunTotal, totalOf } from "../../lib/models/hosted/estimate.ts";
import { formatWait } from "../../lib/models/hosted/key_ring.ts";
import { sleep } from "../../lib/models/in_flight.ts";
import type { Panel } from "../../lib/models/panel.ts";
import {
  batchEntries,
  batchFolder,
  formatJob,
  formatLook,
  panelTables,
} from "../../lib/pairs/batch.ts";
import { pendingWork } from "../../lib/pairs/evaluate.ts";
import type { OrderPlan } from "../../lib/pairs/forced_choice.ts";
import type { MinimalPair } from "../../lib/pairs/pair.ts";
import { hostedEstimates } from "../../lib/pairs/status.ts";
import type { PairStudy } from "../../lib/pairs/study.ts";
import { type EvaluateOptions, questionsOf } from "./run.ts";

/** What is done with batches: everything, or only a part of it. */
export type BatchMode = "all" | "submit" | "fetch" | "status" | "estimate";

/** What is asked of whom, and how. */
export interface BatchTaskOptions extends Omit<EvaluateOptions, "estimate"> {
  readonly mode: BatchMode;
  /** How long Groq may take for a batch: hours or days. */
  readonly window: string;
  readonly pollSeconds: number;
}

/** Groq's price of a batch, as a share of what the same calls cost one by one. */
const BATCH_PRICE = 0.5;

/** @throws {RangeError} for a model that is none of the panel's at Groq, and for a panel without any. */
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
function outcomeOf(
  options: BatchTaskOptions,
  world: BatchTaskWorld,
  orders: OrderPlan,
): "done" | "incomplete" {
  const left = [...remaining(options, world, orders).values()];
  return left.every((count) => count === 0) ? "done" : "incomplete";
}

/** Where every batch stands, and what has no answer; asks nobody. */
function tellStatus(
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
function tellRemaining(
  options: BatchTaskOptions,
  world: BatchTaskWorld,
  orders: OrderPlan,
): void {
  for (const [id, count] of remaining(options, world, orders)) {
    if (count > 0) world.print(`${id}: ${count} questions without an answer`);
  }
}

/** What the questions without an answer would cost; those of batches under way are among them. */
function tellEstimate(
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

/**
 * Submits, follows and merges batches as told.
 * @returns Whether every question of the run has an answer, or all that was told to be done is done:
 * an estimate.
 */
export async function runBatchTask(
  options: BatchTaskOptions,
  world: BatchTaskWorld,
): Promise<"done" | "incomplete"> {
  const { mode } = options;
  requireModels(world.panel, options.models);
  const orders = questionsOf(world.study, world.pairs, options);
  if (mode === "status") tellStatus(options, world, orders);
  else if (mode !== "fetch") tellEstimate(options, world, orders);
  if (mode === "estimate") return "done";
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
    const again =
      `run \`deno task evaluate --batch --study ${study.name}\` again, or with --fetch-only`;
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
  const told = new Set<string>();
  return await runBatches({
    series: { study: study.name, panel: panel.name },
    store: openJobStore(batchFolder(study, panel)),
    services: opened.services,
    ...panelTables({ study, pairs, panel }, { orders, ...(models ? { models } : {}) }),
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

/** The study and the place in which the task works. */
export interface BatchTaskWorld {
  readonly study: PairStudy;
  readonly pairs: readonly MinimalPair[];
  readonly panel: Panel;
  readonly print: (line: string) => void;
  readonly signal?: AbortSignal;
  /** Where the status is shown; the error output unless told. */
  readonly status?: StatusOptions;
  /** In tests only. */
  readonly standIn?: BatchServicesOptions["standIn"] & { readonly settleSeconds: number };
}
