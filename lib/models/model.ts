/** Joint probability of a text's tokens after the start token, under one model. */
export interface Likelihood {
  /** Total log-probability in nats, ≤ 0. */
  readonly logProbability: number;
  /** Number of tokens scored, ≥ 1, without the start token. */
  readonly tokens: number;
  readonly bytes: number;
}

export function byteLength(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Properties of every model. */
interface Named {
  readonly name: string;
  /**
   * Settings that could change a result (file hash, precision, threads, batch shape). They are
   * stored with it.
   */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Maximum number of concurrent calls, 1 by default. */
  readonly concurrency?: number;
}

interface Stop {
  readonly signal?: AbortSignal;
}

/** A text to score. `through` is optionally a beginning of it that ends at the end of a word. */
export interface ScoredText {
  readonly text: string;
  readonly through?: string | undefined;
}

/** A token or a word of a text. */
export interface ScoredPiece {
  /** Text with its leading space; empty for a token that is only part of a character. */
  readonly text: string;
  /**
   * Log-probability in nats given all preceding text, ≤ 0. That of a word includes its end
   * (`continuesWord` of `llama/engine.ts`).
   */
  readonly logProbability: number;
  /** Index of its word, from 0; words are separated by white space. */
  readonly word: number;
  /** Offset of its end in the text, in UTF-16 units. */
  readonly end: number;
  /** Number of its tokens. */
  readonly tokens: number;
}

/** Result of one pass over a text. */
export interface TextScore {
  readonly whole: Likelihood;
  /** Likelihood up to the end of `through`, including the end of its last word. On request. */
  readonly through?: Likelihood;
  /** Tokens and words of the text, on request. */
  readonly tokens?: readonly ScoredPiece[];
  readonly words?: readonly ScoredPiece[];
}

interface Scoring extends Stop {
  /** Text before each of these, joined by a space. Models condition on it and do not score it. */
  readonly prefix?: string | undefined;
}

/** A model that assigns probabilities to texts. */
export interface LanguageModel extends Named {
  /**
   * Returns one likelihood per text, in order. Throws the signal's reason when it aborts; a local
   * engine may finish its work first.
   */
  score(texts: readonly string[], options?: Scoring): Promise<readonly Likelihood[]>;
  /**
   * Scores beginnings of texts too, with tokens and words on request.
   *
   * Undefined for a model without probabilities of the next token.
   */
  scoreParts?(
    texts: readonly ScoredText[],
    options?: Scoring & { readonly pieces?: boolean },
  ): Promise<readonly TextScore[]>;
}

interface Refusal {
  readonly kind: "refusal";
  readonly text: string;
}

interface Failure {
  readonly kind: "failure";
  readonly message: string;
  /** True if the prompt exceeds the context. Another attempt would fail too. */
  readonly tooLong?: boolean | undefined;
  /** True if the host rejects this request. Another attempt would fail too. */
  readonly isRefused?: boolean | undefined;
}

export type Reply =
  | {
    readonly kind: "answer";
    readonly text: string;
    readonly promptTokens: number;
    readonly replyTokens: number;
    /** True if the token limit ended the answer. */
    readonly isCut?: true;
  }
  | Refusal
  | Failure;

export interface ChatModel extends Named {
  /** @param options `limitTimes`: factor on the token limit of the reply, if there is a limit. */
  ask(prompt: string, options?: Stop & { readonly limitTimes?: number }): Promise<Reply>;
}

/**
 * Error of a model that cannot answer for now. It ends the model's part of the run; answers so far
 * are kept.
 */
export class ModelUnavailable extends Error {
  override readonly name = "ModelUnavailable";

  /** @param returns Time of the next possible attempt; undefined if waiting does not help. */
  constructor(message: string, readonly model: string, readonly returns?: Date) {
    super(message);
  }
}

/** Error of a call that may succeed later, for example a network failure or a busy server. */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
}

/** Two sets of words compared as the continuation of a prompt: `["Yes"]` and `["No"]`. */
export interface NextWords {
  readonly yes: readonly string[];
  readonly no: readonly string[];
}

/**
 * Probability of each set of words as the continuation. With `other` they sum to 1. If `other` is
 * near 1, the model did not understand the question.
 */
