import assert from "node:assert/strict";
import { apiKey } from "./api_keys.ts";
import { openKeyedCalls } from "./keyed_calls.ts";
import { serverModel } from "./openai_compatible.ts";
import { NO_KEY } from "./openai_compatible_client.ts";
import type { ServerEntry } from "../panel.ts";

/** A token and the log-probability it has after whatever stands before it. */
type Scored = readonly [text: string, logProbability: number];

/** How a server of the tests meets /completions. */
interface ServerOptions {
  /** Put before every prompt, as vocabularies with a start token of their own do. */
  readonly begins?: string;
  readonly cut: (prompt: string) => readonly Scored[];
  /** What it generates after any prompt. */
  readonly generates?: Scored;
  /** What it sends instead of what it would. */
  readonly instead?: (answer: Answer, prompt: string) => Response | object | undefined;
}

interface Answer {
  readonly choices: readonly {
    readonly index: number;
    readonly text: string;
    readonly finish_reason: string;
    readonly logprobs: object;
  }[];
  readonly usage: object;
}

interface Asked {
  readonly prompt: string;
  readonly echo?: boolean;
  readonly authorization: string | null;
}

/** Answers as vLLM does: the first token of all has no log-probability. */
function answerTo({ prompt, echo }: Asked, options: ServerOptions): Answer {
  const generated = options.generates ?? [" five", -1.5];
  const start: readonly Scored[] = options.begins === undefined ? [] : [[options.begins, 0]];
  const read = echo ? [...start, ...options.cut(prompt)] : [];
  const tokens = [...read, generated];
  const logProbabilities = tokens.map(([, value], index) => echo && index === 0 ? null : value);
  const logprobs = {
    tokens: tokens.map(([text]) => text),
    token_logprobs: logProbabilities,
    top_logprobs: null,
    text_offset: tokens.map(() => 0),
  };
  const text = (echo ? prompt : "") + generated[0];
  const usage = { prompt_tokens: read.length, completion_tokens: 1, total_tokens: tokens.length };
  return { choices: [{ index: 0, text, finish_reason: "length", logprobs }], usage };
}

