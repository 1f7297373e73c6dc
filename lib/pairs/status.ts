/** Where the hosted models stand, and what the rest of a run will take; asks nobody. */
import { estimateRun, type RunEstimate } from "../models/hosted/estimate.ts";
import { restsOf } from "../models/hosted/usage.ts";
import type { HostedEntry, Panel } from "../models/panel.ts";
import { readAnswers } from "./answers.ts";
import {
  isHosted,
  type PendingWork,
  pendingWork,
  type RunSoFar,
  type WorkDone,
} from "./evaluate.ts";
import { bothOrders, formatPrompt } from "./forced_choice.ts";
import { accessTo } from "./hosted.ts";
import type { MinimalPair } from "./pair.ts";
import type { PairStudy } from "./study.ts";

export function hostedStatus(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  panel: Panel,
  { orders = bothOrders, done = [], on = readAnswers(study, pairs) }: RunSoFar & {
    readonly done?: readonly WorkDone[];
  } = {},
) {
  return pendingWork(study, pairs, panel, { orders, on }).flatMap(
    ({ entry, answers: remaining, likelihoods: unscored }) => {
      if (!isHosted(entry)) return [];
      const own = on.responses.filter(({ model }) => model === entry.id);
      const access = accessTo(entry, study.connection.env);
      const [rest] = restsOf(study.connection.usage, entry.id, Date.now());
      const work = done.find(({ model }) => model === entry.id);
      return [{
        entry,
        /** Answers on record, invalid ones among them. */
        answered: own.length,
        invalid: own.filter(({ response }) => response === "INVALID").length,
        /** Questions without an answer. */
        remaining,
        /** Pairs without likelihoods, of a server that is to give them. */
        unscored,
        /** What the run just made met: it asked no more before its questions were done, or calls failed. */
        trouble: work?.ended ? "stopped" : work?.failed.length ? "failed" : undefined,
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
