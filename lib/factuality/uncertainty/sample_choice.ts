import type { SampleOptions, SamplingModel } from "../../models/sampling_model.ts";
import type { ChoiceQuestion } from "./choice_question.ts";
import { answerPrompt, THOUGHT_END, thoughtPrompt } from "./choice_prompt.ts";

/** How thoughts are drawn. At temperature 0 all would be one. */
export const THOUGHT = { temperature: 1, maxTokens: 24 } as const;

/** One sampled thought, and what the model gives each option after it. */
export interface ChoiceSample {
  readonly kind: "sample";
  readonly thought: string;
  readonly thoughtTokens: number;
  /**
   * Mean entropy of the distributions that the thought's tokens were drawn from, in nats; undefined
   * where the model had no thought.
   */
  readonly tokenEntropy: number | undefined;
  /** log P(option | question, thought), nats, in the order of the options. */
  readonly logProbabilities: readonly number[];
}

/** The model could not be asked. */
export interface FailedSample {
  readonly kind: "failure";
  readonly message: string;
}

/** Draws a thought about the question and reads the probabilities of its options. */
export async function sampleChoice(
  model: SamplingModel,
  { question, options }: ChoiceQuestion,
  { seed, signal }: Pick<SampleOptions, "seed" | "signal">,
): Promise<ChoiceSample | FailedSample> {
  const how = { ...THOUGHT, seed, stop: THOUGHT_END, signal };
  const reply = await model.sample(thoughtPrompt(question), how);
  signal?.throwIfAborted();
  if (reply.kind === "failure") return reply;
  const thought = reply.text.trim();
  const texts = options.map((option) => ` ${option}`);
  return {
    kind: "sample",
    thought,
    thoughtTokens: reply.tokens.length,
    tokenEntropy: meanOf(reply.tokens.map(({ entropy }) => entropy)),
    logProbabilities: await model.continuations(answerPrompt(question, thought), texts, { signal }),
  };
}

function meanOf(values: readonly number[]): number | undefined {
  if (values.length === 0) return undefined;
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
