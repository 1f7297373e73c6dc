/**
 * Asks models which sentence of a pair is grammatical, and scores both members.
 *
 * Only pairs without an answer are asked about.
 * @module
 */
import {
  type AskingFailure,
  type AskingState,
  askMissing,
  planWork,
  type Work,
} from "../files/asking.ts";
import { CallFailed, ModelUnavailable } from "../models/model.ts";
import type { ChatModel, LanguageModel, Likelihood, Reply, TextScore } from "../models/model.ts";
import { answersTo, answerTables, judgeReply, keptAnswers, likelihoodKey } from "./answers.ts";
import { likelihoodsOf, likelihoodTable, questionKey, roundLogProbability } from "./answers.ts";
import type { FailedItem, KeptAnswer, Question, ScoredPair } from "./answers.ts";
import { promptAddress, requireDistinctModels, sentencesAddress } from "./addresses.ts";
import { settingsAddress, settingsRecorder } from "./addresses.ts";
import type { AnswerAddress } from "./addresses.ts";
import {
  bothOrders,
  formatPrompt,
  grammaticalLetter,
  type OrderPlan,
  parseChoice,
} from "./forced_choice.ts";
import type { MinimalPair } from "./pair.ts";
import { openPieces, readPieces } from "./pieces.ts";
import type { AnswerFiles } from "./study.ts";

interface ChoiceQuestions {
  /** All pairs of the data set, in the order of the finished tables. */
  readonly pairs: readonly MinimalPair[];
  readonly models: readonly ChatModel[];
  /** Template with the fields {sentence1} and {sentence2}; see `forcedChoiceTemplate`. */
  readonly template: string;
  readonly orders?: OrderPlan;
}

export interface ForcedChoiceOptions extends ChoiceQuestions {
  readonly files: AnswerFiles;
  /** Returns a model's planned work. By default it is planned here. */
  readonly workOf?: ((model: string) => ChoiceWork | undefined) | undefined;
  /** See {@link failureLimit}. */
  readonly maxFailed?: number | undefined;
  /** Names of tags around thinking, in addition to the known ones. */
  readonly thinkingTags?: readonly string[] | undefined;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: EvaluationProgress) => void;
}

export interface EvaluationProgress {
  readonly question: Question;
  readonly outcome: "valid" | "invalid" | "failed";
  /** Number of questions answered or failed so far, including earlier runs. */
  readonly done: number;
  readonly total: number;
}

/** Results of a run for one model. */
export interface ModelReport {
  readonly model: string;
  readonly answered: number;
  /** Number of answers of earlier runs. */
  readonly kept: number;
  /** Number of invalid answers in this run. */
  readonly invalid: number;
  /** Failed calls, which have no row. */
  readonly failed: readonly FailedItem[];
  /** Number of questions not reached, or failed and to be repeated. */
  readonly missing: number;
  /** Reason for an early end; undefined after an abort. */
  readonly ended?: PartEnded;
}

interface PartEnded {
  readonly message: string;
  /** Time of the next possible attempt; undefined if unknown or useless. */
  readonly returns?: Date;
}

/** A planned call with the hash of its prompt. The prompt is formatted on use, to save memory. */
export interface PlannedCall extends Question, Pick<AnswerAddress, "asked"> {
  readonly pair: MinimalPair;
}

/** Calls of a model, answered and missing. */
export type ChoiceWork = Work<PlannedCall, KeptAnswer>;

/**
 * Returns the calls to a model by pair. @throws {SyntaxError} for a template without its two
 * placeholders.
 */
export function plannedCalls(
  { pairs, template, orders = bothOrders }: Omit<ChoiceQuestions, "models">,
  model: string,
): readonly PlannedCall[] {
  return pairs.flatMap((pair) =>
    orders(pair.id).map((order) => {
      const asked = promptAddress(template, pair, order);
      return { model, pairId: pair.id, order, asked, pair };
    })
  );
}

/**
 * Asks every model about every pair in the planned orders.
 *
 * Models are asked in parallel, each within its concurrency; responses are appended as they arrive.
 * A resumed run skips questions that the same model was asked with the same prompt and settings,
 * even if pairs were renumbered. An invalid answer is a row (INVALID, False) with its text in a
 * separate table; a failed call has no row. After an abort all lines are complete. A finished run
 * gives the same bytes whatever the order of arrival.
 * @throws before writing or asking: {SyntaxError} for wrong columns, {RangeError} for models with
 * the same name or different generation settings.
 */
