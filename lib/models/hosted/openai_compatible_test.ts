import assert from "node:assert/strict";
import type { ServerEntry } from "../panel.ts";
import { apiKey } from "./api_keys.ts";
import { NO_KEY } from "./clients.ts";
import { type KeyedCalls, openKeyedCalls } from "./keyed_calls.ts";
import {
  serverAnswers,
  serverDraws,
  serverModel,
  serverNextWord,
  structuredServer,
} from "./openai_compatible.ts";
import { openSmallHost } from "./testdata/small_host.ts";
import {
  type Behaviour,
  type StandInCall,
  startStandInServer,
} from "./testdata/stand_in/server.ts";

const GENERATION = { temperature: 0, maxReplyTokens: 10 };

const entryAt = (baseUrl: string, more: Partial<ServerEntry> = {}): ServerEntry => ({
  id: "served",
  kind: "openai-compatible",
  baseUrl,
  concurrency: 8,
  roles: ["chat"],
  licence: "MIT",
  ...more,
});

const callsWith = (key = NO_KEY) =>
  openKeyedCalls([key], { host: "the server", tries: 2, backoffSeconds: 0.001 });

/** What a model of a server that behaves so brings, asked so many times, and what it was sent. */
async function asking<Result>(
  plan: (call: StandInCall) => Behaviour,
  ask: (entry: ServerEntry, connection: { calls: KeyedCalls }) => () => Promise<Result>,
  times = 1,
) {
  await using server = startStandInServer({ plan });
  using calls = callsWith();
  const once = ask(entryAt(server.openAiBaseUrl), { calls });
  const replies: Result[] = [];
  for (let i = 0; i < times; i++) replies.push(await once());
  return { replies, bodies: server.calls.map(({ body }) => body as Record<string, unknown>) };
}

const replyTo = async (behaviour: Behaviour) =>
  (await asking(() => behaviour, (entry, connection) => {
    const { chat } = serverModel(entry, GENERATION, connection);
    return () => chat!.ask("A or B?");
  })).replies[0]!;

Deno.test("serverModel() sends what the entry and the panel say, and reads the answer", async () => {
  await using server = startStandInServer({ answer: () => "B" });
  const entry = entryAt(server.openAiBaseUrl, { model: "host/name", reasoningEffort: "low" });
  using calls = callsWith(apiKey("SERVER_KEY", "key-of-the-test"));
  const chat = serverModel(entry, GENERATION, { calls }).chat!;
  const reply = { kind: "answer", text: "B", promptTokens: 2, replyTokens: 1 };
  assert.deepEqual(await chat.ask("A or B?"), reply);
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
    ...GENERATION,
    reasoningEffort: "low",
  });
  assert.equal(chat.concurrency, 8);
});

Deno.test("ask() tells answer, refusal and failure apart, and never takes reasoning for the answer", async () => {
  // llama.cpp and SGLang say reasoning_content, vLLM and Groq reasoning.
  for (const field of ["reasoning", "reasoning_content"]) {
    const message = { content: null, [field]: "The answer is A." };
    const body = { choices: [{ index: 0, finish_reason: "length", message }] };
    const reply = await replyTo({ kind: "json", status: 200, body });
    assert.deepEqual(reply, { kind: "answer", text: "", promptTokens: 0, replyTokens: 0 });
  }
  const refused = await replyTo({ kind: "answer", refusal: "I will not." });
  assert.deepEqual(refused, { kind: "refusal", text: "I will not." });
  const failures: readonly (readonly [Behaviour, RegExp])[] = [
    [{ kind: "status", status: 500 }, /^Cannot ask served: the server answers 500.*2 tries/],
    [{ kind: "status", status: 400, message: "no such field" }, /bad request.*no such field/],
  ];
  for (const [behaviour, pattern] of failures) {
    const reply = await replyTo(behaviour);
    assert.match(reply.kind === "failure" ? reply.message : "", pattern, behaviour.kind);
  }
});

const SCHEMA = {
  type: "object",
  properties: { why: { type: "string", maxLength: 9 }, score: { enum: [0, 1] } },
} as const;

const structured = (plan: (call: StandInCall) => Behaviour, times?: number) =>
  asking(plan, (entry, connection) => {
    const model = structuredServer(entry, GENERATION, connection);
    return () => model.ask("Q", { schema: SCHEMA });
  }, times);

Deno.test("structuredServer() asks plainly, from then on, where the format is refused", async () => {
  const { replies, bodies } = await structured(
    ({ body }) =>
      "response_format" in (body as object)
        ? { kind: "status", status: 400, message: "response_format is not supported" }
        : { kind: "answer", text: "{}" },
    2,
  );
  assert.deepEqual(replies.map(({ kind }) => kind), ["answer", "answer"]);
  assert.deepEqual(bodies.map((body) => "response_format" in body), [true, false, false]);
});

