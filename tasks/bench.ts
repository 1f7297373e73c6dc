/**
 * Measurements that belong to this machine, and the two tables that back the choice of float32:
 *
 *     deno task bench              speed and load
 *     deno task bench speed        scoring overhead, and pairs against minicons
 *     deno task bench load         what a hosted call costs, against a server on this machine
 *     deno task bench workbook     a rater's workbook of 300 × 12 read and written, against openpyxl
 *     deno task bench agreement    data/norse/pytorch_agreement.csv, 200 sentences a model
 *     deno task bench precision    data/norse/precision.csv, every pair a model
 *     deno task bench 8-bit        what 8-bit weights do to 200 sentences' scores
 *     deno task bench verifier     a claim against 300 words
 *     deno task bench retrieval    20,000 passages, against bm25s
 *     deno task bench thresholds   which claims find a passage that have one, and that have none
 *     deno task bench encoder      MiniLM, against PyTorch
 *     deno task bench batch        a batch of 1,000 claims, killed 20 times
 *     deno task bench metrics      data/factuality/metric_agreement.csv, every statistic against Python's
 *
 * Options: --threads N (2 at most by default), --pairs FILE (the Norse pairs unless told; with
 * data/sanskrit/morph_contrast_sets.jsonl the same for Sanskrit), --items N.
 */
import { parseArgs } from "node:util";
import { formatCsv } from "../lib/files/csv.ts";
import { writeTextAtomic } from "../lib/files/atomic.ts";
import { AGREEMENT_COLUMNS, PRECISION_COLUMNS } from "../lib/norse/report/read_evidence.ts";
import { againstMinicons } from "./bench/against_minicons.ts";
import { formatComparison } from "./bench/alternating.ts";
import {
  type BenchWeights,
  CACHE_DIRECTORY,
  panelWeights,
  readPairs,
  readSentences,
  seededSample,
} from "./bench/inputs.ts";
import { measureLoad } from "./bench/load.ts";
import { LOAD } from "./bench/load_shape.ts";
import { eightBitEffect } from "./bench/eight_bit.ts";
import {
  benchBatch,
  benchEncoder,
  benchRetrieval,
  benchThresholds,
  benchVerifier,
} from "./bench/factuality.ts";
import { benchMetrics } from "./bench/metrics.ts";
import { precisionFlips } from "./bench/precision_flips.ts";
import { pythonEnvironment } from "./bench/python_environment.ts";
import { pytorchAgreement } from "./bench/pytorch_agreement.ts";
import { report } from "./bench/report.ts";
import { scoringOverhead } from "./bench/scoring_overhead.ts";
import { workbookAgainstOpenpyxl } from "./bench/workbook.ts";

const SENTENCES = "data/norse/sentences.csv";
const PAIRS = "data/norse/minimal_pairs.csv";
const PANEL = "data/panels/local.yaml";
const AGREEMENT = "data/norse/pytorch_agreement.csv";
const PRECISION = "data/norse/precision.csv";
const AGREEMENT_SENTENCES = 200;
const WORKBOOK_ROUNDS = 10;
/** Bars of the specification. */
const LIMITS = { overhead: 1.15, minicons: 0.8, agreement: 0.1, hostedCall: 2, workbook: 1 };

interface Task {
  readonly weights: readonly BenchWeights[];
  readonly threads: number;
  readonly pairsPath: string;
  readonly items: number;
}

async function benchSpeed({ weights, threads, pairsPath, items }: Task): Promise<boolean> {
  const pairs = seededSample(await readPairs(pairsPath), items);
  // The saga has sentences beside its pairs; of another study the pairs' own are taken.
  const sentences = pairsPath === PAIRS
    ? seededSample(await readSentences(SENTENCES), items).map(({ text }) => text)
    : pairs.map(({ grammatical }) => grammatical);
  const python = await pythonEnvironment(CACHE_DIRECTORY);
  let kept = true;
  for (const { entry: { id }, expanded: { path } } of weights) {
    const overhead = await scoringOverhead(path, threads, sentences);
    const text = formatComparison(overhead);
    kept = report(`${id} scoring / evaluation`, overhead.ratio, LIMITS.overhead, text) && kept;
    const minicons = await againstMinicons({ path, threads, python, pairs });
    const more = `scores differ by ${minicons.largestDifference.toFixed(3)} nats at most`;
    const pairText = `${formatComparison(minicons)}, ${more}`;
    kept = report(`${id} pair / minicons`, minicons.ratio, LIMITS.minicons, pairText) && kept;
  }
  return kept;
}

type Row<Columns extends readonly string[]> = Record<Columns[number], string | number>;

const nats = (value: number) => Number(value.toFixed(6));

