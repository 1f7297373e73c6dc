import { EvaluationContext, type Logits } from "./context.ts";
import {
  type Engine,
  lendingPool,
  type NextToken,
  type ScoredTokens,
  type SequenceScore,
  spareCores,
  type TokenReader,
  type Tokens,
  wordEndLogProbability,
} from "./engine.ts";
import { loadGgufModel, modelVocabulary } from "./gguf_model.ts";
import { logProbabilities, logSumExp } from "./log_softmax.ts";

/** Number of tokens per decode. It is fixed, because the last digits of sums may depend on it. */
const BATCH_TOKENS = 256;

/** Maximum number of texts with a common beginning per decode. */
const SHARED_TEXTS = 8;

/** Maximum number of sequences in a llama.cpp context. */
const MOST_TEXTS = 256;

/**
 * Opens a GGUF file through FFI for up to `threads` parallel tasks.
 *
 * Each task has a context with one thread. Threads of one evaluation wait for each other by
 * spinning, so that all lose time when another process takes one's core. A task therefore has more
 * threads only while other tasks and processes leave cores idle. Scores are identical in all cases.
 *
 * @param precision Precision of the weights. With quantised kernels the last digits depend on
 * whether a beginning was cached. Prompts are therefore evaluated in order, except for `F32`.
 * @param batch Number of `score` calls evaluated together, 1 by default. More are faster, but the
 * last digits of a score (1e-4 nats) then depend on its neighbours.
 * @throws {TypeError} where the library cannot be used.
 */
export async function openEngine(
  path: string,
  { threads, contextTokens, precision, batch = 1 }: {
    readonly threads: number;
    readonly contextTokens: number;
    readonly precision?: string | undefined;
    readonly batch?: number | undefined;
  },
): Promise<Engine> {
  const model = await loadGgufModel(path);
  const shape = { contextTokens, batchTokens: BATCH_TOKENS };
  const sharedTexts = batch === 1 ? SHARED_TEXTS : Math.min(MOST_TEXTS, 2 * batch);
  const vocabulary = modelVocabulary(model);
  const atWork = (): number => scoring.lent() + prompting.lent();
  const cores = spareCores(Math.min(threads, navigator.hardwareConcurrency), atWork);
  const open = (own: { readonly sequences: number; readonly rows: "all" | "last" }) =>
    new EvaluationContext(model, { ...shape, ...own, threads: 1 }, cores);
  const scoring = lendingPool(threads, () => open({ sequences: sharedTexts, rows: "all" }));
  const concurrency = { score: threads * batch, reading: precision === "F32" ? threads : 1 };
  const prompting = lendingPool(concurrency.reading, () => {
    const context = open({ sequences: 1, rows: "last" });
    return { context, reader: new PromptReader(context) };
  });
  const scoreTogether = (sequences: readonly ScoredTokens[]) =>
    scoreSequences(sequences, {
      ...shape,
      texts: sharedTexts,
      leastShared: batch === 1 ? 2 : 1,
      continues: vocabulary.continuesWord,
    }, scoring.lend);
  return {
    concurrency,
    vocabulary,
    chatTemplate: model.chatTemplate,
    settings: {
      engine: model.library.version,
      access: "ffi",
      threads,
      ...shape,
      sharedTexts,
      keyValuePrecision: "F32",
      flashAttention: false,
      startToken: vocabulary.start.id,
      startTokenSource: vocabulary.start.source,
      ...vocabulary.addsSpace && { addsSpace: true },
    },
    score: batch === 1 ? scoreTogether : joinCalls(batch, scoreTogether, contextTokens),
    reading: (task) => prompting.lend(({ reader }) => task(reader)),
    async [Symbol.asyncDispose]() {
      for (const context of await scoring.close()) context.close();
      for (const { context } of await prompting.close()) context.close();
      model[Symbol.dispose]();
    },
  };
}

/**
 * Batches calls of `score`, at most `most` together, in the order of the calls.
 *
 * A batch is smaller if no more calls are waiting. Batches depend on the order of calls, not on
 * timing. An invalid call fails alone. If a joint evaluation fails, its calls are evaluated one by
 * one.
 */
export function joinCalls(
  most: number,
  score: Engine["score"],
  contextTokens: number,
): Engine["score"] {
  type Call = PromiseWithResolvers<readonly SequenceScore[]> & {
    readonly sequences: readonly ScoredTokens[];
  };
  let waiting: Call[] = [];
  const alone = (call: Call) => score(call.sequences).then(call.resolve, call.reject);
  const scoreWaiting = async () => {
    const calls = waiting;
    waiting = [];
    if (calls.length <= 1) return calls.forEach(alone);
    try {
      const scores = await score(calls.flatMap(({ sequences }) => sequences));
      let at = 0;
      for (const { sequences, resolve } of calls) {
        resolve(scores.slice(at, at += sequences.length));
      }
    } catch {
      calls.forEach(alone);
    }
  };
  return async (sequences) => {
    requireLengths(sequences, contextTokens);
    const call = { ...Promise.withResolvers<readonly SequenceScore[]>(), sequences };
    waiting.push(call);
    if (waiting.length === most) scoreWaiting();
    // Calls that one answer sets free all come before the next turn of the event loop.
    else if (waiting.length === 1) setTimeout(() => waiting[0] === call && scoreWaiting());
    return await call.promise;
  };
}

