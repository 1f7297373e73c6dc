import { join } from "node:path";
import { isUnderWay } from "../../models/hosted/batch/job.ts";
import { openJobStore } from "../../models/hosted/batch/job_store.ts";
import { plainWord } from "../../models/hosted/batch/names.ts";
import type { Panel } from "../../models/panel.ts";
import type { PairStudy } from "../study.ts";
import { batchEntries } from "./panel_batches.ts";

/**
 * Where the batches of a panel are followed. Losing it costs no second submission: they are found
 * again at Groq by their names.
 */
export function batchFolder(study: PairStudy, { name }: Pick<Panel, "name">): string {
  const { cache, connection } = study;
  return connection.batches ?? join(cache, "hosted", "batches", study.name, plainWord(name));
}

/**
 * How many questions of a panel batches are at work on, by model: who asks them one by one now
 * pays for them twice. Asks nobody.
 */
export function questionsUnderWay(
  study: PairStudy,
  panel: Panel,
): ReadonlyMap<string, number> {
  const jobs = openJobStore(batchFolder(study, panel)).jobs().filter(isUnderWay);
  return new Map(
    batchEntries(panel).map((entry) => {
      const own = jobs.filter(({ hostModel }) => hostModel === (entry.model ?? entry.id));
      return [entry.id, own.reduce((sum, { requests }) => sum + requests, 0)];
    }),
  );
}
