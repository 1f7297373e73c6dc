/** Joint probability that a model gives a text's tokens after the start token. */
export interface Likelihood {
  /** Total log-probability in nats, ≤ 0. */
  readonly logProbability: number;
  /** Tokens scored, ≥ 1; the start token is not among them. */
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
   * Everything that could change a result: file hash, precision, threads, batch shape. Kept with
   * the result.
   */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Calls that may be in flight at once; 1 where left out. */
  readonly concurrency?: number;
}

interface Stop {
  readonly signal?: AbortSignal;
}

/** A text to score, optionally with a beginning of it that ends with a word. */
export interface ScoredText {
  readonly text: string;
  readonly through?: string | undefined;
}

/** A token or a word of a text. */
export interface ScoredPiece {
  /** Text with its leading space; a token that is a part of a character has none of it. */
  readonly text: string;
  /** In nats given all before it, ≤ 0; of a word with its end (`continuesWord` of `llama/engine.ts`). */
  readonly logProbability: number;
  /** Index of its word, from 0; words are separated by white space. */
  readonly word: number;
  /** UTF-16 units of the text up to and with it. */
  readonly end: number;
  /** Tokens of it. */
  readonly tokens: number;
}

/** Result of one pass over a text. */
export interface TextScore {
  readonly whole: Likelihood;
  /** Likelihood of the tokens through the word and of the word's end, on request. */
  readonly through?: Likelihood;
  /** Tokens, on request. */
  readonly tokens?: readonly ScoredPiece[];
  readonly words?: readonly ScoredPiece[];
}

interface Scoring extends Stop {
  /** Text before each of these, conditioned upon and not scored; a space follows it. */
  readonly prefix?: string | undefined;
}

/** A model that assigns probabilities to texts. */
export interface LanguageModel extends Named {
  /** One likelihood a text, in order. Throws the signal's reason; an engine here may end its work. */
  score(texts: readonly string[], options?: Scoring): Promise<readonly Likelihood[]>;
  /**
   * Scores beginnings too, with tokens and words on demand.
   *
   * Undefined for a model that gives no probabilities of what may follow.
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
  /** The prompt is longer than the model reads: asking again does not help. */
  readonly tooLong?: boolean | undefined;
  /** The host refuses this very request: asking again does not help. */
  readonly isRefused?: boolean | undefined;
}

export type Reply =
  | {
    readonly kind: "answer";
    readonly text: string;
    readonly promptTokens: number;
    readonly replyTokens: number;
    /** The limit of tokens ended it. */
    readonly isCut?: true;
  }
  | Refusal
  | Failure;

export interface ChatModel extends Named {
  /** @param options `limitTimes`: how many times its limit of tokens a reply may have, where it has one. */
  ask(prompt: string, options?: Stop & { readonly limitTimes?: number }): Promise<Reply>;
}

/** A model that can give no answer for now: its part of the run ends, given answers are kept. */
export class ModelUnavailable extends Error {
  override readonly name = "ModelUnavailable";

  /** @param returns when asking may be tried again; nothing where waiting does not help. */
  constructor(message: string, readonly model: string, readonly returns?: Date) {
    super(message);
  }
}

/** A call that failed and may go well later: of a network, or of a server that is busy. */
export class CallFailed extends Error {
  override readonly name = "CallFailed";
}

/** Two sets of words, one of which is to follow a prompt: `["Yes"]` against `["No"]`. */
export interface NextWords {
  readonly yes: readonly string[];
  readonly no: readonly string[];
}

/** Probability of each word as the next one; with `other` 1. `other` near 1: not understood. */
export type NextWordReply =
  | { readonly kind: "mass"; readonly yes: number; readonly no: number; readonly other: number }
  | Refusal
  | Failure;

/** A model that is not let write: only the probabilities of what it would write next are read. */
export interface NextWordModel extends Named {
  readonly concurrency: number;
  /** Each word counts in all its {@link spellingsOf}. @throws the signal's reason when it aborts. */
  nextWord(prompt: string, words: NextWords, options?: Stop): Promise<NextWordReply>;
}

/** Probability of each answer as the beginning of a reply, in order; with `other` 1. */
export type AnswerReply =
  | { readonly kind: "mass"; readonly answers: readonly number[]; readonly other: number }
  | Refusal
  | Failure;

export function massReply(answers: readonly number[]): AnswerReply {
  const named = answers.reduce((sum, mass) => sum + mass, 0);
  return { kind: "mass", answers, other: Math.max(0, 1 - named) };
}

/** A model that chooses among answers of one token without writing. */
export interface AnswerModel extends Named {
  /** Number of tokens of a text without context. */
  countTokens(text: string): number;
  /**
   * Each answer is a word in all its {@link spellingsOf}. Of prompts that begin alike one after the
   * other, the beginning is read once. @throws the signal's reason when it aborts.
   */
  answer(prompt: string, answers: readonly string[], options?: Stop): Promise<AnswerReply>;
}

