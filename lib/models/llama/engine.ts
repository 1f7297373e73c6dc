import { logSumExp } from "./log_softmax.ts";

/** Token ids of a text; indices into the model's vocabulary. */
export type Tokens = readonly number[];

/** Vocabulary and tokeniser of a model. */
export interface Vocabulary {
  /** Tokenises a text as plain text, without start token; `<|im_start|>` is not special. */
  tokenise(text: string): Tokens;
  tokeniseMarkup(text: string): Tokens;
  detokenise(tokens: Tokens): string;
  endsReply(token: number): boolean;
  /** Returns a token's bytes, with its leading space; empty for a control token. */
  pieceOf(token: number): Uint8Array;
  /** Tests whether a token continues the preceding word ({@link continuesWord}). */
  continuesWord(token: number): boolean;
  /**
   * True if the tokeniser adds a space before every text (SentencePiece). A text's first space is
   * then omitted.
   */
  readonly addsSpace?: boolean;
  readonly start: StartToken;
  /** BOS token, if the file requires it before every text and chat prompt. */
  readonly chatStart: number | undefined;
}

/** Token before a text, so that its first token can be scored. */
interface StartToken {
  readonly id: number;
  readonly source: "bos" | "end-of-text" | "eos";
}

/** Tokens to score, start token first. */
export interface ScoredTokens {
  readonly tokens: Tokens;
  /** Indices of tokens after which the probability of a word's end is requested. */
  readonly wordEnds?: readonly number[];
  /** True for a single word, scored with its end in one evaluation. */
  readonly isWord?: boolean;
}

/** Log-probabilities of a sequence in nats. */
export interface SequenceScore {
  /** Log-probability of each token given those before it; 0 for the start token. */
  readonly tokens: readonly number[];
  /**
   * Log-probability that the next token does not continue the word, by index of the token before
   * it.
   */
  readonly wordEnds: ReadonlyMap<number, number>;
}

export interface NextToken {
  readonly best: number;
  readonly size: number;
  logProbability(token: number): number;
}

/** Evaluates prompts one at a time. A beginning shared with the last prompt is evaluated once. */
export interface TokenReader {
  /**
   * Evaluates a prompt. @throws {RangeError} for a prompt that is empty or longer than the context.
   */
  read(tokens: Tokens): Promise<NextToken>;
}

/** A model loaded for evaluation. Concurrent calls do not affect each other's results. */
export interface Engine extends AsyncDisposable {
  /** Maximum number of concurrent calls of each kind, ≥ 1. Others wait. */
  readonly concurrency: { readonly score: number; readonly reading: number };
  readonly vocabulary: Vocabulary;
  /** Jinja chat template of the file; undefined for a base model. */
  readonly chatTemplate: string | undefined;
  /** Settings that could change a score: engine and version, threads, shapes, start token. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /**
   * Returns log-probabilities after each start token. @throws {RangeError} outside 2 … context
   * tokens.
   */
  score(sequences: readonly ScoredTokens[]): Promise<readonly SequenceScore[]>;
  reading<T>(task: (reader: TokenReader) => Promise<T>): Promise<T>;
}

/** Pool that lends up to `most` objects, created on demand. The last returned is reused first. */
export function lendingPool<Lent>(most: number, make: () => Lent) {
  const free: Lent[] = [];
  const waiting: ((lent: Lent) => void)[] = [];
  let [made, closed] = [0, false];
  const returned = () => free.pop() ?? new Promise<Lent>((resolve) => waiting.push(resolve));
  const borrow = () => {
    if (closed) throw new TypeError("Cannot begin: the model has been closed");
    if (free.length > 0 || made === most) return returned();
    const first = make();
    made += 1;
    return first;
  };
  return {
    async lend<T>(task: (lent: Lent) => Promise<T>): Promise<T> {
      const lent = await borrow();
      try {
        return await task(lent);
      } finally {
        const next = waiting.shift();
        if (next) next(lent);
        else free.push(lent);
      }
    },
    /** Number of objects lent. */
    lent: () => made - free.length,
    /** Closes the pool and returns all objects once they are returned; none the second time. */
    close(): Promise<readonly Lent[]> {
      const left = closed ? 0 : made;
      closed = true;
      return Promise.all(Array.from({ length: left }, returned));
    },
  };
}

/**
 * Time with one thread per task after cores were shared: milliseconds, and multiples of the
 * decode's time.
 */
const SHARED_FOR = { least: 10_000, times: 10 };
/** Share of CPU time above which threads were undisturbed. */
const WHOLE = 0.85;

/**
 * Determines the number of threads per decode.
 *
 * It is a task's share of `most`. After a decode whose threads got less CPU time than they
 * requested it is 1 for a while, because spinning threads wait for each other. @param atWork
 * Returns the number of active tasks.
 */
export function spareCores(most: number, atWork: () => number, now = () => performance.now()) {
  let sharedUntil = -Infinity;
  return {
    threads: () => now() < sharedUntil ? 1 : Math.max(1, Math.floor(most / Math.max(1, atWork()))),
    /** Records a decode's CPU time and wall-clock time. */
    note(threads: number, processorMs: number, ms: number) {
      if (threads === 1 || processorMs >= WHOLE * threads * ms) return;
      sharedUntil = now() + Math.max(SHARED_FOR.least, SHARED_FOR.times * ms);
    },
  };
}

