/**
 * Queries about entities that may not exist: instructions, prompts, answers, and readers' labels.
 */
import type { Measure } from "../../../stats/measure.ts";
import { addressOf, askMissing } from "../../../files/asking.ts";
import { sha256Hex } from "../../../files/atomic.ts";
import { withoutFormulas } from "../../../files/csv.ts";
import type { LocalSamplingName } from "../../../models/llama/local_models.ts";
import type { SamplingModel } from "../../../models/model.ts";
import { cohenKappa } from "../../../stats/agreement.ts";
import { randomSource } from "../../../stats/random.ts";
import type { AnswerSink } from "../../../factuality/own/prompts.ts";
import { ABSTENTION_ANSWERS, ABSTENTION_HAND_LABELS, ABSTENTION_SECOND_LABELS } from "./tables.ts";
import { ABSTENTION_SHARED_LABELS, type AbstentionAnswer, type AbstentionLabel } from "./tables.ts";
import { type AbstentionQuery } from "./tables.ts";
import { abstentionPrompt, Instruction } from "../../../factuality/own/prompts.ts";

/** Prompt format of each model: chat template for instructed ones, few-shot for base models. */
const FORMS: Readonly<Record<LocalSamplingName, "chat" | "few-shot">> = {
  "SmolLM2-135M-Instruct": "chat",
  "gemma-3-270m": "few-shot",
  "Qwen2.5-Coder-1.5B-Instruct": "chat",
};
type AskedQuery = Pick<AbstentionQuery, "id" | "question" | "exists">;

/** An instruction with its sampling of queries. */
export interface AskingCondition {
  readonly instruction: Instruction;
  readonly temperature: number;
  /** Share of the queries asked in this way, sampled at random; 1 for all. */
  readonly share: number;
}

/**
 * Instructions of the study. Every query is asked with the instruction that it may decline, which
 * favours abstention most. A sample is also asked without it, to measure its effect. 190 answers
 * per model.
 */
export const ASKING_CONDITIONS: readonly AskingCondition[] = [
  { instruction: "may decline", temperature: 0, share: 1 },
  { instruction: "opening given", temperature: 0.8, share: 1 / 6 },
  { instruction: "none", temperature: 0, share: 1 / 3 },
  { instruction: "may decline", temperature: 0.8, share: 1 / 12 },
];

const SEED = 1;
/**
 * Maximum answer length in tokens: a sentence and the start of another suffice to see an
 * abstention.
 */
const MAX_TOKENS = 36;

/** Questions to a model with every instruction, and their addresses. */
function questionsTo(
  model: LocalSamplingName,
  queries: readonly AskedQuery[],
  ways: readonly AskingCondition[],
) {
  return ways.flatMap((way) =>
    drawnEvenly(queries, way.share).map((query) => {
      const { instruction, temperature } = way;
      const prompt = abstentionPrompt(query, FORMS[model], instruction);
      // A base model continues with another question.
      const end = FORMS[model] === "few-shot" ? { stop: ["\n"] } : {};
      const how = { temperature, maxTokens: MAX_TOKENS, seed: `${SEED}/${query.id}`, ...end };
      const address = addressOf([prompt, how]);
      const key = [model, instruction, temperature, SEED, query.id].join("|");
      return { key, query, instruction, temperature, prompt, how, address };
    })
  );
}

/** Samples as many real entities as invented ones, in order. */
function drawnEvenly(queries: readonly AskedQuery[], share: number): readonly AskedQuery[] {
  const random = randomSource("abstention/drawn");
  const drawn = new Set([true, false].flatMap((exists) => {
    const ofExistence = queries.filter((query) => query.exists === exists);
    return random.sample(ofExistence, Math.round(share * ofExistence.length));
  }));
  return queries.filter((query) => drawn.has(query));
}

/** Queries and the destination of the answers. */
export interface AskQueries extends AnswerSink<AbstentionAnswer> {
  readonly queries: readonly AskedQuery[];
  readonly ways: readonly AskingCondition[];
}

