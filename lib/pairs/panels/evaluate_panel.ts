import { openProgress } from "../../files/status_line.ts";
import type { ChatModel } from "../../models/model.ts";
import type { Panel } from "../../models/panel.ts";
import { bothOrders, type OrderPlan } from "../order_plan.ts";
import type { MinimalPair } from "../pair.ts";
import type { PairStudy } from "../study.ts";
import { askModels } from "./ask.ts";
import { evaluateHosted } from "./evaluate_hosted.ts";
import { lockAnswers } from "./lock.ts";
import { loadShowingProgress } from "./open_local.ts";
import {
  type PanelRun,
  questionCount,
  type Roles,
  scoreRemaining,
  type WorkDone,
  workDone,
} from "./panel_run.ts";
import { isPending, type PendingWork, pendingWork } from "./pending.ts";

export interface EvaluatePanelOptions {
  readonly signal?: AbortSignal;
  readonly threads?: number;
  /** The questions to be asked; both orders of every pair unless told. */
  readonly orders?: OrderPlan;
  /** Only these models of the panel; all unless told. */
  readonly models?: readonly string[];
}

/**
 * Asks and scores what is missing: hosted models side by side, then those of this machine, one in
 * memory at a time. Every answer is in its file at once; progress goes to the error output. Of a
 * hosted model without a key nothing is asked. Models that had nothing left to do are not told.
 *
 * @throws {Error} where another process is adding to the answers, or they belong to other pairs.
 */
export async function evaluatePanel(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  panel: Panel,
  options: EvaluatePanelOptions = {},
): Promise<readonly WorkDone[]> {
  const { models, orders = bothOrders, signal, threads } = options;
  const run: PanelRun = { study, pairs, panel, orders, ...(signal ? { signal } : {}) };
  const pending = pendingWork(study, pairs, panel, { orders })
    .filter((work) => isPending(work) && (models?.includes(work.entry.id) ?? true));
  if (pending.length === 0) return [];
  using _held = lockAnswers(study.lock);
  const done = [...await evaluateHosted(run, pending)];
  for (const work of pending) {
    if (signal?.aborted) break;
    if (work.entry.kind !== "gguf") continue;
    await using model = await loadShowingProgress(work.entry, study.cache, threads);
    done.push(await evaluateLocal(run, model, work));
  }
  return done;
}

async function evaluateLocal(run: PanelRun, model: Roles, work: PendingWork): Promise<WorkDone> {
  const [report] = model.chat && work.answers > 0
    ? await askLocal(run, model.chat, work.answers)
    : [];
  return workDone(model.name, report, await scoreRemaining(run, model, work));
}

async function askLocal(run: PanelRun, model: ChatModel, remaining: number) {
  const total = questionCount(run);
  using progress = openProgress(`${model.name} choices`, total, { resumed: total - remaining });
  return await askModels(run, [model], () => progress.advance());
}
