/** What `deno task evaluate --batch` does: submits, follows and merges batches as told. */
import { openStatusLine, type StatusOptions } from "../../lib/files/progress.ts";
import { readGroqKeys } from "../../lib/models/hosted/api_keys.ts";
import {
  type BatchServicesOptions,
  openBatchServices,
  SETTLE_SECONDS,
} from "../../lib/models/hosted/batch/groq_service.ts";
import { isUnderWay, lockJobs, openJobStore } from "../../lib/models/hosted/batch/jobs.ts";
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

/**
 * Does what the mode says.
 * @returns Whether every question of the run has an answer; an estimate is done in any case.
 * @throws {RangeError} for a model that is none of the panel's at Groq, and for a panel without any.
 */
export async function runBatchTask(
  options: BatchTaskOptions,
  world: BatchTaskWorld,
): Promise<"done" | "incomplete"> {
  const { mode } = options;
  const { study, pairs, panel, print } = world;
  const known = batchEntries(panel).map(({ id }) => id);
  const asked = options.models ?? known;
  const unknown = asked.find((id) => !known.includes(id));
  if (unknown !== undefined || known.length === 0) {
    const has = known.length > 0
      ? `has ${known.join(", ")} at Groq`
      : "has no model at Groq, as that of --panel groq has";
    const what = unknown ?? `the panel ${panel.name}`;
    throw new RangeError(`Cannot ask ${what} in batches: the panel ${has}.`);
  }
  const orders = questionsOf(study, pairs, options);
  if (mode === "status") {
    const jobs = openJobStore(batchFolder(study, panel)).jobs();
    for (const job of jobs) print(formatJob(job));
    if (jobs.length === 0) print("No batch was submitted from here.");
  } else if (mode !== "fetch") tellEstimate(asked, world, orders);
  if (mode === "estimate") return "done";
  if (mode !== "status") await work(options, world, orders);
  const left = pendingWork(study, pairs, panel, { orders })
    .filter(({ entry, answers }) => asked.includes(entry.id) && answers > 0);
  for (const { entry, answers } of left) {
    print(`${entry.id}: ${answers} questions without an answer`);
  }
  return left.length === 0 ? "done" : "incomplete";
}

/** What the questions without an answer would cost; those of batches under way are among them. */
function tellEstimate(
  asked: readonly string[],
  { study, pairs, panel, print }: BatchTaskWorld,
  orders: OrderPlan,
): void {
  const tell = (name: string, { calls, promptTokens, replyTokens, dollars }: RunTotal) => {
    // Half the price of the same calls one by one.
    const cost = dollars === undefined ? "" : `, ${(dollars / 2).toFixed(2)} US dollars`;
    const tokens = `${promptTokens} + ${replyTokens} tokens (guessed)`;
    print(`${name}: ${calls} questions without an answer, ${tokens}${cost} in batches`);
  };
  const pending = pendingWork(study, pairs, panel, { orders });
  const estimates = hostedEstimates(study, pending, panel)
    .filter(({ entry }) => asked.includes(entry.id));
  for (const { entry, estimate } of estimates) tell(entry.id, estimate);
  if (estimates.length < 2) return;
  tell("together", totalOf(estimates.map(({ estimate }) => estimate)));
}

/** Submits, follows and merges, and tells what came of each batch. */
async function work(
  { mode, models, window, pollSeconds }: BatchTaskOptions,
  { study, pairs, panel, print, signal, status, standIn }: BatchTaskWorld,
  orders: OrderPlan,
): Promise<void> {
  const keys = readGroqKeys(study.connection.env);
  const folder = batchFolder(study, panel);
  using _lock = lockJobs(folder);
  const store = openJobStore(folder);
  const closed = store.jobs().filter(({ step }) => step === "closed").map(({ name }) => name);
  using line = openStatusLine(status);
  const onWait = (wait: Parameters<typeof formatWait>[0]) => line.show(formatWait(wait));
  using opened = openBatchServices(keys, { window, onWait, signal, standIn });
  const told = new Set<string>();
  const jobs = await runBatches({
    series: { study: study.name, panel: panel.name },
    store,
    services: opened.services,
    ...panelTables({ study, pairs, panel }, { orders, models }),
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
    signal,
  });
  line[Symbol.dispose]();
  for (const job of jobs) if (!closed.includes(job.name)) print(formatJob(job));
  if (jobs.length === 0) {
    print(`${mode === "fetch" ? "Nothing to fetch: no" : "No"} batch of this panel was submitted.`);
  }
  const underWay = jobs.filter(isUnderWay).length;
  if (underWay === 0) return;
  print(
    `Batches under way: ${underWay}; the same command, or the same with --fetch-only, brings their ` +
      "answers in.",
  );
}
