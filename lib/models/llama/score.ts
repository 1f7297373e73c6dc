import type { LanguageModel, Likelihood } from "../model.ts";
import type { EvaluationContext } from "./context.ts";
import { logProbabilities } from "./log_softmax.ts";
import { type PrefixNode, prefixRuns, prefixTree } from "./prefix_tree.ts";
import { startToken, tokenise, type Tokens } from "./vocabulary.ts";

/** Indices of each node's children; a node without any predicts nothing and is not evaluated. */
function childrenOf(nodes: readonly PrefixNode[]): readonly (readonly number[])[] {
  const children: number[][] = nodes.map(() => []);
  nodes.forEach(({ parent }, index) => children[parent]?.push(index));
  return children;
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
  const result = new Float64Array(nodes.length);
  const inner = nodes.flatMap((node, index) => children[index]?.length ? [{ node, index }] : []);
  const { batchTokens } = context.shape;
  context.clear();
  for (let from = 0; from < inner.length; from += batchTokens) {
    const slice = inner.slice(from, from + batchTokens);
    const logits = await context.decode(
      slice.map(({ node: { token, position, texts } }) => ({
        token,
        position,
        sequences: texts,
        output: true,
      })),
    );
    slice.forEach(({ index }, row) => {
      const next = children[index] ?? [];
      const tokens = next.map((child) => nodes[child]!.token);
      logProbabilities(logits.values, logits.width, row, tokens)
        .forEach((value, i) => result[next[i]!] = value);
    });
  }
  return result;
}

function totals(nodes: readonly PrefixNode[], values: Float64Array, texts: number): Float64Array {
  const sums = new Float64Array(texts);
  nodes.forEach((node, index) => node.texts.forEach((text) => sums[text]! += values[index]!));
  return sums;
}

function checkedTokens(context: EvaluationContext, text: string, start: number): Tokens {
  const tokens = [start, ...tokenise(context.model, text)];
  if (tokens.length < 2) throw new RangeError(`Cannot score ${JSON.stringify(text)}: it is empty`);
  if (tokens.length > context.shape.contextTokens) {
    throw new RangeError(
      `Cannot score a text of ${tokens.length} tokens: the context holds ` +
        `${context.shape.contextTokens}; load the model with more contextTokens`,
    );
  }
  return tokens;
}

/**
 * log P(text | start token) for each text, in nats: the sum over all its tokens of
 * log P(token | tokens before it). Neighbouring texts that begin alike are evaluated in one decode
 * in which their common prefix stands once.
 *
 * @throws {RangeError} for an empty text or one longer than the context.
 */
export async function scoreTexts(
  context: EvaluationContext,
  texts: readonly string[],
): Promise<readonly Likelihood[]> {
  const start = startToken(context.model).id;
  const sequences = texts.map((text) => checkedTokens(context, text, start));
  const { sequences: most, batchTokens } = context.shape;
  const likelihoods: Likelihood[] = [];
  for (const run of prefixRuns(sequences, { texts: most, tokens: batchTokens })) {
    const nodes = prefixTree(run.map((index) => sequences[index]!));
    const values = await nodeLogProbabilities(context, nodes);
    totals(nodes, values, run.length).forEach((logProbability, i) => {
      const index = run[i]!;
      const bytes = new TextEncoder().encode(texts[index]!).length;
      likelihoods.push({ logProbability, tokens: sequences[index]!.length - 1, bytes });
    });
  }
  return likelihoods;
}

/** The context's model as a `LanguageModel`. */
export function languageModel(
  name: string,
  context: EvaluationContext,
  settings: LanguageModel["settings"],
): LanguageModel {
  return {
    name,
    settings,
    score: (texts) => context.exclusively(() => scoreTexts(context, texts)),
  };
}
