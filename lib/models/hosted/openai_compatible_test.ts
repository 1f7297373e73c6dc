import assert from "node:assert/strict";
import { ModelUnavailable, type Reply } from "../model.ts";
import type { ServerEntry } from "../panel.ts";
import { apiKey } from "./api_keys.ts";
import { type KeyedCallsOptions, openKeyedCalls } from "./keyed_calls.ts";
import { serverModel } from "./openai_compatible.ts";
import { NO_KEY, openAiClient } from "./openai_compatible_client.ts";
import { type Behaviour, startStandInServer } from "./stand_in_server.ts";

const GENERATION = { temperature: 0, maxReplyTokens: 10 };

function entryAt(baseUrl: string, more: Partial<ServerEntry> = {}): ServerEntry {
  return {
    id: "served",
    kind: "openai-compatible",
    baseUrl,
    concurrency: 8,
    roles: ["chat"],
    licence: "MIT",
    ...more,
  };
}

function chatAt(entry: ServerEntry, options: KeyedCallsOptions = {}, key = NO_KEY) {
  const calls = openKeyedCalls([key], {
    concurrencyPerKey: entry.concurrency,
    host: "the server",
    tries: 2,
    backoffSeconds: 0.001,
    ...options,
  });
  const { chat } = serverModel(entry, GENERATION, { calls });
  assert.ok(chat);
  return chat;
}

/** What one question brings where the server does so with every call. */
async function replyTo(behaviour: Behaviour): Promise<Reply> {
  await using server = startStandInServer({ plan: () => behaviour });
  return await chatAt(entryAt(server.openAiBaseUrl)).ask("A or B?");
}

Deno.test("serverModel() sends what the entry and the panel say, and reads the answer", async () => {
  await using server = startStandInServer({ answer: () => "B" });
  const entry = entryAt(server.openAiBaseUrl, { model: "host/name", reasoningEffort: "low" });
  const chat = chatAt(entry, {}, apiKey("SERVER_KEY", "key-of-the-test"));
  assert.deepEqual(await chat.ask("A or B?"), {
    kind: "answer",
    text: "B",
    promptTokens: 2,
    replyTokens: 1,
  });
  const [call] = server.calls;
  assert.equal(call?.key, "key-of-the-test");
  assert.deepEqual(call?.body, {
    model: "host/name",
    messages: [{ role: "user", content: "A or B?" }],
    temperature: 0,
    max_tokens: 10,
    reasoning_effort: "low",
  });
  assert.deepEqual(chat.settings, {
    host: "openai-compatible",
    hostModel: "host/name",
    temperature: 0,
    maxReplyTokens: 10,
    reasoningEffort: "low",
  });
  assert.equal(chat.concurrency, 8);
});

Deno.test("serverModel() has the roles of its entry alone", () => {
  using calls = openKeyedCalls([NO_KEY]);
  const both = serverModel(entryAt("http://127.0.0.1:9/v1", { roles: ["chat", "likelihood"] }), {
    ...GENERATION,
  }, { calls });
  assert.ok(both.chat && both.likelihood);
  const scored = serverModel(entryAt("http://127.0.0.1:9/v1", { roles: ["likelihood"] }), {
    ...GENERATION,
  }, { calls });
  assert.equal(scored.chat, undefined);
  assert.equal(scored.name, "served");
});

Deno.test("ask() keeps as many requests in flight as the entry says, and no more", async () => {
  await using server = startStandInServer({ delayMs: 20, answer: ({ prompt }) => prompt });
  const chat = chatAt(entryAt(server.openAiBaseUrl, { concurrency: 32 }));
  const prompts = Array.from({ length: 96 }, (_, index) => `question ${index}`);
  const replies = await Promise.all(prompts.map((prompt) => chat.ask(prompt)));
  assert.deepEqual(replies.map((reply) => reply.kind === "answer" && reply.text), prompts);
  assert.equal(server.mostInFlight, 32);
});

Deno.test("ask() never takes reasoning for the answer", async () => {
  const message = (fields: object): Behaviour => ({
    kind: "json",
    status: 200,
    body: { choices: [{ index: 0, finish_reason: "length", message: fields }] },
  });
  // llama.cpp and SGLang say reasoning_content, vLLM and Groq reasoning.
  for (const field of ["reasoning", "reasoning_content"]) {
    const reply = await replyTo(message({ content: null, [field]: "The answer is A." }));
    assert.deepEqual(reply, { kind: "answer", text: "", promptTokens: 0, replyTokens: 0 });
  }
});

Deno.test("ask() tells a refusal from an answer, and a failure from both", async () => {
  const refused = await replyTo({ kind: "answer", refusal: "I will not." });
  assert.deepEqual(refused, { kind: "refusal", text: "I will not." });
  const failures: readonly (readonly [Behaviour, RegExp])[] = [
    [{ kind: "status", status: 500 }, /^Cannot ask served: the server answers 500.*2 tries/],
    [{ kind: "half JSON" }, /half a reply/],
    [{ kind: "no choices" }, /no usable reply/],
    [{ kind: "html", status: 200 }, /no usable reply: an HTML page/],
    [{ kind: "drop" }, /the server cannot be reached/],
    [{ kind: "status", status: 400, message: "no such field" }, /bad request.*no such field/],
  ];
  for (const [behaviour, pattern] of failures) {
    const reply = await replyTo(behaviour);
    assert.ok(reply.kind === "failure", behaviour.kind);
    assert.match(reply.message, pattern);
  }
});

Deno.test("ask() ends the model's part where the server does not have it, or refuses the key", async () => {
  for (const kind of ["unknown model", "invalid key"] as const) {
    await assert.rejects(replyTo({ kind }), ModelUnavailable, kind);
  }
});

Deno.test("ask() gives up at once when it is stopped", async () => {
  await using server = startStandInServer({ plan: () => ({ kind: "hang" }) });
  const stop = new AbortController();
  const asked = chatAt(entryAt(server.openAiBaseUrl)).ask("A or B?", { signal: stop.signal });
  setTimeout(() => stop.abort("stopped by the test"), 20);
  assert.equal((await asked).kind, "failure");
});

Deno.test("openAiClient() takes nothing from the variables of the environment", () => {
  const variables = {
    OPENAI_BASE_URL: "http://127.0.0.1:1/elsewhere",
    OPENAI_ORG_ID: "org of the user",
    OPENAI_PROJECT_ID: "project of the user",
    OPENAI_LOG: "debug",
  };
  for (const [name, value] of Object.entries(variables)) Deno.env.set(name, value);
  try {
    const client = openAiClient(NO_KEY, "http://127.0.0.1:2/v1");
    assert.equal(client.baseURL, "http://127.0.0.1:2/v1");
    assert.deepEqual([client.organization, client.project], [null, null]);
    assert.equal(client.logLevel, "off");
    assert.equal(client.maxRetries, 0);
  } finally {
    for (const name of Object.keys(variables)) Deno.env.delete(name);
  }
});