export type SpareCores = ReturnType<typeof spareCores>;

export function wholeCharacters(text: string): string {
  return text.replace(/\ufffd+$/, "");
}

/** Returns the id of a text that is a single token; undefined for others. */
export function singleToken(tokens: Tokens): number | undefined {
  return tokens.length === 1 ? tokens[0] : undefined;
}

/**
 * Selects the start token, on which a text's first token is conditioned.
 *
 * Without it that token would not be scored (minicons' issues 29 and 51). The choice is BOS if the
 * file requires it (Gemma's `<bos>`), else `<|endoftext|>`, which separated documents in
 * pretraining, else BOS or EOS. Instruct models may have a BOS that introduces a role (SmolLM2's
 * `<|im_start|>`). With `<|endoftext|>` three plain English sentences are 17 nats more probable on
 * average. @throws {TypeError} where the vocabulary has none of them.
 */
export function chooseStartToken({ bos, eos, endOfText, addBos }: {
  readonly bos: number | undefined;
  readonly eos: number | undefined;
  readonly endOfText: number | undefined;
  readonly addBos: boolean;
}): StartToken {
  if (addBos && bos !== undefined) return { id: bos, source: "bos" };
  if (endOfText !== undefined) return { id: endOfText, source: "end-of-text" };
  if (bos !== undefined) return { id: bos, source: "bos" };
  if (eos !== undefined) return { id: eos, source: "eos" };
  throw new TypeError("Cannot score with this model: its vocabulary has no start or end token");
}

const WORD = /[\p{L}\p{M}\p{N}\u200c\u200d]/u;
const REPLACED = 0xfffd;
/** First bytes of multi-byte characters that are mostly punctuation, symbols and emoji. */
const NO_LETTERS: ReadonlySet<number> = new Set([0xc2, 0xe2, 0xf0]);

/**
 * Tests whether a token that follows a word continues it.
 *
 * In most vocabularies a token includes the space before a word (`Ġ`, `▁`). The tokens of "grovel"
 * therefore also begin "grovels". The probability of a word is that of its tokens times that of a
 * next token that does not continue it (Pimentel & Meister 2024, "How to Compute the Probability of
 * a Word"). A continuing token has a letter, mark or digit before its first white space, as in
 * "ly", ".com" and "'s". A control token has no bytes and ends the word. If a token begins with
 * part of a character, its first byte decides.
 */
export function continuesWord(bytes: Uint8Array): boolean {
  const [glued = ""] = new TextDecoder().decode(bytes).split(/\s/u, 1);
  for (const character of glued) {
    if (WORD.test(character)) return true;
    if (character.codePointAt(0) !== REPLACED) continue;
    const sound = new TextEncoder().encode(glued.slice(0, glued.indexOf(character))).length;
    return !NO_LETTERS.has(bytes[sound]!);
  }
  return false;
}

/** Returns log P(the next token does not continue the word) in nats, from one row of logits. */
export function wordEndLogProbability(
  logits: Float32Array,
  continues: (token: number) => boolean,
): number {
  const ending = logits.map((logit, token) => continues(token) ? -Infinity : logit);
  if (ending.every((logit) => logit === -Infinity)) return -Infinity;
  return Math.min(0, logSumExp(ending) - logSumExp(logits));
}

const SPACES: ReadonlySet<number> = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20]);
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** Counts bytes other than white space, which vocabularies may add, join or drop. */
function letterBytes(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (!SPACES.has(byte)) count++;
  return count;
}

/**
 * Aligns tokens with the beginnings of a text.
 *
 * @param pieces Bytes of each token of `text`.
 * @throws {RangeError} where the tokens do not spell the text.
 */
export function tokenPositions(text: string, pieces: readonly Uint8Array[]) {
  const letters = pieces.map(letterBytes);
  const all = letters.reduce((sum, count) => sum + count, 0);
  // Some vocabularies compose letters and their marks.
  const form = ["", "NFC", "NFD"]
    .find((form) => letterBytes(bytesOf(form ? text.normalize(form) : text)) === all);
  if (form === undefined) {
    throw new RangeError(
      `Cannot find the words of ${JSON.stringify(text)}: the model's tokens do not spell it`,
    );
  }
  const lettersOf = (beginning: string) =>
    letterBytes(bytesOf(form ? beginning.normalize(form) : beginning));
  let sum = 0;
  const passed = letters.map((count) => sum += count);
  return {
    /**
     * Returns the index of the token with a beginning's last byte, and whether the token ends
     * there. If it does not, its probability includes the end of the word.
     */
    tokenAt(beginning: string) {
      const wanted = lettersOf(beginning);
      const token = passed.findIndex((count, at) => count >= wanted && letters[at]! > 0);
      const last = pieces[token]?.at(-1);
      const isExact = passed[token] === wanted && last !== undefined && !SPACES.has(last);
      return { token, isExact };
    },
    /** Returns the end of each token in UTF-16 units. Spaces belong to the following token. */
    ends(): readonly number[] {
      const ends: number[] = [];
      let [at, seen] = [0, 0];
      for (const wanted of passed) {
        while (at < text.length && seen < wanted) {
          const character = String.fromCodePoint(text.codePointAt(at)!);
          const after = lettersOf(text.slice(0, at + character.length));
          if (after > wanted) break; // A part of a character.
          seen = after;
          at += character.length;
        }
        ends.push(at);
      }
      return ends;
    },
  };
}
