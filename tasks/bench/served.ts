/** The same pairs asked in process and through a real server of the same weights: are the answers the same? */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openProgress } from "../../lib/files/progress.ts";
import { NO_KEY } from "../../lib/models/hosted/clients.ts";
import { openKeyedCalls } from "../../lib/models/hosted/keyed_calls.ts";
import { type ServerModel, serverModel } from "../../lib/models/hosted/openai_compatible.ts";
import type { Engine } from "../../lib/models/llama/engine.ts";
import { modelFile } from "../../lib/models/llama/local_models.ts";
import { openFfiEngine } from "../../lib/models/llama/open_engine.ts";
import { chatModel } from "../../lib/models/llama/roles.ts";
import { expandedWeights } from "../../lib/models/llama/weights.ts";
import type { ChatModel, LanguageModel } from "../../lib/models/model.ts";
import { ggufEntries, parsePanel } from "../../lib/models/panel.ts";
import { NORSE_STUDY } from "../../lib/norse/study.ts";
import { SERVED } from "../../lib/norse/tables.ts";
import { formatPrompt, type Order, ORDERS, parseChoice } from "../../lib/pairs/forced_choice.ts";
import { command, EXIT, int, oneOf } from "../command.ts";
import { pythonWith } from "../python/environment.ts";
import {
  type BenchPair,
  CACHE_DIRECTORY,
  PAIRS,
  PANEL,
  readPairs,
  seededSample,
  TextLineStream,
  THREADS,
} from "./inputs.ts";

export const TASK = command(
  "served",
  "The same questions to one model in this process and behind a server of the same weights; with " +
    "llama.cpp's own (5 minutes) the answers go to data/norse/served_agreement.csv",
  (c) =>
    c.option("--all", "every pair (an hour)", false)
      .option("--items <pairs>", "so many pairs, drawn by seed", int({ min: 1 }), 40)
      .option(
        "--server <name>",
        "xllamacpp, or llama-cpp-python, which is built from source (15 minutes)",
        oneOf("xllamacpp", "llama-cpp-python"),
        "xllamacpp" as const,
      )
      .option("--threads <number>", "threads of each", ...THREADS),
  async ({ all, items, server, threads }) => {
    const kind = SERVERS[server];
    const { model, path } = await chatWeights(threads);
    const everyPair = await readPairs(PAIRS);
    const pairs = all ? everyPair : seededSample(everyPair, items);
    const shape = { path, threads, contextTokens: CONTEXT_TOKENS };
    const place = { ...shape, cacheDirectory: CACHE_DIRECTORY };
    await using running = await startServer(kind, server, place);
    await using engine = await openFfiEngine(path, shape);
    const comparison: Comparison = { engine, model, baseUrl: running.baseUrl, pairs };
    const answers = await compareAnswers(comparison);
    const same = reportAnswers(answers);
    for (const startToken of kind.startTokens) await reportLikelihoods(comparison, startToken);
    if (server === "xllamacpp") writeAgreement(answers);
    return same ? EXIT.done : EXIT.failed;
  },
);

function writeAgreement(answers: readonly ServedAnswer[]): void {
  SERVED.write(answers.map(({ model, pairId, order, inProcess, served }) => ({
    model,
    pair_id: pairId,
    order,
    in_process: letterOf(inProcess),
    served: letterOf(served),
    same_text: inProcess === served,
  })));
  console.log(`data/norse/served_agreement.csv has ${answers.length} rows`);
}

const CONTEXT_TOKENS = 2048;
/** As in process, see lib/models/llama/roles.ts. */
const GENERATION = { temperature: 0, maxReplyTokens: 10 };

interface Comparison {
  readonly engine: Engine;
  readonly model: string;
  readonly baseUrl: string;
  readonly pairs: readonly BenchPair[];
}

/** The weights as evaluated: the panel's model that answers by generation, expanded to float32. */
async function chatWeights(threads: number) {
  const panel = parsePanel(await Deno.readTextFile(PANEL), PANEL);
  const entry = ggufEntries(panel).find(({ readout }) => readout === "generation");
  if (entry === undefined) throw new RangeError(`Cannot compare: ${PANEL} has no chat model`);
  const shipped = await modelFile(entry, CACHE_DIRECTORY);
  const directory = join(CACHE_DIRECTORY, "models");
  const { path } = await expandedWeights(shipped, { directory, precision: "F32", threads });
  return { model: entry.id, path };
}

/** The same model as a panel would name it on that server. */
function served({ model, baseUrl }: Comparison, startToken?: string): ServerModel {
  const calls = openKeyedCalls([NO_KEY], { host: "the server", timeoutSeconds: 120 });
  return serverModel(
    {
      id: model,
      kind: "openai-compatible",
      baseUrl,
      concurrency: 1,
      roles: ["chat", "likelihood"],
      licence: "Apache-2.0",
      ...(startToken === undefined ? {} : { startToken }),
    },
    GENERATION,
    { calls },
  );
}

