import assert from "node:assert/strict";
import type { Reply, StructuredReply } from "../model.ts";
import type { ServerEntry } from "../panel.ts";
import { addressOf } from "../../files/asking.ts";
import { apiKey } from "./api_keys.ts";
import { type KeyedCalls, openKeyedCalls } from "./keyed_calls.ts";
import {
  serverAnswers,
  serverChoices,
  serverDraws,
  serverModel,
  serverNextWord,
  structuredServer,
} from "./openai_compatible.ts";
import { openSmallHost } from "./testdata/small_host.ts";

const GENERATION = { temperature: 0, maxReplyTokens: 10 };
type Sent = Readonly<Record<string, unknown>>;

/** Outcome of asking a server's model that replies so, and the requests it was sent. */
async function asking<Result>(
  reply: (sent: Sent) => unknown,
  ask: (entry: ServerEntry, connection: { readonly calls: KeyedCalls }) => Promise<Result>,
  more: Partial<ServerEntry> = {},
) {
  const [bodies, keys]: [Sent[], (string | null)[]] = [[], []];
  await using host = openSmallHost(async (request) => {
    bodies.push(await request.json());
    keys.push(request.headers.get("authorization"));
    const replied = reply(bodies.at(-1)!);
    return replied instanceof Response ? replied : Response.json(replied);
  });
  const key = apiKey("SERVER_KEY", "key-of-the-test");
  using calls = openKeyedCalls([key], { host: "the server", tries: 2, backoffSeconds: 0.001 });
  const own = { id: "served", kind: "openai-compatible", licence: "MIT" } as const;
  const entry = { ...own, baseUrl: `${host.url}/v1`, concurrency: 8, roles: ["chat"] } as const;
  return { found: await ask({ ...entry, roles: ["chat"], ...more }, { calls }), bodies, keys };
}

const refusal = (status: number, message: string) =>
  Response.json({ error: { message } }, { status });
const said = (message: object, content?: readonly object[]) => (
  { choices: [{ finish_reason: "stop", message, logprobs: content && { content } }] }
);
/** Refuses log-probabilities and formats, as Groq does. */
const plainly = (text: string) => (sent: Sent) =>
  "logprobs" in sent || "response_format" in sent
    ? refusal(400, "logprobs is not supported")
    : said({ content: text });

/** A token, and what else might have stood in its place. */
const token = (text: string, ...likely: (readonly [string, number])[]) => (
  { token: text, top_logprobs: likely.map(([token, p]) => ({ token, logprob: Math.log(p) })) }
);

Deno.test("serverModel() sends what the entry and the panel say, and reads the answer", async () => {
  const usage = { prompt_tokens: 2, completion_tokens: 1 };
  const { found, bodies, keys } = await asking(
    () => ({ ...said({ content: "B" }), usage }),
    async (entry, connection) => {
      const chat = serverModel(entry, GENERATION, connection).chat!;
      return { reply: await chat.ask("A or B?"), settings: chat.settings };
    },
    { model: "host/name", reasoningEffort: "low" },
  );
  const hostModel = "host/name";
  assert.deepEqual(found, {
    reply: { kind: "answer", text: "B", promptTokens: 2, replyTokens: 1 },
    settings: { host: "openai-compatible", hostModel, ...GENERATION, reasoningEffort: "low" },
  });
  const messages = [{ role: "user", content: "A or B?" }];
  const asked = { model: hostModel, messages, temperature: 0, max_tokens: 10 };
  assert.deepEqual(bodies, [{ ...asked, reasoning_effort: "low" }]);
  assert.deepEqual(keys, ["Bearer key-of-the-test"]);
});

Deno.test("ask() distinguishes answer, refusal and failure, and never takes reasoning for the answer", async () => {
  const nothing = { kind: "answer", text: "", promptTokens: 0, replyTokens: 0 };
  const cases: readonly (readonly [unknown, object])[] = [
    // llama.cpp and SGLang say reasoning_content, vLLM and Groq reasoning.
    [said({ content: null, reasoning: "The answer is A." }), nothing],
    [said({ content: null, reasoning_content: "The answer is A." }), nothing],
    [said({ content: null, refusal: "I will not." }), { kind: "refusal", text: "I will not." }],
    [refusal(500, "oops"), {
      kind: "failure",
      message: "Cannot ask served: the server answers 500: oops (2 tries).",
    }],
  ];
  for (const [replied, expected] of cases) {
    const { found } = await asking(
      () => replied instanceof Response ? replied.clone() : replied,
      (entry, connection) => serverModel(entry, GENERATION, connection).chat!.ask("A or B?"),
    );
    assert.deepEqual(found, expected);
  }
});

