/** Token ids of a text; indices into the model's vocabulary. */
export type Tokens = readonly number[];

/** How a model cuts text into tokens. */
export interface Vocabulary {
  /** The text as it stands, no start token added; no markup such as `<|im_start|>` is read in it. */
  tokenise(text: string): Tokens;
  /** A rendered chat template, in which markup names control tokens. */
  tokeniseMarkup(text: string): Tokens;
  /** The text of the tokens, control tokens left out. */
  detokenise(tokens: Tokens): string;
  /** Whether the token ends a reply: end of turn or end of text. */
  endsReply(token: number): boolean;
  /** What precedes every text that is scored. */
  readonly start: StartToken;
  /** The BOS token where the file asks for it before every text, chat prompts included. */
  readonly chatStart: number | undefined;
}

/** The token that conditions a text's first real token, which is thereby scored like the others. */
export interface StartToken {
  readonly id: number;
  readonly source: "bos" | "end-of-text" | "eos";
}

/** The distribution of the token after a prompt. */
export interface NextToken {
  /** The most probable token; the lowest id of several. */
  readonly best: number;
  /** Entries of the vocabulary: tokens are 0 to `size` − 1. */
  readonly size: number;
  /** Log-probability in nats. */
  logProbability(token: number): number;
}

/** Reads prompts one at a time and keeps what it has read for the next that begins alike. */
export interface TokenReader {
  /** @throws {RangeError} for a prompt that is empty or longer than the context. */
  read(tokens: Tokens): Promise<NextToken>;
}

/** A model loaded for evaluation, by whatever means. Calls take turns; results do not depend on order. */
export interface Engine extends AsyncDisposable {
  readonly vocabulary: Vocabulary;
  /** The file's own Jinja chat template; undefined for a model that was never taught to chat. */
  readonly chatTemplate: string | undefined;
  /** Engine and version, threads, shapes, start token: whatever could change a score. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /**
   * Log-probability in nats of each sequence's tokens after its first, which is the start token.
   *
   * @throws {RangeError} for a sequence shorter than 2 tokens or longer than the context.
   */
  score(sequences: readonly Tokens[]): Promise<readonly number[]>;
  /** Runs a task with the reader to itself. */
  reading<T>(task: (reader: TokenReader) => Promise<T>): Promise<T>;
}

export interface EngineOptions {
  /** Threads of evaluation. Scores were found the same to the last digit for 1 and 2. */
  readonly threads: number;
  /** Longest text in tokens, and longest run of texts that share a prefix. */
  readonly contextTokens: number;
}
