import type { Tokens } from "./engine.ts";

/** One token of one or several texts that agree up to and including it. */
export interface PrefixNode {
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

/** Number of leading tokens that both sequences share. */
export function sharedLength(first: Tokens, second: Tokens): number {
  const limit = Math.min(first.length, second.length);
  let length = 0;
  while (length < limit && first[length] === second[length]) length++;
  return length;
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