Deno.test("a model without words is asked a control question: one that answers it said nothing, one that does not is out of order", async () => {
  const silent = said({ content: null });
  const ways: readonly Parameters<typeof asking<Reply | StructuredReply>>[1][] = [
    (entry, connection) => serverModel(entry, GENERATION, connection).chat!.ask("Q"),
    (entry, connection) => structuredServer(entry, GENERATION, connection).ask("Q"),
  ];
  for (const ask of ways) {
    const isQuestion = ({ messages }: Sent) => JSON.stringify(messages).includes('"Q"');
    const well = await asking((sent) => isQuestion(sent) ? silent : said({ content: "yes" }), ask);
    assert.deepEqual([well.found.kind, well.bodies.length], ["answer", 2]);
    const out = await asking(() => silent, ask);
    assert.ok(out.found.kind === "failure");
    assert.match(out.found.message, /the server sent no usable reply: no words, .* \(2 tries\)\.$/);
    assert.equal(out.bodies.length, 4);
    const cut = { choices: [{ finish_reason: "length", message: { content: null } }] };
    assert.equal((await asking(() => cut, ask)).bodies.length, 1);
  }
});

const SCHEMA = {
  type: "object",
  properties: { why: { type: "string", maxLength: 9 }, score: { enum: [0, 1] } },
} as const;

Deno.test("structuredServer() asks plainly, from then on, where the format is refused", async () => {
  const { found, bodies } = await asking(plainly("{}"), async (entry, connection) => {
    const model = structuredServer(entry, GENERATION, connection);
    return [await model.ask("Q", { schema: SCHEMA }), await model.ask("Q", { schema: SCHEMA })];
  });
  assert.deepEqual(found.map(({ kind }) => kind), ["answer", "answer"]);
  assert.deepEqual(bodies.map((body) => "response_format" in body), [true, false, false]);
});

Deno.test("structuredServer() gives the alternatives of a written number", async () => {
  const digits = [
    token("8", ["8", 0.5], ["7", 0.25], ["0", 0.1]),
    token("5", ["5", 0.6], ["0", 0.4]),
  ];
  const cases = [
    // A digit that was not written stands for the middle of its ten.
    [digits, [[85, 0.3], [80, 0.2], [75, 0.25], [0, 0.1]]],
    // Tokens of two digits are whole numbers, with or without the space before them.
    [[token(" 85", [" 85", 0.7], ["90", 0.2], ["x", 0.1])], [[85, 0.7], [90, 0.2]]],
    // The alternatives of a token that holds more than the number are unknown.
    [[token("85}", ["85}", 1])], undefined],
  ] as const;
  for (const [written, expected] of cases) {
    const content = [token('{"score"'), token(":"), ...written, token("}", ["}", 1])];
    const { found: reply, bodies: [sent] } = await asking(
      () => said({ content: '{"score": 85}' }, content),
      (entry, connection) =>
        structuredServer(entry, GENERATION, connection)
          .ask("Q", { schema: SCHEMA, numberOf: "score", seed: 3 }),
    );
    assert.ok(reply.kind === "answer");
    const found = reply.numbers && [...reply.numbers].map(([number, p]) => [number, +p.toFixed(6)]);
    assert.deepEqual(found, expected);
    assert.deepEqual([sent!["top_logprobs"], sent!["seed"]], [20, 3]);
  }
});

Deno.test("serverNextWord() and serverAnswers() sum the first token's variants, or read the word", async () => {
  const words = { yes: ["Yes"], no: ["No"] };
  const first = token(" Yes", [" Yes", 1 / 2], ["yes", 1 / 4], ["No", 1 / 8], ["The", 1 / 8]);
  const { found: [mass, three] } = await asking(
    () => said({ content: "Yes" }, [first]),
    async (entry, connection) =>
      [
        await serverNextWord(entry, connection).nextWord("Q", words),
        // A word may be cut in tokens: "The" begins "Theoretical" alone.
        await serverAnswers(entry, connection).answer("Q", ["Yes", "No", "Theoretical"]),
      ] as const,
  );
  assert.ok(mass?.kind === "mass" && three?.kind === "mass");
  const expected = [0.75, 0.125, 0.75, 0.125, 0.125];
  [mass.yes, mass.no, ...three.answers].forEach((share, at) =>
    assert.ok(Math.abs(share - expected[at]!) < 1e-9)
  );
  for (const [text, no] of [["**No**, it", 1], ["Perhaps", 0]] as const) {
    const { found } = await asking(
      plainly(text),
      (entry, connection) => serverNextWord(entry, connection).nextWord("Q", words),
    );
    assert.deepEqual(found, { kind: "mass", yes: 0, no, other: 1 - no });
  }
});

