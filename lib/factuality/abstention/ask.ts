import { sha256Hex } from "../../files/checksum.ts";
import { inertText } from "../../files/inert_text.ts";
import type { SampleOptions, SamplePrompt, SamplingModel } from "../../models/sampling_model.ts";
import type { AbstentionAnswer } from "./answer.ts";
import { abstentionPrompt, type Instruction, type PromptForm } from "./instructions.ts";
import type { AbstentionQuery } from "./query.ts";

/** What is asked. */
export type AskedQuery = Pick<AbstentionQuery, "id" | "question" | "exists">;

/** One way in which a model is asked. */
export interface AbstentionCondition {
  readonly form: PromptForm;
  readonly instruction: Instruction;
  readonly temperature: number;
  readonly seed: number;
}

/** A sentence and the beginning of another: enough to see whether it declines. */
const MAX_TOKENS = 36;
/** Where a base model goes on to a question of its own. */
const STOP = ["\n"];

/** Whether the table has the answer already; a changed prompt or model file makes it another. */
export function isAnswered(
  rows: readonly AbstentionAnswer[],
  query: AskedQuery,
  condition: AbstentionCondition,
  modelSha256: string,
): boolean {
  const prompt = digestOf(abstentionPrompt(query, condition.form, condition.instruction));
  return rows.some((row) =>
    row.query_id === query.id && row.prompt_sha256 === prompt && row.seed === condition.seed &&
    row.temperature === condition.temperature && row.model_sha256 === modelSha256
  );
}

/**
 * One answer, not yet classified.
 * @returns undefined where the signal stopped it: half an answer is none.
 * @throws {Error} with the model's message, where it cannot answer.
 */
export async function askQuery(
  model: SamplingModel,
  query: AskedQuery,
  condition: AbstentionCondition,
  signal: AbortSignal,
): Promise<AbstentionAnswer | undefined> {
  const { form, instruction, temperature, seed } = condition;
  const prompt = abstentionPrompt(query, form, instruction);
  const options: SampleOptions = {
    ...{ temperature, signal, maxTokens: MAX_TOKENS, seed: `${seed}/${query.id}` },
    ...form === "few-shot" ? { stop: STOP } : {},
  };
  const reply = await model.sample(prompt, options);
  if (reply.kind === "failure") throw new Error(`${query.id}: ${reply.message}`);
  if (reply.ended === "stopped") return undefined;
  return {
    ...{ model: model.name, instruction, temperature, seed, query_id: query.id },
    model_sha256: String(model.settings.fileSha256),
    prompt_sha256: digestOf(prompt),
    answer: inertText(`${prompt.replySoFar ?? ""}${reply.text}`.replace(/\s+/gu, " ").trim()),
    ...{ tokens: reply.tokens.length, ended: reply.ended, label: "", probability: "" },
  };
}

const digestOf = ({ text, replySoFar = "" }: SamplePrompt) => sha256Hex(text + replySoFar);
