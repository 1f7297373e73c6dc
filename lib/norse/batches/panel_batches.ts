import type { MergeReport } from "../../models/hosted/batch/merge_step.ts";
import type { BatchOutcome } from "../../models/hosted/batch/outcome.ts";
import type { WantedBatch } from "../../models/hosted/batch/run.ts";
import { groqParameters, groqSettings } from "../../models/hosted/groq_model.ts";
import type { ChatModel } from "../../models/model.ts";
import type { Generation, GroqEntry, Panel } from "../../models/panel.ts";
import { mergeBatchReplies } from "../../pairs/batch_merge.ts";
import { batchRequest, type BodyOf } from "../../pairs/batch_questions.ts";
import { planEvaluation, type PlanInput } from "../../pairs/evaluation_plan.ts";
import type { OrderPlan } from "../../pairs/order_plan.ts";
import type { MinimalPair } from "../../pairs/pair.ts";
import { questionKey } from "../../pairs/responses.ts";
import type { AnswerFiles } from "../evaluation/answers.ts";
import { lockAnswers } from "../evaluation/lock.ts";
import { QUESTION } from "../study.ts";

/** The study's questions to the models of a panel that Groq serves. */
export interface PanelQuestions {
  readonly pairs: readonly MinimalPair[];
  readonly panel: Panel;
  readonly files: AnswerFiles;
  /** Held while it is decided what to ask, and while answers are written. */
  readonly lock: string;
  /** The stand-in's address, in tests only: its answers never pass for Groq's. */
  readonly baseUrl?: string;
}

/** What is to be submitted now. */
export interface Submission {
  readonly orders: OrderPlan;
  /** Panel ids; all models of the panel unless told. */
  readonly models?: readonly string[];
}

/** Those models of a panel that a batch can ask. */
export function batchEntries({ models }: Panel): readonly GroqEntry[] {
  return models.filter((entry) => entry.kind === "groq").filter(({ roles }) =>
    roles.includes("chat")
  );
}

/** The tables as a run of batches sees them: what they lack, and where answers go. */
export function panelTables(questions: PanelQuestions, submission: Submission): {
  readonly wanted: () => readonly WantedBatch[];
  readonly merge: (outcome: BatchOutcome) => MergeReport;
} {
  const { input, bodyOf, hostModelOf } = planned(questions);
  return {
    wanted() {
      // Who is asking now would be asked the same, and paid, twice.
      using _held = lockAnswers(questions.lock);
      const { orders, models } = submission;
      const asked = input.models.filter(({ name }) => models?.includes(name) ?? true);
      const { calls, answered } = planEvaluation({ ...input, models: asked, orders });
      const open = calls.filter(({ question }) => !answered.has(questionKey(question)));
      return [...Map.groupBy(open, ({ model }) => model.name)].map(([name, own]) => ({
        hostModel: hostModelOf(name),
        requests: own.map((call) => batchRequest(call, bodyOf)),
      }));
    },
    merge({ replies }) {
      using _held = lockAnswers(questions.lock);
      return mergeBatchReplies(input, replies, bodyOf);
    },
  };
}

/** All that a batch may ever have asked of the panel, and what was sent for it. */
function planned({ pairs, panel, files, baseUrl }: PanelQuestions) {
  const generation = generationOf(panel);
  const entries = new Map(batchEntries(panel).map((entry) => [entry.id, entry]));
  const entryOf = (id: string) => {
    const entry = entries.get(id);
    if (entry) return entry;
    throw new RangeError(`Cannot ask ${id}: the panel ${panel.name} has no such model at Groq.`);
  };
  const input: PlanInput = {
    pairs,
    models: [...entries.values()].map((entry) => planOnly(entry, generation, baseUrl)),
    template: QUESTION,
    comparedWith: panel.models.map(({ id }) => id),
    resultsPath: files.responses,
    invalidLogPath: files.invalidAnswers,
    settingsPath: files.responseSettings,
  };
  const bodyOf: BodyOf = ({ model, prompt }) =>
    groqParameters(entryOf(model.name), generation, prompt);
  const hostModelOf = (id: string) => entryOf(id).model ?? id;
  return { input, bodyOf, hostModelOf };
}

function generationOf({ name, generation }: Panel): Generation {
  if (generation) return generation;
  throw new TypeError(`Cannot ask the panel ${name} in batches: it has no hosted model.`);
}

/** A model as a plan needs it: the same name and settings as where it is asked one by one. */
function planOnly(entry: GroqEntry, generation: Generation, baseUrl?: string): ChatModel {
  return {
    name: entry.id,
    settings: groqSettings(entry, generation, baseUrl),
    ask: () => Promise.reject(new TypeError(`Cannot ask ${entry.id}: batches ask it`)),
  };
}
