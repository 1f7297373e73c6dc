/** The questions of forced choice through Groq's Batch API: their names, their answers, where they stand. */
import { join } from "node:path";
import { sha256Hex } from "../files/atomic.ts";
import { type BatchJob, isUnderWay, openJobStore } from "../models/hosted/batch/jobs.ts";
import { type BatchOutcome, plainWord } from "../models/hosted/batch/files.ts";
import type { MergeReport, Stepped, WantedBatch } from "../models/hosted/batch/run.ts";
import type { GivenReply } from "../models/hosted/chat_completion.ts";
import { groqParameters, groqSettings } from "../models/hosted/groq_model.ts";
import type { ChatModel } from "../models/model.ts";
import type { GroqEntry, Panel } from "../models/panel.ts";
import { judgeReply, type Question, questionKey, readAnswers } from "./answers.ts";
import { type Asked, settingsDigest } from "./asked.ts";
import { type ChoiceQuestions, openAnswers, plannedCalls } from "./choose.ts";
import { formatPrompt, type OrderPlan } from "./forced_choice.ts";
import type { MinimalPair } from "./pair.ts";
import { lockAnswers, type PairStudy } from "./study.ts";

/** Longest readable part: with a dot and 16 digits behind it stays within Groq's 64 characters. */
const READABLE = 47;

/**
 * Names a question in a batch, the same on every machine and at any time: pair, order, and a hash
 * of the model and of what it is asked. An answer to the same pair worded otherwise, or asked with
 * other settings, has another name.
 */
export function customId({ model, pairId, order, asked, settings }: Question & Asked): string {
  const hash = sha256Hex(JSON.stringify([model, pairId, order, asked, settings])).slice(0, 16);
  return `${`${pairId}.${order}`.slice(0, READABLE)}.${hash}`;
}

/** A model as a batch asks it: the same name and settings as where it is asked one by one. */
type BatchedModel = Pick<ChatModel, "name" | "settings">;

/**
 * Writes a batch's answers into the tables as `evaluateForcedChoice` would have: same rows, same log, same
 * settings on record. Merging them again, after a kill at whatever moment, writes nothing twice.
 * @param replies by {@link customId}.
 * @returns rows written, invalid ones among them; answers that stood there and stay; those to questions
 * that are not asked as things stand, of which nothing was written
 */
export function mergeBatchReplies(
  questions: Omit<ChoiceQuestions, "models"> & {
    readonly models: readonly BatchedModel[];
    readonly files: PairStudy["files"];
  },
  replies: ReadonlyMap<string, GivenReply>,
): Readonly<Record<"merged" | "invalid" | "kept" | "foreign", number>> {
  const known = questions.models.flatMap((model) =>
    plannedCalls(questions, model.name, settingsDigest(model)).flatMap((call) => {
      const reply = replies.get(customId(call));
      return reply ? [{ model, call, reply }] : [];
    })
  );
  const tally = { merged: 0, invalid: 0, kept: 0, foreign: replies.size - known.length };
  if (known.length === 0) return tally;
  using answers = openAnswers(questions);
  for (const { model, call, reply } of known) {
    if (answers.has(call)) {
      tally.kept += 1;
      continue;
    }
    const answer = judgeReply(call, reply, model.settings);
    answers.put(answer, model);
    tally.merged += 1;
    tally.invalid += answer.invalid ? 1 : 0;
  }
  answers.finish();
  return tally;
}

export function batchEntries({ models }: Panel): readonly GroqEntry[] {
  return models.filter((entry) => entry.kind === "groq").filter(({ roles }) =>
    roles.includes("chat")
  );
}

/** The tables as a run of batches sees them: what they lack, and where answers go. */
export function panelTables(
  { study, pairs, panel }: {
    readonly study: PairStudy;
    readonly pairs: readonly MinimalPair[];
    readonly panel: Panel;
  },
  { orders, models }: { readonly orders: OrderPlan; readonly models?: readonly string[] },
) {
  const { files, question: template, lock, connection: { standIn } } = study;
  const generation = panel.generation!; // A panel with models at Groq has one.
  const entries = batchEntries(panel);
  // A stand-in's answers, in tests, never pass for Groq's.
  const asBatched = (entry: GroqEntry): BatchedModel => ({
    name: entry.id,
    settings: groqSettings(entry, generation, standIn?.baseUrl),
  });
  return {
    wanted(): readonly WantedBatch[] {
      const asked = { pairs, template, orders };
      // Who is asking now would be asked the same, and paid, twice.
      using _held = lockAnswers(lock);
      const answered = new Set(
        readAnswers(study, pairs).responses.map((row) => `${questionKey(row)} ${row.settings}`),
      );
      return entries.filter(({ id }) => models?.includes(id) ?? true).map((entry) => ({
        hostModel: entry.model ?? entry.id,
        requests: plannedCalls(asked, entry.id, settingsDigest(asBatched(entry)))
          .filter((call) => !answered.has(`${questionKey(call)} ${call.settings}`))
          .map((call) => ({
            customId: customId(call),
            body: groqParameters(entry, generation, formatPrompt(template, call.pair, call.order)),
          })),
      })).filter(({ requests }) => requests.length > 0);
    },
    merge({ replies }: BatchOutcome): MergeReport {
      using _held = lockAnswers(lock);
      const asked = { pairs, template, files, models: entries.map(asBatched) };
      return mergeBatchReplies(asked, replies);
    },
  };
}

/** Where the batches of a panel are followed: what is under way when it is lost is asked again. */
export function batchFolder(study: PairStudy, { name }: Pick<Panel, "name">): string {
  const { cache, connection } = study;
  return connection.batches ?? join(cache, "hosted", "batches", study.name, plainWord(name));
}

/**
 * How many questions of a panel batches are at work on, by model: who asks them one by one now
 * pays for them twice. Asks nobody.
 */
export function questionsUnderWay(study: PairStudy, panel: Panel): ReadonlyMap<string, number> {
  const jobs = openJobStore(batchFolder(study, panel)).jobs().filter(isUnderWay);
  return new Map(
    batchEntries(panel).map((entry) => {
      const own = jobs.filter(({ hostModel }) => hostModel === (entry.model ?? entry.id));
      return [entry.id, own.reduce((sum, { requests }) => sum + requests, 0)];
    }),
  );
}

/** One line of the batches under way, for a status line: `gpt-oss-20b in_progress 340/1000`. */
export function formatLook(steps: readonly Stepped[], pollSeconds: number): string {
  const parts = steps.filter(({ job }) => isUnderWay(job)).map(({ job, running }) => {
    const model = job.hostModel.split("/").at(-1);
    if (running === undefined) return `${model} ${WORDS[job.step]}`;
    const { completed, failed } = running.counts;
    const problem = failed > 0 ? `, ${failed} failed` : "";
    return `${model} ${running.status} ${completed}/${job.requests}${problem}`;
  });
  return `${parts.join(" · ")}; looks again in ${pollSeconds} s`;
}

const WORDS: Readonly<Record<BatchJob["step"], string>> = {
  written: "to be uploaded",
  creating: "submitted, not yet confirmed",
  submitted: "submitted",
  fetched: "fetched, has answers that no question is asked for now",
  closed: "done",
};

/** One line a batch: name, model, questions, where it stands. */
export function formatJob(job: BatchJob): string {
  const asked = `${job.name}: ${job.requests} questions to ${job.hostModel}`;
  if (job.step !== "closed") return `${asked} with ${job.keyLabel}, ${WORDS[job.step]}`;
  return `${asked}, ${job.outcome}: ${job.merged} answers written, ` +
    `${job.remaining} questions without one`;
}
