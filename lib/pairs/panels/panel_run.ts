import type { ChatModel, LanguageModel } from "../../models/model.ts";
import type { Panel } from "../../models/panel.ts";
import type { ModelReport, PartEnded } from "../evaluation_report.ts";
import { isAsked, type OrderPlan } from "../order_plan.ts";
import type { MinimalPair } from "../pair.ts";
import type { PairStudy } from "../study.ts";
import type { PendingWork } from "./pending.ts";
import { scoreModel } from "./score.ts";

/** What all models of a run share. */
export interface PanelRun {
  readonly study: PairStudy;
  readonly pairs: readonly MinimalPair[];
  readonly panel: Panel;
  /** The questions to be asked. */
  readonly orders: OrderPlan;
  readonly signal?: AbortSignal;
}

/** What one run did for one model. */
export interface WorkDone {
  readonly model: string;
  readonly answered: number;
  readonly invalid: number;
  /** Calls that failed; they left no row and are tried again by the next run. */
  readonly failed: number;
  /** What the last of them failed of. */
  readonly lastFailure?: string;
  readonly scored: number;
  /** Questions of this run still without an answer. */
  readonly missing: number;
  /** Why the model was asked no more, where questions were left. */
  readonly ended?: Pick<PartEnded, "message" | "returns">;
}

/** A model in its roles, wherever it runs. */
export interface Roles {
  readonly name: string;
  readonly chat?: ChatModel | undefined;
  readonly likelihood?: LanguageModel | undefined;
}

/** Questions of a run to one model. */
export function questionCount({ pairs, orders }: Pick<PanelRun, "pairs" | "orders">): number {
  return pairs.reduce((sum, { id }) => sum + orders(id).length, 0);
}

/** Pairs scored now; none where the model gives no likelihoods or all are there. */
export async function scoreRemaining(
  run: PanelRun,
  { likelihood }: Roles,
  { likelihoods: remaining }: PendingWork,
): Promise<number> {
  if (!likelihood || remaining === 0 || run.signal?.aborted) return 0;
  return await scoreModel(run.pairs, likelihood, {
    files: run.study.files,
    ...(run.signal ? { signal: run.signal } : {}),
    wanted: isAsked(run.orders),
    remaining,
  });
}

/** A model's part of the run as told to the reader. */
export function workDone(
  model: string,
  report: ModelReport | undefined,
  scored: number,
): WorkDone {
  const { answered = 0, invalid = 0, failed = [], missing = 0, ended } = report ?? {};
  const lastFailure = failed.at(-1)?.message;
  return {
    ...{ model, answered, invalid, failed: failed.length, scored, missing },
    ...(lastFailure === undefined ? {} : { lastFailure }),
    ...(ended ? { ended } : {}),
  };
}