export async function evaluateForcedChoice(options: ForcedChoiceOptions) {
  const { models, template, maxFailed, thinkingTags, signal, onProgress } = options;
  requireDistinctModels(models);
  requireSameGeneration(models);
  using answers = openAnswerTables(options);
  if (thinkingTags?.length) answers.readAnew(thinkingTags);
  const planned = models.map((model) => {
    const settings = settingsAddress(model);
    const isCurrent = (row: KeptAnswer, { asked }: PlannedCall) =>
      row.settings === settings && row.asked === asked;
    const whole = options.workOf?.(model.name);
    if (whole === undefined) {
      const questions = plannedCalls(options, model.name);
      const work = planWork({ questions, keyOf: questionKey, rows: answers.rows, isCurrent });
      return { model, settings, work };
    }
    // Now that the model is open all its settings are known, and no other process adds answers.
    whole.compare(answers.rows, isCurrent);
    const { orders = bothOrders } = options;
    const work = whole.within(({ pairId, order }) => orders(pairId).includes(order));
    return { model, settings, work };
  });
  const broken = new AbortController();
  const stopped = signal ? AbortSignal.any([signal, broken.signal]) : broken.signal;
  const total = planned.reduce((sum, { work }) => sum + work.planned.length, 0);
  let done = planned.reduce((sum, { work }) => sum + work.kept.size, 0);
  const onCall = ({ model, pairId, order }: Question, outcome: EvaluationProgress["outcome"]) =>
    onProgress?.({ question: { model, pairId, order }, outcome, done: ++done, total });
  const how = { template, maxFailed, thinkingTags };
  const settled = await Promise.allSettled(
    planned.map((part) =>
      askModel({ ...part, ...how, answers, signal: stopped, onCall }).catch(
        (error) => {
          broken.abort();
          throw error;
        },
      )
    ),
  );
  const reports = settled.map((part) => {
    if (part.status === "rejected") throw part.reason;
    return part.value;
  });
  answers.finish();
  const sum = (name: "answered" | "kept" | "invalid" | "missing") =>
    reports.reduce((n, part) => n + part[name], 0);
  return {
    answered: sum("answered"),
    kept: sum("kept"),
    invalid: sum("invalid"),
    failed: reports.flatMap(({ failed }) => failed),
    missing: sum("missing"),
    /** Each model's part, in the order of the models. */
    models: reports,
  };
}

export type EvaluationReport = Readonly<Awaited<ReturnType<typeof evaluateForcedChoice>>>;

/** Number of a model's consecutive failed calls after which asking ends. */
const FAILURES_IN_A_ROW = 10;

/** Factors on the token limit for repeating a reply that was cut before a choice. */
const LARGER_LIMITS = [4, 16] as const;

/** Maximum share of a model's questions or pairs that may fail before asking ends. */
const MAX_FAILED = 0.05;

/** Returns the number of `n` items that may fail: a share of them, but at least nine. */
const failureLimit = (n: number, share = MAX_FAILED) =>
  Math.max(FAILURES_IN_A_ROW - 1, Math.floor(share * n));

/**
 * Asks one model its missing questions concurrently.
 *
 * It ends early on an abort, when the model is unavailable, or after consecutive failures in order
 * of arrival. Running calls are still recorded.
 */
