/** Evaluates panels on pairs, local and hosted: plans remaining work, asks and scores. */
import { planWork } from "../files/asking.ts";
import {
  formatDownload,
  openAskingProgress,
  openProgress,
  openStatusLine,
} from "../files/progress.ts";
import { type CostEstimate, estimateCost } from "../models/hosted/estimate.ts";
import { groqSettings } from "../models/hosted/groq_model.ts";
import { chatSettings, hostSettings } from "../models/hosted/openai_compatible.ts";
import { restingUntil } from "../models/hosted/usage.ts";
import { openContainedModel } from "../models/llama/contained_model.ts";
import { type LocalModel, modelSha256 } from "../models/llama/local_models.ts";
import type { ChatModel, LanguageModel } from "../models/model.ts";
import type { GgufEntry, HostedEntry, Panel, PanelEntry } from "../models/panel.ts";
import {
  type FailedItem,
  failedKey,
  failedTable,
  likelihoodKey,
  questionKey,
  readAnswers,
  type RecordedAnswers,
} from "./answers.ts";
import { readSettings, settingsAddress } from "./addresses.ts";
import { canScore, evaluateForcedChoice, plannedCalls, scoreSets } from "./ask.ts";
import type { ChoiceWork, EvaluationProgress, ModelReport, PlannedCall } from "./ask.ts";
import type { ScoreWork } from "./ask.ts";
import { bothOrders, formatPrompt, isAsked, type OrderPlan } from "./forced_choice.ts";
import { accessTo, openHosted, openHostedProgress } from "./hosted.ts";
import type { MinimalPair } from "./pair.ts";
import { readPieces } from "./pieces.ts";
import { panelWithRole, type Role } from "./panels.ts";
import { lockAnswers, type PairSet, type PairStudy } from "./study.ts";

/** A count-based model of this process, which only scores. */
interface OwnEntry {
  readonly kind: "own";
  readonly id: string;
  readonly roles: readonly Role[];
  readonly model: LanguageModel;
}

type Entry = PanelEntry | OwnEntry;

/** A panel, or models outside panel files. */
export interface AskedPanel extends Omit<Panel, "models"> {
  readonly models: readonly Entry[];
}

/** Makes a panel of models that are already open. */
export const ownPanel = (models: readonly LanguageModel[]): AskedPanel => ({
  name: "own",
  models: models.map((model) => ({ kind: "own", id: model.name, roles: ["likelihood"], model })),
});

const isHosted = (entry: Entry): entry is HostedEntry =>
  entry.kind === "groq" || entry.kind === "openai-compatible";

/** Work of one model. */
interface ModelWork {
  readonly entry: Entry;
  /** Forced-choice questions; empty for a model that is not asked. */
  readonly choices: ChoiceWork;
  /** Pairs to score; empty for a model without likelihoods. */
  readonly scores: ScoreWork;
}

/** Work of a panel, planned once per run and shared by planning, progress and asking. */
export interface PanelWork extends PairSet {
  readonly panel: AskedPanel;
  readonly models: readonly ModelWork[];
}

/**
 * Plans a panel's questions about a study's pairs, and finds existing answers.
 *
 * By default both orders are planned.
 */
export function panelWork(
  study: PairStudy,
  pairs: readonly MinimalPair[],
  panel: AskedPanel,
  { orders = bothOrders, on = readAnswers(study, pairs) }: {
    readonly orders?: OrderPlan | undefined;
    readonly on?: RecordedAnswers;
  } = {},
): PanelWork {
  const { generation, models } = study.onlyScored ? panelWithRole(panel, "likelihood") : panel;
  const { question: template, connection: { standIn } } = study;
  const recorded = readSettings(study.files.settings);
  const answered = new Map(on.responses.map((row) => [questionKey(row), row]));
  const scored = new Map(on.likelihoods.map((row) => [likelihoodKey(row), row]));
  const { tokens, words } = study.files;
  const hasPieces = readPieces({ tokens, words });
  const work = models.map((entry): ModelWork => {
    const { id: model, roles } = entry;
    // Of Groq's models all settings are known before they are opened, of others some.
    const current = entry.kind === "own"
      ? settingsAddress(entry.model)
      : entry.kind === "groq" && generation && settingsAddress({
        name: model,
        settings: groqSettings(entry, generation, standIn?.baseUrl),
      });
    const fits = (role: Role) => {
      const wanted = knownSettings(entry, role, generation);
      const asked = Object.entries(wanted);
      return (row: { readonly settings: string }) => {
        if (current) return row.settings === current;
        const known = recorded[row.settings]?.settings;
        if (known === undefined) return true;
        return asked.every(([name, value]) => known[name] === undefined || known[name] === value) &&
          (role !== "chat" || WHERE_NAMED.every((name) => known[name] === wanted[name]));
      };
    };
    const has = (role: Role) => roles.includes(role);
    const isScored = fits("likelihood");
    return {
      entry,
      choices: planWork({
        questions: plannedCalls({ pairs: has("chat") ? pairs : [], template, orders }, model),
        keyOf: questionKey,
        rows: answered,
        isCurrent: fits("chat"),
      }),
      scores: planWork({
        questions: has("likelihood")
          ? pairs.filter(isAsked(orders)).filter((pair) => canScoreAs(entry, pair))
          : [],
        keyOf: ({ id: pairId }) => likelihoodKey({ model, pairId }),
        rows: scored,
        isCurrent(row, pair) {
          const isComplete = entry.kind !== "gguf" || hasPieces(model, pair, row.settings);
          return isComplete && isScored(row);
        },
      }),
    };
  });
  return { study, pairs, panel, models: work };
}

