/** What a model gives a text: the joint probability of its tokens after the start token. */
export interface Likelihood {
  /** Total log-probability in nats, ≤ 0. */
  readonly logProbability: number;
  /** Tokens scored, ≥ 1; the start token is not among them. */
  readonly tokens: number;
  /** UTF-8 bytes of the text. */
  readonly bytes: number;
}

/** UTF-8 bytes of a text. */
export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** A model that assigns probabilities to texts. */
export interface LanguageModel {
  readonly name: string;
  /** Whatever could change a score: file hash, precision, threads, batch shape. Kept beside the results. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Calls of `score` that may be in flight at once; 1 where left out. */
  readonly concurrency?: number;
  /**
   * One likelihood a text, in order. Texts that share a prefix are evaluated together where the
   * engine can. Throws the signal's reason when it aborts; an engine in this process may end its work.
   */
  score(
    texts: readonly string[],
    options?: { readonly signal?: AbortSignal },
  ): Promise<readonly Likelihood[]>;
}

/** What came back from a chat model. A failure is not an answer: it is tried again. */
export type Reply =
  | {
    readonly kind: "answer";
    readonly text: string;
    readonly promptTokens: number;
    readonly replyTokens: number;
  }
  | { readonly kind: "refusal"; readonly text: string }
  | { readonly kind: "failure"; readonly message: string };

/** A model that answers a prompt. */
export interface ChatModel {
  readonly name: string;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Calls of `ask` that may be in flight at once; 1 where left out. */
  readonly concurrency?: number;
  /** @throws {ModelUnavailable} where no answer can be had for now, whatever is asked. */
  ask(prompt: string, options?: { readonly signal?: AbortSignal }): Promise<Reply>;
}

/**
 * No answer can be had from a model for now: no key is left, or the model is no longer served. Who
 * asks ends this model's part of the run, keeps what there is, and tells the message.
 */
export class ModelUnavailable extends Error {
  override readonly name = "ModelUnavailable";

  /** @param returns when asking may be tried again; nothing where waiting does not help. */
  constructor(message: string, readonly model: string, readonly returns?: Date) {
    super(message);
  }
}

/** Two sets of words, one of which is to follow a prompt: `["Yes"]` against `["No"]`. */
export interface NextWords {
  readonly yes: readonly string[];
  readonly no: readonly string[];
}

/** How probable the words are as the next one. */
interface NextWordMass {
  readonly kind: "mass";
  /** Each 0–1; together with `other` 1. */
  readonly yes: number;
  readonly no: number;
  /** Of all other words: near 1, the prompt was not understood. */
  readonly other: number;
}

export type NextWordReply =
  | NextWordMass
  | { readonly kind: "refusal"; readonly text: string }
  | { readonly kind: "failure"; readonly message: string };

/** A model that is not let write: only the probabilities of what it would write next are read. */
export interface NextWordModel {
  readonly name: string;
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Calls in flight at once that it bears. */
  readonly concurrency: number;
  /**
   * Each word counts in all its ways of being written (see `waysOfWriting`).
   *
   * @throws the signal's reason when it aborts.
   */
  nextWord(
    prompt: string,
    words: NextWords,
    options?: { readonly signal?: AbortSignal },
  ): Promise<NextWordReply>;
}

/** A word in small letters, with a capital and in capitals, each alone and after a space. */
export function waysOfWriting(word: string): readonly string[] {
  const small = word.toLowerCase();
  const capital = small.slice(0, 1).toUpperCase() + small.slice(1);
  const written = new Set([word, small, capital, word.toUpperCase()]);
  return [...written].flatMap((way) => [way, ` ${way}`]);
}

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

/**
 * The part of JSON Schema that grammars and servers share. Keys come in their order and all are
 * required; limits of integers are enforced by no grammar here: give the values as an `enum`.
 */
export type JsonSchema =
  | { readonly type: "string"; readonly maxLength?: number }
  | { readonly type: "boolean" }
  | { readonly enum: readonly (string | number)[] }
  | { readonly type: "array"; readonly items: JsonSchema; readonly maxItems?: number }
  | { readonly type: "object"; readonly properties: Readonly<Record<string, JsonSchema>> };

/** What a model wrote, or why it did not. */
export type StructuredReply =
  | {
    readonly kind: "answer";
    readonly text: string;
    /** Whether it came to its own end, to the limit of tokens, or was stopped by the signal. */
    readonly ended: "complete" | "length" | "stopped";
  }
  | { readonly kind: "refusal"; readonly text: string }
  | {
    readonly kind: "failure";
    readonly message: string;
    /** What had been written until then; undefined where nothing had. */
    readonly partialText: string | undefined;
  };

/** A model that writes at length, in JSON of a given schema where its engine can force that. */
export interface StructuredModel {
  readonly name: string;
  /** File hash, temperature, seed, limit of tokens: whatever could change an answer. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Calls in flight at once that it bears. */
  readonly concurrency: number;
  /**
   * One answer. Where the engine has no grammar, the schema is only what the prompt says of it, and
   * the text may be anything. An abort does not throw: what was written until then is an answer that
   * was `stopped`, or a failure where nothing was.
   *
   * @throws {ModelUnavailable} where no answer can be had for now, whatever is asked.
   */
  ask(
    prompt: string,
    options?: { readonly schema?: JsonSchema; readonly signal?: AbortSignal },
  ): Promise<StructuredReply>;
}
