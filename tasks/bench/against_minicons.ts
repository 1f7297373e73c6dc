import { openFfiEngine } from "../../lib/models/llama/ffi_engine.ts";
import { scoreTexts } from "../../lib/models/llama/score.ts";
import { compareAlternating, type Comparison } from "./alternating.ts";
import type { BenchPair } from "./inputs.ts";
import { PythonScorer } from "./python_scorer.ts";

export interface MiniconsComparison extends Comparison {
  /** Largest difference between the two scores of a sentence, in nats. */
  readonly largestDifference: number;
}

export interface AgainstMiniconsOptions {
  readonly path: string;
  readonly threads: number;
  readonly python: string;
  readonly pairs: readonly BenchPair[];
}

/** Text of the start token where minicons must be told, as the file's BOS is another. */
export function startTokenText(source: string): string | undefined {
  return source === "end-of-text" ? "<|endoftext|>" : undefined;
}

/**
 * The time for both members of a pair against that of minicons for the same two sentences in one
 * batch: same weights in float32, same threads, same start token.
 */
export async function againstMinicons(
  { path, threads, python, pairs }: AgainstMiniconsOptions,
): Promise<MiniconsComparison> {
  await using engine = await openFfiEngine(path, { threads, contextTokens: 2048 });
  const startToken = startTokenText(engine.vocabulary.start.source);
  await using scorer = await PythonScorer.open({ python, path, threads, startToken });
  const ours = new Map<string, number>();
  const differences: number[] = [];
  const textsOf = (pair: BenchPair) => [pair.grammatical, pair.ungrammatical];
  const comparison = await compareAlternating(
    pairs,
    async (pair) => {
      const scores = await scoreTexts(engine, textsOf(pair));
      scores.forEach((score, i) => ours.set(textsOf(pair)[i]!, score.logProbability));
    },
    async (pair) => {
      const { scores, milliseconds } = await scorer.ask({ kind: "minicons", texts: textsOf(pair) });
      scores.forEach((score, i) => {
        const own = ours.get(textsOf(pair)[i]!);
        if (own !== undefined) differences.push(Math.abs(own - score));
      });
      return milliseconds;
    },
  );
  return { ...comparison, largestDifference: Math.max(...differences) };
}
