import assert from "node:assert/strict";
import { toFile } from "groq-sdk";
import { apiKey } from "./api_keys.ts";
import { groqClient, openAiClient } from "./clients.ts";
import { openSmallHost } from "./testdata/small_host.ts";

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
    const file = await toFile(new TextEncoder().encode("{}"), "a.jsonl");
    await groq.files.create({ file, purpose: "batch" });
    assert.match(new URL(groqClient(KEY).baseURL).hostname, /\.groq\.com$/);
    for (const client of [groq, server]) {
      assert.deepEqual([client.maxRetries, client.logLevel], [0, "off"]);
    }
    assert.deepEqual([server.baseURL, server.organization, server.project], [host.url, null, null]);
  } finally {
    for (const name of Object.keys(VARIABLES)) Deno.env.delete(name);
  }
  const fields = ["authorization", "x-who", "content-type"];
  const sent = (type: string) => ["Bearer key-of-the-test", null, type];
  assert.deepEqual(
    seen.map((headers) => fields.map((field) => headers.get(field)?.replace(/;.*/, "") ?? null)),
    ["application/json", "application/json", "multipart/form-data"].map(sent),
  );
});
