/** The same pairs asked in process and through a real server of the same weights: are the answers the same? */
import { join } from "node:path";
import { openProgress } from "../../lib/files/progress.ts";
import { NO_KEY } from "../../lib/models/hosted/chat_completion.ts";
import { openKeyedCalls } from "../../lib/models/hosted/keyed_calls.ts";
import { serverModel } from "../../lib/models/hosted/openai_compatible.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { chatModel } from "../../lib/models/llama/roles.ts";
import type { ChatModel } from "../../lib/models/model.ts";
import { NORSE_STUDY } from "../../lib/studies/norse/study.ts";
import { SERVED } from "../../lib/studies/norse/tables.ts";
import { formatPrompt, type Order, ORDERS, parseChoice } from "../../lib/pairs/forced_choice.ts";
import { besides, openLineProcess, pythonWith } from "../python_environment.ts";
import { type BenchPair, PAIRS, panelWeights, readPairs, seededSample } from "./harness.ts";

const CONTEXT_TOKENS = 2048;

/** Asks one model in this process and behind llama.cpp's own server (5 minutes); whether all letters agree. */
export async function serverAgrees(items: number, threads: number): Promise<boolean> {
  const pairs = seededSample(readPairs(PAIRS), items);
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

/** llama.cpp's own server with the panel's chat model on 32-bit weights; so many calls at once. */
export async function openServer(threads: number, slots: number) {
  const [first] = await panelWeights(threads, ({ readout }) => readout === "generation");
  if (!first) throw new RangeError("Cannot compare: the panel has no chat model");
  const { entry: { id: model }, expanded: { path } } = first;
  const what = "xllamacpp (34 MB, llama.cpp's own server in a wheel)";
  const requirements = "../python/served_xllamacpp.txt";
  const python = await pythonWith(what, join("served", "xllamacpp"), requirements);
  // The script ends when its input is closed, and so with this process, however that ends.
  const args = [besides("../python/serve_xllamacpp.py"), path, threads, CONTEXT_TOKENS, slots];
  const running = openLineProcess("the server", python, args.map(String));
  let address: string | undefined;
  // What a server prints besides is passed over.
  while (!address) address = /^\{"address": "(http:[^"]+)"/.exec(await running.hear())?.[1];
  return { model, path, address, [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() };
}

/** The same model as a panel would name it on that server. */
function servedModel(id: string, baseUrl: string): ChatModel {
  const calls = openKeyedCalls([NO_KEY], { host: "the server", timeoutSeconds: 120 });
  // As in process, see lib/models/llama/roles.ts.
  const generation = { temperature: 0, maxReplyTokens: 10 };
  const entry = { id, kind: "openai-compatible" as const, baseUrl, concurrency: 1 };
  const more = { roles: ["chat" as const], licence: "Apache-2.0" };
  return serverModel({ ...entry, ...more }, generation, { calls }).chat!;
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

/** Says how many answers agree to the last character, and how many in their letter: whether all do. */
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
