import type { EvaluationContext, Logits } from "./context.ts";
import type { NextToken, TokenReader, Tokens } from "./engine.ts";
import { logProbabilities, logSumExp } from "./log_softmax.ts";

/**
 * log P(tokens after the first | first) of each sequence, in nats. Neighbours that begin alike are
 * evaluated in one decode in which their common prefix stands once, its tokens belonging to all.
 *
 * @throws {RangeError} for a sequence shorter than 2 tokens or longer than the context.
 */
export async function scoreSequences(
  context: EvaluationContext,
  sequences: readonly Tokens[],
): Promise<readonly number[]> {
  const { sequences: most, batchTokens, contextTokens } = context.shape;
  sequences.forEach(({ length }, index) => {
    if (length < 2 || length > contextTokens) {
      throw new RangeError(
        `Cannot score text ${index}: it has ${length} tokens with its start token, and the ` +
          `context holds 2 to ${contextTokens}; open the model with more contextTokens`,
      );
    }
  });
  const scores: number[] = [];
  for (const run of prefixRuns(sequences, { texts: most, tokens: batchTokens })) {
    const nodes = prefixTree(run.map((index) => sequences[index]!));
    const values = await nodeLogProbabilities(context, nodes);
    const sums = Array<number>(run.length).fill(0);
    nodes.forEach((node, index) => node.texts.forEach((text) => sums[text]! += values[index]!));
    scores.push(...sums);
  }
  return scores;
}

/**
 * Runs of neighbouring texts worth one evaluation: each shares its start token and at least one
 * more with the first of its run. Neighbours only, so that a pair's scores depend on its own two
 * members and not on whatever else was asked.
 *
 * @param limit Most texts in a run, and most distinct tokens; a single text may exceed the latter.
 * @returns Indices into `texts`, in order.
 */
export function prefixRuns(
  texts: readonly Tokens[],
  limit: { readonly texts: number; readonly tokens: number },
): readonly (readonly number[])[] {
  const runs: number[][] = [];
  let size = 0;
  texts.forEach((tokens, index) => {
    const run = runs.at(-1);
    const shared = run === undefined ? 0 : sharedLength(texts[run[0] ?? 0] ?? [], tokens);
    const fits = run !== undefined && run.length < limit.texts &&
      size + tokens.length - shared <= limit.tokens;
    if (fits && shared > 1) {
      run.push(index);
      size += tokens.length - shared;
    } else {
      runs.push([index]);
      size = tokens.length;
    }
  });
  return runs;
}

/** Number of leading tokens that both sequences share. */
export function sharedLength(first: Tokens, second: Tokens): number {
  const limit = Math.min(first.length, second.length);
  let length = 0;
  while (length < limit && first[length] === second[length]) length++;
  return length;
}

/** One token of one or several texts that agree up to and including it. */
interface PrefixNode {
  readonly token: number;
  /** Depth in the tree: the token's place in each of its texts, the start token at 0. */
  readonly position: number;
  /** Index of the node before it; −1 for the start token. Always smaller than the node's own. */
  readonly parent: number;
  /** The texts (by index) that pass through it, ascending. */
  readonly texts: readonly number[];
}

interface GrowingNode extends PrefixNode {
  readonly texts: number[];
  readonly children: Map<number, number>;
}

/**
 * The texts as one tree, in which whatever several texts begin with stands once. Nodes come in an
 * order in which each follows its parent, so the tree can be evaluated from left to right in slices.
 *
 * @param texts Token sequences, each beginning with the same start token and holding one more.
 * @throws {RangeError} for an empty sequence or one with another start token.
 */
export function prefixTree(texts: readonly Tokens[]): readonly PrefixNode[] {
  const nodes: GrowingNode[] = [];
  const start = texts[0]?.[0];
  texts.forEach((tokens, text) => {
    if (tokens.length === 0 || tokens[0] !== start) {
      throw new RangeError(
        `Cannot share prefixes: text ${text} does not begin with the start token`,
      );
    }
    let parent = -1;
    tokens.forEach((token, position) => {
      const siblings = nodes[parent]?.children;
      const known = position === 0 ? (nodes.length > 0 ? 0 : undefined) : siblings?.get(token);
      const index = known ?? nodes.length;
      if (known === undefined) {
        nodes.push({ token, position, parent, texts: [], children: new Map() });
        siblings?.set(token, index);
      }
      nodes[index]?.texts.push(text);
      parent = index;
    });
  });
  return nodes;
}