async function compareAnswers(comparison: Comparison): Promise<readonly ServedAnswer[]> {
  const { engine, model, pairs } = comparison;
  const { chat } = served(comparison);
  if (chat === undefined) throw new TypeError("Cannot compare: the server's model has no chat");
  using progress = openProgress(`${model} served`, 2 * pairs.length);
  const answers = await askBoth({
    pairs,
    template: NORSE_STUDY.question,
    inProcess: chatModel(model, engine),
    served: chat,
    onProgress: () => progress.advance(),
  });
  return answers;
}

function reportAnswers(answers: readonly ServedAnswer[]): boolean {
  const { letters, texts } = agreement(answers);
  console.log(`letters: ${letters} of ${answers.length} the same; whole texts: ${texts}`);
  for (const { pairId, order, inProcess, served } of answers) {
    if (inProcess === served) continue;
    const shown = [inProcess, served].map((text) => JSON.stringify(text)).join(" in process, ");
    console.log(`  ${pairId} ${order}: ${shown} served`);
  }
  return letters === answers.length;
}

/** A refusal is a result, too: it is what a panel with such a server would be told. */
async function reportLikelihoods(comparison: Comparison, startToken: string): Promise<void> {
  const { engine, pairs } = comparison;
  const { likelihood } = served(comparison, startToken);
  const texts = pairs.flatMap(({ grammatical, ungrammatical }) => [grammatical, ungrammatical]);
  try {
    const { largest, mean } = await compareLikelihoods({
      texts,
      engine,
      startToken,
      served: likelihood!,
    });
    console.log(
      `likelihoods after ${startToken}: ${texts.length} texts differ by ${mean.toFixed(5)} nats ` +
        `on average, ${largest.toFixed(5)} at most`,
    );
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.log(`no likelihoods after ${startToken}: ${error.message}`);
  }
}

/** One question answered by the same weights in process and through a server. */
interface ServedAnswer {
  readonly model: string;
  readonly pairId: string;
  readonly order: Order;
  /** Whole texts. */
  readonly inProcess: string;
  readonly served: string;
}

/** A, B, or INVALID for an answer that chose nothing. */
export function letterOf(text: string): "A" | "B" | "INVALID" {
  const choice = parseChoice(text);
  return choice.kind === "choice" ? choice.letter : "INVALID";
}

async function textOf(model: ChatModel, prompt: string): Promise<string> {
  const reply = await model.ask(prompt);
  if (reply.kind === "failure") throw new Error(`Cannot compare: ${reply.message}`);
  // In process the ends are trimmed; what a choice is read from has them trimmed either way.
  return reply.text.trim();
}

/** Every pair in both orders, one question after the other, so that neither slows the other down. */
export async function askBoth(options: {
  readonly pairs: readonly BenchPair[];
  readonly template: string;
  readonly inProcess: ChatModel;
  readonly served: ChatModel;
  readonly onProgress?: (done: number) => void;
}): Promise<readonly ServedAnswer[]> {
  const { pairs, template, inProcess, served, onProgress } = options;
  const answers: ServedAnswer[] = [];
  for (const pair of pairs) {
    for (const order of ORDERS) {
      const prompt = formatPrompt(template, pair, order);
      answers.push({
        model: inProcess.name,
        pairId: pair.id,
        order,
        inProcess: await textOf(inProcess, prompt),
        served: await textOf(served, prompt),
      });
      onProgress?.(answers.length);
    }
  }
  return answers;
}

/** How many answers agree in their letter, and how many to the last character. */
export function agreement(answers: readonly ServedAnswer[]) {
  const sameLetter = answers.filter(({ inProcess, served }) =>
    letterOf(inProcess) === letterOf(served)
  );
  const sameText = answers.filter(({ inProcess, served }) => inProcess === served);
  return { answers: answers.length, letters: sameLetter.length, texts: sameText.length };
}

/** How far the same texts' log-probabilities in process and through a server lie apart, in nats. */
interface LikelihoodDifferences {
  readonly texts: number;
  readonly largest: number;
  readonly mean: number;
}

/**
 * Scores texts twice. The engine scores them after the tokens that the server puts before them,
 * whatever they are, so that both condition on the same.
 *
 * @throws {TypeError} where the server gives no likelihoods, saying why.
 */
