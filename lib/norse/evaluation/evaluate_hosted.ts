import { ModelUnavailable } from "../../models/model.ts";
import { askModels } from "./ask.ts";
import { hostedEntries } from "./hosted_access.ts";
import { openHostedProgress } from "./hosted_progress.ts";
import { type HostedConnection, type HostedModel, openHosted } from "./open_hosted.ts";
import {
  type PanelRun,
  questionCount,
  scoreRemaining,
  type WorkDone,
  workDone,
} from "./panel_run.ts";
import type { PendingWork } from "./pending.ts";

/** Asks the hosted models of a panel side by side, then scores with those that give likelihoods. */
export async function evaluateHosted(
  run: PanelRun,
  pending: readonly PendingWork[],
  connection: HostedConnection,
): Promise<readonly WorkDone[]> {
  const entries = hostedEntries(pending.map(({ entry }) => entry));
  if (entries.length === 0) return [];
  const asked = entries.filter(({ id }) => (workOf(pending, id)?.answers ?? 0) > 0);
  const names = asked.map(({ id }) => id);
  using progress = openHostedProgress(names, names.length * questionCount(run));
  const { onProgress, onWait } = progress;
  using hosted = openHosted(entries, run.panel.generation, { onWait, ...connection });
  const chats = hosted.models.flatMap((model) =>
    model.kind === "open" && model.chat && names.includes(model.entry.id) ? [model.chat] : []
  );
  const reports = await askModels(run, chats, onProgress);
  const done: WorkDone[] = [];
  for (const model of hosted.models) {
    const work = workOf(pending, model.entry.id);
    const report = reports.find((part) => part.model === model.entry.id);
    if (work) done.push(await finish(run, model, work, workDone(model.entry.id, report, 0)));
  }
  return done;
}

function workOf(pending: readonly PendingWork[], id: string): PendingWork | undefined {
  return pending.find(({ entry }) => entry.id === id);
}

/** What a model did, its likelihoods among it. */
async function finish(
  run: PanelRun,
  model: HostedModel,
  work: PendingWork,
  done: WorkDone,
): Promise<WorkDone> {
  if (model.kind === "closed") {
    return { ...done, missing: work.answers, ended: { message: model.message } };
  }
  try {
    const roles = { name: model.entry.id, ...model };
    return { ...done, scored: await scoreRemaining(run, roles, work) };
  } catch (error) {
    // A server that gives no likelihoods ends its own part; what was asked is kept and told.
    if (!(error instanceof Error)) throw error;
    const returns = error instanceof ModelUnavailable ? error.returns : undefined;
    return { ...done, ended: { message: error.message, ...(returns ? { returns } : {}) } };
  }
}
