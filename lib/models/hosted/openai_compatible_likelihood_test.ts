import assert from "node:assert/strict";
import fc from "fast-check";
import type { ServerEntry } from "../panel.ts";
import { NO_KEY } from "./clients.ts";
import { openKeyedCalls } from "./keyed_calls.ts";
import { serverModel } from "./openai_compatible.ts";
import { coversText, type EchoedToken, readEcho, sumOf } from "./openai_compatible_likelihood.ts";

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

const tokens = (...texts: readonly string[]): readonly EchoedToken[] =>
  texts.map((text) => ({ text, logProbability: -1 }));

/** A completion of the tokens of "Hánum líkaði." as vLLM writes it, with one token generated. */
const ANSWER = {
  choices: [{
    text: "Hánum líkaði. Þat",
    logprobs: {
      tokens: ["<bos>", "H", "ánum", " líkaði", ".", " Þat"],
      token_logprobs: [null, -2.5, -0.25, -7.125, -0.5, -3],
    },
  }],
  usage: { prompt_tokens: 5, completion_tokens: 1 },
};

Deno.test("readEcho() reads the prompt's tokens and cuts off what was generated", () => {
  const echoed = readEcho(ANSWER, "Hánum líkaði.");
  assert.deepEqual(echoed.map(({ text }) => text), ["<bos>", "H", "ánum", " líkaði", "."]);
  // −2.5 − 0.25 − 7.125 − 0.5, the start token's null and the generated −3 not among them.
  assert.equal(sumOf(echoed.slice(1)), -10.375);
});

Deno.test("sumOf() refuses a token without log-probability, or with an impossible one", () => {
  const sumWith = (logProbability: number | null) => () => sumOf([{ text: "þ", logProbability }]);
  assert.throws(sumWith(null), /no log-probability for "þ"/);
  assert.throws(sumWith(0.5), /0.5 as log-probability of "þ"/);
  assert.throws(sumWith(-Infinity), /-Infinity/);
  assert.equal(sumWith(0.0001)(), 0);
});

Deno.test("coversText() accepts characters cut into tokens, however servers write the parts", () => {
  const covered: readonly (readonly [readonly EchoedToken[], string])[] = [
    [tokens("H", "á", "num"), "Hánum"],
    [tokens("l", "\ufffd", "\ufffd", "ngr"), "lǫngr"],
    [tokens("l", "", "ǫ", "ngr"), "lǫngr"],
    [tokens(" \ufffd", "\ufffd", "at"), " þat"],
    [tokens("bytes:\\xc3", "bytes:\\xbe", "at"), "þat"],
    [tokens(" \ufffd", "", "at"), " þat"],
    [tokens("\ufffd", "\ufffd", "\ufffd", "!"), "𐌰!"],
    [tokens("o\u0328", "ngr"), "ǫngr"],
    [tokens("o", "\u0328", "ngr"), "o\u0328ngr"],
    [tokens(" Hann", " líkaði"), "Hann líkaði"],
  ];
  for (const [given, text] of covered) assert.ok(coversText(given, text), text);
});

Deno.test("coversText() refuses what is left out, changed or added", () => {
  const refused: readonly (readonly [readonly EchoedToken[], string])[] = [
    [tokens("H", "num"), "Hánum"],
    [tokens("<bos>", "Hánum"), "Hánum"],
    [tokens("Hánum", " líkaði"), "Hánum"],
    [tokens("Hann"), "Hánum"],
    [tokens("\ufffd", "\ufffd"), "þat"],
    [tokens("(", ".", ")"), "(x)"],
    [[], "þat"],
  ];
  for (const [given, text] of refused) assert.equal(coversText(given, text), false, text);
});

Deno.test("property: coversText() accepts UTF-8 text cut at any bytes, and sound pieces for no longer one", () => {
  const cut = fc.tuple(
    fc.string({ unit: fc.constantFrom(..."aþǫ́ðíṃ 𐌰".normalize("NFC")), minLength: 1 }),
    fc.array(fc.nat(), { maxLength: 6 }),
  );
  fc.assert(
    fc.property(cut, ([drawn, cuts]) => {
      const text = drawn.normalize("NFC");
      const bytes = new TextEncoder().encode(text);
      const ends = [...new Set([...cuts.map((n) => n % bytes.length), bytes.length])]
        .filter((n) => n > 0).toSorted((a, b) => a - b);
      const given = ends.map((end, i) => bytes.subarray(i === 0 ? 0 : ends[i - 1], end))
        .map((part) => ({ text: new TextDecoder().decode(part), logProbability: -1 }));
      assert.ok(coversText(given, text));
      const sound = given.every(({ text }) => !text.includes("\ufffd"));
      if (sound) assert.equal(coversText(given, `${text}x`), false);
    }),
    { numRuns: 300 },
  );
});

Deno.test("coversText() takes a moment for a text that is all parts", () => {
  const parts = tokens(...Array.from({ length: 300 }, () => "\ufffd"));
  assert.ok(coversText(parts, "ॐ".repeat(100)));
  assert.equal(coversText(parts, "ॐ".repeat(301)), false);
});
