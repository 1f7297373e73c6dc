import assert from "node:assert/strict";
import { type Reply } from "../model.ts";
import type { ServerEntry } from "../panel.ts";
import { apiKey } from "./api_keys.ts";
import { NO_KEY, openAiClient } from "./clients.ts";
import { hostedStructuredModel } from "./groq_model.ts";
import { type KeyedCallsOptions, openKeyedCalls } from "./keyed_calls.ts";
import { serverModel, serverNextWord, structuredServer } from "./openai_compatible.ts";
import { openSmallHost } from "./testdata/small_host.ts";
import {
  type Behaviour,
  type StandInCall,
  startStandInServer,
} from "./testdata/stand_in/server.ts";

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

const SCHEMA = {
  type: "object",
  properties: { why: { type: "string", maxLength: 9 }, score: { enum: [0, 1] } },
} as const;

function callsTo() {
  return openKeyedCalls([NO_KEY], { host: "the server", tries: 1, backoffSeconds: 0.001 });
}

type Plan = (call: StandInCall) => Behaviour;

async function asking(plan: Plan, times = 1) {
  await using server = startStandInServer({ plan });
  using calls = callsTo();
  const model = structuredServer(entryAt(server.openAiBaseUrl), GENERATION, {
    calls,
  });
  const replies = [];
  for (let i = 0; i < times; i++) replies.push(await model.ask("Q", { schema: SCHEMA }));
  return { replies, bodies: server.calls.map(({ body }) => body as Record<string, unknown>) };
}

Deno.test("structuredServer() asks for JSON of the schema, every key required", async () => {
  const { replies, bodies } = await asking(() => ({ kind: "answer", text: '{"score": 1}' }));
  assert.deepEqual(replies, [{ kind: "answer", text: '{"score": 1}', ended: "complete" }]);
  assert.deepEqual(bodies[0]?.response_format, {
    type: "json_schema",
    json_schema: {
      name: "answer",
      strict: true,
      schema: {
        type: "object",
        properties: {
          why: { type: "string", maxLength: 9 },
          score: { type: "integer", enum: [0, 1] },
        },
        required: ["why", "score"],
        additionalProperties: false,
      },
    },
  });
});

Deno.test("structuredServer() asks plainly, from then on, where the format is refused", async () => {
  const { replies, bodies } = await asking(
    ({ body }) =>
      "response_format" in (body as object)
        ? { kind: "status", status: 400, message: "response_format is not supported" }
        : { kind: "answer", text: "{}" },
    2,
  );
  assert.deepEqual(replies.map(({ kind }) => kind), ["answer", "answer"]);
  assert.deepEqual(bodies.map((body) => "response_format" in body), [true, false, false]);
});

Deno.test("structuredServer() tells refusal, failure and a cut answer apart", async () => {
  const reply = async (behaviour: Behaviour) => (await asking(() => behaviour)).replies[0]!;
  assert.deepEqual(await reply({ kind: "answer", refusal: "No." }), {
    kind: "refusal",
    text: "No.",
  });
  const failed = await reply({ kind: "drop" });
  assert.ok(failed.kind === "failure" && failed.partialText === undefined);
  const cut = await reply({ kind: "answer", text: '{"score": 8', finishReason: "length" });
  assert.ok(cut.kind === "answer" && cut.ended === "length");
});

Deno.test("hostedStructuredModel() takes a text without closing brace for cut off", async () => {
  const model = (text: string) =>
    hostedStructuredModel({
      name: "chat",
      settings: { temperature: 0 },
      ask: () => Promise.resolve({ kind: "answer", text, promptTokens: 1, replyTokens: 1 }),
    });
  const ended = async (text: string) => {
    const reply = await model(text).ask("Q");
    return reply.kind === "answer" && reply.ended;
  };
  assert.equal(await ended('{"score": 8}\n'), "complete");
  assert.equal(await ended('{"score": 8'), "length");
  assert.deepEqual(model("").settings, { temperature: 0, responseFormat: "none" });
});

const WORDS = { yes: ["Yes"], no: ["No"] };

async function nextWords(plan: Plan, times = 1) {
  await using server = startStandInServer({ plan });
  using calls = callsTo();
  const model = serverNextWord(entryAt(server.openAiBaseUrl), { calls });
  const replies = [];
  for (let i = 0; i < times; i++) replies.push(await model.nextWord("Q", WORDS));
  return { replies, asked: server.calls.length };
}

Deno.test("serverNextWord() reads the word where a server gives no log-probabilities", async () => {
  // The stand-in refuses them, as Groq does.
  const { replies, asked } = await nextWords(() => ({ kind: "answer", text: "**No**, it" }), 2);
  assert.deepEqual(replies[1], { kind: "mass", yes: 0, no: 1, other: 0 });
  assert.equal(asked, 2);
  const { replies: [neither] } = await nextWords(() => ({ kind: "answer", text: "Perhaps" }));
  assert.deepEqual(neither, { kind: "mass", yes: 0, no: 0, other: 1 });
  const { replies: [failed] } = await nextWords(() => ({ kind: "status", status: 500 }));
  assert.equal(failed?.kind, "failure");
});

Deno.test("serverNextWord() goes on asking for probabilities where a prompt is refused without them too", async () => {
  const asked: boolean[] = [];
  await using server = openSmallHost(async (request) => {
    const body = await request.json();
    asked.push("logprobs" in body);
    return Response.json({ error: { message: "the prompt is too long" } }, { status: 400 });
  });
  using calls = callsTo();
  const model = serverNextWord(entryAt(`${server.url}/v1`), { calls });
  for (let i = 0; i < 2; i++) {
    const reply = await model.nextWord("Q", WORDS);
    assert.ok(reply.kind === "failure" && /too long/.test(reply.message));
  }
  assert.deepEqual(asked, [true, false, true, false]);
});

Deno.test("serverNextWord() sums the log-probabilities of the first token's variants", async () => {
  const token = (text: string, probability: number) => ({
    token: text,
    logprob: Math.log(probability),
  });
  const top = [token(" Yes", 0.5), token("yes", 0.25), token("No", 0.125), token("The", 0.125)];
  const body = {
    choices: [{
      finish_reason: "stop",
      message: { content: "Yes" },
      logprobs: { content: [{ token: " Yes", logprob: 0, top_logprobs: top }] },
    }],
  };
  await using server = openSmallHost(() => Response.json(body));
  using calls = callsTo();
  const model = serverNextWord(entryAt(`${server.url}/v1`), { calls });
  const mass = await model.nextWord("Q", WORDS);
  assert.ok(mass.kind === "mass");
  assert.ok(Math.abs(mass.yes - 0.75) < 1e-12);
  assert.ok(Math.abs(mass.no - 0.125) < 1e-12);
});
