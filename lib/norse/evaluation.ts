import { openProgress, openStatusLine } from "../files/status_line.ts";
import { loadLocalModel, type LoadProgress, type LocalModel } from "../models/local_models.ts";
import type { GgufEntry, Panel, PanelEntry } from "../models/panel.ts";
import { evaluateForcedChoice } from "../pairs/evaluation.ts";
import { missingAnswers } from "../pairs/metrics.ts";
import { readTable } from "../pairs/keyed_table.ts";
import { LIKELIHOOD_TABLE, type PairLikelihood } from "../pairs/likelihood_rows.ts";
import { scorePairs } from "../pairs/likelihoods.ts";
import type { MinimalPair } from "../pairs/pair.ts";
import { type Response, RESPONSE_TABLE } from "../pairs/responses.ts";
import { pairsHash, readRunSettings } from "../pairs/run_settings.ts";
import { ORDERS } from "../pairs/forced_choice.ts";
import { formatDownload } from "../files/download_status.ts";
import { NORSE_PATHS } from "./paths.ts";
import { QUESTION } from "./study.ts";

/** What a model of the panel still has to do. */
export interface PendingWork {
  readonly entry: PanelEntry;
  /** Questions of forced choice without an answer; 0 for a model that is not asked. */
  readonly answers: number;
  /** Pairs without likelihoods; 0 for a model that gives none. */
  readonly likelihoods: number;
}

/** What one run of {@link evaluatePanel} did for one model. */
export interface WorkDone {
  readonly model: string;
  readonly answered: number;
  readonly invalid: number;
  /** Calls that failed; they left no row and are tried again by the next run. */
  readonly failed: number;
  readonly scored: number;
}

/** Responses and likelihoods as they stand; damaged lines are left to the evaluation to mend. */
export function readAnswers(): {
  readonly responses: readonly Response[];
  readonly likelihoods: readonly PairLikelihood[];
} {
  return {
    responses: readTable(NORSE_PATHS.responses, RESPONSE_TABLE).rows,
    likelihoods: readTable(NORSE_PATHS.likelihoods, LIKELIHOOD_TABLE).rows,
  };
}

/**
 * What remains to be asked and scored. A model with nothing left need not be loaded.
 * @throws Error where answers on record belong to other pairs, naming file, model and remedy.
 */
export function pendingWork(
  pairs: readonly MinimalPair[],
  panel: Panel,
): readonly PendingWork[] {
  requireSamePairs(pairs);
  const { responses, likelihoods } = readAnswers();
  const names = panel.models.map(({ id }) => id);
  const missing = missingAnswers({ pairs, responses, models: names, orders: ORDERS });
  return panel.models.map((entry) => {
    const scored = new Set(
      likelihoods.filter(({ model }) => model === entry.id).map(({ pairId }) => pairId),
    );
    return {
      entry,
      answers: entry.roles.includes("chat") ? missing.get(entry.id) ?? 0 : 0,
      likelihoods: entry.roles.includes("likelihood")
        ? pairs.filter(({ id }) => !scored.has(id)).length
        : 0,
    };
  });
}

function requireSamePairs(pairs: readonly MinimalPair[]): void {
  const current = pairsHash(pairs);
  for (const path of [NORSE_PATHS.responseSettings, NORSE_PATHS.likelihoodSettings]) {
    for (const [model, { task }] of Object.entries(readRunSettings(path))) {
      if (task.pairsSha256 === current) continue;
      throw new Error(
        `Cannot use the answers of ${model} recorded in ${path}: they belong to other pairs ` +
          `(SHA-256 ${task.pairsSha256}, now ${current}). Run \`deno task reproduce --fresh\`, ` +
          "which sets them aside and asks anew.",
      );
    }
  }
}

/**
 * Asks and scores what is missing, one model in memory at a time. Every answer is in its file
 * before the next is asked; progress goes to the error output.
 */
export async function evaluatePanel(
  pairs: readonly MinimalPair[],
  panel: Panel,
  options: { readonly signal?: AbortSignal; readonly threads?: number } = {},
): Promise<readonly WorkDone[]> {
  const done: WorkDone[] = [];
  for (const work of pendingWork(pairs, panel)) {
    if (work.answers === 0 && work.likelihoods === 0) continue;
    if (work.entry.kind !== "gguf") throw new TypeError(`Cannot load ${work.entry.id}`);
    await using model = await loadShowingProgress(work.entry, options.threads);
    done.push(await evaluateModel(pairs, model, work, options.signal));
  }
  return done;
}

/** Loads a panel's model; downloads and expansion of weights are shown on a status line. */
export async function loadShowingProgress(
  entry: GgufEntry,
  threads?: number,
): Promise<LocalModel> {
  using line = openStatusLine();
  return await loadLocalModel(entry, {
    cacheDirectory: NORSE_PATHS.cache,
    onProgress: (progress) => line.show(describeLoading(progress)),
    ...(threads === undefined ? {} : { threads }),
  });
}

function describeLoading(progress: LoadProgress): string {
  if (progress.stage === "download") return formatDownload(progress.download);
  const what = progress.stage === "expand" ? "expanding weights of" : "loading";
  return `${what} ${progress.model}`;
}

async function evaluateModel(
  pairs: readonly MinimalPair[],
  model: LocalModel,
  work: PendingWork,
  signal?: AbortSignal,
): Promise<WorkDone> {
  const answers = model.chat && work.answers > 0
    ? await askModel(pairs, model.chat, work.answers, signal)
    : { answered: 0, invalid: 0, failed: [] };
  const scored = model.likelihood && work.likelihoods > 0
    ? await scoreModel(pairs, model.likelihood, work.likelihoods, signal)
    : 0;
  return {
    model: model.name,
    answered: answers.answered,
    invalid: answers.invalid,
    failed: answers.failed.length,
    scored,
  };
}

async function askModel(
  pairs: readonly MinimalPair[],
  model: NonNullable<LocalModel["chat"]>,
  remaining: number,
  signal?: AbortSignal,
) {
  const total = pairs.length * ORDERS.length;
  const resumed = total - remaining;
  using progress = openProgress(`${model.name} choices`, total, { resumed });
  return await evaluateForcedChoice({
    pairs,
    models: [model],
    template: QUESTION,
    resultsPath: NORSE_PATHS.responses,
    invalidLogPath: NORSE_PATHS.invalidAnswers,
    settingsPath: NORSE_PATHS.responseSettings,
    ...(signal ? { signal } : {}),
    onProgress: advanceTo(progress, resumed),
  });
}

async function scoreModel(
  pairs: readonly MinimalPair[],
  model: NonNullable<LocalModel["likelihood"]>,
  remaining: number,
  signal?: AbortSignal,
): Promise<number> {
  const resumed = pairs.length - remaining;
  using progress = openProgress(`${model.name} likelihoods`, pairs.length, { resumed });
  const { scored } = await scorePairs({
    pairs,
    models: [model],
    likelihoodsPath: NORSE_PATHS.likelihoods,
    settingsPath: NORSE_PATHS.likelihoodSettings,
    ...(signal ? { signal } : {}),
    onProgress: advanceTo(progress, resumed),
  });
  return scored;
}

/** Passes on what a run has done beyond what stood there: what was kept is counted already. */
function advanceTo(progress: { advance(items?: number): void }, resumed: number) {
  let shown = resumed;
  return ({ done }: { readonly done: number }) => {
    if (done > shown) progress.advance(done - shown);
    shown = Math.max(shown, done);
  };
}
