import { openFfiEngine } from "../../lib/models/llama/ffi_engine.ts";
import { scoreTexts } from "../../lib/models/llama/score.ts";
import type { BenchPair, BenchWeights } from "./inputs.ts";

/** A pair's log-odds, log P(grammatical) − log P(ungrammatical) in nats, at two precisions. */
export interface PrecisionRow {
  readonly model: string;
  readonly pairId: string;
  readonly phenomenon: string;
  readonly expanded: number;
  readonly shipped: number;
  /** Whether the other member is preferred on the shipped weights. */
  readonly flipped: boolean;
}

async function logOdds(
  path: string,
  threads: number,
  pairs: readonly BenchPair[],
): Promise<readonly number[]> {
  await using engine = await openFfiEngine(path, { threads, contextTokens: 2048 });
  const differences: number[] = [];
  for (const { id, grammatical, ungrammatical } of pairs) {
    const [good, bad] = await scoreTexts(engine, [grammatical, ungrammatical]);
    if (!good || !bad) throw new TypeError(`Cannot compare pair ${id}: a score is missing`);
    differences.push(good.logProbability - bad.logProbability);
  }
  return differences;
}

/** Scores every pair on the float32 expansion and on the quantised weights as they were shipped. */
export async function precisionFlips(
  { entry, shipped, expanded }: BenchWeights,
  threads: number,
  pairs: readonly BenchPair[],
): Promise<readonly PrecisionRow[]> {
  const exact = await logOdds(expanded.path, threads, pairs);
  const rough = await logOdds(shipped.path, threads, pairs);
  return pairs.map(({ id, phenomenon }, index) => ({
    model: entry.id,
    pairId: id,
    phenomenon,
    expanded: exact[index]!,
    shipped: rough[index]!,
    flipped: Math.sign(exact[index]!) !== Math.sign(rough[index]!),
  }));
}