Deno.test("serverChoices() reads log-probabilities and, of a server without them, JSON from then on", async () => {
  const words = ["True", "False", "Unknown"];
  const choosing = (reply: (sent: Sent) => unknown) =>
    asking(reply, async (entry, connection) => {
      const model = serverChoices(entry, connection);
      return [await model.answer("Q", words), await model.answer("Q", words)];
    });
  const first = token("True", ["True", 1 / 2], ["False", 1 / 4], ["The", 1 / 4]);
  const written = await choosing(() => said({ content: "True" }, [first]));
  assert.equal(written.bodies.length, 2);
  for (const reply of written.found) {
    assert.ok(reply.kind === "mass");
    [1 / 2, 1 / 4, 0].forEach((share, at) =>
      assert.ok(Math.abs(reply.answers[at]! - share) < 1e-9)
    );
  }
  // Log-probabilities are refused, then formats: three requests, later one that is asked for JSON alone.
  const texts = [
    [`{"answer": "False", "confidence": 80}`, [0.1, 0.8, 0.1]],
    ['Well: {"answer": "unknown", "confidence": 10', [1 / 3, 1 / 3, 1 / 3]],
    ["True.", [1, 0, 0]],
    ["Perhaps", [0, 0, 0]],
  ] as const;
  for (const [text, expected] of texts) {
    const { found, bodies } = await choosing(plainly(text));
    for (const reply of found) {
      assert.ok(reply.kind === "mass");
      expected.forEach((share, at) => assert.ok(Math.abs(reply.answers[at]! - share) < 1e-9));
    }
    const kinds = bodies.map((sent) =>
      ["logprobs", "response_format"].find((key) => key in sent) ?? "plain"
    );
    assert.deepEqual(kinds, ["logprobs", "plain", "response_format", "plain", "plain"]);
    const asked = (bodies.at(-1)!["messages"] as readonly { content: string }[])[0]!.content;
    assert.match(asked, /^Q\n\nAnswer with JSON alone: \{"answer": "True" or "False" or "Unknown"/);
  }
  const down = await choosing(() => refusal(422, "no"));
  assert.ok(down.found.every(({ kind }) => kind === "failure"));
});

Deno.test("serverDraws() draws with a seed, and gives the mean log-probability where the server does", async () => {
  const drawn = { kind: "drawn", text: "ab", ended: "complete" } as const;
  const drawing = (reply: (sent: Sent) => unknown) =>
    asking(reply, async (entry, connection) => {
      const model = serverDraws(entry, { temperature: 1, maxReplyTokens: 9 }, connection);
      const draw = (seed: string) => model.draw({ text: "Q" }, { seed });
      return [await draw("a"), await draw("b"), await draw("a")];
    });
  const tokens = [{ token: "a", logprob: -1 }, { token: "b", logprob: -3 }];
  const { found, bodies } = await drawing(() => said({ content: "ab" }, tokens));
  assert.deepEqual(found, Array(3).fill({ ...drawn, meanLogProbability: -2 }));
  const [one, other, again] = bodies.map(({ seed }) => seed);
  assert.ok(one === again && one !== other && Number.isInteger(one));
  const { temperature, max_tokens, logprobs } = bodies[0]!;
  assert.deepEqual([temperature, max_tokens, logprobs], [1, 9, true]);
  const { found: [withoutLogprobs] } = await drawing(plainly("ab"));
  assert.deepEqual(withoutLogprobs, { ...drawn, meanLogProbability: undefined });
});

/** An answer that comes in pieces; it stays unfinished where `end` is undefined, and breaks off where it is empty. */
function streamed(pieces: readonly string[], end: string | undefined): Response {
  const event = (choice: object) => `data: ${JSON.stringify({ choices: [choice] })}\n\n`;
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      const send = (text: string) => stream.enqueue(new TextEncoder().encode(text));
      send(event({ delta: { role: "assistant" } }));
      for (const content of pieces) {
        const logprobs = { content: [token(content, [content, 1])] };
        // In two parts, as a network may.
        const text = event({ delta: { content }, logprobs });
        send(text.slice(0, 9));
        send(text.slice(9));
      }
      if (end === undefined) return;
      if (end !== "") send(`${event({ delta: {}, finish_reason: end })}data: [DONE]\n\n`);
      stream.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream; charset=utf-8" } });
}

Deno.test("Requirement 9.2: structuredServer() reads an answer as it comes, and has what was written when time ran out", async () => {
  const ask = (
    pieces: readonly string[],
    end: string | undefined,
    options: { readonly numberOf?: string; readonly signal?: AbortSignal } = {},
  ) =>
    asking(
      (sent) => sent["stream"] === true ? streamed(pieces, end) : refusal(400, "not streamed"),
      (entry, connection) => structuredServer(entry, GENERATION, connection).ask("Q", options),
    );
  const { found } = await ask(['{"score": ', "70", "}"], "stop", { numberOf: "score" });
  assert.ok(found.kind === "answer" && found.text === '{"score": 70}');
  assert.deepEqual([found.ended, found.numbers?.get(70)], ["complete", 1]);
  const cut = await ask(["half a wo"], "length");
  assert.ok(cut.found.kind === "answer" && cut.found.ended === "length");
  const late = await ask(['{"reasoning": "It is'], undefined, { signal: AbortSignal.timeout(200) });
  assert.ok(late.found.kind === "failure");
  assert.equal(late.found.partialText, '{"reasoning": "It is');
  const broken = await ask(["half"], "");
  assert.ok(broken.found.kind === "failure" && broken.bodies.length === 2);
  assert.equal(broken.found.partialText, "half");
});

Deno.test("serverModel() asks without what a server refuses, says so, and asks alike from then on", async () => {
  // As OpenAI's models that reason refuse, in their own words.
  const reasons = (sent: Sent) =>
    "max_tokens" in sent
      ? refusal(
        400,
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use " +
          "'max_completion_tokens' instead.",
      )
      : "temperature" in sent
      ? refusal(
        400,
        "Unsupported value: 'temperature' does not support 0 with this model. Only the default " +
          "(1) value is supported.",
      )
      : said({ content: "B" });
  const generation = { ...GENERATION, seed: 7, systemPrompt: "Be short.", extraBody: { top_k: 1 } };
  const { found, bodies } = await asking(reasons, async (entry, connection) => {
    const { chat } = serverModel(entry, generation, connection);
    const before = chat!.settings;
    const replies = [await chat!.ask("Q"), await chat!.ask("Q")];
    return { replies, before, after: chat!.settings };
  });
  assert.deepEqual(found.replies.map((reply) => reply.kind === "answer" && reply.text), ["B", "B"]);
  const messages = [{ role: "system", content: "Be short." }, { role: "user", content: "Q" }];
  const asked = { model: "served", messages, max_completion_tokens: 10, seed: 7, top_k: 1 };
  assert.deepEqual([bodies.length, bodies[2], bodies[3]], [4, asked, asked]);
  const { refused, ...rest } = found.after;
  assert.equal(refused, "max_tokens, temperature");
  // Neither the address of answers nor what they were asked with changes by that.
  assert.deepEqual(rest, found.before);
  assert.equal(addressOf(found.after), addressOf(found.before));
  assert.equal(found.before["extraBody"], '{"top_k":1}');
  // A refusal of another kind is one: nothing is left out.
  const tooLong = refusal(400, "max_tokens is too large: the context holds 512 tokens");
  const other = await asking(
    () => tooLong.clone(),
    (entry, connection) => serverModel(entry, GENERATION, connection).chat!.ask("Q"),
  );
  assert.deepEqual([other.bodies.length, other.found.kind], [1, "failure"]);
  const { found: reply } = other;
  assert.ok(reply.kind === "failure" && reply.isRefused);
});

Deno.test("serverModel() sends no temperature and the newer limit where the panel says so", async () => {
  const generation = {
    temperature: "default",
    maxReplyTokens: 10,
    limitName: "max_completion_tokens",
  } as const;
  const { bodies } = await asking(
    () => said({ content: [{ type: "thinking", thinking: [] }, { type: "text", text: "B" }] }),
    async (entry, connection) => {
      const reply = await serverModel(entry, generation, connection).chat!.ask("Q");
      assert.equal(reply.kind === "answer" && reply.text, "B");
    },
  );
  const messages = [{ role: "user", content: "Q" }];
  assert.deepEqual(bodies, [{ model: "served", messages, max_completion_tokens: 10 }]);
});
