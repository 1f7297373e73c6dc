/** The local models' log-probabilities: how fast, how near PyTorch's, and what rougher weights do. */
import { basename, dirname, join } from "node:path";
import { mean } from "simple-statistics";
import { z } from "zod";
import { eachInFlight } from "../../lib/models/in_flight.ts";
import { EvaluationContext } from "../../lib/models/llama/context.ts";
import type { Engine } from "../../lib/models/llama/engine.ts";
import { loadGgufModel, modelVocabulary } from "../../lib/models/llama/gguf_model.ts";
import { openLlamaLibrary } from "../../lib/models/llama/library.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { scoreTexts } from "../../lib/models/llama/roles.ts";
import { scoreSequences } from "../../lib/models/llama/sequence_score.ts";
import { expandedWeights } from "../../lib/models/llama/weights.ts";
import {
  PRECISION as PRECISION_TABLE,
  PYTORCH_AGREEMENT,
  SPEED as SPEED_TABLE,
} from "../../lib/norse/tables.ts";
import { command, EXIT, int } from "../command.ts";
import {
  type BenchPair,
  CACHE_DIRECTORY,
  compareAlternating,
  formatComparison,
  measurement,
  openPython,
  PAIRS,
  panelWeights,
  pythonWithTorch,
  readPairs,
  report,
  sagaSentences,
  seededSample,
  THREADS,
} from "./harness.ts";

/** Ratios: scoring to evaluation, a pair to minicons, alone and beside a busy process; and nats. */
const LIMITS = { overhead: 1.15, idle: 1, busy: 0.5, pytorch: 0.1 };
const SENTENCE_COUNT = 200;
const CONTEXT_TOKENS = 2048;
const rounded = (value: number) => Number(value.toFixed(3));
const nats = (value: number) => Number(value.toFixed(6));

export const SPEED = command(
  "speed",
  "Scoring overhead, and pairs against minicons, idle and beside a busy process (10 minutes): to " +
    "data/norse/speed.csv",
  (c) =>
    c.option("--threads <number>", "threads of each model", ...THREADS)
      .option("--pairs <file>", "CSV or JSONL of pairs", PAIRS)
      .option("--items <number>", "pairs and sentences", int({ min: 1 }), 40),
  async ({ threads, pairs: source, items }) => {
    const pairs = seededSample(await readPairs(source), items);
    // The saga has sentences beside its pairs; of another study the pairs' own are taken.
    const sentences = source === PAIRS
      ? (await sagaSentences(items)).map(({ normalised }) => normalised)
      : pairs.map(({ grammatical }) => grammatical);
    const python = await pythonWithTorch();
    const rows = [];
    let kept = true;
    for (const { entry: { id }, expanded: { path } } of await panelWeights(threads)) {
      const overhead = await scoringOverhead(path, threads, sentences);
      const text = formatComparison(overhead);
      kept = report(`${id} scoring / evaluation`, overhead.ratio, LIMITS.overhead, text) && kept;
      for (const found of await againstMinicons(python, path, threads, pairs)) {
        const { condition, largest, ...comparison } = found;
        const pairText = `${formatComparison(comparison)}, scores differ by ` +
          `${largest.toFixed(3)} nats at most`;
        const limit = LIMITS[condition];
        kept = report(`${id} pair / minicons, ${condition}`, comparison.ratio, limit, pairText) &&
          kept;
        const { ours, theirs, ratio, ratioLow, ratioHigh } = comparison;
        rows.push({
          ...{ model: id, condition, processors: navigator.hardwareConcurrency, threads },
          ...{ pairs: pairs.length, ms: rounded(ours), minicons_ms: rounded(theirs) },
          ratio: rounded(ratio),
          ratio_low: rounded(ratioLow),
          ratio_high: rounded(ratioHigh),
        });
      }
    }
    if (source === PAIRS) SPEED_TABLE.write(rows);
    return kept ? EXIT.done : EXIT.failed;
  },
);

