/** Where the hosted models stand, and what the rest of a run will take; asks nobody. */
import { estimateRun, type RunEstimate } from "../models/hosted/estimate.ts";
import { meanTokens, readUsage, restsOf } from "../models/hosted/usage.ts";
import { hostedEntries, type HostedEntry, type Panel } from "../models/panel.ts";
import { questionKey, readAnswers, type RecordedAnswers } from "./answers.ts";
import { pendingWork, type WorkDone } from "./evaluate.ts";
import { bothOrders, formatPrompt, type OrderPlan } from "./forced_choice.ts";
import { accessTo, limitsOf } from "./hosted.ts";
import type { MinimalPair } from "./pair.ts";
import type { PairStudy } from "./study.ts";

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
  { now = Date.now(), orders = bothOrders, done = [], on = readAnswers(study, pairs) }: {
    /** Milliseconds since 1970. */
    readonly now?: number;
    readonly orders?: OrderPlan;
    /** What the run just made did. */
    readonly done?: readonly WorkDone[];
    /** What is on record; read unless given. */
    readonly on?: RecordedAnswers;
  } = {},
): readonly HostedStatus[] {
  const pending = pendingWork(study, pairs, panel, { orders, on });
  const { responses } = on;
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

/** What it will take to ask a hosted model what it has not answered. */
export interface HostedEstimate {
  readonly entry: HostedEntry;
  readonly estimate: RunEstimate;
}

/**
 * What the rest of a run will take, model by model; asks nothing. Limits are counted for one
 * organisation: nobody can tell from keys how many there are.
 */
export function hostedEstimates(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  panel: Panel,
  { orders = bothOrders, on = readAnswers(study, pairs) }: {
    readonly orders?: OrderPlan;
    readonly on?: RecordedAnswers;
  } = {},
): readonly HostedEstimate[] {
  const { generation } = panel;
  if (!generation) return [];
  const answered = new Set(on.responses.map(questionKey));
  const used = readUsage(study.connection.usage);
  const asked = hostedEntries(panel.models).filter(({ roles }) => roles.includes("chat"));
  return asked.map((entry) => {
    const prompts = openPrompts(study.question, pairs, entry.id, orders, answered);
    const promptBytes = prompts.reduce((sum, prompt) => sum + encoder.encode(prompt).length, 0);
    const measured = meanTokens(used, entry.id, "questions");
    const planned = { calls: prompts.length, promptBytes, organisations: 1, measured };
    return { entry, estimate: estimateRun(limitsOf(entry), generation, planned) };
  });
}

const encoder = new TextEncoder();

function openPrompts(
  question: string,
  pairs: readonly MinimalPair[],
  model: string,
  orders: OrderPlan,
  answered: ReadonlySet<string>,
): readonly string[] {
  return pairs.flatMap((pair) =>
    orders(pair.id)
      .filter((order) => !answered.has(questionKey({ model, pairId: pair.id, order })))
      .map((order) => formatPrompt(question, pair, order))
  );
}
