/** Where the hosted models stand, and what the rest of a run will take; asks nobody. */
import { estimateRun, type RunEstimate } from "../models/hosted/estimate.ts";
import { restsOf } from "../models/hosted/usage.ts";
import type { HostedEntry, Panel } from "../models/panel.ts";
import {
  isHosted,
  type PanelWork,
  type PendingWork,
  pendingWork,
  type WorkDone,
  type WorkPart,
} from "./evaluate.ts";
import { formatPrompt } from "./forced_choice.ts";
import { accessTo } from "./hosted.ts";
import type { PairStudy } from "./study.ts";

/** Where each hosted model of a work stands; `done` is what the run just made did. */
export function hostedStatus(
  work: PanelWork,
  { done = [], ...part }: WorkPart & { readonly done?: readonly WorkDone[] } = {},
) {
  const { connection } = work.study;
  return pendingWork(work, part).flatMap(
    ({ entry, answers: remaining, likelihoods: unscored }) => {
      if (!isHosted(entry)) return [];
      const { kept } = work.models.find((one) => one.entry.id === entry.id)!.choices;
      const access = accessTo(entry, connection.env);
      const [rest] = restsOf(connection.usage, entry.id, Date.now());
      const ran = done.find(({ model }) => model === entry.id);
      return [{
        entry,
        /** Answers on record, invalid ones among them. */
        answered: kept.size,
        invalid: kept.values().filter(({ response }) => response === "INVALID").toArray().length,
        /** Questions without an answer. */
        remaining,
        /** Pairs without likelihoods, of a server that is to give them. */
        unscored,
        /** What the run just made met: it asked no more before its questions were done, or calls failed. */
        trouble: ran?.ended ? "stopped" : ran?.failed.length ? "failed" : undefined,
        /** Why it cannot be asked from here: what to do for a key. Nothing where it can. */
        closed: access.kind === "closed" ? access.message : undefined,
        /** When the first key returns for this model, as an earlier run learned it. */
        returns: rest && new Date(rest.until),
      }];
    },
  );
}

export type HostedStatus = ReturnType<typeof hostedStatus>[number];

export interface HostedEstimate {
  readonly entry: HostedEntry;
  readonly estimate: RunEstimate;
}

/** What the rest of a run will take, model by model; asks nothing. */
export function hostedEstimates(
  { question }: PairStudy,
  pending: readonly PendingWork[],
  { generation }: Panel,
): readonly HostedEstimate[] {
  return pending.flatMap(({ entry, questions }) => {
    if (!isHosted(entry) || !entry.roles.includes("chat") || !generation) return [];
    const prompts = questions.map(({ pair, order }) => formatPrompt(question, pair, order));
    return [{ entry, estimate: estimateRun(entry, generation, prompts) }];
  });
}