/** Spellings of a word: lower case, capitalised and upper case, each alone and after a space. */
export function spellingsOf(word: string): readonly string[] {
  const small = word.toLowerCase();
  const capital = small.slice(0, 1).toUpperCase() + small.slice(1);
  const written = new Set([word, small, capital, word.toUpperCase()]);
  return [...written].flatMap((way) => [way, ` ${way}`]);
}

/** Prompt that a model continues. */
export interface SamplePrompt {
  /** Prompt in the model's chat template where it has one, else without any. */
  readonly text: string;
  /** The beginning of the reply, already written; the sample goes on from there. */
  readonly replySoFar?: string;
}

export interface SampleOptions extends Stop {
  readonly seed: number | string;
  /** 0: the most probable token each time. Else logits are divided by it; nothing is cut off. */
  readonly temperature: number;
  readonly maxTokens: number;
  readonly stop?: readonly string[];
}

/** A token of a sample, with the model's probability and entropy at temperature 1. */
export interface SampledToken {
  readonly text: string;
  /** In nats, ≤ 0. */
  readonly logProbability: number;
  /** Shannon entropy of the distribution it was drawn from, in nats, 0 to ln(vocabulary). */
  readonly entropy: number;
}

/** Ending of a text: complete, at the limit of tokens, or by the signal. */
type Ending = "complete" | "length" | "stopped";

export type SampleReply =
  | {
    readonly kind: "sample";
    readonly text: string;
    readonly tokens: readonly SampledToken[];
    readonly ended: Ending;
  }
  | Failure;

/** A local model whose replies are drawn and whose probabilities can be read. */
export interface SamplingModel extends Named {
  /** A reply. An abort gives what was written until then, `stopped`. */
  sample(prompt: SamplePrompt, options: SampleOptions): Promise<SampleReply>;
  /** log P(continuation | prompt) in nats. @throws {RangeError} for a prompt above the context. */
  continuations(
    prompt: SamplePrompt,
    texts: readonly string[],
    options?: Stop,
  ): Promise<readonly number[]>;
}

/** A drawn reply; its log-probability in nats a token, where engine or server give it. */
export type DrawnReply =
  | {
    readonly kind: "drawn";
    readonly text: string;
    readonly meanLogProbability: number | undefined;
    readonly ended: Ending;
  }
  | Refusal
  | Failure;

/** A model whose replies are drawn at its temperature, here or on a server. */
export interface DrawnModel extends Named, Partial<Pick<SamplingModel, "continuations">> {
  readonly concurrency: number;
  /** True if it answers questions; a base model continues examples. */
  readonly isChat: boolean;
  /** @throws {ModelUnavailable} where the model can answer nothing for now. */
  draw(
    prompt: SamplePrompt,
    options: Pick<SampleOptions, "seed" | "stop" | "signal">,
  ): Promise<DrawnReply>;
  /** Reads answers by the next token's probabilities, where a server gives them. */
  readonly answer?: AnswerModel["answer"];
}

/** JSON Schema as grammars and servers share it; keys are required, limits of integers an `enum`. */
export type JsonSchema =
  | { readonly type: "string"; readonly maxLength?: number }
  | { readonly type: "boolean" }
  | { readonly enum: readonly (string | number)[] }
  | { readonly type: "array"; readonly items: JsonSchema; readonly maxItems?: number }
  | { readonly type: "object"; readonly properties: Readonly<Record<string, JsonSchema>> };

/** Reply in JSON, or the reason for its absence with the text so far. */
export type StructuredReply =
  | {
    readonly kind: "answer";
    readonly text: string;
    readonly ended: Ending;
    /** Probabilities of the numbers, where requested and available. */
    readonly numbers?: NumberMass;
  }
  | Refusal
  | Failure & { readonly partialText: string | undefined };

/** Probability of each whole number from 0 to 100 where one was written; together at most 1. */
export type NumberMass = ReadonlyMap<number, number>;

/** Less is not followed further: it moves an expectation by a tenth of a point. */
const LEAST_FOLLOWED = 0.01;

/**
 * Computes the probabilities of numbers, written digit by digit or as one token.
 * @param next Probability of texts of digits after others (the empty string first); undefined where
 * unknown: a first digit then stands for the middle of its ten.
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

/** Offset of the number under a key in a JSON text, the last of several. */
export function numberOffset(text: string, key: string): number | undefined {
  const last = [...text.matchAll(new RegExp(`"${key}"\\s*:\\s*"?(?=\\d)`, "g"))].at(-1);
  return last && last.index + last[0].length;
}

/** A model that writes long texts, in JSON of a given schema where the engine enforces it. */
export interface StructuredModel extends Named {
  readonly concurrency: number;
  /**
   * Asks for one answer; without a grammar the schema is only described by the prompt.
   *
   * An abort does not throw: text written so far is an answer that was `stopped`, or a failure
   * where there is none.
   * @throws {ModelUnavailable} where the model can answer nothing for now.
   */
  ask(
    prompt: string,
    options?: Stop & {
      readonly schema?: JsonSchema;
      /** Seed of a drawn answer: another seed, another answer. */
      readonly seed?: number;
      /** Key of the schema whose whole number's probabilities are requested. */
      readonly numberOf?: string;
    },
  ): Promise<StructuredReply>;
}
