import { logSumExp } from "./log_softmax.ts";

/** Token ids of a text; indices into the model's vocabulary. */
export type Tokens = readonly number[];

/** Tokenisation of a model. */
export interface Vocabulary {
  /** Tokenises the text without a start token; no markup such as `<|im_start|>` is read in it. */
  tokenise(text: string): Tokens;
  tokeniseMarkup(text: string): Tokens;
  detokenise(tokens: Tokens): string;
  endsReply(token: number): boolean;
  /** The token's bytes, with the space that it carries; none of a control token. */
  pieceOf(token: number): Uint8Array;
  /** Returns true if the token, after a word, continues that word ({@link continuesWord}). */
  continuesWord(token: number): boolean;
  /**
   * True if a space is put before every text, as SentencePiece does; a text's first space is then
   * left out.
   */
  readonly addsSpace?: boolean;
  readonly start: StartToken;
  /** BOS token, where the file puts it before every text, chat prompts included. */
  readonly chatStart: number | undefined;
}

/** Token that conditions a text's first real token, which is then scored like the others. */
interface StartToken {
  readonly id: number;
  readonly source: "bos" | "end-of-text" | "eos";
}

/** Tokens to be scored, the start token first. */
export interface ScoredTokens {
  readonly tokens: Tokens;
  /** Indices after whose tokens the probability of a word's end is wanted. */
  readonly wordEnds?: readonly number[];
  /**
   * True if the tokens are one word scored only together with its end: all is evaluated at once.
   */
  readonly isWord?: boolean;
}

/** Log-probabilities in nats. */
export interface SequenceScore {
  /** Log-probability of each token given those before it; 0 of the unscored start token. */
  readonly tokens: readonly number[];
  /** Log-probability that the next token continues no word, by the index of the token before it. */
  readonly wordEnds: ReadonlyMap<number, number>;
}

export interface NextToken {
  readonly best: number;
  readonly size: number;
  logProbability(token: number): number;
}

/** Reads prompts one at a time. A common beginning of successive prompts is read once. */
export interface TokenReader {
  /** @throws {RangeError} for a prompt that is empty or longer than the context. */
  read(tokens: Tokens): Promise<NextToken>;
}

/** A model loaded for evaluation. Calls are worked on side by side; none changes another's result. */
export interface Engine extends AsyncDisposable {
  /** Number of calls of either kind in progress at once, ≥ 1; the others wait. */
  readonly concurrency: { readonly score: number; readonly reading: number };
  readonly vocabulary: Vocabulary;
  /** The file's own Jinja chat template; undefined for a model that was never taught to chat. */
  readonly chatTemplate: string | undefined;
  /** Settings that could change a score: engine and version, threads, shapes, start token. */
  readonly settings: Readonly<Record<string, string | number | boolean>>;
  /** Nats of each sequence after its start token. @throws {RangeError} outside 2 … context tokens. */
  score(sequences: readonly ScoredTokens[]): Promise<readonly SequenceScore[]>;
  reading<T>(task: (reader: TokenReader) => Promise<T>): Promise<T>;
}

/** Lends up to `most` of something, made when first needed; the last given back goes first. */
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
    /** Number lent now. */
    lent: () => made - free.length,
    /** All that were made, once the last is given back; none the second time. Nothing is lent any more. */
    close(): Promise<readonly Lent[]> {
      const left = closed ? 0 : made;
      closed = true;
      return Promise.all(Array.from({ length: left }, returned));
    },
  };
}

/**
 * Time during which a task keeps one thread after several had to share cores: ms, multiples of
 * work.
 */
const SHARED_FOR = { least: 10_000, times: 10 };
/** Share of processor time that spinning threads use up when no other process wants it. */
const WHOLE = 0.85;

/**
 * Decides the number of threads per decode.
 *
 * It is a task's share of `most`, but one for a while after several got less of the processor than
 * they asked for, because then they wait for each other. @param atWork Tasks at work.
 */
export function spareCores(most: number, atWork: () => number, now = () => performance.now()) {
  let sharedUntil = -Infinity;
  return {
    threads: () => now() < sharedUntil ? 1 : Math.max(1, Math.floor(most / Math.max(1, atWork()))),
    /** Notes the time of a decode with `threads` threads, of the processor and by the clock. */
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

/** Returns the id of a piece of markup that is a single token. */
export function singleToken(tokens: Tokens): number | undefined {
  return tokens.length === 1 ? tokens[0] : undefined;
}

/**
 * Chooses the token that conditions a text's first real token.
 *
 * Without one that token goes unscored (minicons' issues 29 and 51). The choice is BOS, where the
 * file asks for it (Gemma's `<bos>`); else `<|endoftext|>`, which stood between documents in
 * pretraining; else BOS, EOS. An instruct file may name a BOS that announces a role's name, not a
 * text (SmolLM2's `<|im_start|>`): with `<|endoftext|>` instead, three plain English sentences are
 * 17 nats more probable on average.
 * @throws {TypeError} where the vocabulary has none of them.
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
/** First bytes of characters that are mostly punctuation, symbols and emoji; of others letters. */
const NO_LETTERS: ReadonlySet<number> = new Set([0xc2, 0xe2, 0xf0]);

/**
 * Returns true if a token that follows a word continues it.
 *
 * Tokens of most vocabularies carry the space before a word (`Ġ`, `▁`), so that the tokens of
 * “grovel” also begin “grovels”: the probability of a word is that of its tokens times the
 * probability that the next token does not continue it (Pimentel & Meister 2024, “How to Compute
 * the Probability of a Word”). A continuing token has a letter, mark or digit before its first
 * white space, as in “ly”, “.com” and “'s”. A control token has no bytes and ends the word. For one
 * that begins with a part of a character its first byte decides.
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

/** Returns log P(the next token continues no word) in nats, from one row of logits. */
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

/** Counts bytes other than spaces: vocabularies add, join and drop spaces, and nothing else. */
function letterBytes(bytes: Uint8Array): number {
  let count = 0;
  for (const byte of bytes) if (!SPACES.has(byte)) count++;
  return count;
}

/**
 * Finds the token that holds the last byte of a text's beginning.
 *
 * It also says whether the token ends there; where it does not, it holds the end of the word, whose
 * probability is then in the token's.
 * @param pieces The bytes of each token of `text`.
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
    /** The last token of a beginning, by its index. */
    tokenAt(beginning: string) {
      const wanted = lettersOf(beginning);
      const token = passed.findIndex((count, at) => count >= wanted && letters[at]! > 0);
      const last = pieces[token]?.at(-1);
      const isExact = passed[token] === wanted && last !== undefined && !SPACES.has(last);
      return { token, isExact };
    },
    /** UTF-16 units of the text up to and with each token; spaces are before a token. */
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
