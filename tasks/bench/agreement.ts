import { join } from "node:path";
import { openFfiEngine } from "../../lib/models/llama/open_engine.ts";
import { scoreTexts } from "../../lib/models/llama/roles.ts";
import { expandedWeights } from "../../lib/models/llama/weights.ts";
import { PRECISION as PRECISION_TABLE, PYTORCH_AGREEMENT } from "../../lib/norse/tables.ts";
import {
  type BenchPair,
  type BenchSentence,
  type BenchWeights,
  CACHE_DIRECTORY,
  measurement,
  PAIRS,
  PANEL,
  panelWeights,
  readPairs,
  readSentences,
  report,
  seededSample,
  SENTENCES,
} from "./inputs.ts";
import { formatPrecisionEffect, precisionEffect } from "./precision_effect.ts";
import { pythonEnvironment, PythonScorer, startTokenText } from "./speed.ts";

const SENTENCE_COUNT = 200;
/** Largest difference from PyTorch that the specification allows, in nats. */
const LIMIT = 0.1;
const nats = (value: number) => Number(value.toFixed(6));

export const AGREEMENT = measurement(
  "agreement",
  "Each model's scores of 200 sentences against PyTorch on the same weights",
  async (threads) => {
    const sentences = seededSample(await readSentences(SENTENCES), SENTENCE_COUNT);
    const python = await pythonEnvironment(CACHE_DIRECTORY);
    const rows = [];
    let kept = true;
    for (const { entry: { id }, expanded: { path } } of await panelWeights(PANEL, threads)) {
      const found = await pytorchAgreement({ model: id, path, threads, python, sentences });
      const differences = found.map(({ llama, pytorch }) => Math.abs(llama - pytorch));
      const largest = Math.max(...differences);
      const mean = differences.reduce((sum, x) => sum + x, 0) / differences.length;
      const text = `mean ${mean.toFixed(4)}, largest ${largest.toFixed(4)} nats in ${found.length}`;
      kept = report(`${id} against PyTorch`, largest, LIMIT, text) && kept;
      rows.push(...found.map(({ model, sentenceId, tokens, llama, pytorch }) => ({
        model,
        sentence_id: sentenceId,
        tokens,
        llama_logprob: nats(llama),
        pytorch_logprob: nats(pytorch),
      })));
    }
    PYTORCH_AGREEMENT.write(rows);
    return kept;
  },
);

export const PRECISION = measurement(
  "precision",
  "Every pair on the weights as shipped, against their 32-bit expansion",
  async (threads) => {
    const pairs = await readPairs(PAIRS);
    const rows = [];
    for (const model of await panelWeights(PANEL, threads)) {
      const found = await precisionFlips(model, threads, pairs);
      const flips = found.filter(({ flipped }) => flipped).length;
      console.log(`${model.entry.id}: ${flips} of ${found.length} pairs flip on shipped weights`);
      rows.push(...found.map((row) => ({
        model: row.model,
        pair_id: row.pairId,
        phenomenon: row.phenomenon,
        f32_log_odds: nats(row.expanded),
        shipped_log_odds: nats(row.shipped),
        flipped: row.flipped,
      })));
    }
    PRECISION_TABLE.write(rows);
    return true;
  },
);

export const EIGHT_BIT = measurement(
  "8-bit",
  "What 8-bit weights do to 200 sentences' scores",
  async (threads) => {
    const sentences = seededSample(await readSentences(SENTENCES), SENTENCE_COUNT);
    const texts = sentences.map(({ text }) => text);
    for (const model of await panelWeights(PANEL, threads)) {
      console.log(await eightBitEffect(model, { cacheDirectory: CACHE_DIRECTORY, threads, texts }));
    }
    return true;
  },
);

/** One sentence scored twice on the same float32 weights, in nats. */
interface Agreement {
  readonly model: string;
  readonly sentenceId: string;
  readonly tokens: number;
  readonly llama: number;
  readonly pytorch: number;
}

/** Scores sentences, token by token the same, by llama.cpp and by PyTorch. */
async function pytorchAgreement(options: {
  readonly model: string;
  readonly path: string;
  readonly threads: number;
  readonly python: string;
  readonly sentences: readonly BenchSentence[];
}): Promise<readonly Agreement[]> {
  const { model, path, threads, python, sentences } = options;
  await using engine = await openFfiEngine(path, { threads, contextTokens: 2048 });
  const { start, tokenise } = engine.vocabulary;
  const startToken = startTokenText(start.source);
  await using scorer = await PythonScorer.open({ python, path, threads, startToken });
  const agreements: Agreement[] = [];
  for (const { id, text } of sentences) {
    const sequence = [start.id, ...tokenise(text)];
    const [llama] = await engine.score([sequence]);
    const [pytorch] = (await scorer.ask({ kind: "torch", sequences: [sequence] })).scores;
    if (llama === undefined || pytorch === undefined) {
      throw new TypeError(`Cannot compare sentence ${id}: a score is missing`);
    }
    agreements.push({ model, sentenceId: id, tokens: sequence.length - 1, llama, pytorch });
  }
  return agreements;
}

/** A pair's log-odds, log P(grammatical) − log P(ungrammatical) in nats, at two precisions. */
interface PrecisionRow {
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
async function precisionFlips(
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

/** What 8-bit weights do to a model's scores of these texts, against 32-bit floats; in words. */
async function eightBitEffect(
  { entry, shipped, expanded }: BenchWeights,
  options: {
    readonly cacheDirectory: string;
    readonly threads: number;
    readonly texts: readonly string[];
  },
): Promise<string> {
  const directory = join(options.cacheDirectory, "models");
  const settings = { directory, precision: "Q8_0", threads: options.threads } as const;
  const rough = await expandedWeights(shipped, settings);
  const effect = await precisionEffect(expanded.path, rough.path, options);
  return `${entry.id} on 8-bit weights: ${formatPrecisionEffect(effect)}`;
}