/**
 * Asks for answers that are missing, or were given to another prompt or file. @throws {Error}
 * without an answer.
 */
export function askQueries(model: SamplingModel, { queries, ways, ...work }: AskQueries) {
  const name = model.name as LocalSamplingName;
  const model_sha256 = addressOf(model.settings);
  return askMissing({
    questions: questionsTo(name, queries, ways),
    keyOf: ({ key }) => key,
    concurrency: model.concurrency,
    inOrder: true,
    isCurrent: (row, { address }) =>
      row.prompt_sha256 === address && row.model_sha256 === model_sha256,
    async ask(asked, signal): Promise<AbstentionAnswer | undefined> {
      const { query, instruction, temperature, prompt, how, address: prompt_sha256 } = asked;
      const reply = await model.sample(prompt, { ...how, signal });
      if (reply.kind === "failure") throw new Error(`${query.id}: ${reply.message}`);
      if (reply.ended === "stopped") return undefined; // Half an answer is none.
      const text = `${prompt.replySoFar ?? ""}${reply.text}`;
      const settings = { model: name, instruction, temperature, seed: SEED };
      return {
        ...settings,
        query_id: query.id,
        model_sha256,
        prompt_sha256,
        answer: withoutFormulas(text.replace(/\s+/gu, " ").trim()),
        tokens: reply.tokens.length,
        ended: reply.ended,
        label: "",
        probability: "",
      };
    },
    ...work,
  });
}

/** Answers to the current questions, model by model in the order of asking. */
export const currentAnswers = (
  rows: ReadonlyMap<string, AbstentionAnswer>,
  queries: readonly AskedQuery[],
  ways: readonly AskingCondition[] = ASKING_CONDITIONS,
): readonly AbstentionAnswer[] =>
  (Object.keys(FORMS) as LocalSamplingName[]).flatMap((name) => questionsTo(name, queries, ways))
    .flatMap(({ key, address }) => {
      const row = rows.get(key);
      return row?.prompt_sha256 === address ? [row] : [];
    });

/** Looks up an answer's manual label. Undefined for an unread or changed answer. */
export function handLabels(rows = ABSTENTION_HAND_LABELS.read()) {
  const labels = new Map(rows.map((row) => [`${row.key} ${row.answer_sha256}`, row.label]));
  return (answer: AbstentionAnswer): AbstentionLabel | undefined => {
    // The first sixteen digits identify an answer's text.
    const digest = sha256Hex(answer.answer).slice(0, 16);
    return labels.get(`${ABSTENTION_ANSWERS.keyOf(answer)} ${digest}`);
  };
}

/**
 * Agreement of two readers of abstentions. @throws {RangeError} for an answer that the first left
 * out.
 */
export function readersOfAbstentions() {
  const first = new Map([
    ...ABSTENTION_HAND_LABELS.read().map(({ key, label }) => [key, label] as const),
    ...ABSTENTION_SHARED_LABELS.read().map((row) => [`${row.set}/${row.id}`, row.label] as const),
  ]);
  const pairs = ABSTENTION_SECOND_LABELS.read().map(({ key, label }) => {
    const other = first.get(key);
    if (other !== undefined) return [other, label] as const;
    throw new RangeError(`Cannot compare readers: the first did not label ${key}.`);
  });
  return { answers: pairs.length, ...readersAgree(pairs) };
}

/** Agreement of two readers: the share of equal labels, and Cohen's κ. */
export function readersAgree(pairs: readonly (readonly [string, string])[]) {
  const agreement = cohenKappa(pairs.map(([one]) => one), pairs.map(([, other]) => other));
  const kappa: Measure = agreement.kind === "kappa"
    ? { kind: "value", estimate: agreement.kappa }
    : agreement;
  return { same: pairs.filter(([one, other]) => one === other).length, kappa };
}