/** Checks the lengths of texts. @throws {RangeError} for an empty text or one above the context. */
function requireLengths(sequences: readonly ScoredTokens[], contextTokens: number): void {
  sequences.forEach(({ tokens: { length } }, index) => {
    if (length >= 2 && length <= contextTokens) return;
    throw new RangeError(
      `text ${index} has ${length} tokens with its start token, and the context holds 2 to ` +
        `${contextTokens}: shorten it, or name the model in a panel with more contextTokens`,
    );
  });
}

/** Limits of a joint evaluation in texts and tokens. */
interface ScoringLimits {
  readonly texts: number;
  /** Minimum number of shared initial tokens, including the start token; 2 by default. */
  readonly leastShared?: number;
  readonly batchTokens: number;
  readonly contextTokens: number;
  readonly continues: (token: number) => boolean;
}

/**
 * Returns log P(tokens after the first | first) in nats. Neighbours with a common beginning share a
 * decode.
 */
export async function scoreSequences(
  sequences: readonly ScoredTokens[],
  { texts, leastShared, batchTokens, contextTokens, continues }: ScoringLimits,
  lend: (task: (context: EvaluationContext) => Promise<NodeScores>) => Promise<NodeScores>,
): Promise<readonly SequenceScore[]> {
  requireLengths(sequences, contextTokens);
  const limit = { texts, tokens: Math.min(batchTokens, contextTokens), leastShared };
  const runs = prefixRuns(sequences.map(({ tokens }) => tokens), limit);
  const scores = await Promise.all(runs.map(async (run) => {
    const own = run.map((index) => sequences[index]!);
    const nodes = prefixTree(own.map(({ tokens }) => tokens));
    const ends = own.map(({ wordEnds }) => new Set(wordEnds));
    const isEnd = ({ texts, position }: PrefixNode) =>
      texts.some((text) => ends[text]!.has(position));
    const isAtOnce = own.every(({ isWord = false }) => isWord);
    const found = await lend((context) =>
      scoreNodes(context, nodes, { isEnd, isAtOnce, continues })
    );
    const scores = own.map(() => ({ tokens: [] as number[], wordEnds: new Map<number, number>() }));
    nodes.forEach(({ texts, position }, index) => {
      for (const text of texts) {
        scores[text]!.tokens.push(found.tokens[index]!);
        if (ends[text]!.has(position)) scores[text]!.wordEnds.set(position, found.ends.get(index)!);
      }
    });
    return scores;
  }));
  return scores.flat();
}

/**
 * Groups neighbouring texts with the same first `leastShared` tokens, as ranges of indices.
 *
 * Only neighbours are grouped, so that a pair's scores do not depend on other questions.
 * @param limit Maximum number of texts and of distinct tokens in a group. A single text may have
 * more tokens. `leastShared` is 2 by default: the start token and the next.
 */
export function prefixRuns(
  texts: readonly Tokens[],
  { leastShared = 2, ...limit }: {
    readonly texts: number;
    readonly tokens: number;
    readonly leastShared?: number | undefined;
  },
): readonly (readonly number[])[] {
  const runs: number[][] = [];
  let size = 0;
  texts.forEach((tokens, index) => {
    const run = runs.at(-1) ?? [];
    const shared = run.map((other) => sharedLength(texts[other]!, tokens));
    const own = tokens.length - Math.max(0, ...shared);
    const isAlike = shared.length > 0 && shared[0]! >= leastShared;
    if (isAlike && run.length < limit.texts && size + own <= limit.tokens) {
      run.push(index);
      size += own;
    } else {
      runs.push([index]);
      size = tokens.length;
    }
  });
  return runs;
}

function sharedLength(first: Tokens, second: Tokens): number {
  const end = first.findIndex((token, at) => token !== second[at]);
  return end < 0 ? first.length : end;
}

/** Node of a prefix tree: a token of texts that are equal up to it. */
interface PrefixNode {
  readonly token: number;
  readonly position: number;
  readonly texts: number[];
  /** Child nodes by token. Their indices are higher than this node's. */
  readonly children: Map<number, number>;
}

/** Returns the prefix tree of texts; every node follows its parent. */
export function prefixTree(texts: readonly Tokens[]): readonly PrefixNode[] {
  const root = new Map<number, number>();
  const nodes: PrefixNode[] = [];
  texts.forEach((tokens, text) => {
    let siblings = root;
    tokens.forEach((token, position) => {
      const index = siblings.get(token) ?? nodes.length;
      if (index === nodes.length) {
        nodes.push({ token, position, texts: [], children: new Map() });
        siblings.set(token, index);
      }
      nodes[index]!.texts.push(text);
      siblings = nodes[index]!.children;
    });
  });
  return nodes;
}