async function askModel({ model, settings, work, answers, template, signal, onCall, ...how }: {
  readonly model: ChatModel;
  readonly settings: string;
  readonly work: ChoiceWork;
  readonly answers: ReturnType<typeof openAnswerTables>;
  readonly template: string;
  readonly maxFailed?: number | undefined;
  readonly thinkingTags?: readonly string[] | undefined;
  readonly signal: AbortSignal;
  readonly onCall: (question: Question, outcome: EvaluationProgress["outcome"]) => void;
}): Promise<ModelReport> {
  const failed: FailedItem[] = [];
  const mostFailures = failureLimit(work.planned.length, how.maxFailed);
  let [invalid, inARow] = [0, 0];
  let ended: PartEnded | undefined;
  const { asked: answered } = await askMissing<PlannedCall, KeptAnswer>({
    work,
    table: {
      rows: answers.rows,
      put(answer) {
        answers.put(answer, model);
        invalid += answer.invalid ? 1 : 0;
        onCall(answer, answer.invalid ? "invalid" : "valid");
      },
    },
    signal,
    concurrency: model.concurrency,
    async ask(call) {
      if (ended) return undefined;
      const { pair, order, asked } = call;
      const prompt = formatPrompt(template, pair, order);
      const judged = (reply: Exclude<Reply, { readonly kind: "failure" }>) =>
        judgeReply({ ...call, settings }, reply, model.settings, how.thinkingTags);
      let reply: Reply;
      try {
        reply = await model.ask(prompt, { signal });
        for (const limitTimes of LARGER_LIMITS) {
          if (reply.kind !== "answer" || !reply.isCut || !judged(reply).invalid) break;
          reply = await model.ask(prompt, { signal, limitTimes });
        }
      } catch (error) {
        if (!(error instanceof ModelUnavailable)) throw error;
        const { message, returns } = error;
        if (!signal.aborted) ended ??= { message, ...returns && { returns } };
        return undefined;
      }
      if (reply.kind === "failure") {
        if (signal.aborted) return undefined; // Cut off: whatever the model made of it.
        const { message, tooLong, isRefused } = reply;
        const mayPass = !tooLong && !isRefused;
        const item = { model: model.name, pairId: pair.id, way: order, asked };
        failed.push({ ...item, mayPass, reason: message });
        work.fail(questionKey(call), { message, mayPass });
        inARow = mayPass ? inARow + 1 : 0;
        if (inARow >= FAILURES_IN_A_ROW || failed.length > mostFailures) {
          const what = inARow >= FAILURES_IN_A_ROW
            ? `${inARow} calls in a row failed`
            : `${failed.length} of ${work.planned.length} calls failed`;
          const remedy = "What was answered is kept; look after the cause, then run again.";
          ended ??= { message: `${what}, the last one with: ${message} ${remedy}` };
        }
        onCall(call, "failed");
        return undefined;
      }
      inARow = 0;
      return judged(reply);
    },
  });
  const missing = work.missing.size;
  const kept = work.kept.size - answered;
  const report = { model: model.name, answered, kept, invalid, failed, missing };
  const early = ended as PartEnded | undefined;
  return early ? { ...report, ended: early } : report;
}

type Asker = Pick<ChatModel, "name" | "settings">;

/**
 * Opens the tables of forced choice. Answers to renumbered pairs are moved to their new ids. The
 * hash of an answer's question is written last, so that a truncated write counts as unanswered.
 */
export function openAnswerTables(
  { pairs, template, files }: Pick<ForcedChoiceOptions, "pairs" | "template" | "files">,
) {
  using opened = new DisposableStack();
  const tables = answerTables(files, { pairIds: pairs.map(({ id }) => id) });
  const invalid = opened.use(tables.invalid.open());
  const responses = opened.use(tables.responses.open());
  const asked = opened.use(tables.asked.open());
  const rows = keptAnswers(responses.rows.values(), asked.rows, invalid.rows);
  const write = (answer: KeptAnswer) => {
    if (answer.invalid) invalid.put(answer.invalid);
    responses.put(answer);
    asked.put(answer);
    rows.set(questionKey(answer), answer);
  };
  const byId = new Map(pairs.map((pair) => [pair.id, pair]));
  const isMisplaced = ({ pairId, order, asked }: KeptAnswer) => {
    const pair = byId.get(pairId);
    return pair === undefined || promptAddress(template, pair, order) !== asked;
  };
  if (rows.values().some(isMisplaced)) {
    answersTo([...rows.values()], pairs, template).forEach(write);
  }
  const record = settingsRecorder(files.settings);
  const stack = opened.move();
  return {
    rows: rows as ReadonlyMap<string, KeptAnswer>,
    /** Parses the texts of invalid answers again, with additional tags around thinking. */
    readAnew(thinkingTags: readonly string[]): void {
      for (const answer of [...rows.values()]) {
        const { invalid, ...rest } = answer;
        if (invalid === undefined || invalid.reason === "cut") continue;
        const choice = parseChoice(invalid.raw, thinkingTags);
        if (choice.kind === "invalid") continue;
        const { letter } = choice;
        write({ ...rest, response: letter, correct: letter === grammaticalLetter(answer.order) });
      }
    },
    /** Records an answer in this order: settings, text, row, and hash of its question. */
    put(answer: KeptAnswer, model: Asker): void {
      record(model);
      write(answer);
    },
    finish(): void {
      // What is answered under a pair's present number needs no row under its former one.
      const current = new Set<string>();
      for (const { pairId, asked } of rows.values()) if (byId.has(pairId)) current.add(asked);
      for (const [key, { pairId, asked }] of rows) {
        if (!byId.has(pairId) && current.has(asked)) rows.delete(key);
      }
      // A text whose row a killed run did not write, and that was answered otherwise since.
      invalid.finish((text) => responses.rows.get(questionKey(text))?.response === "INVALID");
      responses.finish((row) => rows.has(questionKey(row)) || !asked.rows.has(questionKey(row)));
      asked.finish((row) => rows.has(questionKey(row)));
    },
    [Symbol.dispose]: () => stack.dispose(),
  };
}

