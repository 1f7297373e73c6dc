import { readUsage, restsOf } from "../../models/hosted/usage.ts";
import type { Panel } from "../../models/panel.ts";
import type { OrderPlan } from "../order_plan.ts";
import type { MinimalPair } from "../pair.ts";
import type { PairStudy } from "../study.ts";
import { readAnswers } from "./answers.ts";
import { accessTo, hostedEntries, type HostedEntry } from "./hosted_access.ts";
import type { WorkDone } from "./panel_run.ts";
import { pendingWork } from "./pending.ts";

/** Where a hosted model stands. */
export interface HostedStatus {
  readonly entry: HostedEntry;
  /** Answers on record, invalid ones among them. */
  readonly answered: number;
  readonly invalid: number;
  /** Questions without an answer. */
  readonly remaining: number;
  /** Why it cannot be asked from here: what to do for a key. Nothing where it can. */
  readonly closed?: string;
  /** What the run just made met: it asked no more before its questions were done, or calls failed. */
  readonly trouble?: "stopped" | "failed";
  /** When the first key returns for this model, as an earlier run learned it. */
  readonly returns?: Date;
}

/** Where each hosted model of a panel stands; asks nothing. */
export function hostedStatus(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  panel: Panel,
  { now = Date.now(), orders, done = [] }: {
    /** Milliseconds since 1970. */
    readonly now?: number;
    readonly orders?: OrderPlan;
    /** What the run just made did. */
    readonly done?: readonly WorkDone[];
  } = {},
): readonly HostedStatus[] {
  const pending = pendingWork(study, pairs, panel, orders ? { orders } : {});
  const { responses } = readAnswers(study.files);
  const usage = readUsage(study.connection.usage);
  return hostedEntries(panel.models).map((entry) => {
    const own = responses.filter(({ model }) => model === entry.id);
    const access = accessTo(entry, study.connection.env);
    const [rest] = restsOf(usage, entry.id, now);
    return {
      entry,
      answered: own.length,
      invalid: own.filter(({ response }) => response === "INVALID").length,
      remaining: pending.find((work) => work.entry.id === entry.id)?.answers ?? 0,
      ...troubleOf(done.find(({ model }) => model === entry.id)),
      ...(access.kind === "closed" ? { closed: access.message } : {}),
      ...(rest ? { returns: new Date(rest.until) } : {}),
    };
  });
}

function troubleOf(work: WorkDone | undefined): Pick<HostedStatus, "trouble"> {
  if (work?.ended) return { trouble: "stopped" };
  return work && work.failed > 0 ? { trouble: "failed" } : {};
}
