/** A study's panel asked and scored: what is left to do, and doing it, wherever the models run. */
import { formatDownload, openProgress, openStatusLine } from "../files/progress.ts";
import { groqSettings } from "../models/hosted/groq_model.ts";
import { loadLocalModel, type LocalModel } from "../models/llama/local_models.ts";
import type { ChatModel, LanguageModel } from "../models/model.ts";
import { type GgufEntry, hostedEntries, type Panel, type PanelEntry } from "../models/panel.ts";
import { missingLikelihoods, readAnswers, type RecordedAnswers } from "./answers.ts";
import { settingsDigest } from "./asked.ts";
import { questionsUnderWay } from "./batch.ts";
import { evaluateForcedChoice, type EvaluationProgress, type ModelReport } from "./choose.ts";
import { bothOrders, isAsked, type OrderPlan } from "./forced_choice.ts";
import { openHosted, openHostedProgress } from "./hosted.ts";
import { missingAnswers } from "./metrics.ts";
import type { MinimalPair } from "./pair.ts";
import { likelihoodPanel } from "./panels.ts";
import { scorePairs } from "./score.ts";
import { lockAnswers, type PairStudy } from "./study.ts";

export interface PendingWork {
  readonly entry: PanelEntry;
  /** Questions of forced choice without an answer; 0 for a model that is not asked. */
  readonly answers: number;
  /** Pairs of the questions without likelihoods; 0 for a model that gives none. */
  readonly likelihoods: number;
}

export function isPending({ answers, likelihoods }: PendingWork): boolean {
  return answers > 0 || likelihoods > 0;
}

/**
 * What remains to be asked and scored. A model with nothing left need not be loaded.
 * @param orders the questions to be asked; both orders of every pair unless told.
 */
export function pendingWork(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  panel: Panel,
  { orders = bothOrders, on = readAnswers(study, pairs) }: {
    readonly orders?: OrderPlan;
    readonly on?: RecordedAnswers;
  } = {},
): readonly PendingWork[] {
  const { generation, models: entries } = study.onlyScored ? likelihoodPanel(panel) : panel;
  const models = entries.map(({ id }) => id);
  // Of Groq's models the settings are known before they are opened.
  const current = new Map(entries.flatMap((entry) => {
    if (entry.kind !== "groq" || !generation) return [];
    const settings = groqSettings(entry, generation, study.connection.standIn?.baseUrl);
    return [[entry.id, settingsDigest({ name: entry.id, settings })]];
  }));
  const responses = on.responses.filter(({ model, settings }) =>
    (current.get(model) ?? settings) === settings
  );
  const unanswered = missingAnswers({ pairs, responses, models, orders });
  const wanted = pairs.filter(isAsked(orders));
  const unscored = missingLikelihoods({ pairs: wanted, likelihoods: on.likelihoods, models });
  return entries.map((entry) => ({
    entry,
    answers: entry.roles.includes("chat") ? unanswered.get(entry.id) ?? 0 : 0,
    likelihoods: entry.roles.includes("likelihood") ? unscored.get(entry.id) ?? 0 : 0,
  }));
}

/** A model's part of the run as told to the reader. */
function workDone(
  model: string,
  { answered = 0, invalid = 0, failed = [], missing = 0, ended }: Partial<ModelReport> = {},
  scored = 0,
) {
  return {
    model,
    answered,
    invalid,
    /** Calls that failed; they left no row and are tried again by the next run. */
    failed: failed.length,
    lastFailure: failed.at(-1)?.message,
    scored,
    missing,
    /** Why the model was asked no more, where questions were left. */
    ended: ended as { readonly message: string } | undefined,
  };
}

export type WorkDone = Readonly<ReturnType<typeof workDone>>;

interface PanelRun {
  readonly hosts: boolean;
  readonly study: PairStudy;
  readonly pairs: readonly MinimalPair[];
  readonly panel: Panel;
  readonly orders: OrderPlan;
  readonly signal: AbortSignal | undefined;
}