/** Tests whether a model that is not loaded can score a pair, as {@link canScore} does. */
const canScoreAs = (entry: Entry, pair: MinimalPair) =>
  entry.kind === "gguf" || canScore(entry.kind === "own" ? entry.model : {}, pair);

/** Remaining work of a model. A model without any is not loaded. */
export interface PendingWork {
  readonly entry: Entry;
  /** Unanswered forced-choice questions; empty for a model that is not asked. */
  readonly questions: readonly PlannedCall[];
  /** Number of missing answers. */
  readonly answers: number;
  /** Number of pairs without likelihoods; 0 for a model without likelihoods. */
  readonly likelihoods: number;
}

export function isPending({ answers, likelihoods }: PendingWork): boolean {
  return answers > 0 || likelihoods > 0;
}

/** Part of a panel's work: models, and their planned questions. All by default. */
export interface WorkPart {
  readonly models?: readonly string[] | undefined;
  readonly orders?: OrderPlan | undefined;
}

/** Returns remaining questions and scores of a work, or of a part of it. */
export function pendingWork(
  { models }: PanelWork,
  { models: names, orders = bothOrders }: WorkPart = {},
): readonly PendingWork[] {
  const ofPart = models.filter(({ entry }) => names?.includes(entry.id) ?? true);
  return ofPart.map(({ entry, choices, scores }) => {
    const questions = [...choices.missing.values()]
      .filter(({ pairId, order }) => orders(pairId).includes(order));
    const likelihoods = [...scores.missing.values()].filter(isAsked(orders)).length;
    return { entry, questions, answers: questions.length, likelihoods };
  });
}

/** Settings of choices that are recorded only if they were given. */
const WHERE_NAMED = ["systemPrompt", "seed", "extraBody"] as const;

/** Returns the settings that a model's entry states before it is opened. */
function knownSettings(
  entry: Entry,
  role: Role,
  generation: Panel["generation"],
): LanguageModel["settings"] {
  if (entry.kind === "gguf") {
    const { precision, readout, contextTokens, systemPrompt } = entry;
    const fileSha256 = modelSha256(entry);
    const model = { precision, contextTokens, ...fileSha256 !== undefined && { fileSha256 } };
    return role === "chat" ? { ...model, readout, ...systemPrompt && { systemPrompt } } : model;
  }
  if (entry.kind !== "openai-compatible") return {};
  return role === "chat" && generation ? chatSettings(entry, generation) : hostSettings(entry);
}

/** Results of a run for one model: questions asked and pairs scored. */
export interface WorkDone extends Omit<ModelReport, "kept" | "ended"> {
  readonly scored: number;
  /** Reason for an early end. `isUnusable` is true if the model could not be loaded. */
  readonly ended?: { readonly message: string; readonly isUnusable?: true };
}

const NOTHING = { answered: 0, invalid: 0, failed: [], missing: 0, scored: 0 } as const;

/** Options for local models. */
export interface LocalRun {
  /**
   * Maximum number of concurrent texts and questions. By default the number of cores, at most 4.
   */
  readonly threads?: number | undefined;
  /** Number of pairs evaluated together, 1 by default. More are faster, with other last digits. */
  readonly batch?: number | undefined;
}

