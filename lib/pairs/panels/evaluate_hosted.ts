import { ModelUnavailable } from "../../models/model.ts";
import { questionsUnderWay } from "../batches/under_way.ts";
import type { PairStudy } from "../study.ts";
import { askModels } from "./ask.ts";
import { hostedEntries } from "./hosted_access.ts";
import { openHostedProgress } from "./hosted_progress.ts";
import { type HostedModel, openHosted } from "./open_hosted.ts";
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
): Promise<readonly WorkDone[]> {
  const entries = hostedEntries(pending.map(({ entry }) => entry));
  if (entries.length === 0) return [];
  const asked = entries.filter(({ id }) => (workOf(pending, id)?.answers ?? 0) > 0);
  const names = asked.map(({ id }) => id);
  using progress = openHostedProgress(names, names.length * questionCount(run));
  const { onProgress, onWait } = progress;
  using hosted = openHosted(entries, run.panel.generation, { onWait, ...run.study.connection });
  const underWay = questionsUnderWay(run.study, run.panel);
  const models = hosted.models.map((model) => withoutBatched(run.study, model, underWay));
  const chats = models.flatMap((model) =>
    model.kind === "open" && model.chat && names.includes(model.entry.id) ? [model.chat] : []
  );
  const reports = await askModels(run, chats, onProgress);
  const done: WorkDone[] = [];
  for (const model of models) {
    const work = workOf(pending, model.entry.id);
    const report = reports.find((part) => part.model === model.entry.id);
    if (work) done.push(await finish(run, model, work, workDone(model.entry.id, report, 0)));
  }
  return done;
}

function workOf(pending: readonly PendingWork[], id: string): PendingWork | undefined {
  return pending.find(({ entry }) => entry.id === id);
}

/** A model that a batch is asking is not asked here: its questions would be paid for twice. */
function withoutBatched(
  { name }: PairStudy,
  model: HostedModel,
  underWay: ReadonlyMap<string, number>,
): HostedModel {
  const { entry } = model;
  const count = underWay.get(entry.id) ?? 0;
  if (count === 0) return model;
  const message = `a batch is at work on ${count} of its questions: let ` +
    `\`deno task batch --study ${name}\` end first`;
  return { kind: "closed", entry, message };
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
