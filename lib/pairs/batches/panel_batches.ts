import type { MergeReport } from "../../models/hosted/batch/merge_step.ts";
import type { BatchOutcome } from "../../models/hosted/batch/outcome.ts";
import type { WantedBatch } from "../../models/hosted/batch/run.ts";
import { groqParameters, groqSettings } from "../../models/hosted/groq_model.ts";
import type { ChatModel } from "../../models/model.ts";
import type { Generation, GroqEntry, Panel } from "../../models/panel.ts";
import { mergeBatchReplies } from "../batch_merge.ts";
import { batchRequest, type BodyOf } from "../batch_questions.ts";
import { planEvaluation, type PlanInput } from "../evaluation_plan.ts";
import type { OrderPlan } from "../order_plan.ts";
import type { MinimalPair } from "../pair.ts";
import { questionKey } from "../responses.ts";
import { lockAnswers } from "../panels/lock.ts";
import type { PairStudy } from "../study.ts";

/** The study's questions to the models of a panel that Groq serves. */
export interface PanelQuestions {
  readonly study: PairStudy;
  readonly pairs: readonly MinimalPair[];
  readonly panel: Panel;
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
      using _held = lockAnswers(questions.study.lock);
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
      using _held = lockAnswers(questions.study.lock);
      return mergeBatchReplies(input, replies, bodyOf);
    },
  };
}

/** All that a batch may ever have asked of the panel, and what was sent for it. */
function planned({ study, pairs, panel, baseUrl }: PanelQuestions) {
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
    template: study.question,
    comparedWith: panel.models.map(({ id }) => id),
    resultsPath: study.files.responses,
    invalidLogPath: study.files.invalidAnswers,
    settingsPath: study.files.responseSettings,
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