/**
 * Log-probabilities in nats by node: of the token given those before, and of a word's end after it,
 * if requested.
 */
interface NodeScores {
  readonly tokens: Float64Array;
  readonly ends: ReadonlyMap<number, number>;
}

interface NodeRules {
  readonly isEnd: (node: PrefixNode) => boolean;
  readonly isAtOnce: boolean;
  readonly continues: (token: number) => boolean;
}

/**
 * Computes each node's log-probability given the tokens before it; 0 for the start token.
 *
 * Last tokens predict only a word's end. They are evaluated after all others, because the last
 * digits of a sum may depend on tokens in the same decode. A sentence's score is thus independent
 * of other requests.
 */
async function scoreNodes(
  context: EvaluationContext,
  nodes: readonly PrefixNode[],
  { isEnd, isAtOnce, continues }: NodeRules,
): Promise<NodeScores> {
  const places = [...nodes.keys()];
  const isInner = (at: number) => nodes[at]!.children.size > 0;
  const isLast = (at: number) => !isInner(at) && isEnd(nodes[at]!);
  const inner = places.filter((at) => isInner(at) || isAtOnce && isLast(at));
  // Never a single one (see slices).
  const evaluated = inner.length === 1 ? places.slice(0, 2) : inner;
  const after = places.filter((at) => isLast(at) && !evaluated.includes(at));
  const tokens = new Float64Array(nodes.length);
  const ends = new Map<number, number>();
  context.clear();
  const evaluate = async (slice: readonly number[]) => {
    const { values, width } = await context.decode(slice.map((at) => {
      const { token, position, texts } = nodes[at]!;
      return { token, position, sequences: texts, output: true };
    }));
    slice.forEach((at, row) => {
      const { children } = nodes[at]!;
      if (isEnd(nodes[at]!)) {
        const logits = values.subarray(row * width, (row + 1) * width);
        ends.set(at, wordEndLogProbability(logits, continues));
      }
      if (children.size === 0) return;
      const indices = [...children.values()];
      logProbabilities(values, width, row, [...children.keys()])
        .forEach((value, i) => tokens[indices[i]!] = value);
    });
  };
  for (const part of [evaluated, after]) {
    for (const [from, to] of batchRanges(part.length, context.shape.batchTokens)) {
      await evaluate(part.slice(from, to));
    }
  }
  return { tokens, ends };
}

/**
 * Divides `count` items into ranges [begin, end) of at most `limit` ≥ 3.
 *
 * No range has a single item unless it is the only one. llama.cpp evaluates single tokens with
 * other kernels, whose sums differ in the last digits. Scores thus do not depend on the division.
 */
export function batchRanges(count: number, limit: number): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (let from = 0; from < count;) {
    const rest = count - from;
    const take = rest === limit + 1 ? limit - 1 : Math.min(rest, limit);
    runs.push([from, from + take]);
    from += take;
  }
  return runs;
}

/** Reads prompts. The beginning shared with the last prompt stays in the key–value cache. */
class PromptReader implements TokenReader {
  #held: Tokens = [];

  constructor(private readonly context: EvaluationContext) {}

  async read(tokens: Tokens): Promise<NextToken> {
    const { contextTokens, batchTokens } = this.context.shape;
    if (tokens.length === 0 || tokens.length > contextTokens) {
      throw new RangeError(
        `Cannot read a prompt of ${tokens.length} tokens: the context holds 1 to ${contextTokens}`,
      );
    }
    const shared = sharedLength(this.#held, tokens);
    const extendsHeld = shared === this.#held.length && tokens.length === shared + 1;
    // One more token of a reply is read alone; else at least two, as if read afresh (see slices).
    const reusable = extendsHeld ? shared : Math.max(0, Math.min(shared, tokens.length - 2));
    this.#held = [];
    const kept = reusable > 0 && this.context.forgetFrom(reusable) ? reusable : 0;
    if (kept === 0) this.context.clear();
    let logits: Logits | undefined;
    for (const [from, to] of batchRanges(tokens.length - kept, batchTokens)) {
      logits = await this.context.decode(
        tokens.slice(kept + from, kept + to).map((token, i) => {
          const position = kept + from + i;
          return { token, position, sequences: [0], output: position === tokens.length - 1 };
        }),
      );
    }
    this.#held = tokens;
    return nextToken(logits!);
  }
}

function nextToken({ values, width }: Logits): NextToken {
  const row = values.slice(0, width);
  let best = 0;
  for (let token = 1; token < width; token++) if (row[token]! > row[best]!) best = token;
  const total = logSumExp(row);
  return {
    best,
    size: width,
    logProbability: (token) => {
      const logit = row[token];
      if (logit === undefined) throw new RangeError(`Cannot read token ${token} of ${width}`);
      return logit - total;
    },
  };
}