export const AGREEMENT = measurement(
  "Each model's scores of 200 sentences against PyTorch on the same weights",
  async (threads) => {
    const sentences = await sagaSentences(SENTENCE_COUNT);
    const python = await pythonWithTorch();
    const rows = [];
    let kept = true;
    for (const { entry: { id: model }, expanded: { path } } of await panelWeights(threads)) {
      await using engine = await openEngine(path, { threads, contextTokens: CONTEXT_TOKENS });
      await using scorer = await openScorer(python, path, threads, engine);
      const differences: number[] = [];
      for (const { id, normalised } of sentences) {
        const sequence = [engine.vocabulary.start.id, ...engine.vocabulary.tokenise(normalised)];
        const [llama] = await engine.score([sequence]);
        const asked = { kind: "torch", sequences: [sequence] };
        const { scores: [pytorch] } = await scorer.ask(asked, SCORES);
        differences.push(Math.abs(llama! - pytorch!));
        const logprobs = { llama_logprob: nats(llama!), pytorch_logprob: nats(pytorch!) };
        rows.push({ model, sentence_id: id, tokens: sequence.length - 1, ...logprobs });
      }
      const largest = Math.max(...differences);
      const text = `mean ${mean(differences).toFixed(4)}, largest ${largest.toFixed(4)} nats in ` +
        differences.length;
      kept = report(`${model} against PyTorch`, largest, LIMITS.pytorch, text) && kept;
    }
    PYTORCH_AGREEMENT.write(rows);
    return kept;
  },
);

export const PRECISION = measurement(
  "Every pair on the weights as shipped, against their 32-bit expansion",
  async (threads) => {
    const pairs = await readPairs(PAIRS);
    const rows = [];
    for (const { entry: { id: model }, shipped, expanded } of await panelWeights(threads)) {
      const logOdds = async (path: string) =>
        (await scoresOf(path, threads, pairs.map(textsOf))).map(([good, bad]) => good! - bad!);
      const exact = await logOdds(expanded.path);
      const rough = await logOdds(shipped.path);
      const found = pairs.map(({ id, phenomenon }, i) => ({
        ...{ model, pair_id: id, phenomenon },
        ...{ f32_log_odds: nats(exact[i]!), shipped_log_odds: nats(rough[i]!) },
        flipped: Math.sign(exact[i]!) !== Math.sign(rough[i]!),
      }));
      const flips = found.filter(({ flipped }) => flipped).length;
      console.log(`${model}: ${flips} of ${found.length} pairs flip on shipped weights`);
      rows.push(...found);
    }
    PRECISION_TABLE.write(rows);
    return true;
  },
);

export const EIGHT_BIT = measurement(
  "What 8-bit weights do to 200 sentences' scores",
  async (threads) => {
    // One by one: in company a quantised text's score is another.
    const alone = (await sagaSentences(SENTENCE_COUNT)).map(({ normalised }) => [normalised]);
    const settings = { directory: join(CACHE_DIRECTORY, "models"), precision: "Q8_0" } as const;
    for (const { entry, shipped, expanded } of await panelWeights(threads)) {
      const { path } = await expandedWeights(shipped, { ...settings, threads });
      const exact = (await scoresOf(expanded.path, threads, alone)).flat();
      const rough = (await scoresOf(path, threads, alone)).flat();
      console.log(`${entry.id} on 8-bit weights: ${precisionEffect(exact, rough)}`);
    }
    return true;
  },
);

/** `mean 0.86, largest 4.80 nats in 200 texts of −93.1 nats on average (shift −0.12)`. */
function precisionEffect(exact: readonly number[], rough: readonly number[]): string {
  const differences = exact.map((score, i) => rough[i]! - score);
  const sizes = differences.map(Math.abs);
  return `mean ${mean(sizes).toFixed(2)}, largest ${Math.max(...sizes).toFixed(2)} nats in ` +
    `${exact.length} texts of ${mean([...exact]).toFixed(1)} nats on average ` +
    `(shift ${mean(differences).toFixed(2)})`;
}

const textsOf = ({ grammatical, ungrammatical }: BenchPair) => [grammatical, ungrammatical];

/** Log-probabilities in nats of texts by a GGUF file, group by group; one file is in memory at a time. */
async function scoresOf(path: string, threads: number, groups: readonly (readonly string[])[]) {
  await using engine = await openEngine(path, { threads, contextTokens: CONTEXT_TOKENS });
  const found: number[][] = [];
  for (const texts of groups) {
    found.push((await scoreTexts(engine, texts)).map(({ logProbability }) => logProbability));
  }
  return found;
}

