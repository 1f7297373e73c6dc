/** The local models held against others: PyTorch's log-probabilities, rougher weights, a server's answers. */
import { basename, dirname } from "node:path";
import { mean } from "simple-statistics";
import { z } from "zod";
import type { Engine } from "../../lib/models/llama/engine.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { scoreTexts } from "../../lib/models/llama/roles.ts";
import { PRECISION as PRECISION_TABLE, PYTORCH_AGREEMENT } from "../../lib/studies/norse/tables.ts";
import { command, EXIT, int, oneOf } from "../command.ts";
import { openReference, pythonWithTorch } from "../python_environment.ts";
import {
  type BenchPair,
  PAIRS,
  panelWeights,
  readPairs,
  report,
  sagaSentences,
  THREADS,
} from "./harness.ts";
import { serverAgrees } from "./served.ts";

/** Nats. */
const LIMIT = 0.1;
const SENTENCE_COUNT = 200;
export const CONTEXT_TOKENS = 2048;
const nats = (value: number) => Number(value.toFixed(6));

const REFERENCES = ["pytorch", "shipped", "server"] as const;

export const TASK = command(
  "bench agreement",
  "Each model's scores of 200 sentences against PyTorch on the same weights; with `--with shipped` every " +
    "pair on the weights as shipped, with `--with server` the same questions to llama.cpp's own server. " +
    "Each writes its table in data/norse",
  (c) =>
    c.option("--with <reference>", REFERENCES.join(", "), oneOf(...REFERENCES), "pytorch" as const)
      .option("--threads <number>", "threads of each", ...THREADS)
      .option("--items <pairs>", "pairs that the server is asked", int({ min: 1 }), 40),
  async ({ with: reference, threads, items }) => {
    const measures = {
      pytorch: () => agreesWithPyTorch(threads),
      shipped: () => countFlips(threads),
      server: () => serverAgrees(items, threads),
    };
    return await measures[reference]() ? EXIT.done : EXIT.failed;
  },
);

/** Each model's scores of 200 sentences against PyTorch on the same weights. */
async function agreesWithPyTorch(threads: number): Promise<boolean> {
  const sentences = sagaSentences(SENTENCE_COUNT);
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
    kept = report(`${model} against PyTorch`, largest, LIMIT, text) && kept;
  }
  PYTORCH_AGREEMENT.write(rows);
  return kept;
}

/** Every pair on the weights as shipped, against their 32-bit expansion. */
async function countFlips(threads: number): Promise<boolean> {
  const pairs = readPairs(PAIRS);
  const rows = [];
  for (const { entry: { id: model }, shipped, expanded } of await panelWeights(threads)) {
    // One file is in memory at a time.
    const logOdds = async (path: string) => {
      await using engine = await openEngine(path, { threads, contextTokens: CONTEXT_TOKENS });
      return (await scorePairs(engine, pairs)).map(([good, bad]) => good - bad);
    };
    const exact = await logOdds(expanded.path);
    const rough = await logOdds(shipped.path);
    const found = pairs.map(({ id, phenomenon }, i) => ({
      model,
      pair_id: id,
      phenomenon,
      f32_log_odds: nats(exact[i]!),
      shipped_log_odds: nats(rough[i]!),
      flipped: Math.sign(exact[i]!) !== Math.sign(rough[i]!),
    }));
    const flips = found.filter(({ flipped }) => flipped).length;
    console.log(`${model}: ${flips} of ${found.length} pairs flip on shipped weights`);
    rows.push(...found);
  }
  PRECISION_TABLE.write(rows);
  return true;
}

type Members = Pick<BenchPair, "grammatical" | "ungrammatical">;
export const textsOf = (pair: Members) => [pair.grammatical, pair.ungrammatical];

/** Log-probabilities of both members of pairs in nats, by the pairs' ids. */
export type Scores = ReadonlyMap<string, readonly [good: number, bad: number]>;

/**
 * Others' scores of pairs beside ours: who finds the good member the more probable, how often both choose
 * alike (a tie is another choice than either), and how far a sentence's scores are apart at most, in nats.
 * @throws {RangeError} for a pair that we did not score.
 */
export function compareScores(own: Scores, others: Scores) {
  const pairs = [...others].map(([id, [good, bad]]) => {
    const [ownGood, ownBad] = own.get(id) ?? [];
    if (ownGood === undefined || ownBad === undefined) {
      throw new RangeError(`Cannot compare ${id}: it is not scored yet.`);
    }
    const apart = Math.max(Math.abs(ownGood - good), Math.abs(ownBad - bad));
    return { own: Math.sign(ownGood - ownBad), other: Math.sign(good - bad), apart };
  });
  return {
    n: pairs.length,
    same: pairs.filter(({ own, other }) => own === other).length,
    ownRight: pairs.filter(({ own }) => own > 0).length,
    otherRight: pairs.filter(({ other }) => other > 0).length,
    largest: pairs.reduce((most, { apart }) => Math.max(most, apart), 0),
  };
}

/** Log-probabilities of both members in nats, pair by pair. */
export async function scorePairs(engine: Engine, pairs: readonly Members[]) {
  const found = [];
  for (const pair of pairs) {
    const [good, bad] = await scoreTexts(engine, textsOf(pair));
    found.push([good!.logProbability, bad!.logProbability] as const);
  }
  return found;
}

/** What a reference answers: log-probabilities in nats, and how long scoring alone took. */
export const SCORES = z.object({ scores: z.array(z.number()), milliseconds: z.number() });

/** PyTorch and minicons on the weights of a GGUF file, told the start token where its BOS is another. */
export function openScorer(python: string, path: string, threads: number, { vocabulary }: Engine) {
  const start = vocabulary.start.source === "end-of-text" ? ["<|endoftext|>"] : [];
  return openReference(python, threads, dirname(path), basename(path), ...start);
}
