import assert from "node:assert/strict";
import { toFile } from "groq-sdk";
import { apiKey } from "./api_keys.ts";
import { groqClient, openAiClient } from "./clients.ts";
import { completionBody, openSmallHost } from "./testdata/small_host.ts";

const KEY = apiKey("GROQ_API_KEY_1", "key-of-the-test");
const VARIABLES = ["GROQ_CUSTOM_HEADERS", "OPENAI_CUSTOM_HEADERS"];

/** Runs a task while both SDKs are told headers by the environment. */
async function withHeadersOfTheEnvironment(task: () => Promise<unknown>): Promise<void> {
  const lines = ["Authorization: Bearer another", "X-Who: me", "Content-Type: text/plain"];
  for (const name of VARIABLES) Deno.env.set(name, lines.join("\n"));
  try {
    await task();
  } finally {
    for (const name of VARIABLES) Deno.env.delete(name);
  }
}

Deno.test("plainFetch() sends our key and no header of the environment's, through both SDKs", async () => {
  const seen: Headers[] = [];
  await using host = openSmallHost(async ({ headers, body }) => {
    seen.push(headers);
    await body?.cancel();
    return Response.json(completionBody("A"));
  });
  const question = { model: "m", messages: [{ role: "user" as const, content: "?" }] };
  await withHeadersOfTheEnvironment(async () => {
    await groqClient(KEY, host.url).chat.completions.create(question);
    await openAiClient(KEY, host.url).chat.completions.create(question);
    const file = await toFile(new TextEncoder().encode("{}"), "a.jsonl");
    await groqClient(KEY, host.url).files.create({ file, purpose: "batch" });
  });
  assert.deepEqual(seen.map((headers) => headers.get("authorization")), [
    "Bearer key-of-the-test",
    "Bearer key-of-the-test",
    "Bearer key-of-the-test",
  ]);
  assert.deepEqual(seen.map((headers) => headers.get("x-who")), [null, null, null]);
  const types = seen.map((headers) => headers.get("content-type")?.replace(/;.*/, ""));
  assert.deepEqual(types, ["application/json", "application/json", "multipart/form-data"]);
});
