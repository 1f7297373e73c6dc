import assert from "node:assert/strict";
import { join } from "node:path";
import { inspect } from "node:util";
import { readTextIfThere } from "../../files/atomic.ts";
import { inFolder } from "../../files/testdata/folder.ts";
import type { GroqEntry, ServerEntry } from "../panel.ts";
import { apiKey } from "./api_keys.ts";
import { groqModel } from "./groq_model.ts";
import { openKeyedCalls } from "./keyed_calls.ts";
import { serverModel } from "./openai_compatible.ts";
import { completionBody, openSmallHost } from "./testdata/small_host.ts";

const LETTERS = "Xq7mRt2WvKp9";
const GROQ_KEYS = [1, 2].map((n) =>
  apiKey(`GROQ_API_KEY_${n}`, ["gsk", "test", `${LETTERS}${n}`].join("_"))
);
/** A key of no known shape, as private servers have them. */
const SERVER_KEY = apiKey("SERVER_KEY", `${LETTERS}b7f3c9e1`);
const JSON_TYPE = { "content-type": "application/json" };
const GENERATION = { temperature: 0, maxReplyTokens: 9 };

const failure = (status: number, message: unknown, code?: string) =>
  Response.json({ error: { message, code } }, { status });

/** Failures that repeat the sent key wherever they can. */
const FAILURES: Readonly<Record<string, (key: string) => Response | Promise<Response>>> = {
  invalid: (key) => failure(401, `Invalid key ${key}`),
  "forbidden page": (key) => new Response(`<html><title>${key}</title></html>`, { status: 403 }),
  restricted: (key) => failure(400, `Organization has been restricted ${key}`),
  limited: (key) => failure(429, `on requests per day ${key}`),
  "bad request": (key) => failure(400, { key }),
  withdrawn: (key) => failure(400, key, "model_decommissioned"),
  "too large": (key) => new Response(key, { status: 413 }),
  "server error": (key) => new Response(`trace ${key}`, { status: 500, statusText: "Oops" }),
  "no JSON": (key) => new Response(`{"${key}`, { headers: JSON_TYPE }),
  "no completion": (key) =>
    Response.json({ [key]: key, choices: [{ message: { content: [key] } }] }),
  "cut short": (key) =>
    new Response(
      new ReadableStream({
        start: (stream) => stream.enqueue(new TextEncoder().encode(`{"choices": "${key}`)),
        pull: (stream) => stream.error(new Error(key)),
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

const QUICK = { backoffSeconds: 0, timeoutSeconds: 0.05, longestWaitSeconds: 0 };

const OWN = { id: "m", licence: "none" } as const;

async function askGroq(baseUrl: string, usagePath: string): Promise<string> {
  const texts: string[] = [];
  const onWait = (status: unknown) => void texts.push(printed(status));
  using calls = openKeyedCalls(GROQ_KEYS, { ...QUICK, usagePath, onWait });
  const entry: GroqEntry = { ...OWN, kind: "groq", roles: ["chat"] };
  const model = groqModel(entry, GENERATION, { calls, baseUrl });
  const given = await model.ask("?").catch((error: unknown) => error);
  return [...texts, printed(given), readTextIfThere(usagePath)].join("\n");
}

async function askServer(baseUrl: string): Promise<string> {
  using calls = openKeyedCalls([SERVER_KEY], QUICK);
  const roles: ServerEntry["roles"] = ["chat", "likelihood"];
  const entry = { ...OWN, kind: "openai-compatible", baseUrl, concurrency: 1, roles } as const;
  const { chat, likelihood } = serverModel(entry, GENERATION, { calls });
  const asked = [chat!.ask("?"), likelihood!.score(["a"])];
  return (await Promise.allSettled(asked)).map(printed).join("\n");
}

Deno.test("groqModel() and serverModel() show no key, in whatever way they fail, wherever a message is cut", () =>
  inFolder(async (folder) => {
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
      for (failure of Object.keys(FAILURES)) {
        const shown = await askGroq(host.url, join(folder, `${failure}.json`));
        assert.ok(!shown.includes(LETTERS), `${failure} shows the key: ${shown}`);
        // A server of one's own is named in messages: its address is no secret.
        assert.doesNotMatch(shown, /127\.0\.0\.1|https?:/, failure);
        assert.ok(!(await askServer(host.url)).includes(LETTERS), `${failure} shows the key`);
      }
      // Half a key is a secret too: the cut goes through every place of it.
      for (padding = 150; padding < 310; padding += 4) {
        for (failure of ["bad request", "too large"]) {
          const shown = await askServer(host.url);
          assert.ok(!shown.includes(LETTERS.slice(0, 4)), `${failure}, ${padding}`);
        }
      }
    } finally {
      names.forEach((name, index) => console[name] = before[index]!);
    }
    assert.ok(!lines.join().includes(LETTERS), "the console shows the key");
    // The test would prove nothing had the host not had the key to repeat.
    assert.ok(sent >= 3 * Object.keys(FAILURES).length);
  }));