interface RunOptions extends WorkPart {
  readonly signal?: AbortSignal | undefined;
  /** True to ask hosted models too, if a command names their panel. */
  readonly hosts?: boolean | undefined;
  readonly local?: LocalRun | undefined;
  /**
   * Maximum share of failed questions or pairs of a model, 0.05 by default. Above it asking ends.
   */
  readonly maxFailed?: number | undefined;
  /** Names of tags around thinking, in addition to the known ones. */
  readonly thinkingTags?: readonly string[] | undefined;
}

interface PanelRun extends PanelWork {
  readonly orders: OrderPlan;
  readonly signal: AbortSignal | undefined;
  readonly maxFailed: number | undefined;
  readonly thinkingTags: readonly string[] | undefined;
  readonly pending: readonly PendingWork[];
  /** Results so far. */
  readonly done: WorkDone[];
}

/** Planned work of a panel on a set of pairs, with the part to be asked. */
export interface PlannedSet {
  readonly work: PanelWork;
  readonly part: WorkPart;
}

/**
 * Asks and scores the missing part of several sets.
 *
 * Hosted models are asked in parallel, then local models, one in memory at a time. Sets with the
 * same two sentences are scored in one pass. Each answer is written at once; progress is on the
 * error output. Hosted models are asked only with a key and if `hosts` is set, so that rerunning a
 * notebook costs nothing.
 * @returns the results of each set, without models that have no remaining work
 * @throws {Error} where another process is adding answers.
 */
export async function evaluateSets(
  sets: readonly PlannedSet[],
  { signal, local, maxFailed, thinkingTags, hosts = false }: Omit<RunOptions, keyof WorkPart> = {},
): Promise<readonly (readonly WorkDone[])[]> {
  const runs = sets.map(({ work, part }): PanelRun => {
    const pending = pendingWork(work, part).filter(isPending);
    const how = { orders: part.orders ?? bothOrders, signal, maxFailed, thinkingTags };
    return { ...work, ...how, pending, done: [] };
  });
  const busy = runs.filter(({ pending }) => pending.length > 0);
  using held = new DisposableStack();
  for (const lock of new Set(busy.map(({ study }) => study.lock))) held.use(lockAnswers(lock));
  for (const run of busy) {
    run.done.push(...hosts ? await evaluateHosted(run, run.pending) : notOrdered(run.pending));
  }
  const here = busy.flatMap((run) => run.pending.map((work) => ({ run, work })))
    .filter(({ work }) => !isHosted(work.entry));
  for (const parts of Map.groupBy(here, ({ work }) => work.entry.id).values()) {
    if (signal?.aborted) break;
    await evaluateHere(parts, local);
  }
  busy.forEach(noteFailed);
  return runs.map(({ done }) => done);
}

/** Evaluates one set as {@link evaluateSets} does. */
export async function evaluateWork(
  work: PanelWork,
  { models, orders, ...how }: RunOptions = {},
): Promise<readonly WorkDone[]> {
  return (await evaluateSets([{ work, part: { models, orders } }], how))[0]!;
}

/** A model's work on one set. */
interface SetPart {
  readonly run: PanelRun;
  readonly work: PendingWork;
}

/** Loads a local model once and does its work on every set. */
async function evaluateHere(
  parts: readonly SetPart[],
  local: LocalRun | undefined,
): Promise<void> {
  const [{ run: { study }, work: { entry } }] = parts as [SetPart];
  const add = (scored: readonly Scored[], reports: readonly ChoicePart[] = []) =>
    parts.forEach(({ run, work }, at) => {
      const own = { ...NOTHING, model: work.entry.id, ...reports[at], ...scored[at]! };
      const failed = [...reports[at]?.failed ?? [], ...scored[at]!.failed];
      run.done.push({ ...own, failed, ...reports[at]?.ended && { ended: reports[at].ended } });
    });
  if (entry.kind === "own") return add(await scoreRemaining(parts, entry.model));
  if (isHosted(entry)) return;
  await using opened = new AsyncDisposableStack();
  let model: LocalModel;
  try {
    model = opened.use(await loadShowingProgress(entry, study.cache, local));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const ended = { message: error.message, isUnusable: true } as const;
    return add(parts.map(() => ({ scored: 0, failed: [], ended })));
  }
  const reports: ChoicePart[] = [];
  for (const { run, work } of parts) {
    const { answers: asked, questions } = work;
    if (asked > 0 && model.chatProblem !== undefined) {
      reports.push(refuseChoices(run, questions, model.chatProblem));
    } else if (asked > 0 && model.chat) {
      const total = questionCount(run);
      using progress = openProgress(`${model.name} choices`, total, { resumed: total - asked });
      reports.push(...await askModels(run, [model.chat], () => progress.advance()));
    } else reports.push(undefined);
  }
  add(await scoreRemaining(parts, model.likelihood), reports);
}

