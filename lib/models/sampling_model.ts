/** What a model is to go on from. */
export interface SamplePrompt {
  /** Asked in the model's chat template where it has one, else read as it stands. */
  readonly text: string;
  /** The beginning of the reply, already written; the sample goes on from there. */
  readonly replySoFar?: string;
}

export interface SampleOptions {
  /** The same seed gives the same sample on the same machine; without effect at temperature 0. */
  readonly seed: number | string;
  /** 0: the most probable token each time. Else logits are divided by it; nothing is cut off. */
  readonly temperature: number;
  readonly maxTokens: number;
  /** The reply ends before the first of these. */
  readonly stop?: readonly string[];
  readonly signal?: AbortSignal;
}

/** A token of a sample, with what the model thought of it at temperature 1. */
export interface SampledToken {
  readonly text: string;
  /** In nats, ≤ 0. */
  readonly logProbability: number;
  /** Shannon entropy in nats of the whole distribution it was drawn from, 0 to ln(vocabulary). */
  readonly entropy: number;
}

export type SampleReply =
  | {
    readonly kind: "sample";
    readonly text: string;
    readonly tokens: readonly SampledToken[];
    readonly promptTokens: number;
    readonly ended: "complete" | "length" | "stopped";
  }
  | { readonly kind: "failure"; readonly message: string };

/** A model in this process whose replies are drawn, and whose probabilities can be read. */
export interface SamplingModel {
  readonly name: string;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** A reply. An abort gives what was written until then, `stopped`. */
  sample(prompt: SamplePrompt, options: SampleOptions): Promise<SampleReply>;
  /**
   * log P(continuation | prompt) in nats, one number each, summed over the continuation's tokens.
   *
   * @throws {RangeError} for a prompt longer than the context. @throws the signal's reason.
   */
  continuations(
    prompt: SamplePrompt,
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly number[]>;
}