/**
 * Asks and scores what is missing: hosted models side by side, then those of this machine, one in
 * memory at a time. Every answer is in its file at once; progress goes to the error output. Of a
 * hosted model nothing is asked without a key, nor unless `hosts` says so: a key is no order, and
 * what a notebook runs again would be paid for. Models that had nothing left to do are not told.
 * @throws {Error} where another process is adding to the answers.
 */
export async function evaluatePanel(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  panel: Panel,
  { models, orders = bothOrders, signal, threads, hosts = false }: {
    readonly signal?: AbortSignal | undefined;
    /** Models of hosts and servers are asked too: said by commands whose panel was named. */
    readonly hosts?: boolean | undefined;
    readonly orders?: OrderPlan | undefined;
    readonly models?: readonly string[] | undefined;
    /** Texts and questions at work at once with a model of this machine. */
    readonly threads?: number | undefined;
  } = {},
): Promise<readonly WorkDone[]> {
  const run = { study, pairs, panel, orders, signal, hosts };
  const pending = pendingWork(study, pairs, panel, { orders })
    .filter((work) => isPending(work) && (models?.includes(work.entry.id) ?? true));
  if (pending.length === 0) return [];
  using _held = lockAnswers(study.lock);
  const done = [...await evaluateHosted(run, pending)];
  for (const work of pending) {
    if (signal?.aborted) break;
    if (work.entry.kind !== "gguf") continue;
    await using model = await loadShowingProgress(work.entry, study.cache, threads);
    const report = model.chat && await askLocal(run, model.chat, work);
    const scored = await scoreRemaining(run, model.likelihood, work);
    done.push(workDone(model.name, report, scored));
  }
  return done;
}

async function askLocal(run: PanelRun, model: ChatModel, { answers }: PendingWork) {
  if (answers === 0) return undefined;
  const total = questionCount(run);
  using progress = openProgress(`${model.name} choices`, total, { resumed: total - answers });
  const [report] = await askModels(run, [model], () => progress.advance());
  return report;
}

export async function loadShowingProgress(
  entry: GgufEntry,
  cacheDirectory: string,
  threads?: number,
): Promise<LocalModel> {
  using line = openStatusLine();
  return await loadLocalModel(entry, {
    ...{ cacheDirectory, threads },
    onProgress(progress) {
      if (progress.stage === "download") return line.show(formatDownload(progress.download));
      const what = progress.stage === "expand" ? "expanding weights of" : "loading";
      line.show(`${what} ${progress.model}`);
    },
  });
}

/** Asks the hosted models of a panel side by side, then scores with those that give likelihoods. */
async function evaluateHosted(
  run: PanelRun,
  pending: readonly PendingWork[],
): Promise<readonly WorkDone[]> {
  const { study, panel } = run;
  const entries = hostedEntries(pending.map(({ entry }) => entry));
  if (entries.length === 0) return [];
  const workOf = (id: string) => pending.find(({ entry }) => entry.id === id)!;
  if (!run.hosts) {
    const message = "nobody ordered it: `deno task evaluate --panel FILE` asks hosts and servers";
    return entries.map(({ id }) =>
      workDone(id, { missing: workOf(id).answers, ended: { kind: "unavailable", message } })
    );
  }
  const names = entries.map(({ id }) => id).filter((id) => workOf(id).answers > 0);
  const left = new Map(names.map((id) => [id, workOf(id).answers]));
  using progress = openHostedProgress(left, names.length * questionCount(run));
  const { onProgress, onWait } = progress;
  using hosted = openHosted(entries, panel.generation, { onWait, ...study.connection });
  const underWay = questionsUnderWay(study, panel);
  const models = hosted.models.map((model) => {
    const { entry } = model;
    const count = underWay.get(entry.id) ?? 0;
    if (count === 0) return model;
    // Asked here too, its questions would be paid for twice.
    const message = `a batch is at work on ${count} of its questions: let ` +
      `\`deno task evaluate --panel groq --batch --study ${study.name}\` end first`;
    return { kind: "closed", entry, message } as const;
  });
  const chats = models.flatMap((model) =>
    model.kind === "open" && model.chat && names.includes(model.entry.id) ? [model.chat] : []
  );
  const reports = await askModels(run, chats, onProgress);
  const done: WorkDone[] = [];
  for (const model of models) {
    const { id } = model.entry;
    const own = workDone(id, reports.find((part) => part.model === id));
    if (model.kind === "closed") {
      done.push({ ...own, missing: workOf(id).answers, ended: { message: model.message } });
      continue;
    }
    try {
      done.push({ ...own, scored: await scoreRemaining(run, model.likelihood, workOf(id)) });
    } catch (error) {
      // A server that gives no likelihoods ends its own part; what was asked is kept and told.
      if (!(error instanceof Error)) throw error;
      done.push({ ...own, ended: { message: error.message } });
    }
  }
  return done;
}