type ChoicePart = Pick<WorkDone, "failed" | "ended"> | undefined;

/**
 * Records all questions of a model that cannot be asked as permanent failures. Its scores are kept.
 */
function refuseChoices(
  { models }: PanelRun,
  questions: readonly PlannedCall[],
  message: string,
): ChoicePart {
  const { choices } = models.find(({ entry }) => entry.id === questions[0]!.model)!;
  const failed = questions.map((question): FailedItem => {
    const { model, pairId, order: way, asked } = question;
    choices.fail(choices.keyOf(question), { message, mayPass: false });
    return { model, pairId, way, asked, mayPass: false, reason: message };
  });
  return { failed, ended: { message } };
}

/** Records failures of this run in the set's file, with those of other models from earlier runs. */
function noteFailed({ study, models, done, pending }: PanelRun): void {
  const { failed: path } = study.files;
  if (path === undefined) return;
  const failures = done.flatMap(({ failed }) => failed);
  const file = failedTable(path);
  const before = file.readSoFar().rows;
  if (failures.length === 0 && before.length === 0) return;
  const tried = new Set(pending.map(({ entry }) => entry.id));
  const answered = models.filter(({ entry }) => tried.has(entry.id)).flatMap((
    { entry: { id: model }, choices, scores },
  ) => [
    ...choices.kept.values().map(({ pairId, order: way }) => failedKey({ model, pairId, way })),
    ...scores.kept.values().map(({ pairId }) => failedKey({ model, pairId, way: "likelihood" })),
  ]);
  const rows = new Map([...before, ...failures].map((row) => [failedKey(row), row]));
  for (const key of answered) rows.delete(key);
  file.write([...rows.values()]);
}

/** Returns the hosted models' results in a run that may not ask them. */
function notOrdered(pending: readonly PendingWork[]): readonly WorkDone[] {
  const message =
    "no command asked for it: `deno task evaluate --panel FILE` asks hosts and servers";
  return pending.filter(({ entry }) => isHosted(entry)).map(({ entry, answers }) => (
    { ...NOTHING, model: entry.id, missing: answers, ended: { message } }
  ));
}

export async function loadShowingProgress(
  entry: GgufEntry,
  cacheDirectory: string,
  local?: LocalRun,
): Promise<LocalModel> {
  using line = openStatusLine();
  return await openContainedModel(entry, {
    cacheDirectory,
    ...local,
    onProgress(progress) {
      if (progress.stage === "download") return line.show(formatDownload(progress.download));
      const what = progress.stage === "expand" ? "expanding weights of" : "loading";
      line.show(`${what} ${progress.model}`);
    },
  });
}

/** Asks a panel's hosted models in parallel, then scores with those that have likelihoods. */
async function evaluateHosted(
  run: PanelRun,
  pending: readonly PendingWork[],
): Promise<readonly WorkDone[]> {
  const { study, panel } = run;
  const entries = pending.map(({ entry }) => entry).filter(isHosted);
  if (entries.length === 0) return [];
  const workOf = (id: string) => pending.find(({ entry }) => entry.id === id)!;
  const left = new Map(
    entries.map(({ id }) => [id, workOf(id).answers] as const).filter(([, answers]) => answers > 0),
  );
  using progress = openHostedProgress(left, left.size * questionCount(run));
  const { onProgress, onWait } = progress;
  using hosted = openHosted(entries, panel.generation, { onWait, ...study.connection });
  const chats = hosted.models.flatMap((model) =>
    model.kind === "open" && model.chat && left.has(model.entry.id) ? [model.chat] : []
  );
  const reports = await askModels(run, chats, onProgress);
  const done: WorkDone[] = [];
  for (const model of hosted.models) {
    const { id } = model.entry;
    const own = { ...NOTHING, model: id, ...reports.find((part) => part.model === id) };
    if (model.kind === "closed") {
      done.push({ ...own, missing: workOf(id).answers, ended: { message: model.message } });
      continue;
    }
    const [scored] = await scoreRemaining([{ run, work: workOf(id) }], model.likelihood);
    done.push({ ...own, ...scored, failed: [...own.failed, ...scored!.failed] });
  }
  return done;
}