function startServer(options: ServerOptions) {
  const asked: Asked[] = [];
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    async (request) => {
      const body: Omit<Asked, "authorization"> = await request.json();
      const all = { ...body, authorization: request.headers.get("authorization") };
      asked.push(all);
      const answer = answerTo(all, options);
      const sent = options.instead?.(answer, body.prompt) ?? answer;
      return sent instanceof Response ? sent : Response.json(sent);
    },
  );
  return {
    asked,
    baseUrl: `http://127.0.0.1:${server.addr.port}/v1`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

function modelAt(baseUrl: string, more: Partial<ServerEntry> = {}, key = NO_KEY) {
  const entry: ServerEntry = {
    id: "served",
    kind: "openai-compatible",
    baseUrl,
    concurrency: 4,
    roles: ["likelihood"],
    licence: "MIT",
    ...more,
  };
  const calls = openKeyedCalls([key], { host: "the server", tries: 2, backoffSeconds: 0.001 });
  const { likelihood } = serverModel(entry, { temperature: 0, maxReplyTokens: 10 }, { calls });
  assert.ok(likelihood);
  return likelihood;
}

/** Words with their spaces: minus an eighth of their length, and the generated one as generated. */
const words = (prompt: string): readonly Scored[] =>
  [...prompt.matchAll(/<\|\w+\|>| ?[^ <]+/g)]
    .map(([word]) => [word, word === " five" ? -1.5 : -word.length / 8]);

Deno.test("score() sums a text's tokens after the server's own start token", async () => {
  await using server = startServer({ begins: "<bos>", cut: words });
  const model = modelAt(server.baseUrl);
  // "Hánum" 5/8 + " líkaði" 7/8 + " þat." 5/8.
  assert.deepEqual(await model.score(["Hánum líkaði þat."]), [
    { logProbability: -17 / 8, tokens: 3, bytes: 21 },
  ]);
  assert.deepEqual(model.settings, {
    host: "openai-compatible",
    hostModel: "served",
    readout: "likelihood",
  });
  // Three requests of the check, once; then one a text.
  await model.score(["Hann.", "Hánum."]);
  assert.equal(server.asked.length, 3 + 1 + 2);
});

Deno.test("score() puts the entry's start token before each text, and scores the text alone", async () => {
  await using server = startServer({ cut: words });
  const model = modelAt(server.baseUrl, { startToken: "<|endoftext|>", model: "host/name" });
  assert.deepEqual(await model.score(["Þat er."]), [
    { logProbability: -7 / 8, tokens: 2, bytes: 8 },
  ]);
  assert.equal(server.asked.at(-1)?.prompt, "<|endoftext|>Þat er.");
  assert.equal(model.settings.startToken, "<|endoftext|>");
  assert.equal(model.settings.hostModel, "host/name");
});

Deno.test("score() counts each part of a character that is cut into tokens", async () => {
  const cut = (prompt: string): readonly Scored[] =>
    prompt === "lǫng" ? [["l", -1], ["\ufffd", -2], ["\ufffd", -4], ["ng", -8]] : words(prompt);
  await using server = startServer({ begins: "<s>", cut });
  assert.deepEqual(await modelAt(server.baseUrl).score(["lǫng"]), [
    { logProbability: -15, tokens: 4, bytes: 5 },
  ]);
});

Deno.test("score() refuses a server that cannot be used, naming it, what it lacks and a remedy", async () => {
  const changed = (change: object) => (answer: Answer) => ({
    ...answer,
    choices: answer.choices.map((choice) => ({ ...choice, ...change })),
  });
  const status = (code: number, message: string) => () =>
    Response.json({ error: { message, type: "invalid_request_error" } }, { status: code });
  const cases: readonly (readonly [string, ServerOptions["instead"], RegExp])[] = [
    ["echo ignored", changed({ text: " five" }), /ignores echo.*likelihoods need \/completions/],
    ["no log-probabilities", changed({ logprobs: null }), /without log-probabilities.*serve the/],
    ["in the chat's form", changed({ logprobs: { content: [] } }), /without log-probabilities/],
    ["no completion", () => ({ hello: "world" }), /another form than OpenAI's/],
    ["400", status(400, "logprobs is not supported"), /refuses to echo.*400 logprobs is not supp/],
    ["404", status(404, "Not Found"), /refuses to echo.*404 Not Found/],
  ];
  for (const [name, instead, pattern] of cases) {
    await using server = startServer({ begins: "<bos>", cut: words, instead });
    await assert.rejects(modelAt(server.baseUrl).score(["Hann."]), (error: Error) => {
      assert.equal(error.name, "TypeError", name);
      assert.match(error.message, /^Cannot score with served: the server at 127\.0\.0\.1:\d+ /);
      assert.match(error.message, pattern);
      return true;
    });
  }
});

Deno.test("score() refuses a server that leaves the first token unscored", async () => {
  await using server = startServer({ cut: words });
  await assert.rejects(modelAt(server.baseUrl).score(["Hann."]), {
    name: "TypeError",
    message: /first token unscored; name the token .* startToken: <\|endoftext\|>/,
  });
});

Deno.test("score() refuses a server whose log-probabilities stand one place off", async () => {
  const onePlaceOff = (answer: Answer, prompt: string) => {
    const [choice] = answer.choices;
    if (!choice?.text.startsWith(prompt)) return undefined;
    const scored: readonly Scored[] = [["<bos>", 0], ...words(prompt), [" six", -6]];
    const tokens = scored.map(([text]) => text);
    const next = scored.map((_, index) => scored[index + 1]?.[1] ?? -1);
    const logprobs = { tokens, token_logprobs: [null, ...next.slice(1)] };
    return { ...answer, choices: [{ ...choice, logprobs }] };
  };
  await using server = startServer({ begins: "<bos>", cut: words, instead: onePlaceOff });
  await assert.rejects(modelAt(server.baseUrl).score(["Hann."]), {
    name: "TypeError",
    message: /gives the token " five" -1\.50 nats when it generates it and -6\.00 when it echoes/,
  });
});

Deno.test("score() refuses tokens that are not the text, naming the text", async () => {
  const cut = (prompt: string) => words(prompt.replace("Hánum", "Hanum"));
  await using server = startServer({ begins: "<bos>", cut });
  await assert.rejects(modelAt(server.baseUrl).score(["Hánum."]), {
    name: "TypeError",
    message: /echoes tokens that are not the text "Hánum\."/,
  });
});

Deno.test("score() refuses an empty text before it asks", async () => {
  await using server = startServer({ begins: "<bos>", cut: words });
  await assert.rejects(modelAt(server.baseUrl).score(["Hann.", ""]), RangeError);
  assert.equal(server.asked.length, 0);
});

Deno.test("score() asks again where a server fails for a moment, and checks again where it failed for long", async () => {
  let broken = 3;
  const instead = () => broken-- > 0 ? new Response("<html>busy</html>") : undefined;
  await using server = startServer({ begins: "<bos>", cut: words, instead });
  const model = modelAt(server.baseUrl);
  await assert.rejects(model.score(["Hann."]), /no usable reply.*2 tries/);
  assert.equal((await model.score(["Hann."])).length, 1);
});

Deno.test("a server's key goes to the server and into no message", async () => {
  const secret = "secret-of-the-server-1";
  const instead = (_: Answer, prompt: string) =>
    Response.json({ error: { message: `${secret} may not echo ${prompt.length}` } }, {
      status: 400,
    });
  await using server = startServer({ begins: "<bos>", cut: words, instead });
  const model = modelAt(server.baseUrl, {}, apiKey("SERVER_KEY", secret));
  await assert.rejects(model.score(["Hann."]), (error) => {
    assert.ok(!Deno.inspect(error, { depth: 10 }).includes(secret));
    assert.match(String(error), /\[SERVER_KEY\] may not echo/);
    return true;
  });
  assert.equal(server.asked[0]?.authorization, `Bearer ${secret}`);
});
