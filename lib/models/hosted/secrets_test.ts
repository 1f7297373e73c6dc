import assert from "node:assert/strict";
import { join } from "node:path";
import { inspect } from "node:util";
import type { GroqEntry, ServerEntry } from "../panel.ts";
import { type ApiKey, apiKey } from "./api_keys.ts";
import { groqModel } from "./groq_model.ts";
import { type KeyedCallsOptions, openKeyedCalls } from "./keyed_calls.ts";
import { serverModel } from "./openai_compatible.ts";
import { completionBody, openSmallHost } from "./testdata/small_host.ts";

const LETTERS = "Xq7mRt2WvKp9";
const keysOf = (): readonly ApiKey[] =>
  [1, 2].map((n) => apiKey(`GROQ_API_KEY_${n}`, ["gsk", "test", `${LETTERS}${n}`].join("_")));
const ENTRY: GroqEntry = { id: "m", kind: "groq", roles: ["chat"], licence: "none" };
const JSON_TYPE = { "content-type": "application/json" };

/** Ways to fail, each of which repeats the key that it was sent wherever it can. */
const FAILURES: Readonly<Record<string, (key: string) => Response | Promise<Response>>> = {
  invalid: (key) => Response.json({ error: { message: `Invalid key ${key}` } }, { status: 401 }),
  "forbidden page": (key) => new Response(`<html><title>${key}</title></html>`, { status: 403 }),
  restricted: (key) =>
    Response.json({ error: { message: `Organization has been restricted ${key}` } }, {
      status: 400,
    }),
  limited: (key) =>
    Response.json({ error: { message: `on requests per day ${key}` } }, { status: 429 }),
  "bad request": (key) => Response.json({ error: { message: { key } } }, { status: 400 }),
  withdrawn: (key) =>
    Response.json({ error: { message: key, code: "model_decommissioned" } }, { status: 400 }),
  "too large": (key) => new Response(key, { status: 413 }),
  "server error": (key) => new Response(`trace ${key}`, { status: 500, statusText: "Oops" }),
  "no JSON": (key) => new Response(`{"${key}`, { headers: JSON_TYPE }),
  "no completion": (key) =>
    Response.json({ [key]: key, choices: [{ message: { content: [key] } }] }),
  "cut short": (key) =>
    new Response(
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(`{"choices": "${key}`));
          controller.error(new Error(key));
        },
      }),
      { headers: JSON_TYPE },
    ),
  hung: async (key) => {
    await new Promise((resolve) => setTimeout(resolve, 120));
    return Response.json(completionBody(key));
  },
};

/** Everything that somebody might print of what a call gave or threw. */
function printed(value: unknown): string {
  const texts = [inspect(value, { depth: 9, showHidden: true }), Deno.inspect(value, { depth: 9 })];
  for (let error = value; error instanceof Error; error = error.cause) {
    texts.push(String(error), error.stack ?? "", JSON.stringify({ ...error }));
  }
  return texts.join("\n");
}

/** Runs a task and gives all that it wrote to the console. */
async function consoleOf(task: () => Promise<void>): Promise<string> {
  const lines: string[] = [];
  const names = ["log", "info", "warn", "error", "debug"] as const;
  const before = names.map((name) => console[name]);
  for (const name of names) {
    console[name] = (...parts) => void lines.push(parts.map(printed).join(" "));
  }
  try {
    await task();
  } finally {
    names.forEach((name, index) => console[name] = before[index]!);
  }
  return lines.join("\n");
}

/** A key of no known shape, as servers of one's own have them. */
const SERVER_KEY = apiKey("SERVER_KEY", `${LETTERS}b7f3c9e1`);
const SERVER_ENTRY: ServerEntry = {
  id: "m",
  kind: "openai-compatible",
  baseUrl: "",
  concurrency: 1,
  roles: ["chat", "likelihood"],
  licence: "none",
};