async function askModels(
  run: PanelRun,
  models: readonly ChatModel[],
  onProgress: (progress: EvaluationProgress) => void,
): Promise<readonly ModelReport[]> {
  if (models.length === 0) return [];
  const { study: { files, question: template }, pairs, orders, models: works } = run;
  const workOf = (name: string) => works.find(({ entry }) => entry.id === name)?.choices;
  const { signal, maxFailed, thinkingTags } = run;
  const how = { signal, maxFailed, thinkingTags, onProgress };
  return (await evaluateForcedChoice({ pairs, models, orders, template, files, workOf, ...how }))
    .models;
}

function questionCount({ pairs, orders }: PanelRun): number {
  return pairs.reduce((sum, { id }) => sum + orders(id).length, 0);
}

type Scored = Pick<WorkDone, "scored" | "failed" | "ended">;

/** Scores the remaining pairs of each set, if any. */
async function scoreRemaining(
  parts: readonly SetPart[],
  model: LanguageModel | undefined,
): Promise<readonly Scored[]> {
  const wanted = parts.filter(({ work }) => work.likelihoods > 0);
  const [{ run: { signal, maxFailed } }] = parts as [SetPart];
  const none = { scored: 0, failed: [] };
  if (!model || wanted.length === 0 || signal?.aborted) return parts.map(() => none);
  using progress = openAskingProgress(`${model.name} likelihoods`);
  const sets = wanted.map(({ run, work: { entry } }) => {
    const work = run.models.find((one) => one.entry.id === entry.id)!.scores;
    const { pairs, orders, study: { files } } = run;
    return { pairs, files, wanted: isAsked(orders), work };
  });
  const how = { model, signal, maxFailed, onProgress: progress.show };
  const { reports, ended: error } = await scoreSets(sets, how);
  // Too many texts that it cannot take, or a server that gives no likelihoods, end its own part alone.
  const isServed = parts.some(({ work }) => isHosted(work.entry));
  if (error !== undefined && !(error instanceof (isServed ? Error : RangeError))) throw error;
  const ended = error instanceof Error ? { ended: { message: error.message } } : {};
  return parts.map((part) => {
    const report = reports[wanted.indexOf(part)];
    return report ? { scored: report.scored, failed: report.failed, ...ended } : none;
  });
}

/** Evaluates a panel on pairs that it has not answered, as {@link evaluateWork} does. */
export const evaluatePanel = (
  study: PairStudy,
  pairs: readonly MinimalPair[],
  panel: AskedPanel,
  { orders, ...options }: RunOptions = {},
): Promise<readonly WorkDone[]> =>
  evaluateWork(panelWork(study, pairs, panel, { orders }), options);

/** Scores with models outside panels, as {@link evaluatePanel} does. */
export const scoreModels = (
  study: PairStudy,
  pairs: readonly MinimalPair[],
  models: readonly LanguageModel[],
): Promise<readonly WorkDone[]> => evaluatePanel(study, pairs, ownPanel(models));

/** Returns the state of each hosted model. `done` has the results of the last run. */
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
      const [rest] = restingUntil(connection.usage, entry.id, Date.now());
      const ran = done.find(({ model }) => model === entry.id);
      return [{
        entry,
        /** Number of recorded answers, including invalid ones. */
        answered: kept.size,
        invalid: kept.values().filter(({ response }) => response === "INVALID").toArray().length,
        /** Number of questions without an answer. */
        remaining,
        /** Number of pairs without likelihoods, for a server that provides them. */
        unscored,
        /** Problem of the last run: it ended early, or calls failed. */
        trouble: ran?.ended ? "stopped" : ran?.failed.length ? "failed" : undefined,
        /** Reason why it cannot be asked, with a remedy for its key; absent if it can. */
        closed: access.kind === "closed" ? access.message : undefined,
        /** Time when the first key is available again, as recorded by an earlier run. */
        returns: rest && new Date(rest.until),
      }];
    },
  );
}

export type HostedStatus = ReturnType<typeof hostedStatus>[number];

export interface HostedCostEstimate {
  readonly entry: HostedEntry;
  readonly estimate: CostEstimate;
}

/** Estimates the cost of the remaining run by model, without asking. */
export function hostedEstimates(
  { question }: PairStudy,
  pending: readonly PendingWork[],
  { generation }: Panel,
): readonly HostedCostEstimate[] {
  return pending.flatMap(({ entry, questions }) => {
    if (!isHosted(entry) || !entry.roles.includes("chat") || !generation) return [];
    const prompts = questions.map(({ pair, order }) => formatPrompt(question, pair, order));
    return [{ entry, estimate: estimateCost(entry, generation, prompts) }];
  });
}