export async function compareLikelihoods(options: {
  readonly texts: readonly string[];
  readonly engine: Engine;
  /** What precedes every text, as markup. */
  readonly startToken: string;
  readonly served: LanguageModel;
}): Promise<LikelihoodDifferences> {
  const { texts, engine, startToken, served } = options;
  const start = engine.vocabulary.tokeniseMarkup(startToken);
  const differences: number[] = [];
  for (const text of texts) {
    const [likelihood] = await served.score([text]);
    const expected = await scoreAfter(engine, start, text);
    differences.push(Math.abs(likelihood!.logProbability - expected));
  }
  const mean = differences.reduce((sum, x) => sum + x, 0) / differences.length;
  return { texts: texts.length, largest: Math.max(...differences), mean };
}

/** log P(text | start) in nats, for a start of one token or more. */
async function scoreAfter(engine: Engine, start: readonly number[], text: string): Promise<number> {
  const whole = [...start, ...engine.vocabulary.tokenise(text)];
  if (start.length === 1) return (await engine.score([whole]))[0]!;
  const [all, before] = await engine.score([whole, start]);
  return all! - before!;
}

const PYTHON = new URL("../python/", import.meta.url);
const inPython = (name: string) => fileURLToPath(new URL(name, PYTHON));

/** A server that can be had from the package index. */
interface ServerKind {
  /** What is said while it is installed. */
  readonly what: string;
  /** Path of a requirements file. */
  readonly requirements: string;
  readonly script: string;
  /** Put before texts whose likelihood is asked, in the order tried. */
  readonly startTokens: readonly string[];
}

/** SmolLM2's: the one between documents, and that after its BOS. */
const END_OF_TEXT = "<|endoftext|>";
const BOS_AND_END_OF_TEXT = "<|im_start|><|endoftext|>";

const SERVERS: Readonly<Record<"xllamacpp" | "llama-cpp-python", ServerKind>> = {
  /** llama.cpp's own HTTP server, compiled into a wheel. */
  "xllamacpp": {
    what: "xllamacpp (34 MB, llama.cpp's own server in a wheel)",
    requirements: inPython("served_xllamacpp.txt"),
    script: inPython("serve_xllamacpp.py"),
    startTokens: [END_OF_TEXT],
  },
  /**
   * A server written in Python over the same library. It echoes log-probabilities, but one place off
   * unless the prompt begins with BOS; so the second start token has it.
   */
  "llama-cpp-python": {
    what: "llama-cpp-python (built from source: needs cmake and a C++ compiler, and about " +
      "15 minutes of one core)",
    requirements: inPython("served_llama_cpp_python.txt"),
    script: inPython("serve_llama_cpp_python.py"),
    startTokens: [END_OF_TEXT, BOS_AND_END_OF_TEXT],
  },
};

/** Installs a server where it is not there yet, and starts it. */
async function startServer(kind: ServerKind, name: string, options: {
  readonly cacheDirectory: string;
  readonly path: string;
  readonly threads: number;
  readonly contextTokens: number;
}): Promise<RunningServer> {
  const python = await pythonWith({
    folder: join(options.cacheDirectory, "served", name),
    requirements: await Deno.readTextFile(kind.requirements),
    what: kind.what,
    installs: [["-r", kind.requirements]],
  });
  return await startPythonServer({ ...options, python, script: kind.script });
}

/** A server that runs for the time of a comparison, on loopback. */
interface RunningServer extends AsyncDisposable {
  /** Up to and with `/v1`. */
  readonly baseUrl: string;
}

interface PythonServerOptions {
  readonly python: string;
  readonly script: string;
  /** GGUF file to be served. */
  readonly path: string;
  readonly threads: number;
  readonly contextTokens: number;
}

/**
 * Starts a script of tasks/python that serves a GGUF file, and waits until the model is loaded. The
 * script ends when its input is closed, and so with this process, however that ends.
 *
 * @throws {Error} where it ends before it serves.
 */
async function startPythonServer(options: PythonServerOptions): Promise<RunningServer> {
  const { python, script, path, threads, contextTokens } = options;
  const child = new Deno.Command(python, {
    args: [script, path, String(threads), String(contextTokens)],
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const lines = child.stdout
    .pipeThrough(new TextDecoderStream())
    .pipeThrough(new TextLineStream())
    .getReader();
  const address = await firstAddress(lines);
  if (address === undefined) {
    await child.stdin.close();
    throw new Error(`Cannot compare: ${script} ended before it served; run it by hand to see why`);
  }
  return {
    baseUrl: `${address}/v1`,
    async [Symbol.asyncDispose]() {
      await child.stdin.close();
      await lines.cancel();
      await child.status;
    },
  };
}

/** The address of the line `{"address": …}`; what a server prints besides is passed over. */
async function firstAddress(
  lines: ReadableStreamDefaultReader<string>,
): Promise<string | undefined> {
  while (true) {
    const { value, done } = await lines.read();
    if (done) return undefined;
    const address = /^\{"address": "(http:[^"]+)"/.exec(value)?.[1];
    if (address !== undefined) return address;
  }
}
