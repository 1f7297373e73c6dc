/**
 * Compares the local models with PyTorch's log-probabilities, coarser weights and a server.
 * @module
 */
import { basename, dirname, join } from "node:path";
import { mean } from "simple-statistics";
import { z } from "zod";
import { openProgress } from "../../lib/files/progress.ts";
import { NO_KEY } from "../../lib/models/hosted/chat_completion.ts";
import { openKeyedCalls } from "../../lib/models/hosted/keyed_calls.ts";
import { serverModel } from "../../lib/models/hosted/openai_compatible.ts";
import type { Engine } from "../../lib/models/llama/engine.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { chatModel, scoreTexts } from "../../lib/models/llama/roles.ts";
import type { ChatModel } from "../../lib/models/model.ts";
import { formatPrompt, type Order, ORDERS, parseChoice } from "../../lib/pairs/forced_choice.ts";
import { NORSE_STUDY } from "../../lib/studies/norse/study.ts";
import {
  PRECISION as PRECISION_TABLE,
  PYTORCH_AGREEMENT,
  SERVED,
} from "../../lib/studies/norse/tables.ts";
import { choiceOf, command, EXIT, int } from "../command.ts";
import {
  benchPath,
  openLineProcess,
  openPython,
  pythonWith,
  pythonWithTorch,
} from "../python_environment.ts";
import {
  type BenchPair,
  PAIRS,
  panelWeights,
  printMeasurement,
  readPairs,
  sagaSentences,
  seededSample,
  THREADS,
} from "./harness.ts";

/** Maximum difference from PyTorch, in nats per sentence. */
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
    c.option(
      "--with <reference>",
      REFERENCES.join(", "),
      choiceOf(...REFERENCES),
      "pytorch" as const,
    )
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

/**
 * Compares each model's scores of 200 sentences with PyTorch on the same weights.
 * @returns true where all differences are within the limit.
 */
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
      const [scored] = await engine.score([{ tokens: sequence }]);
      const llama = scored!.tokens.reduce((sum, one) => sum + one, 0);
      const asked = { kind: "torch", sequences: [sequence] };
      const { scores: [pytorch] } = await scorer.ask(asked, SCORES);
      differences.push(Math.abs(llama - pytorch!));
      const logprobs = { llama_logprob: nats(llama), pytorch_logprob: nats(pytorch!) };
      rows.push({ model, sentence_id: id, tokens: sequence.length - 1, ...logprobs });
    }
    const largest = Math.max(...differences);
    const text = `mean ${mean(differences).toFixed(4)}, largest ${largest.toFixed(4)} nats in ` +
      differences.length;
    kept = printMeasurement(`${model} against PyTorch`, largest, LIMIT, text) && kept;
  }
  PYTORCH_AGREEMENT.write(rows);
  return kept;
}