/**
 * Checks that all models have the same generation settings. Each must state its temperature, and
 * settings stated by several must be equal. Models read by the next token have no reply length.
 * Throws RangeError naming two models and their values.
 */
function requireSameGeneration(models: readonly Asker[]): void {
  const silent = models.find(({ settings }) => settings.temperature === undefined);
  if (silent) {
    throw new RangeError(`Cannot evaluate ${silent.name}: its settings name no temperature.`);
  }
  for (const setting of ["temperature", "topP", "maxReplyTokens", "systemPrompt"]) {
    const [first, ...others] = models.filter(({ settings }) => settings[setting] !== undefined);
    const other = others.find(({ settings }) => settings[setting] !== first?.settings[setting]);
    if (first && other) {
      throw new RangeError(
        `Cannot evaluate ${first.name} and ${other.name} together: ${setting} is ` +
          `${first.settings[setting]} for one and ${other.settings[setting]} for the other.`,
      );
    }
  }
}

/** Pairs to score, and the table of their likelihoods. */
export interface ScoreSet {
  /** All pairs of the data set, in the order of the finished table. */
  readonly pairs: readonly MinimalPair[];
  readonly wanted?: (pair: MinimalPair) => boolean;
  /** Planned work of the model. By default it is planned here. */
  readonly work?: ScoreWork | undefined;
  readonly files: Pick<AnswerFiles, "likelihoods" | "settings" | "tokens" | "words">;
}

interface ScoringHow {
  readonly model: LanguageModel;
  readonly signal?: AbortSignal;
  /** Receives progress in sentence pairs; rows with the same two sentences are scored once. */
  readonly onProgress?: (state: AskingState) => void;
  /** See {@link failureLimit}. */
  readonly maxFailed?: number | undefined;
}

export type LikelihoodOptions = ScoreSet & ScoringHow;

/** Pairs of a model, scored and missing. */
export type ScoreWork = Work<MinimalPair, ScoredPair>;

/** Results of scoring one set. */
interface ScoreReport {
  readonly scored: number;
  /** Number of scores of earlier runs. */
  readonly kept: number;
  /** Failed pairs, which have no row. */
  readonly failed: readonly FailedItem[];
  /** Number of pairs not reached, or failed and to be repeated. */
  readonly missing: number;
}

/** Scores one set as {@link scoreSets} does, but throws the error that ended it. */
export async function scorePairs(
  { model, signal, onProgress, maxFailed, ...set }: LikelihoodOptions,
) {
  const { reports: [report], ended } = await scoreSets([set], {
    model,
    signal,
    onProgress,
    maxFailed,
  });
  if (ended !== undefined) throw ended;
  return report!;
}

/** A missing row of a set. */
interface MissingRow {
  readonly set: OpenScores;
  readonly pair: MinimalPair;
}

/** Rows with the same two sentences: a pair and its regions, scored in one pass. */
interface SentenceTask {
  readonly key: string;
  readonly missing: readonly MissingRow[];
}

/**
 * Scores both members of every pair concurrently.
 *
 * Rows are appended as they arrive. A resumed run skips pairs that the same model scored with the
 * same settings, even if they were renumbered; after an abort all lines are complete. Rows of
 * several sets with the same two sentences are scored in one pass. Pairs that cannot be scored are
 * reported and left out. More than `maxFailed` in a set end the work.
 * @returns the reports by set, and the error that ended the work early
 * @throws {SyntaxError} before writing, for wrong columns.
 */