async function askModels(
  { study: { files, question: template }, pairs, orders, signal }: PanelRun,
  models: readonly ChatModel[],
  onProgress: (progress: EvaluationProgress) => void,
): Promise<readonly ModelReport[]> {
  if (models.length === 0) return [];
  const asked = { pairs, models, orders, template, files, onProgress, signal };
  return (await evaluateForcedChoice(asked)).models;
}

function questionCount({ pairs, orders }: PanelRun): number {
  return pairs.reduce((sum, { id }) => sum + orders(id).length, 0);
}

/** Pairs scored now; none where the model gives no likelihoods or all are there. */
async function scoreRemaining(
  { study, pairs, orders, signal }: PanelRun,
  model: LanguageModel | undefined,
  { likelihoods }: PendingWork,
): Promise<number> {
  if (!model || likelihoods === 0 || signal?.aborted) return 0;
  return await scoreModel(study, pairs, model, { wanted: isAsked(orders), signal });
}

interface ScoreModelsOptions {
  readonly wanted?: (pair: MinimalPair) => boolean;
  readonly signal?: AbortSignal;
}

async function scoreModel(
  { files }: PairStudy,
  pairs: readonly MinimalPair[],
  model: LanguageModel,
  { wanted = () => true, signal }: ScoreModelsOptions,
): Promise<number> {
  using line = openProgress(`${model.name} likelihoods`, pairs.filter(wanted).length);
  let shown = 0;
  const onProgress = ({ done }: { readonly done: number }) => {
    line.advance(done - shown);
    shown = done;
  };
  return (await scorePairs({ pairs, files, models: [model], wanted, signal, onProgress })).scored;
}

export function unscoredPairs(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  models: readonly string[],
  { wanted = () => true }: ScoreModelsOptions = {},
): ReadonlyMap<string, number> {
  const { likelihoods } = readAnswers(study, pairs);
  return missingLikelihoods({ pairs: pairs.filter(wanted), likelihoods, models });
}

/**
 * Scores with models that are of no panel, one after the other, what they have not scored yet. Every
 * row is in its file at once. Models that had nothing left to do are not told.
 * @throws {Error} where another process is adding to the answers.
 */
export async function scoreModels(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  models: readonly LanguageModel[],
  options: ScoreModelsOptions = {},
): Promise<readonly WorkDone[]> {
  const unscored = unscoredPairs(study, pairs, models.map(({ name }) => name), options);
  const pending = models.filter(({ name }) => (unscored.get(name) ?? 0) > 0);
  if (pending.length === 0) return [];
  using _held = lockAnswers(study.lock);
  const done: WorkDone[] = [];
  for (const model of pending) {
    if (options.signal?.aborted) break;
    const scored = await scoreModel(study, pairs, model, options);
    done.push(workDone(model.name, undefined, scored));
  }
  return done;
}