export type NextWordReply =
  | { readonly kind: "mass"; readonly yes: number; readonly no: number; readonly other: number }
  | Refusal
  | Failure;

/** A model read by its next-token probabilities, without generating text. */
export interface NextWordModel extends Named {
  readonly concurrency: number;
  /**
   * Returns the probabilities of the words, each in all its {@link spellingsOf}. @throws the
   * signal's reason when it aborts.
   */
  nextWord(prompt: string, words: NextWords, options?: Stop): Promise<NextWordReply>;
}

/** Probability of each answer as the beginning of a reply, in order. With `other` they sum to 1. */
export type AnswerReply =
  | { readonly kind: "mass"; readonly answers: readonly number[]; readonly other: number }
  | Refusal
  | Failure;

export function massReply(answers: readonly number[]): AnswerReply {
  const named = answers.reduce((sum, mass) => sum + mass, 0);
  return { kind: "mass", answers, other: Math.max(0, 1 - named) };
}

/** A model that chooses among single-token answers, without generating text. */
export interface AnswerModel extends Named {
  /** Counts the tokens of a text without context. */
  countTokens(text: string): number;
  /**
   * Returns the probabilities of the answers, each a word in all its {@link spellingsOf}.
   * Consecutive prompts with a common beginning share its evaluation. @throws the signal's reason
   * when it aborts.
   */
  answer(prompt: string, answers: readonly string[], options?: Stop): Promise<AnswerReply>;
}

/**
 * Returns the spellings of a word: lower case, capitalised and upper case, with and without leading
 * space.
 */
export function spellingsOf(word: string): readonly string[] {
  const small = word.toLowerCase();
  const capital = small.slice(0, 1).toUpperCase() + small.slice(1);
  const written = new Set([word, small, capital, word.toUpperCase()]);
  return [...written].flatMap((way) => [way, ` ${way}`]);
}

/** Prompt that a model continues. */
export interface SamplePrompt {
  /** Text of the prompt. The model's chat template is applied if it has one. */
  readonly text: string;
  /** Beginning of the reply, which the sample continues. */
  readonly replySoFar?: string;
}

export interface SampleOptions extends Stop {
  readonly seed: number | string;
  /**
   * Sampling temperature, ≥ 0. At 0 the most probable token is chosen. The distribution is not
   * truncated.
   */
  readonly temperature: number;
  readonly maxTokens: number;
  readonly stop?: readonly string[];
}

/** A token of a sample, with the model's probability and entropy at temperature 1. */
export interface SampledToken {
  readonly text: string;
  /** Log-probability in nats, ≤ 0. */
  readonly logProbability: number;
  /** Shannon entropy of the token's distribution in nats, 0 to ln(vocabulary). */
  readonly entropy: number;
}

/** Reason for the end of a text: complete, token limit, or aborted by the signal. */
type Ending = "complete" | "length" | "stopped";

export type SampleReply =
  | {
    readonly kind: "sample";
    readonly text: string;
    readonly tokens: readonly SampledToken[];
    readonly ended: Ending;
  }
  | Failure;

/** A local model that samples replies and scores continuations. */
export interface SamplingModel extends Named {
  /** Samples a reply. After an abort it returns the text so far as `stopped`. */
  sample(prompt: SamplePrompt, options: SampleOptions): Promise<SampleReply>;
  /**
   * Returns log P(continuation | prompt) in nats. @throws {RangeError} for a prompt above the
   * context.
   */
  continuations(
    prompt: SamplePrompt,
    texts: readonly string[],
    options?: Stop,
  ): Promise<readonly number[]>;
}

/** A sampled reply, with its mean log-probability per token in nats if available. */
export type DrawnReply =
  | {
    readonly kind: "drawn";
    readonly text: string;
    readonly meanLogProbability: number | undefined;
    readonly ended: Ending;
  }
  | Refusal
  | Failure;

