/** The same pairs asked in process and through a real server of the same weights: are the answers the same? */
import { join } from "node:path";
import { openProgress } from "../../lib/files/progress.ts";
import { NO_KEY } from "../../lib/models/hosted/clients.ts";
import { openKeyedCalls } from "../../lib/models/hosted/keyed_calls.ts";
import { serverModel } from "../../lib/models/hosted/openai_compatible.ts";
import { eachInFlight } from "../../lib/models/in_flight.ts";
import { openEngine } from "../../lib/models/llama/open_engine.ts";
import { chatModel } from "../../lib/models/llama/roles.ts";
import type { ChatModel } from "../../lib/models/model.ts";
import { NORSE_STUDY } from "../../lib/norse/study.ts";
import { SERVED } from "../../lib/norse/tables.ts";
import { evaluateForcedChoice } from "../../lib/pairs/choose.ts";
import { formatPrompt, type Order, ORDERS, parseChoice } from "../../lib/pairs/forced_choice.ts";
import { command, EXIT, int } from "../command.ts";
import {
  type BenchPair,
  besides,
  CACHE_DIRECTORY,
  compareAlternating,
  formatComparison,
  openLineProcess,
  PAIRS,
  panelWeights,
  pythonWith,
  readPairs,
  report,
  seededSample,
  THREADS,
} from "./harness.ts";

const CONTEXT_TOKENS = 2048;

/** Calls that the server works on at once, for its throughput; the client has twice as many in flight. */
const SLOTS = 4;

/** The time of a question here to that of a bare request: nine tenths of the server's own throughput. */
const LIMIT = 1 / 0.9;

export const TASK = command(
  "served",
  "The same questions to one model in this process and behind llama.cpp's own server of the same weights " +
    "(5 minutes): to data/norse/served_agreement.csv. Or, with --throughput, its time for the evaluation's " +
    "questions against that for bare requests",
  (c) =>
    c.option("--all", "every pair (an hour)", false)
      .option("--items <pairs>", "so many pairs, drawn by seed", int({ min: 1 }), 40)
      .option("--throughput", "print the ratio; write nothing", false)
      .option("--threads <number>", "threads of each", ...THREADS),
  async ({ all, items, throughput: isTimed, threads }) => {
    const chats = await panelWeights(threads, ({ readout }) => readout === "generation");
    if (chats.length === 0) throw new RangeError("Cannot compare: the panel has no chat model");
    const { entry: { id: model }, expanded: { path } } = chats[0]!;
    const everyPair = readPairs(PAIRS);
    const pairs = all ? everyPair : seededSample(everyPair, items);
    const what = "xllamacpp (34 MB, llama.cpp's own server in a wheel)";
    const requirements = "../python/served_xllamacpp.txt";
    const python = await pythonWith(what, join("served", "xllamacpp"), requirements);
    // The script ends when its input is closed, and so with this process, however that ends.
    const slots = isTimed ? SLOTS : 1;
    const args = [besides("../python/serve_xllamacpp.py"), path, threads, CONTEXT_TOKENS, slots];
    await using running = openLineProcess("the server", python, args.map(String));
    let address: string | undefined;
    // What a server prints besides is passed over.
    while (!address) address = /^\{"address": "(http:[^"]+)"/.exec(await running.hear())?.[1];
    const served = servedModel(model, `${address}/v1`, isTimed ? 2 * SLOTS : 1);
    if (isTimed) return await throughput(pairs, served, `${address}/v1`) ? EXIT.done : EXIT.failed;
    await using engine = await openEngine(path, { threads, contextTokens: CONTEXT_TOKENS });
    const answers = await askBoth(pairs, chatModel(model, engine), served);
    SERVED.write(answers.map(({ inProcess, served, ...question }) => ({
      ...question,
      in_process: letterOf(inProcess),
      served: letterOf(served),
      same_text: inProcess === served,
    })));
    console.log(`data/norse/served_agreement.csv has ${answers.length} rows`);
    return reportAnswers(answers) ? EXIT.done : EXIT.failed;
  },
);

/** As in process, see lib/models/llama/roles.ts. */
const GENERATION = { temperature: 0, maxReplyTokens: 10 };

/** The same model as a panel would name it on that server. */
function servedModel(id: string, baseUrl: string, concurrency: number): ChatModel {
  const calls = openKeyedCalls([NO_KEY], {
    ...{ host: "the server", timeoutSeconds: 120, concurrencyPerKey: concurrency },
  });
  const entry = { id, kind: "openai-compatible" as const, baseUrl, concurrency };
  const more = { roles: ["chat" as const], licence: "Apache-2.0" };
  return serverModel({ ...entry, ...more }, GENERATION, { calls }).chat!;
}

/** Pairs that are timed together. */
const GROUP = 10;

/** Both orders of the same pairs by an evaluation, rows and all, and by as little as a client can do, in turns. */
async function throughput(pairs: readonly BenchPair[], model: ChatModel, baseUrl: string) {
  const folder = Deno.makeTempDirSync({ dir: CACHE_DIRECTORY, prefix: "served-" });
  const groups = Array.from(
    { length: Math.floor(pairs.length / GROUP) },
    (_, at) => pairs.slice(at * GROUP, (at + 1) * GROUP),
  );
  const template = NORSE_STUDY.question;
  let [parts, tokens, seconds] = [0, 0, 0];
  const evaluated = async (group: readonly BenchPair[]) => {
    const part = `part_${++parts}`;
    const file = (name: string) => join(folder, part, name);
    const { missing } = await evaluateForcedChoice({
      pairs: group.map((pair) => ({ ...pair, target: "", errorType: "" })),
      models: [model],
      template,
      files: {
        responses: file("evaluation_results.csv"),
        asked: file("evaluation_asked.csv"),
        invalidAnswers: file("invalid_answers.csv"),
        settings: file("evaluation_settings.json"),
      },
    });
    if (missing > 0) throw new Error(`Cannot compare: ${missing} questions had no answer`);
  };
  const bare = async (group: readonly BenchPair[]) => {
    const begun = performance.now();
    const prompts = group.flatMap((pair) =>
      ORDERS.map((order) => formatPrompt(template, pair, order))
    );
    await eachInFlight(prompts, 2 * SLOTS, async (content) => {
      const messages = [{ role: "user", content }];
      const body = JSON.stringify({
        messages,
        temperature: 0,
        max_tokens: GENERATION.maxReplyTokens,
      });
      const headers = { "content-type": "application/json" };
      const url = `${baseUrl}/chat/completions`;
      const { usage } = await (await fetch(url, { method: "POST", headers, body })).json();
      tokens += usage.total_tokens;
      return true;
    });
    seconds += (performance.now() - begun) / 1000;
  };
  try {
    const found = await compareAlternating(groups, evaluated, bare);
    console.log(`the server's own: ${(tokens / seconds).toFixed(0)} tokens a second`);
    return report("questions / bare requests", found.ratio, LIMIT, formatComparison(found));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
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
