import type { Tokens } from "./engine.ts";
import type { EvaluationContext } from "./evaluation_context.ts";
import { logProbabilities } from "./log_softmax.ts";
import { type PrefixNode, prefixRuns, prefixTree } from "./prefix_tree.ts";
import { slices } from "./slices.ts";

/** Indices of each node's children; a node without any predicts nothing. */
function childrenOf(nodes: readonly PrefixNode[]): readonly (readonly number[])[] {
  const children: number[][] = nodes.map(() => []);
  nodes.forEach(({ parent }, index) => children[parent]?.push(index));
  return children;
}

/** Indices of the nodes to evaluate: those that predict one, and never a single one (see slices). */
function evaluated(children: readonly (readonly number[])[]): readonly number[] {
  const inner = children.flatMap((next, index) => next.length > 0 ? [index] : []);
  return inner.length === 1 ? [0, 1] : inner;
}

/**
 * Log-probability in nats of every node given the nodes before it; 0 for the start token, which is
 * a condition and not scored.
 */
async function nodeLogProbabilities(
  context: EvaluationContext,
  nodes: readonly PrefixNode[],
): Promise<Float64Array> {
  const children = childrenOf(nodes);
  const indices = evaluated(children);
  const result = new Float64Array(nodes.length);
  context.clear();
  for (const [from, to] of slices(indices.length, context.shape.batchTokens)) {
    const slice = indices.slice(from, to);
    const logits = await context.decode(slice.map((index) => {
      const { token, position, texts } = nodes[index]!;
      return { token, position, sequences: texts, output: true };
    }));
    slice.forEach((index, row) => {
      const next = children[index] ?? [];
      const tokens = next.map((child) => nodes[child]!.token);
      if (tokens.length === 0) return;
      logProbabilities(logits.values, logits.width, row, tokens)
        .forEach((value, i) => result[next[i]!] = value);
    });
  }
  return result;
}

function totals(nodes: readonly PrefixNode[], values: Float64Array, texts: number): number[] {
  const sums = Array<number>(texts).fill(0);
  nodes.forEach((node, index) => node.texts.forEach((text) => sums[text]! += values[index]!));
  return sums;
}

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
    scores.push(...totals(nodes, await nodeLogProbabilities(context, nodes), run.length));
  }
  return scores;
}
