/**
 * The same pairs asked in process and through a real server that serves the same weights: are the
 * letters the same, and the texts? And the likelihoods, where the server gives them?
 *
 *     deno task served             40 pairs through llama.cpp's own server (5 minutes); their
 *                                  answers go to data/norse/served_agreement.csv
 *     deno task served --all       every pair (an hour)
 *     deno task served --server llama-cpp-python   another server, built from source (15 minutes);
 *                                  writes no file
 *
 * Options: --threads N (2 at most by default), --items N.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { writeTextAtomic } from "../lib/files/atomic.ts";
import { formatCsv } from "../lib/files/csv.ts";
import { openProgress } from "../lib/files/status_line.ts";
import { NO_KEY } from "../lib/models/hosted/openai_compatible_client.ts";
import { type ServerModel, serverModel } from "../lib/models/hosted/openai_compatible.ts";
import { openKeyedCalls } from "../lib/models/hosted/keyed_calls.ts";
import { chatModel } from "../lib/models/llama/chat.ts";
import type { Engine } from "../lib/models/llama/engine.ts";
import { openFfiEngine } from "../lib/models/llama/ffi_engine.ts";
import { expandedWeights } from "../lib/models/llama/weights.ts";
import { modelFile } from "../lib/models/model_files.ts";
import { ggufEntries, parsePanel } from "../lib/models/panel.ts";
import { NORSE_STUDY } from "../lib/norse/study.ts";
import { type BenchPair, CACHE_DIRECTORY, readPairs, seededSample } from "./bench/inputs.ts";
import { agreement, askBoth, letterOf, type ServedAnswer } from "./served/compare.ts";
import { compareLikelihoods } from "./served/likelihoods.ts";
import { SERVERS, startServer } from "./served/servers.ts";

const PANEL = "data/panels/local.yaml";
const PAIRS = "data/norse/minimal_pairs.csv";
const AGREEMENT = "data/norse/served_agreement.csv";
const CONTEXT_TOKENS = 2048;
/** As in process, see lib/models/llama/chat.ts. */
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

function writeAgreement(answers: readonly ServedAnswer[]): void {
  const columns = ["model", "pair_id", "order", "in_process", "served", "same_text"] as const;
  const rows = answers.map((answer) => ({
    model: answer.model,
    pair_id: answer.pairId,
    order: answer.order,
    in_process: letterOf(answer.inProcess),
    served: letterOf(answer.served),
    same_text: answer.inProcess === answer.served,
  }));
  writeTextAtomic(AGREEMENT, formatCsv(columns, rows));
  console.log(`${AGREEMENT} has ${rows.length} rows`);
}

function options() {
  const { values } = parseArgs({
    options: {
      all: { type: "boolean", default: false },
      items: { type: "string", default: "40" },
      server: { type: "string", default: "xllamacpp" },
      threads: { type: "string", default: String(Math.min(2, navigator.hardwareConcurrency)) },
    },
  });
  const kind = SERVERS[values.server];
  if (kind === undefined) {
    throw new RangeError(
      `Cannot compare with ${values.server}: choose ${Object.keys(SERVERS).join(", ")}`,
    );
  }
  return { ...values, kind, items: Number(values.items), threads: Number(values.threads) };
}

async function main(): Promise<void> {
  const { all, items, server, threads, kind } = options();
  const { model, path } = await chatWeights(threads);
  const everyPair = await readPairs(PAIRS);
  const pairs = all ? everyPair : seededSample(everyPair, items);
  const shape = { path, threads, contextTokens: CONTEXT_TOKENS };
  await using running = await startServer(kind, server, {
    ...shape,
    cacheDirectory: CACHE_DIRECTORY,
  });
  await using engine = await openFfiEngine(path, shape);
  const comparison: Comparison = { engine, model, baseUrl: running.baseUrl, pairs };
  const answers = await compareAnswers(comparison);
  const same = reportAnswers(answers);
  for (const startToken of kind.startTokens) await reportLikelihoods(comparison, startToken);
  if (server === "xllamacpp") writeAgreement(answers);
  if (!same) Deno.exitCode = 1;
}

await main();