/** What a question and a text bring, through the other SDK. */
async function serverOutcomes(baseUrl: string): Promise<readonly unknown[]> {
  using calls = openKeyedCalls([SERVER_KEY], {
    backoffSeconds: 0,
    timeoutSeconds: 0.05,
    longestWaitSeconds: 0,
  });
  const entry = { ...SERVER_ENTRY, baseUrl };
  const { chat, likelihood } = serverModel(entry, { temperature: 0, maxReplyTokens: 9 }, { calls });
  const likely = await likelihood?.score(["a"]).catch((error: unknown) => error);
  return [likely, await chat?.ask("?").catch((error: unknown) => error)];
}

async function outcome(baseUrl: string, options: KeyedCallsOptions): Promise<unknown> {
  using calls = openKeyedCalls(keysOf(), { backoffSeconds: 0, timeoutSeconds: 0.05, ...options });
  const model = groqModel(ENTRY, { temperature: 0, maxReplyTokens: 9 }, { calls, baseUrl });
  try {
    return await model.ask("?");
  } catch (error) {
    return error;
  }
}

function assertNoSecret(text: string, where: string): void {
  assert.ok(!text.includes(LETTERS), `${where} shows the key: ${text}`);
  assert.doesNotMatch(text, /127\.0\.0\.1|https?:/, where);
}

Deno.test("groqModel() shows no key and no address, in whatever way it fails", async () => {
  let failure = "";
  let sent = 0;
  await using host = openSmallHost((request) => {
    request.body?.cancel();
    const key = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    if (key.includes(LETTERS)) sent++;
    return FAILURES[failure]!(key);
  });
  const folder = Deno.makeTempDirSync();
  const usagePath = join(folder, "usage.json");
  const shown = await consoleOf(async () => {
    for (failure of Object.keys(FAILURES)) {
      const onWait = (status: unknown) => assertNoSecret(printed(status), `${failure}, waiting`);
      const given = await outcome(host.url, { usagePath, onWait });
      const kind = given instanceof Error ? given.name : (given as { kind: string }).kind;
      assert.ok(["ModelUnavailable", "failure"].includes(kind), `${failure}: ${kind}`);
      assertNoSecret(printed(given), failure);
      assertNoSecret(Deno.readTextFileSync(usagePath), `${failure}, the file`);
      Deno.removeSync(usagePath);
    }
    // Nobody listens there, and nobody has that name.
    for (const url of ["http://127.0.0.1:9", "http://nowhere.invalid"]) {
      assertNoSecret(printed(await outcome(url, {})), url.slice(7));
    }
  });
  assertNoSecret(shown, "the console");
  // The test would prove nothing had the host not had the key to repeat.
  assert.ok(sent >= Object.keys(FAILURES).length);
  Deno.removeSync(folder, { recursive: true });
});

Deno.test("serverModel() shows no key of any shape, wherever a message is cut", async () => {
  let failure = "";
  let padding = 0;
  let sent = 0;
  await using host = openSmallHost((request) => {
    request.body?.cancel();
    const key = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    if (key.startsWith(LETTERS)) sent++;
    return FAILURES[failure]!(`${"x".repeat(padding)} ${key}`);
  });
  const shown = await consoleOf(async () => {
    for (failure of Object.keys(FAILURES)) {
      for (const given of await serverOutcomes(host.url)) {
        // A server of one's own is named in messages: its address is no secret.
        assert.ok(!printed(given).includes(LETTERS), `${failure} shows the key`);
      }
    }
    // Half a key is a secret too: the cut goes through every place of it.
    for (const status of ["bad request", "too large"]) {
      failure = status;
      for (padding = 150; padding < 310; padding += 4) {
        for (const given of await serverOutcomes(host.url)) {
          assert.ok(!printed(given).includes(LETTERS.slice(0, 4)), `${status}, ${padding}`);
        }
      }
    }
  });
  assert.ok(!shown.includes(LETTERS), "the console shows the key");
  assert.ok(sent > Object.keys(FAILURES).length);
});