Deno.test("structuredServer() tells what else might have been written for a number", async () => {
  const token = (text: string, ...likely: (readonly [string, number])[]) => (
    { token: text, top_logprobs: likely.map(([token, p]) => ({ token, logprob: Math.log(p) })) }
  );
  const digits = [
    token("8", ["8", 0.5], ["7", 0.25], ["0", 0.1]),
    token("5", ["5", 0.6], ["0", 0.4]),
  ];
  for (
    const [written, expected] of [
      // A digit that was not written stands for the middle of its ten.
      [digits, [[85, 0.3], [80, 0.2], [75, 0.25], [0, 0.1]]],
      // Tokens of two digits are whole numbers, with or without the space before them.
      [[token(" 85", [" 85", 0.7], ["90", 0.2], ["x", 0.1])], [[85, 0.7], [90, 0.2]]],
      // Nobody knows what else a token might be that holds more than the number.
      [[token("85}", ["85}", 1])], undefined],
    ] as const
  ) {
    const content = [token('{"score"'), token(":"), ...written, token("}", ["}", 1])];
    const message = { content: '{"score": 85}' };
    const choices = [{ index: 0, finish_reason: "stop", message, logprobs: { content } }];
    let sent: Record<string, unknown> = {};
    await using server = openSmallHost(async (request) => {
      sent = await request.json();
      return Response.json({ choices });
    });
    using calls = callsWith();
    const model = structuredServer(entryAt(`${server.url}/v1`), GENERATION, { calls });
    const reply = await model.ask("Q", { schema: SCHEMA, numberOf: "score", seed: 3 });
    assert.ok(reply.kind === "answer");
    const found = reply.numbers && [...reply.numbers].map(([number, p]) => [number, +p.toFixed(6)]);
    assert.deepEqual(found, expected);
    assert.deepEqual([sent["top_logprobs"], sent["seed"]], [20, 3]);
  }
});

const WORDS = { yes: ["Yes"], no: ["No"] };

Deno.test("serverNextWord() reads the word where a server gives no log-probabilities", async () => {
  for (const [text, no] of [["**No**, it", 1], ["Perhaps", 0]] as const) {
    const { replies: [word] } = await asking(
      // The stand-in refuses them, as Groq does.
      () => ({ kind: "answer", text }),
      (entry, connection) => () => serverNextWord(entry, connection).nextWord("Q", WORDS),
    );
    assert.deepEqual(word, { kind: "mass", yes: 0, no, other: 1 - no });
  }
});

Deno.test("serverNextWord() sums the log-probabilities of the first token's variants", async () => {
  const top = ([[" Yes", 1 / 2], ["yes", 1 / 4], ["No", 1 / 8], ["The", 1 / 8]] as const)
    .map(([token, probability]) => ({ token, logprob: Math.log(probability) }));
  const logprobs = { content: [{ token: " Yes", logprob: 0, top_logprobs: top }] };
  const message = { content: "Yes" };
  const body = { choices: [{ finish_reason: "stop", message, logprobs }] };
  await using server = openSmallHost(() => Response.json(body));
  using calls = callsWith();
  const entry = entryAt(`${server.url}/v1`);
  const mass = await serverNextWord(entry, { calls }).nextWord("Q", WORDS);
  assert.ok(mass?.kind === "mass");
  assert.ok(Math.abs(mass.yes - 0.75) < 1e-12);
  assert.ok(Math.abs(mass.no - 0.125) < 1e-12);
  // One of three; a word may be cut in tokens: "The" begins "Theoretical" alone.
  const three = await serverAnswers(entry, { calls }).answer("Q", ["Yes", "No", "Theoretical"]);
  assert.ok(three.kind === "mass");
  [0.75, 0.125, 0.125].forEach((share, i) => assert.ok(Math.abs(three.answers[i]! - share) < 1e-9));
});

Deno.test("serverDraws() draws with a seed, and tells the mean log-probability where the server does", async () => {
  const logprobs = { content: [{ token: "a", logprob: -1 }, { token: "b", logprob: -3 }] };
  const body = { choices: [{ finish_reason: "stop", message: { content: "ab" }, logprobs }] };
  const sent: Record<string, unknown>[] = [];
  await using server = openSmallHost(async (request) => {
    sent.push(await request.json());
    return Response.json(body);
  });
  using calls = callsWith();
  const generation = { temperature: 1, maxReplyTokens: 9 };
  const model = serverDraws(entryAt(`${server.url}/v1`), generation, { calls });
  const told = { kind: "drawn", text: "ab", ended: "complete", meanLogProbability: -2 };
  for (const seed of ["a", "b", "a"]) {
    assert.deepEqual(await model.draw({ text: "Q" }, { seed }), told);
  }
  const [one, other, again] = sent.map(({ seed }) => seed);
  assert.ok(one === again && one !== other && Number.isInteger(one));
  assert.deepEqual([sent[0]!.temperature, sent[0]!.max_tokens, sent[0]!.logprobs], [1, 9, true]);
  // The stand-in refuses log-probabilities, as Groq does.
  const { replies } = await asking(
    () => ({ kind: "answer", text: "ab" }),
    (entry, connection) => () =>
      serverDraws(entry, generation, connection).draw({ text: "Q" }, { seed: 1 }),
  );
  assert.deepEqual(replies, [{ ...told, meanLogProbability: undefined }]);
});
