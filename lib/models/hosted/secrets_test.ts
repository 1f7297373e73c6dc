import assert from "node:assert/strict";
import { join } from "node:path";
import { inspect } from "node:util";
import { inFolder } from "../../files/testdata/folder.ts";
import type { GroqEntry } from "../panel.ts";
import { type ApiKey, apiKey } from "./api_keys.ts";
import { groqModel } from "./groq_model.ts";
import { type KeyedCalls, type KeyedCallsOptions, openKeyedCalls } from "./keyed_calls.ts";
import { serverModel } from "./openai_compatible.ts";
import { completionBody, openSmallHost } from "./testdata/small_host.ts";

const LETTERS = "Xq7mRt2WvKp9";
const GROQ_KEYS = [1, 2].map((n) =>
  apiKey(`GROQ_API_KEY_${n}`, ["gsk", "test", `${LETTERS}${n}`].join("_"))
);
/** A key of no known shape, as servers of one's own have them. */
const SERVER_KEY = apiKey("SERVER_KEY", `${LETTERS}b7f3c9e1`);
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

/** Runs a task with a host that fails as told, and gives all that it wrote to the console. */
async function consoleOf(
  task: (url: string, fail: (failure: string, padding?: number) => void) => Promise<void>,
): Promise<string> {
  let [failure, padding, sent] = ["", 0, 0];
  await using host = openSmallHost((request) => {
    request.body?.cancel();
    const key = request.headers.get("authorization")?.replace("Bearer ", "") ?? "";
    if (key.includes(LETTERS)) sent++;
    return FAILURES[failure]!(`${"x".repeat(padding)} ${key}`);
  });
  const lines: string[] = [];
  const names = ["log", "info", "warn", "error", "debug"] as const;
  const before = names.map((name) => console[name]);
  for (const name of names) {
    console[name] = (...parts) => void lines.push(parts.map(printed).join(" "));
  }
  try {
    await task(host.url, (name, length = 0) => [failure, padding] = [name, length]);
  } finally {
    names.forEach((name, index) => console[name] = before[index]!);
  }
  // The test would prove nothing had the host not had the key to repeat.
  assert.ok(sent >= Object.keys(FAILURES).length);
  return lines.join("\n");
}

/** What a request gave or threw, with calls that give up soon. */
async function outcome(
  keys: readonly ApiKey[],
  options: KeyedCallsOptions,
  ask: (calls: KeyedCalls) => Promise<unknown> | undefined,
): Promise<unknown> {
  using calls = openKeyedCalls(keys, { backoffSeconds: 0, timeoutSeconds: 0.05, ...options });
  return await ask(calls)?.catch((error: unknown) => error);
}

const GENERATION = { temperature: 0, maxReplyTokens: 9 };

function assertNoSecret(text: string, where: string): void {
  assert.ok(!text.includes(LETTERS), `${where} shows the key: ${text}`);
  assert.doesNotMatch(text, /127\.0\.0\.1|https?:/, where);
}

Deno.test("groqModel() shows no key and no address, in whatever way it fails", () =>
  inFolder(async (folder) => {
    const entry: GroqEntry = { id: "m", kind: "groq", roles: ["chat"], licence: "none" };
    const asked = (baseUrl: string, options: KeyedCallsOptions) =>
      outcome(
        GROQ_KEYS,
        options,
        (calls) => groqModel(entry, GENERATION, { calls, baseUrl }).ask("?"),
      );
    const shown = await consoleOf(async (url, fail) => {
      for (const failure of Object.keys(FAILURES)) {
        fail(failure);
        const usagePath = join(folder, `${failure}.json`);
        const onWait = (status: unknown) => assertNoSecret(printed(status), `${failure}, waiting`);
        const given = await asked(url, { usagePath, onWait });
        const kind = given instanceof Error ? given.name : (given as { kind: string }).kind;
        assert.ok(["ModelUnavailable", "failure"].includes(kind), `${failure}: ${kind}`);
        assertNoSecret(printed(given), failure);
        assertNoSecret(Deno.readTextFileSync(usagePath), `${failure}, the file`);
      }
      // Nobody listens there, and nobody has that name.
      for (const url of ["http://127.0.0.1:9", "http://nowhere.invalid"]) {
        assertNoSecret(printed(await asked(url, {})), url.slice(7));
      }
    });
    assertNoSecret(shown, "the console");
  }));

Deno.test("serverModel() shows no key of any shape, wherever a message is cut", async () => {
  const shown = await consoleOf(async (baseUrl, fail) => {
    const assertNone = async (letters: string, where: string) => {
      for (const role of ["chat", "likelihood"] as const) {
        const given = await outcome([SERVER_KEY], { longestWaitSeconds: 0 }, (calls) => {
          const entry = { id: "m", kind: "openai-compatible", concurrency: 1 } as const;
          const whole = { ...entry, baseUrl, roles: [role], licence: "none" };
          const { chat, likelihood } = serverModel(whole, GENERATION, { calls });
          return chat?.ask("?") ?? likelihood?.score(["a"]);
        });
        // A server of one's own is named in messages: its address is no secret.
        assert.ok(!printed(given).includes(letters), `${where} shows the key`);
      }
    };
    for (const failure of Object.keys(FAILURES)) {
      fail(failure);
      await assertNone(LETTERS, failure);
    }
    // Half a key is a secret too: the cut goes through every place of it.
    for (let padding = 150; padding < 310; padding += 4) {
      for (const failure of ["bad request", "too large"]) {
        fail(failure, padding);
        await assertNone(LETTERS.slice(0, 4), `${failure}, ${padding}`);
      }
    }
  });
  assert.ok(!shown.includes(LETTERS), "the console shows the key");
});
