/**
 * Client process of load.ts: sends the load and prints measurements as JSON.
 *
 * It is started with ADDRESS FOLDER LOAD and writes only in that folder. An address that ends in
 * `/v1` is a model's server; any other is the fake Groq server.
 */
import { join } from "node:path";
import process from "node:process";
import { apiKey } from "../../lib/models/hosted/api_keys.ts";
import { NO_KEY } from "../../lib/models/hosted/chat_completion.ts";
import { groqModel } from "../../lib/models/hosted/groq_model.ts";
import { openKeyedCalls } from "../../lib/models/hosted/keyed_calls.ts";
import { serverModel } from "../../lib/models/hosted/openai_compatible.ts";
import { eachInFlight } from "../../lib/models/in_flight.ts";
import { evaluateForcedChoice } from "../../lib/pairs/ask.ts";
import { forcedChoiceTemplate, formatPrompt, ORDERS } from "../../lib/pairs/forced_choice.ts";
import { madePairs } from "../../lib/pairs/testdata/norse.ts";
import type { Load, Measured } from "./load.ts";

const [baseUrl = "", folder = "", load = "{}"] = Deno.args;
const { models, prompts, inFlight }: Load = JSON.parse(load);
const WARM_UP = 0.1;
const TEMPLATE = forcedChoiceTemplate("Old Norse");
const GENERATION = { temperature: 0, maxReplyTokens: 10 };
const isServer = baseUrl.endsWith("/v1");
const names = Array.from({ length: models }, (_, i) => `stand-in/${i + 1}`);
const pairsOf = (share: number) => madePairs(Math.round((prompts * share) / 2));

type Done = Pick<Measured, "calls" | "tokens">;

async function measure(work: () => Promise<Done>): Promise<Measured> {
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  const done = await work();
  const { user, system } = process.cpuUsage(cpu);
  return { ...done, wallMs: performance.now() - begun, cpuMs: (user + system) / 1000 };
}

/** Runs the complete evaluation: plan, key ring, SDK, parsing, and an appended row per answer. */
async function evaluate(share: number): Promise<Done> {
  const place = Deno.makeTempDirSync({ dir: folder });
  const file = (name: string) => join(place, name);
  const keys = isServer
    ? [NO_KEY]
    : [1, 2, 3, 4].map((key) => apiKey(`GROQ_API_KEY_${key}`, `gsk_test_${key}`));
  using calls = openKeyedCalls(keys, {
    concurrencyPerKey: inFlight / keys.length,
    ...(isServer ? { host: "the server", timeoutSeconds: 120 } : { usagePath: file("usage.json") }),
  });
  const { answered } = await evaluateForcedChoice({
    pairs: pairsOf(share),
    models: names.map((id) => {
      const entry = { id, licence: "none", roles: ["chat" as const] };
      if (!isServer) return groqModel({ ...entry, kind: "groq" }, GENERATION, { calls, baseUrl });
      const server = { kind: "openai-compatible" as const, baseUrl, concurrency: inFlight };
      return serverModel({ ...entry, ...server }, GENERATION, { calls }).chat!;
    }),
    template: TEMPLATE,
    files: {
      responses: file("evaluation_results.csv"),
      asked: file("evaluation_asked.csv"),
      invalidAnswers: file("invalid_answers.csv"),
      likelihoods: file("likelihoods.csv"),
      settings: file("evaluation_settings.json"),
    },
  });
  return { calls: answered, tokens: 0 };
}

/** Baseline client: asks the same questions by fetch and parses their JSON. */
async function fetchOnly(share: number): Promise<Done> {
  const bodies = names.flatMap((model) =>
    pairsOf(share).flatMap((pair) =>
      ORDERS.map((order) => {
        const messages = [{ role: "user", content: formatPrompt(TEMPLATE, pair, order) }];
        const { temperature, maxReplyTokens: max_tokens } = GENERATION;
        return JSON.stringify({ model, messages, temperature, max_tokens });
      })
    )
  );
  const headers = { authorization: "Bearer gsk_test_0", "content-type": "application/json" };
  const url = `${baseUrl}${isServer ? "" : "/openai/v1"}/chat/completions`;
  let tokens = 0;
  await eachInFlight(bodies, inFlight, async (body) => {
    const { usage } = await (await fetch(url, { method: "POST", headers, body, redirect: "error" }))
      .json();
    tokens += usage.total_tokens ?? 0; // The stand-in reports none.
  });
  return { calls: bodies.length, tokens };
}

await fetchOnly(WARM_UP);
await evaluate(WARM_UP);
// In turns, so that whatever else the machine does hits both alike.
const bare = [await measure(() => fetchOnly(1))];
const ours = [await measure(() => evaluate(1)), await measure(() => evaluate(1))];
bare.push(await measure(() => fetchOnly(1)));
console.log(JSON.stringify({ ours, bare }));
