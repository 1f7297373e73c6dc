import assert from "node:assert/strict";
import fc from "fast-check";
import { apiKey } from "./api_keys.ts";
import { UnusableReply } from "./call_problem.ts";
import { bodyOf, groqClient, hostedChat, openAiClient, readCompletion } from "./chat_completion.ts";
import { openKeyedCalls } from "./keyed_calls.ts";
import { completionBody, openSmallHost } from "./testdata/small_host.ts";

Deno.test("readCompletion() reads an answer unchanged, and loses none over its cost", () => {
  const cases: readonly (readonly [unknown, number, number])[] = [
    [{ prompt_tokens: 30, completion_tokens: 4 }, 30, 4],
    [{ prompt_tokens: 30 }, 30, 0],
    [{ prompt_tokens: 1.5, completion_tokens: null }, 2, 0],
    [{ prompt_tokens: -1, completion_tokens: "4" }, 0, 0],
    [undefined, 0, 0],
  ];
  for (const [usage, promptTokens, replyTokens] of cases) {
    const reply = { kind: "answer", text: " B\n", promptTokens, replyTokens };
    const choices = [{ message: { content: " B\n" }, finish_reason: "stop" }];
    assert.deepEqual(readCompletion({ choices, usage }), { reply, isWhole: true });
  }
});

Deno.test("readCompletion() recognises a reply that the limit of tokens ended", () => {
  const choices = [{ message: { content: "The" }, finish_reason: "length" }];
  const reply = { kind: "answer", text: "The", promptTokens: 0, replyTokens: 0, isCut: true };
  assert.deepEqual(readCompletion({ choices }), { reply, isWhole: false });
});

Deno.test("readCompletion() passes on why a server does not answer, also with status 200", () => {
  const body = { error: { message: "out of credits", code: 402 } };
  assert.throws(() => readCompletion(body), /^UnusableReply: out of credits$/);
});

Deno.test("bodyOf() and readCompletion() read or refuse every JSON value, never otherwise (property)", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      try {
        const text = JSON.stringify(value);
        assert.deepEqual(bodyOf(text), JSON.parse(text));
        readCompletion(value);
      } catch (error) {
        assert.ok(error instanceof UnusableReply);
      }
    }),
    { numRuns: 300 },
  );
});

const KEY = apiKey("GROQ_API_KEY_1", "key-of-the-test");
const HEADERS = "Authorization: Bearer another\nX-Who: me\nContent-Type: text/plain";
const VARIABLES: Readonly<Record<string, string>> = {
  GROQ_CUSTOM_HEADERS: HEADERS,
  OPENAI_CUSTOM_HEADERS: HEADERS,
  GROQ_BASE_URL: "http://127.0.0.1:1",
  OPENAI_BASE_URL: "http://127.0.0.1:1/elsewhere",
  OPENAI_ORG_ID: "org of the user",
  OPENAI_PROJECT_ID: "project of the user",
  OPENAI_LOG: "debug",
};

Deno.test("groqClient() and openAiClient() take nothing from the environment: our key, our headers, one try", async () => {
  const seen: Headers[] = [];
  await using host = openSmallHost(async ({ headers, body }) => {
    seen.push(headers);
    await body?.cancel();
    return Response.json({});
  });
  const question = { model: "m", messages: [{ role: "user" as const, content: "?" }] };
  for (const [name, value] of Object.entries(VARIABLES)) Deno.env.set(name, value);
  try {
    const [groq, server] = [groqClient(KEY, host.url), openAiClient(KEY, host.url)];
    await groq.chat.completions.create(question);
    await server.chat.completions.create(question);
    assert.match(new URL(groqClient(KEY).baseURL).hostname, /\.groq\.com$/);
    for (const client of [groq, server]) {
      assert.deepEqual([client.maxRetries, client.logLevel], [0, "off"]);
    }
    assert.deepEqual([server.baseURL, server.organization, server.project], [host.url, null, null]);
  } finally {
    for (const name of Object.keys(VARIABLES)) Deno.env.delete(name);
  }
  const fields = ["authorization", "x-who", "content-type"];
  const sent = ["Bearer key-of-the-test", null, "application/json"];
  assert.deepEqual(
    seen.map((headers) => fields.map((field) => headers.get(field)?.replace(/;.*/, "") ?? null)),
    [sent, sent],
  );
});

Deno.test("groqClient() and openAiClient() follow no redirect: no question becomes another, and no key goes elsewhere", async () => {
  const seen: string[] = [];
  for (const status of [301, 302, 303, 307, 308]) {
    await using host = openSmallHost(async ({ method, url, body }) => {
      await body?.cancel();
      const { pathname } = new URL(url);
      seen.push(`${method} ${pathname}`);
      if (pathname === "/elsewhere") return Response.json(completionBody("B"));
      return Response.redirect(new URL("/elsewhere", url), status);
    });
    using calls = openKeyedCalls([KEY], { host: "the host", tries: 2, backoffSeconds: 0.001 });
    const question = { model: "m", messages: [{ role: "user" as const, content: "?" }] };
    const [groq, server] = [groqClient(KEY, host.url), openAiClient(KEY, host.url)];
    for (
      const send of [
        () => groq.chat.completions.create(question),
        () => server.chat.completions.create(question),
      ]
    ) {
      const model = { name: "m", settings: {}, concurrency: 1 };
      const reply = await hostedChat(calls, model, send).ask("?");
      assert.equal(reply.kind, "failure");
      assert.match(
        reply.message,
        new RegExp(`sends the question on .* \\(${status}\\); .* baseUrl`),
      );
    }
    await assert.rejects(
      server.completions.create({ model: "m", prompt: "" }),
    );
  }
  assert.deepEqual(seen.filter((one) => /GET|elsewhere/.test(one)), []);
  assert.equal(seen.length, 15);
});
