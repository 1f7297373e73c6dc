/**
 * Started by load.ts, in processes of their own, so that the server's work is not counted as the
 * client's: `server DELAY` prints its address and answers until its input is closed; `client ADDRESS
 * FOLDER LOAD` may write in one folder, sends the load and prints its measurements as JSON.
 */
import { join } from "node:path";
import process from "node:process";
import { apiKey } from "../../lib/models/hosted/api_keys.ts";
import { groqModel } from "../../lib/models/hosted/groq_model.ts";
import { openKeyedCalls } from "../../lib/models/hosted/keyed_calls.ts";
import { startStandInServer } from "../../lib/models/hosted/testdata/stand_in/server.ts";
import { eachInFlight } from "../../lib/models/in_flight.ts";
import { evaluateForcedChoice } from "../../lib/pairs/choose.ts";
import { forcedChoiceTemplate } from "../../lib/pairs/forced_choice.ts";
import { madePairs } from "../../lib/pairs/testdata/norse.ts";
import type { Load, Measured } from "./load.ts";

const [role, baseUrl = "", folder = "", load = "{}"] = Deno.args;
const { models, prompts, inFlight }: Load = JSON.parse(load);
const WARM_UP = 0.1;

async function measure(work: () => Promise<number>): Promise<Measured> {
  const [begun, cpu] = [performance.now(), process.cpuUsage()];
  const calls = await work();
  const { user, system } = process.cpuUsage(cpu);
  return { calls, wallMs: performance.now() - begun, cpuMs: (user + system) / 1000 };
}

/** The real path: plan, key ring, groq-sdk, reading of the answer, a row appended for each. */
async function evaluate(share: number): Promise<number> {
  const place = Deno.makeTempDirSync({ dir: folder });
  const file = (name: string) => join(place, name);
  const keys = [1, 2, 3, 4].map((key) => apiKey(`GROQ_API_KEY_${key}`, `gsk_test_${key}`));
  const settings = { concurrencyPerKey: inFlight / keys.length, usagePath: file("usage.json") };
  using calls = openKeyedCalls(keys, settings);
  const { answered } = await evaluateForcedChoice({
    pairs: madePairs(Math.round((prompts * share) / 2)),
    models: Array.from({ length: models }, (_, i) => {
      const entry = { id: `stand-in/${i + 1}`, kind: "groq", licence: "none" } as const;
      const generation = { temperature: 0, maxReplyTokens: 64 };
      return groqModel({ ...entry, roles: ["chat"] }, generation, { calls, baseUrl });
    }),
    template: forcedChoiceTemplate("Old Norse"),
    files: {
      responses: file("evaluation_results.csv"),
      asked: file("evaluation_asked.csv"),
      invalidAnswers: file("invalid_answers.csv"),
      settings: file("evaluation_settings.json"),
    },
  });
  return answered;
}

/** As little as a client can do: the same requests by fetch, and their JSON parsed. */
async function fetchOnly(share: number): Promise<number> {
  const numbers = Array.from({ length: Math.round(models * prompts * share) }, (_, i) => i);
  const headers = { authorization: "Bearer gsk_test_0", "content-type": "application/json" };
  await eachInFlight(numbers, inFlight, async (number) => {
    const content = `Which of the sentences ${number} is correct? A: … B: …`;
    const messages = [{ role: "user", content }];
    const body = JSON.stringify({ model: `stand-in/${number % models}`, messages });
    const url = `${baseUrl}/openai/v1/chat/completions`;
    await (await fetch(url, { method: "POST", headers, body })).json();
    return true;
  });
  return numbers.length;
}

if (role === "server") {
  await using server = startStandInServer({ delayMs: Number(baseUrl) });
  console.log(server.baseUrl);
  await Deno.stdin.readable.pipeTo(new WritableStream());
} else if (role === "client") {
  await fetchOnly(WARM_UP);
  await evaluate(WARM_UP);
  // In turns, so that whatever else the machine does hits both alike.
  const bare = [await measure(() => fetchOnly(1))];
  const ours = [await measure(() => evaluate(1)), await measure(() => evaluate(1))];
  bare.push(await measure(() => fetchOnly(1)));
  console.log(JSON.stringify({ ours, bare }));
}