/**
 * Log-probability in nats of every node given the nodes before it; 0 for the start token, which is
 * a condition and not scored.
 */
async function nodeLogProbabilities(
  context: EvaluationContext,
  nodes: readonly PrefixNode[],
): Promise<Float64Array> {
  const children: number[][] = nodes.map(() => []);
  nodes.forEach(({ parent }, index) => children[parent]?.push(index));
  // Those that predict one, and never a single one (see slices).
  const inner = children.flatMap((next, index) => next.length > 0 ? [index] : []);
  const indices = inner.length === 1 ? [0, 1] : inner;
  const result = new Float64Array(nodes.length);
  context.clear();
  for (const [from, to] of slices(indices.length, context.shape.batchTokens)) {
    const slice = indices.slice(from, to);
    const logits = await context.decode(slice.map((index) => {
      const { token, position, texts } = nodes[index]!;
      return { token, position, sequences: texts, output: true };
    }));
    slice.forEach((index, row) => {
      const next = children[index]!;
      if (next.length === 0) return;
      const tokens = next.map((child) => nodes[child]!.token);
      logProbabilities(logits.values, logits.width, row, tokens)
        .forEach((value, i) => result[next[i]!] = value);
    });
  }
  return result;
}

/**
 * Cuts `count` items into runs of at most `limit`, none of them of one item unless there is only
 * one. llama.cpp evaluates a single token with other kernels than several, whose sums differ in the
 * last digits; without lone tokens a score does not depend on where the cuts fall.
 *
 * @param limit At least 3.
 * @returns Begin (inclusive) and end (exclusive) of each run.
 */
export function slices(count: number, limit: number): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (let from = 0; from < count;) {
    const rest = count - from;
    const take = rest === limit + 1 ? limit - 1 : Math.min(rest, limit);
    runs.push([from, from + take]);
    from += take;
  }
  return runs;
}

/**
 * Reads prompts into one sequence. What the last prompt and this one begin with stays in the
 * key-value cache: a prompt's template is read once, and so is what a pair's two orders share.
 */
export class PromptReader implements TokenReader {
  readonly #context: EvaluationContext;
  #held: Tokens = [];

  constructor(context: EvaluationContext) {
    this.#context = context;
  }

  async read(tokens: Tokens): Promise<NextToken> {
    const { contextTokens, batchTokens } = this.#context.shape;
    if (tokens.length === 0 || tokens.length > contextTokens) {
      throw new RangeError(
        `Cannot read a prompt of ${tokens.length} tokens: the context holds 1 to ${contextTokens}`,
      );
    }
    const kept = this.#keep(this.#reusable(tokens));
    let logits: Logits | undefined;
    for (const [from, to] of slices(tokens.length - kept, batchTokens)) {
      logits = await this.#context.decode(
        tokens.slice(kept + from, kept + to).map((token, i) => ({
          token,
          position: kept + from + i,
          sequences: [0],
          output: kept + from + i === tokens.length - 1,
        })),
      );
    }
    this.#held = tokens;
    if (logits === undefined) throw new RangeError("Cannot read a prompt: nothing was evaluated");
    return nextToken(logits);
  }

  /** How many tokens of the prompt need not be read again. */
  #reusable(tokens: Tokens): number {
    const shared = sharedLength(this.#held, tokens);
    const extendsHeld = shared === this.#held.length && tokens.length === shared + 1;
    // One more token of a reply is read alone; else at least two, as if read afresh (see slices).
    return extendsHeld ? shared : Math.max(0, Math.min(shared, tokens.length - 2));
  }

  #keep(count: number): number {
    this.#held = [];
    if (count > 0 && this.#context.forgetFrom(count)) return count;
    this.#context.clear();
    return 0;
  }
}

function nextToken({ values, width }: Logits): NextToken {
  // Copied, because the next decode overwrites the library's buffer.
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