export async function scoreSets(
  sets: readonly ScoreSet[],
  { model, signal, onProgress, maxFailed }: ScoringHow,
): Promise<{ readonly reports: readonly ScoreReport[]; readonly ended?: unknown }> {
  using opened = new DisposableStack();
  const open = sets.map((set) => opened.use(openScores(set, model, maxFailed)));
  const keyOf = ({ grammatical, ungrammatical, prefix }: MinimalPair) =>
    JSON.stringify([grammatical, ungrammatical, prefix]);
  const missing = Map.groupBy(
    open.flatMap((set) => [...set.work.missing.values()].map((pair) => ({ set, pair }))),
    ({ pair }) => keyOf(pair),
  );
  const all = new Set(open.flatMap(({ work }) => work.planned.map(keyOf)));
  const questions = [...all].map((key): SentenceTask => ({ key, missing: missing.get(key) ?? [] }));
  const isDone = ({ missing }: SentenceTask) => missing.length === 0;
  let ended: unknown;
  await askMissing<SentenceTask, SentenceTask>({
    work: planWork({
      questions,
      keyOf: ({ key }) => key,
      rows: new Map(questions.filter(isDone).map((task) => [task.key, task])),
    }),
    // Its rows are put into the tables of their sets.
    table: { rows: new Map(), put: () => {} },
    async ask(task, signal) {
      const pairs = task.missing.map(({ pair }) => pair);
      const pieces = task.missing.some(({ set }) => set.isWanted);
      const outcomes = await scoreTask(model, pairs, { pieces, signal });
      if (signal.aborted) return undefined;
      task.missing.forEach(({ set, pair }, at) => {
        const outcome = outcomes[at]!;
        if ("mayPass" in outcome) set.fail(pair, outcome);
        else set.put(pair, outcome);
      });
      return outcomes.some((outcome) => "mayPass" in outcome) ? undefined : task;
    },
    concurrency: model.concurrency,
    signal,
    onProgress,
  }).catch((error) => ended = error);
  const reports = open.map((set) => set.finish());
  return ended === undefined ? { reports } : { reports, ended };
}

type OpenScores = ReturnType<typeof openScores>;

/** Opens the table of a set for a model. Rows of renumbered pairs are moved to their new ids. */
function openScores(
  { pairs, files, wanted = () => true, work: whole }: ScoreSet,
  model: Asker & Pick<LanguageModel, "scoreParts">,
  maxFailed: number | undefined,
) {
  using opened = new DisposableStack();
  const pairIds = pairs.map(({ id }) => id);
  const table = opened.use(likelihoodTable(files.likelihoods, { pairIds }).open());
  const addresses = new Map(pairs.map((pair) => [pair.id, sentencesAddress(pair)]));
  if (table.rows.values().some(({ pairId, asked }) => addresses.get(pairId) !== asked)) {
    likelihoodsOf([...table.rows.values()], pairs).forEach(table.put);
  }
  const record = settingsRecorder(files.settings);
  const settings = settingsAddress(model);
  const { rows } = table;
  const hasPieces = readPieces(files);
  const isWanted = model.scoreParts !== undefined && (files.tokens ?? files.words) !== undefined;
  const pieces = isWanted ? opened.use(openPieces(files, pairs)) : undefined;
  const isCurrent = (row: ScoredPair, pair: MinimalPair) =>
    row.settings === settings && row.asked === addresses.get(pair.id) &&
    (!isWanted || hasPieces(model.name, pair, settings));
  whole?.compare(rows, isCurrent);
  const keyOf = ({ id: pairId }: MinimalPair) => likelihoodKey({ model: model.name, pairId });
  const work = whole?.within(wanted) ??
    planWork({ questions: pairs.filter(wanted), keyOf, rows, isCurrent });
  const kept = work.kept.size;
  const failed: FailedItem[] = [];
  const mostFailures = failureLimit(work.planned.length, maxFailed);
  const stack = opened.move();
  return {
    work,
    /** Records a failure. @throws {RangeError} after too many failures. */
    fail(pair: MinimalPair, failure: AskingFailure) {
      const { message, mayPass } = failure;
      const item = { model: model.name, pairId: pair.id, way: "likelihood" as const };
      failed.push({ ...item, asked: addresses.get(pair.id)!, mayPass, reason: message });
      work.fail(keyOf(pair), failure);
      if (failed.length <= mostFailures) return;
      throw new RangeError(
        `${failed.length} of ${work.planned.length} pairs were not scored, the last one: ${message}`,
      );
    },
    isWanted,
    put(pair: MinimalPair, { row, scores }: Scored) {
      record(model); // A row must never stand without its model's settings.
      pieces?.put(model.name, pair, settings, scores);
      table.put(row);
      work.keep(likelihoodKey(row), row);
    },
    finish(): ScoreReport {
      // What is scored under a pair's present number needs no row under its former one.
      const current = new Set(addresses.values());
      pieces?.finish();
      table.finish(({ pairId, asked }) => addresses.has(pairId) || !current.has(asked));
      return { scored: work.kept.size - kept, kept, failed, missing: work.missing.size };
    },
    [Symbol.dispose]: () => stack.dispose(),
  };
}