/** What score.py answers: log-probabilities in nats, and how long scoring alone took. */
const SCORES = z.object({ scores: z.array(z.number()), milliseconds: z.number() });

/** PyTorch and minicons on the weights of a GGUF file, told the start token where its BOS is another. */
function openScorer(python: string, path: string, threads: number, { vocabulary }: Engine) {
  const start = vocabulary.start.source === "end-of-text" ? ["<|endoftext|>"] : [];
  const place = [dirname(path), basename(path), String(threads)];
  return openPython("PyTorch", python, "../python/score.py", ...place, ...start);
}

/** Groups of a comparison: each is long enough that one pair more or less at its end counts little. */
const GROUP = 10;

/**
 * The time of a pair against that of minicons for the same two sentences in one batch (same weights in
 * float32, same threads, same start token), and how far scores differ in nats: when the machine is left
 * alone, and with another process at work on one of its processors. Pairs are scored as a study scores
 * them, several at once; minicons has all threads for each.
 */
async function againstMinicons(
  python: string,
  path: string,
  threads: number,
  pairs: readonly BenchPair[],
) {
  await using engine = await openEngine(path, { threads, contextTokens: CONTEXT_TOKENS });
  await using scorer = await openScorer(python, path, threads, engine);
  const groups = Array.from(
    { length: Math.ceil(pairs.length / GROUP) },
    (_, at) => pairs.slice(at * GROUP, (at + 1) * GROUP),
  );
  const ours = new Map<string, number>();
  let largest = 0;
  const here = async (group: readonly BenchPair[]) => {
    const begun = performance.now();
    await eachInFlight(group, engine.concurrency.score, async (pair) => {
      const texts = textsOf(pair);
      const scores = await scoreTexts(engine, texts);
      scores.forEach(({ logProbability }, i) => ours.set(texts[i]!, logProbability));
      return true;
    });
    return (performance.now() - begun) / group.length;
  };
  const there = async (group: readonly BenchPair[]) => {
    let sum = 0;
    for (const texts of group.map(textsOf)) {
      const { scores, milliseconds } = await scorer.ask({ kind: "minicons", texts }, SCORES);
      sum += milliseconds;
      for (const [i, score] of scores.entries()) {
        largest = Math.max(largest, Math.abs((ours.get(texts[i]!) ?? score) - score));
      }
    }
    return sum / group.length;
  };
  const found = [];
  for (const condition of ["idle", "busy"] as const) {
    using _beside = condition === "busy" ? busyProcess() : undefined;
    found.push({ condition, ...await compareAlternating(groups, here, there), largest });
  }
  return found;
}

/** Keeps one processor at work until it is disposed of; ten minutes at most, should nobody do so. */
function busyProcess(): Disposable {
  const work = "for (const end = Date.now() + 600_000; Date.now() < end;);";
  const child = new Deno.Command(Deno.execPath(), { args: ["eval", work] }).spawn();
  return { [Symbol.dispose]: () => child.kill() };
}

/**
 * The time of log-probability scoring against that of plain llama.cpp evaluation of the same
 * tokens with logits at every position, sentence by sentence, in the same process and context.
 */
async function scoringOverhead(path: string, threads: number, sentences: readonly string[]) {
  openLlamaLibrary();
  using model = await loadGgufModel(path);
  const shape = { contextTokens: CONTEXT_TOKENS, batchTokens: 256, sequences: 8, threads };
  const context = new EvaluationContext(model, { ...shape, rows: "all" });
  const limits = { ...shape, texts: shape.sequences };
  try {
    const { start, tokenise } = modelVocabulary(model);
    const sequences = sentences.map((text) => [start.id, ...tokenise(text)])
      .filter((tokens) => tokens.length <= shape.batchTokens);
    return await compareAlternating(
      sequences,
      async (tokens) => void await scoreSequences([tokens], limits, (task) => task(context)),
      async (tokens) => {
        context.clear();
        // The last token predicts nothing, so neither contestant evaluates it.
        await context.decode(
          tokens.slice(0, -1).map((token, position) => (
            { token, position, sequences: [0], output: true }
          )),
        );
      },
    );
  } finally {
    context.close();
  }
}
