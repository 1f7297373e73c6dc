import { type ChatModel, ModelUnavailable, type Reply } from "../../models/model.ts";
import { eachInFlight } from "../../models/in_flight.ts";
import type { Phenomenon } from "../candidate.ts";
import { formatPrompt, type PromptTemplates } from "./prompts.ts";
import type { QuestionPlan } from "./questions.ts";
import { openQueue, type Question, questionsUntil } from "./queue.ts";
import { appendProposal, proposalKey, type ProposalRecord, readProposals } from "./record.ts";

export interface AskOptions {
  readonly model: ChatModel;
  readonly templates: PromptTemplates;
  readonly plan: QuestionPlan;
  /** `proposals.jsonl` */
  readonly path: string;
  /** Told of every record of this model, those of earlier runs first; says what is needed no more. */
  readonly progress: AskProgress;
  /** Calls in this run; no limit unless told. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

export interface AskProgress {
  record(record: ProposalRecord): void;
  isEnough(phenomenon: Phenomenon): boolean;
}

export interface AskReport {
  /** Questions answered now, refusals among them; each is a line of the file. */
  readonly answered: number;
  /** Answers that stood there already. */
  readonly kept: number;
  /** Calls that gave no answer and left no line; the next run asks again. */
  readonly failed: readonly string[];
  /** Why the run ended before its questions did, where it did. */
  readonly ended?: { readonly message: string; readonly returns?: Date };
  /** Questions that are still wanted. */
  readonly remaining: number;
}

/** Failures one after the other from which on something else is wrong than a single call. */
const FAILURES_IN_A_ROW = 10;

/**
 * Asks one model about sentence after sentence, the phenomena in turn, as many at once as it takes,
 * until each phenomenon has enough or its sentences are used up. Every answer is in the file before
 * the next is asked for; resuming skips what is answered. An abort, a model that is not to be had
 * and ten failures in a row end the run with everything kept. What else is thrown, by the file that
 * cannot be written or the progress, is thrown on when all calls under way have ended.
 */
export async function askForProposals(options: AskOptions): Promise<AskReport> {
  const { model, plan, progress, signal, limit = Infinity } = options;
  const answered = keptAnswers(options);
  const kept = answered.size;
  const queue = openQueue(
    plan,
    progress.isEnough,
    (question) => answered.has(keyOf(options, question)),
  );
  const run: Run = { calls: 0, answered: 0, failed: [], row: 0 };
  const isOver = () => signal?.aborted === true || run.ended !== undefined || run.calls >= limit;
  await eachInFlight(questionsUntil(isOver, queue), model.concurrency ?? 1, async (question) => {
    run.calls += 1;
    const reply = await replyTo(question, options, run);
    if (reply === undefined) queue.putBack(question);
    else take(question, reply, options, run);
    return !isOver();
  });
  const { ended, failed } = run;
  const remaining = queue.remaining() + failed.length;
  return { answered: run.answered, kept, failed, remaining, ...(ended ? { ended } : {}) };
}

interface Run {
  calls: number;
  answered: number;
  readonly failed: string[];
  /** Failures since the last answer. */
  row: number;
  ended?: { readonly message: string; readonly returns?: Date };
}

/** The keys of what this model answered to these templates, each reported to the progress. */
function keptAnswers({ model, templates, path, progress }: AskOptions): ReadonlySet<string> {
  const own = readProposals(path).records.filter((record) =>
    record.model === model.name && record.promptSha256 === templates[record.phenomenon].sha256
  );
  for (const record of own) progress.record(record);
  return new Set(own.map(proposalKey));
}

function keyOf({ model, templates }: AskOptions, { phenomenon, sentence }: Question): string {
  const promptSha256 = templates[phenomenon].sha256;
  return proposalKey({ model: model.name, promptSha256, phenomenon, sentenceId: sentence.id });
}

/** The reply, or nothing where the run ends: the model is not to be had, or the signal came. */
async function replyTo(
  { phenomenon, sentence }: Question,
  { model, templates, signal }: AskOptions,
  run: Run,
): Promise<Reply | undefined> {
  try {
    const prompt = formatPrompt(templates[phenomenon], sentence);
    const reply = await model.ask(prompt, signal ? { signal } : {});
    return signal?.aborted && reply.kind === "failure" ? undefined : reply;
  } catch (error) {
    if (signal?.aborted) return undefined;
    if (!(error instanceof ModelUnavailable)) throw error;
    const { message, returns } = error;
    run.ended ??= { message, ...(returns ? { returns } : {}) };
    return undefined;
  }
}

/** An answer is written at once; a failure leaves no line. */
function take(question: Question, reply: Reply, options: AskOptions, run: Run): void {
  if (reply.kind === "failure") return note(run, reply.message);
  const record = recordOf(question, reply, options);
  appendProposal(options.path, record);
  run.answered += 1;
  run.row = 0;
  options.progress.record(record);
}

function note(run: Run, message: string): void {
  run.failed.push(message);
  run.row += 1;
  if (run.row < FAILURES_IN_A_ROW) return;
  run.ended ??= { message: `${run.row} calls in a row failed, the last one: ${message}` };
}

function recordOf(
  { phenomenon, sentence }: Question,
  reply: Exclude<Reply, { readonly kind: "failure" }>,
  { model, templates }: AskOptions,
): ProposalRecord {
  const { promptTokens, replyTokens } = reply.kind === "answer"
    ? reply
    : { promptTokens: 0, replyTokens: 0 };
  const { kind, text } = reply;
  return {
    ...{ model: model.name, promptSha256: templates[phenomenon].sha256, phenomenon },
    ...{ sentenceId: sentence.id, kind, text, promptTokens, replyTokens },
    settings: { ...model.settings },
  };
}