/** Tests whether a model can score a pair. Regions need the probabilities of all next tokens. */
export const canScore = (
  model: Pick<LanguageModel, "scoreParts">,
  { through }: Pick<MinimalPair, "through">,
): boolean => through === undefined || model.scoreParts !== undefined;

/** A row with the scores of both members. */
interface Scored {
  readonly row: ScoredPair;
  readonly scores: readonly TextScore[];
}

interface TaskHow {
  readonly pieces: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Scores pairs of the same two sentences, or their beginnings, as rows; or returns the reason for
 * none.
 */
async function scoreTask(
  model: LanguageModel,
  pairs: readonly MinimalPair[],
  how: TaskHow,
): Promise<readonly (Scored | AskingFailure)[]> {
  const throughs = new Set(
    pairs.flatMap(({ through }) => through ? [JSON.stringify(through)] : []),
  );
  const apart = async () =>
    (await Promise.all(pairs.map((pair) => scoreTask(model, [pair], how)))).flat();
  // Two regions of one pair of sentences: each has a pass of its own.
  if (throughs.size > 1) return await apart();
  try {
    return await scoreTogether(model, pairs, how);
  } catch (error) {
    const isOfPair = error instanceof RangeError;
    if (!isOfPair && !(error instanceof CallFailed)) throw error;
    // Where the end of a word is not found, the sentences have scores all the same.
    if (isOfPair && pairs.length > 1) return await apart();
    return pairs.map(() => ({ message: error.message, mayPass: !isOfPair }));
  }
}

/** Scores pairs with the same sentences and region in one pass. */
async function scoreTogether(
  model: LanguageModel,
  pairs: readonly MinimalPair[],
  { pieces, signal }: TaskHow,
): Promise<readonly Scored[]> {
  const [{ grammatical, ungrammatical, prefix }] = pairs as [MinimalPair];
  const through = pairs.find((pair) => pair.through)?.through;
  const options = { prefix, ...signal && { signal } };
  const scores = async (): Promise<readonly TextScore[]> => {
    if (through === undefined && !pieces) {
      const found = await model.score([grammatical, ungrammatical], options);
      return found.map((whole) => ({ whole }));
    }
    if (model.scoreParts) {
      return await model.scoreParts([
        { text: grammatical, through: through?.grammatical },
        { text: ungrammatical, through: through?.ungrammatical },
      ], { ...options, pieces });
    }
    throw new RangeError(`${model.name} gives no probability of a word's end`);
  };
  const found = await scores();
  const [good, bad] = found;
  if (!good || !bad || found.length !== 2) {
    throw new TypeError(`Cannot score with ${model.name}: it gave not two likelihoods.`);
  }
  const kept = (likelihood: Likelihood): Likelihood => ({
    ...likelihood,
    logProbability: roundLogProbability(likelihood.logProbability),
  });
  return pairs.map((pair) => {
    const part = pair.through ? "through" : "whole";
    const row = {
      model: model.name,
      pairId: pair.id,
      grammatical: kept(good[part]!),
      ungrammatical: kept(bad[part]!),
      asked: sentencesAddress(pair),
      settings: settingsAddress(model),
    };
    return { row, scores: found };
  });
}

/** Scores one pair. @throws {RangeError} for a pair that cannot be scored. */
export async function scorePair(
  model: LanguageModel,
  pair: MinimalPair,
  signal?: AbortSignal,
): Promise<ScoredPair> {
  return (await scoreTogether(model, [pair], { pieces: false, signal }))[0]!.row;
}