/** A model whose replies are sampled at its temperature, local or on a server. */
export interface DrawnModel extends Named, Partial<Pick<SamplingModel, "continuations">> {
  readonly concurrency: number;
  /** True if it answers questions; a base model continues examples. */
  readonly isChat: boolean;
  /** Samples a reply. @throws {ModelUnavailable} where the model cannot answer for now. */
  draw(
    prompt: SamplePrompt,
    options: Pick<SampleOptions, "seed" | "stop" | "signal">,
  ): Promise<DrawnReply>;
  /** Chooses among answers by next-token probabilities, if the server provides them. */
  readonly answer?: AnswerModel["answer"];
}

/**
 * JSON Schema supported by grammars and servers. All keys are required; limited integers are an
 * `enum`.
 */
export type JsonSchema =
  | { readonly type: "string"; readonly maxLength?: number }
  | { readonly type: "boolean" }
  | { readonly enum: readonly (string | number)[] }
  | { readonly type: "array"; readonly items: JsonSchema; readonly maxItems?: number }
  | { readonly type: "object"; readonly properties: Readonly<Record<string, JsonSchema>> };

/** A reply in JSON, or the reason for its absence, with the partial text. */
export type StructuredReply =
  | {
    readonly kind: "answer";
    readonly text: string;
    readonly ended: Ending;
    /** Probabilities of the requested number, if available. */
    readonly numbers?: NumberMass;
  }
  | Refusal
  | Failure & { readonly partialText: string | undefined };

/**
 * Probability of each whole number from 0 to 100 at the position of a number. The sum is at most 1.
 */
export type NumberMass = ReadonlyMap<number, number>;

/**
 * Minimum probability of a first digit that is followed further. Less changes an expectation by at
 * most a tenth of a point.
 */
const LEAST_FOLLOWED = 0.01;

/**
 * Computes the probabilities of numbers that are written digit by digit or as one token.
 * @param next Returns the probabilities of digits after given digits (first after the empty
 * string), or undefined where they are unknown. A first digit then counts as the middle of its ten.
 */
export async function numberMass(
  next: (digits: string) => Promise<ReadonlyMap<string, number> | undefined>,
): Promise<NumberMass> {
  const masses = new Map<number, number>();
  const add = (number: number, mass: number) =>
    masses.set(number, (masses.get(number) ?? 0) + mass);
  const isNumber = (digits: string) => /^(?:0|[1-9]\d?|100)$/.test(digits);
  const first = await next("") ?? new Map<string, number>();
  const isDigitByDigit = first.keys().every((digits) => digits.length === 1);
  const follow = async (digits: string, mass: number): Promise<void> => {
    if (digits === "0" || digits === "100") return void add(Number(digits), mass);
    const after = mass < LEAST_FOLLOWED ? undefined : await next(digits);
    if (after === undefined) {
      const isBegun = isDigitByDigit && digits.length === 1;
      return void add(Number(digits) * (isBegun ? 10 : 1) + (isBegun ? 5 : 0), mass);
    }
    let rest = 1;
    for (const [more, share] of after) {
      if (!isNumber(digits + more)) continue;
      rest -= share;
      await follow(digits + more, mass * share);
    }
    if (rest > 1e-9) add(Number(digits), mass * rest);
  };
  for (const [digits, mass] of first) if (isNumber(digits)) await follow(digits, mass);
  return masses;
}

/** Returns the offset of the number under a key in a JSON text. The last occurrence counts. */
export function numberOffset(text: string, key: string): number | undefined {
  const last = [...text.matchAll(new RegExp(`"${key}"\\s*:\\s*"?(?=\\d)`, "g"))].at(-1);
  return last && last.index + last[0].length;
}

/** A model that generates long texts, in JSON of a given schema if the engine can enforce it. */
export interface StructuredModel extends Named {
  readonly concurrency: number;
  /**
   * Asks for one answer. Without a grammar only the prompt describes the schema.
   *
   * An abort does not throw. It returns the text so far as `stopped`, or a failure if there is
   * none.
   * @throws {ModelUnavailable} where the model cannot answer for now.
   */
  ask(
    prompt: string,
    options?: Stop & {
      readonly schema?: JsonSchema;
      /** Sampling seed. Different seeds give different answers. */
      readonly seed?: number;
      /** Key of the integer whose probabilities are requested. */
      readonly numberOf?: string;
    },
  ): Promise<StructuredReply>;
}
