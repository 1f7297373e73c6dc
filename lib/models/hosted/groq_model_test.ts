import assert from "node:assert/strict";
import { parsePanel } from "../panel.ts";
import { apiKey } from "./api_keys.ts";
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
    assert.deepEqual([model.name, model.concurrency], [entry.id, 4]);
    const text = "B to /openai/v1/chat/completions";
    const reply = { kind: "answer", text, promptTokens: 12, replyTokens: 1 };
    assert.deepEqual(await model.ask("Hvárt?"), reply);
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
  const entry = { ...ENTRIES[0]!, reasoningEffort: "none" } as const;
  const none: object = groqParameters(entry, GENERATION, "?");
  assert.equal((none as { reasoning_format?: string }).reasoning_format, "hidden");
  const settings = { host: "groq", hostModel: entry.id, temperature: 0, maxReplyTokens: 1024 };
  assert.deepEqual(groqSettings(entry, GENERATION), { ...settings, reasoningEffort: "none" });
  // A stand-in's answers never pass for the host's.
  assert.equal(groqSettings(entry, GENERATION, host.url).host, "stand-in");
});