async function benchAgreement({ weights, threads }: Task): Promise<boolean> {
  const sentences = seededSample(await readSentences(SENTENCES), AGREEMENT_SENTENCES);
  const python = await pythonEnvironment(CACHE_DIRECTORY);
  const rows: Row<typeof AGREEMENT_COLUMNS>[] = [];
  let kept = true;
  for (const { entry: { id }, expanded: { path } } of weights) {
    const found = await pytorchAgreement({ model: id, path, threads, python, sentences });
    const differences = found.map(({ llama, pytorch }) => Math.abs(llama - pytorch));
    const largest = Math.max(...differences);
    const mean = differences.reduce((sum, x) => sum + x, 0) / differences.length;
    const text = `mean ${mean.toFixed(4)}, largest ${largest.toFixed(4)} nats in ${found.length}`;
    kept = report(`${id} against PyTorch`, largest, LIMITS.agreement, text) && kept;
    rows.push(...found.map(({ model, sentenceId, tokens, llama, pytorch }) => ({
      model,
      sentence_id: sentenceId,
      tokens,
      llama_logprob: nats(llama),
      pytorch_logprob: nats(pytorch),
    })));
  }
  writeTextAtomic(AGREEMENT, formatCsv(AGREEMENT_COLUMNS, rows));
  return kept;
}

async function benchPrecision({ weights, threads, pairsPath }: Task): Promise<boolean> {
  const pairs = await readPairs(pairsPath);
  const rows: Row<typeof PRECISION_COLUMNS>[] = [];
  for (const model of weights) {
    const found = await precisionFlips(model, threads, pairs);
    const flips = found.filter(({ flipped }) => flipped).length;
    console.log(`${model.entry.id}: ${flips} of ${found.length} pairs flip on shipped weights`);
    rows.push(...found.map((row) => ({
      model: row.model,
      pair_id: row.pairId,
      phenomenon: row.phenomenon,
      f32_log_odds: nats(row.expanded),
      shipped_log_odds: nats(row.shipped),
      flipped: row.flipped ? "True" : "False",
    })));
  }
  writeTextAtomic(PRECISION, formatCsv(PRECISION_COLUMNS, rows));
  return true;
}

async function benchLoad(): Promise<boolean> {
  const { models, prompts, inFlight, delayMs } = LOAD;
  const { ours, bare } = await measureLoad(CACHE_DIRECTORY, LOAD);
  const milliseconds = (value: number) => `${value.toFixed(2)} ms`;
  const text = `${milliseconds(ours.overhead)} beyond the server's ${delayMs} ms ` +
    `(bare fetch ${milliseconds(bare.overhead)}), processor ${milliseconds(ours.cpu)} ` +
    `(${(ours.cpu / bare.cpu).toFixed(1)} times bare fetch's ${milliseconds(bare.cpu)}), ` +
    `${models} × ${prompts} prompts, ${inFlight} in flight`;
  return report("hosted call, ms", ours.overhead, LIMITS.hostedCall, text);
}

async function benchWorkbook(): Promise<boolean> {
  const found = await workbookAgainstOpenpyxl(CACHE_DIRECTORY, WORKBOOK_ROUNDS);
  const what = "workbook read and written / openpyxl";
  return report(what, found.ratio, LIMITS.workbook, formatComparison(found));
}

async function benchEightBit({ weights, threads }: Task): Promise<boolean> {
  const sentences = seededSample(await readSentences(SENTENCES), AGREEMENT_SENTENCES);
  const texts = sentences.map(({ text }) => text);
  for (const model of weights) {
    console.log(await eightBitEffect(model, { cacheDirectory: CACHE_DIRECTORY, threads, texts }));
  }
  return true;
}

/** Tasks that need none of the panel's weights. */
const LIGHT_TASKS: Readonly<Record<string, (threads: number) => Promise<boolean>>> = {
  load: benchLoad,
  workbook: benchWorkbook,
  verifier: (threads) => benchVerifier(report, threads),
  retrieval: () => benchRetrieval(report),
  thresholds: benchThresholds,
  encoder: benchEncoder,
  batch: () => benchBatch(report),
  metrics: () => benchMetrics(report),
};

/** Tasks that need the panel's weights. */
const TASKS: Readonly<Record<string, (task: Task) => Promise<boolean>>> = {
  speed: benchSpeed,
  agreement: benchAgreement,
  precision: benchPrecision,
  "8-bit": benchEightBit,
};

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      threads: { type: "string", default: String(Math.min(2, navigator.hardwareConcurrency)) },
      pairs: { type: "string", default: PAIRS },
      items: { type: "string", default: "40" },
    },
  });
  const names = positionals.length > 0 ? positionals : ["speed", "load"];
  const unknown = names.find((name) => !(name in LIGHT_TASKS || name in TASKS));
  if (unknown !== undefined) {
    const all = [...Object.keys(TASKS), ...Object.keys(LIGHT_TASKS)].join(", ");
    throw new RangeError(`Cannot measure ${unknown}: choose ${all}`);
  }
  const threads = Number(values.threads);
  const items = Number(values.items);
  let kept = true;
  for (const name of names) {
    const task = TASKS[name];
    const weights = task ? await panelWeights(PANEL, threads) : [];
    const run = task
      ? task({ weights, threads, pairsPath: values.pairs, items })
      : LIGHT_TASKS[name]!(threads);
    kept = await run && kept;
  }
  if (!kept) Deno.exitCode = 1;
}

await main();