/** Counts pairs whose preferred member changes between quantised and 32-bit weights. */
async function countFlips(threads: number): Promise<boolean> {
  const pairs = await readPairs(PAIRS);
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

/** Log-probabilities of both members in nats, by pair id. */
export type Scores = ReadonlyMap<string, readonly [good: number, bad: number]>;

/**
 * Compares another program's scores of pairs with ours. `same` counts pairs with the same preferred
 * member or a tie in both. `largest` is the maximum difference for a sentence, in nats.
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
    largest: pairs.reduce((most, { apart }) => Math.max(most, apart), 0),
  };
}

/** Scores both members of each pair in nats. */
async function scorePairs(engine: Engine, pairs: readonly Members[]) {
  const found = [];
  for (const pair of pairs) {
    const [good, bad] = await scoreTexts(engine, textsOf(pair));
    found.push([good!.logProbability, bad!.logProbability] as const);
  }
  return found;
}

/** Reply of a reference scorer: log-probabilities in nats, and the time of scoring alone. */
export const SCORES = z.object({
  scores: z.array(z.number()),
  /** Wall-clock time in milliseconds. */
  milliseconds: z.number(),
  /** CPU time of all threads in milliseconds. */
  processor: z.number(),
});

/**
 * Opens PyTorch and minicons on a GGUF file's weights. They are given the start token where it is
 * not the BOS token.
 */
export function openScorer(python: string, path: string, threads: number, { vocabulary }: Engine) {
  const start = vocabulary.start.source === "end-of-text" ? ["<|endoftext|>"] : [];
  const place = [String(threads), dirname(path), basename(path), ...start];
  return openPython("PyTorch", python, "../python/reference.py", ...place);
}

/**
 * Compares one model's answers in this process and through llama.cpp's server. Takes 5 minutes.
 * @returns true where all letters agree.
 */
async function serverAgrees(items: number, threads: number): Promise<boolean> {
  const pairs = seededSample(await readPairs(PAIRS), items);
  await using server = await openServer(threads, 1);
  const { model, path, address } = server;
  await using engine = await openEngine(path, { threads, contextTokens: CONTEXT_TOKENS });
  const answers = await askBoth(
    pairs,
    chatModel(model, engine),
    servedModel(model, `${address}/v1`),
  );
  SERVED.write(answers.map(({ inProcess, served, ...question }) => ({
    ...question,
    in_process: letterOf(inProcess),
    served: letterOf(served),
    same_text: inProcess === served,
  })));
  console.log(`data/norse/served_agreement.csv has ${answers.length} rows`);
  return reportAnswers(answers);
}

/**
 * Starts llama.cpp's server with the panel's chat model on 32-bit weights. It serves `slots` calls
 * at once.
 */
export async function openServer(threads: number, slots: number) {
  const [first] = await panelWeights(threads, ({ readout }) => readout === "generation");
  if (!first) throw new RangeError("Cannot compare: the panel has no chat model");
  const { entry: { id: model }, expanded: { path } } = first;
  const what = "xllamacpp (34 MB, llama.cpp's own server in a wheel)";
  const requirements = "../python/served_xllamacpp.txt";
  const python = await pythonWith(what, join("served", "xllamacpp"), requirements);
  // The script ends when its input is closed, and so with this process, however that ends.
  const args = [benchPath("../python/serve_xllamacpp.py"), path, threads, CONTEXT_TOKENS, slots];
  const running = openLineProcess("the server", python, args.map(String));
  let address: string | undefined;
  // What a server prints besides is passed over.
  while (!address) address = /^\{"address": "(http:[^"]+)"/.exec(await running.hear())?.[1];
  return { model, path, address, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

/** Returns the model on that server, with the settings of a panel entry. */
function servedModel(id: string, baseUrl: string): ChatModel {
  const calls = openKeyedCalls([NO_KEY], { host: "the server", timeoutSeconds: 120 });
  // As in process, see lib/models/llama/roles.ts.
  const generation = { temperature: 0, maxReplyTokens: 10 };
  const entry = { id, kind: "openai-compatible" as const, baseUrl, concurrency: 1 };
  const more = { roles: ["chat" as const], licence: "Apache-2.0" };
  return serverModel({ ...entry, ...more }, generation, { calls }).chat!;
}

/** Full answers of the same weights to one question, in process and through a server. */
interface ServedAnswer {
  readonly model: string;
  readonly pair_id: string;
  readonly order: Order;
  readonly inProcess: string;
  readonly served: string;
}

/** Parses A or B; INVALID for an answer without a choice. */
function letterOf(text: string): "A" | "B" | "INVALID" {
  const choice = parseChoice(text);
  return choice.kind === "choice" ? choice.letter : "INVALID";
}

/** Asks every pair in both orders, sequentially, so that neither model slows the other down. */
async function askBoth(
  pairs: readonly BenchPair[],
  inProcess: ChatModel,
  served: ChatModel,
): Promise<readonly ServedAnswer[]> {
  const answers: ServedAnswer[] = [];
  using progress = openProgress(`${inProcess.name} served`, 2 * pairs.length);
  for (const pair of pairs) {
    for (const order of ORDERS) {
      const prompt = formatPrompt(NORSE_STUDY.question, pair, order);
      const textOf = async (model: ChatModel) => {
        const reply = await model.ask(prompt);
        if (reply.kind === "failure") throw new Error(`Cannot compare: ${reply.message}`);
        // In process the ends are trimmed; what a choice is read from has them trimmed either way.
        return reply.text.trim();
      };
      const texts = { inProcess: await textOf(inProcess), served: await textOf(served) };
      answers.push({ model: inProcess.name, pair_id: pair.id, order, ...texts });
      progress.advance();
    }
  }
  return answers;
}

/**
 * Prints the numbers of identical answers and of identical letters.
 * @returns true where all letters agree.
 */
function reportAnswers(answers: readonly ServedAnswer[]): boolean {
  const others = answers.filter(({ inProcess, served }) => inProcess !== served);
  const letters =
    answers.filter(({ inProcess, served }) => letterOf(inProcess) === letterOf(served)).length;
  const n = answers.length;
  console.log(`letters: ${letters} of ${n} the same; whole texts: ${n - others.length}`);
  for (const { pair_id, order, inProcess, served } of others) {
    const shown = `${JSON.stringify(inProcess)} in process, ${JSON.stringify(served)} served`;
    console.log(`  ${pair_id} ${order}: ${shown}`);
  }
  return letters === n;
}
