/** The same pairs asked in process and through a real server of the same weights: are the answers the same? */
import { join } from "node:path";
import { mean } from "simple-statistics";
import { openProgress } from "../../lib/files/progress.ts";
import { NO_KEY } from "../../lib/models/hosted/clients.ts";
import { openKeyedCalls } from "../../lib/models/hosted/keyed_calls.ts";
import { serverModel } from "../../lib/models/hosted/openai_compatible.ts";
import type { Engine } from "../../lib/models/llama/engine.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { chatModel } from "../../lib/models/llama/roles.ts";
import type { ChatModel, LanguageModel } from "../../lib/models/model.ts";
import { NORSE_STUDY } from "../../lib/norse/study.ts";
import { SERVED } from "../../lib/norse/tables.ts";
import { formatPrompt, type Order, ORDERS, parseChoice } from "../../lib/pairs/forced_choice.ts";
import { command, EXIT, int, oneOf } from "../command.ts";
import {
  type BenchPair,
  besides,
  openLineProcess,
  PAIRS,
  panelWeights,
  pythonWith,
  readPairs,
  seededSample,
  THREADS,
} from "./harness.ts";

const CONTEXT_TOKENS = 2048;
/** SmolLM2's token between documents. */
const END_OF_TEXT = "<|endoftext|>";

/** Servers from the package index, with what is put before texts whose likelihood is asked, in turn. */
const SERVERS = {
  /** llama.cpp's own HTTP server, compiled into a wheel. */
  "xllamacpp": {
    what: "xllamacpp (34 MB, llama.cpp's own server in a wheel)",
    file: "xllamacpp",
    startTokens: [END_OF_TEXT],
  },
  /**
   * A server written in Python over the same library. It echoes log-probabilities, but one place off
   * unless the prompt begins with BOS; so the second start token has it.
   */
  "llama-cpp-python": {
    what: "llama-cpp-python (built from source, 15 minutes: needs cmake and a C++ compiler)",
    file: "llama_cpp_python",
    startTokens: [END_OF_TEXT, `<|im_start|>${END_OF_TEXT}`],
  },
} as const;

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
    const { what, file, startTokens } = SERVERS[server];
    const chats = await panelWeights(threads, ({ readout }) => readout === "generation");
    if (chats.length === 0) throw new RangeError("Cannot compare: the panel has no chat model");
    const { entry: { id: model }, expanded: { path } } = chats[0]!;
    const everyPair = await readPairs(PAIRS);
    const pairs = all ? everyPair : seededSample(everyPair, items);
    const requirements = `../python/served_${file}.txt`;
    const python = await pythonWith(what, join("served", server), requirements);
    // The script ends when its input is closed, and so with this process, however that ends.
    const script = besides(`../python/serve_${file}.py`);
    const args = [script, path, String(threads), String(CONTEXT_TOKENS)];
    await using running = openLineProcess(server, python, args);
    let address: string | undefined;
    // What a server prints besides is passed over.
    while (!address) address = /^\{"address": "(http:[^"]+)"/.exec(await running.hear())?.[1];
    await using engine = await openEngine(path, { threads, contextTokens: CONTEXT_TOKENS });
    const rolesAt = (startToken?: string) => servedModel(model, `${address}/v1`, startToken);
    const answers = await askBoth(pairs, chatModel(model, engine), rolesAt().chat!);
    const same = reportAnswers(answers);
    const texts = pairs.flatMap(({ grammatical, ungrammatical }) => [grammatical, ungrammatical]);
    for (const startToken of startTokens) {
      await reportLikelihoods(texts, engine, startToken, rolesAt(startToken).likelihood!);
    }
    if (server === "xllamacpp") {
      SERVED.write(answers.map(({ inProcess, served, ...question }) => ({
        ...question,
        in_process: letterOf(inProcess),
        served: letterOf(served),
        same_text: inProcess === served,
      })));
      console.log(`data/norse/served_agreement.csv has ${answers.length} rows`);
    }
    return same ? EXIT.done : EXIT.failed;
  },
);

/** The same model as a panel would name it on that server. */
function servedModel(id: string, baseUrl: string, startToken: string | undefined) {
  const calls = openKeyedCalls([NO_KEY], { host: "the server", timeoutSeconds: 120 });
  // As in process, see lib/models/llama/roles.ts.
  const generation = { temperature: 0, maxReplyTokens: 10 };
  const entry = { id, kind: "openai-compatible", baseUrl, concurrency: 1 } as const;
  const more = { licence: "Apache-2.0", ...(startToken === undefined ? {} : { startToken }) };
  return serverModel({ ...entry, ...more, roles: ["chat", "likelihood"] }, generation, { calls });
}

/** One question answered by the same weights in process and through a server, in whole texts. */
interface ServedAnswer {
  readonly model: string;
  readonly pair_id: string;
  readonly order: Order;
  readonly inProcess: string;
  readonly served: string;
}

/** A, B, or INVALID for an answer that chose nothing. */
function letterOf(text: string): "A" | "B" | "INVALID" {
  const choice = parseChoice(text);
  return choice.kind === "choice" ? choice.letter : "INVALID";
}

/** Every pair in both orders, one question after the other, so that neither slows the other down. */
export async function askBoth(
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

/** Says how many answers agree to the last character, and how many in their letter: whether all do. */
export function reportAnswers(answers: readonly ServedAnswer[]): boolean {
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

/** A refusal is a result, too: it is what a panel with such a server would be told. */
async function reportLikelihoods(
  texts: readonly string[],
  engine: Engine,
  startToken: string,
  served: LanguageModel,
): Promise<void> {
  try {
    const differences = await likelihoodDifferences(texts, engine, startToken, served);
    const [average, most] = [mean(differences), Math.max(...differences)];
    const words = `${average.toFixed(5)} nats on average, ${most.toFixed(5)} at most`;
    console.log(`likelihoods after ${startToken}: ${texts.length} texts differ by ${words}`);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    console.log(`no likelihoods after ${startToken}: ${error.message}`);
  }
}

/**
 * How far texts' log-probabilities in process and through a server lie apart, in nats. The engine scores
 * them after the tokens that the server puts before them, so that both condition on the same.
 *
 * @param startToken What precedes every text, as markup.
 * @throws {TypeError} where the server gives no likelihoods, saying why.
 */
export async function likelihoodDifferences(
  texts: readonly string[],
  engine: Pick<Engine, "vocabulary" | "score">,
  startToken: string,
  served: LanguageModel,
): Promise<number[]> {
  const start = engine.vocabulary.tokeniseMarkup(startToken);
  const differences: number[] = [];
  for (const text of texts) {
    const [likelihood] = await served.score([text]);
    const whole = [...start, ...engine.vocabulary.tokenise(text)];
    const [all, before = 0] = await engine.score(start.length > 1 ? [whole, start] : [whole]);
    differences.push(Math.abs(likelihood!.logProbability - (all! - before)));
  }
  return differences;
}
