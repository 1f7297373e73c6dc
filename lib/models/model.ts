/** What a model gives a text: the joint probability of its tokens after the start token. */
export interface Likelihood {
  /** Total log-probability in nats, ≤ 0. */
  readonly logProbability: number;
  /** Tokens scored, ≥ 1; the start token is not among them. */
  readonly tokens: number;
  /** UTF-8 bytes of the text. */
  readonly bytes: number;
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
