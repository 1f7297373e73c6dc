import assert from "node:assert/strict";
import { parsePanel } from "../panel.ts";
import { apiKey } from "./api_keys.ts";
import { groqClient } from "./clients.ts";
import { groqModel, groqParameters, groqSettings } from "./groq_model.ts";
import { openKeyedCalls } from "./keyed_calls.ts";
import { completionBody, openSmallHost } from "./testdata/small_host.ts";

const KEY = apiKey("GROQ_API_KEY_1", ["gsk", "test", "model"].join("_"));
const file = new URL("../../../data/panels/groq.yaml", import.meta.url);
const PANEL = parsePanel(Deno.readTextFileSync(file), "groq.yaml");
const GENERATION = PANEL.generation!;
const ENTRIES = PANEL.models.flatMap((entry) => entry.kind === "groq" ? [entry] : []);

Deno.test("groqModel() asks by Groq's name, answers by the panel's, and hides reasoning", async () => {
  const asked: { body: Record<string, unknown>; key: string | null }[] = [];
  await using host = openSmallHost(async (request) => {
    asked.push({ body: await request.json(), key: request.headers.get("authorization") });
    return Response.json(completionBody(`B to ${new URL(request.url).pathname}`));
  });
  using calls = openKeyedCalls([KEY]);
  for (const entry of ENTRIES) {
    const model = groqModel(entry, GENERATION, { calls, baseUrl: host.url });
    assert.equal(model.name, entry.id);
    assert.equal(model.concurrency, 4);
    assert.deepEqual(await model.ask("Hvárt?"), {
      kind: "answer",
      text: "B to /openai/v1/chat/completions",
      promptTokens: 12,
      replyTokens: 1,
    });
  }
  const reasoning = { reasoning_effort: "low", include_reasoning: false };
  assert.deepEqual(
    asked.map(({ body }) => body),
    [
      ["openai/gpt-oss-120b", reasoning],
      ["openai/gpt-oss-20b", reasoning],
      ["meta-llama/llama-4-scout-17b-16e-instruct", {}],
      ["llama-3.3-70b-versatile", {}],
    ].map(([model, more]) => ({
      model,
      messages: [{ role: "user", content: "Hvárt?" }],
      temperature: 0,
      max_completion_tokens: 1024,
      ...more as object,
    })),
  );
  assert.ok(asked.every(({ key }) => key === `Bearer ${KEY.reveal()}`));
});

Deno.test("groqSettings() tell all that answers depend on, and a stand-in from the host", () => {
  const entry = ENTRIES[3]!;
  const settings = {
    host: "groq",
    hostModel: "llama-3.3-70b-versatile",
    temperature: 0,
    maxReplyTokens: 1024,
  };
  assert.deepEqual(groqSettings(entry, GENERATION), settings);
  const standIn = groqSettings(entry, GENERATION, "http://127.0.0.1:1");
  assert.deepEqual(standIn, { ...settings, host: "stand-in" });
  assert.equal(groqSettings(ENTRIES[0]!, GENERATION).reasoningEffort, "low");
});

Deno.test("groqParameters() hide the reasoning of models that know no gpt-oss parameters", () => {
  const entry = { ...ENTRIES[0]!, reasoningEffort: "none" } as const;
  const { include_reasoning, reasoning_format } = groqParameters(entry, GENERATION, "?");
  assert.deepEqual([include_reasoning, reasoning_format], [undefined, "hidden"]);
});

Deno.test("groqClient() goes to Groq whatever the environment says, and tries once", () => {
  const before = Deno.env.get("GROQ_BASE_URL");
  Deno.env.set("GROQ_BASE_URL", "http://127.0.0.1:1");
  try {
    const client = groqClient(KEY);
    assert.match(new URL(client.baseURL).hostname, /\.groq\.com$/);
    assert.deepEqual([client.maxRetries, client.logLevel], [0, "off"]);
  } finally {
    if (before === undefined) Deno.env.delete("GROQ_BASE_URL");
    else Deno.env.set("GROQ_BASE_URL", before);
  }
});
