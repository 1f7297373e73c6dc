import assert from "node:assert/strict";
import { parsePanel } from "../panel.ts";
import { groqParameters, groqSettings } from "./groq_model.ts";

const file = new URL("../../../data/panels/groq.yaml", import.meta.url);
const { models, generation } = parsePanel(Deno.readTextFileSync(file), "groq.yaml");
const ENTRIES = models.filter((entry) => entry.kind === "groq");

Deno.test("groqParameters() asks by Groq's name and hides reasoning; settings name what was asked", () => {
  const reasoning = { reasoning_effort: "low", include_reasoning: false };
  const messages = [{ role: "user", content: "Hvárt?" }];
  const alike = { messages, temperature: 0, max_completion_tokens: 1024 };
  assert.deepEqual(ENTRIES.map((entry) => groqParameters(entry, generation!, "Hvárt?")), [
    { model: "openai/gpt-oss-120b", ...alike, ...reasoning },
    { model: "openai/gpt-oss-20b", ...alike, ...reasoning },
    { model: "meta-llama/llama-4-scout-17b-16e-instruct", ...alike },
    { model: "llama-3.3-70b-versatile", ...alike },
  ]);
  const entry = { ...ENTRIES[0]!, reasoningEffort: "none" } as const;
  const hidden = { reasoning_effort: "none", reasoning_format: "hidden" };
  assert.deepEqual(groqParameters(entry, generation!, "Hvárt?"), {
    model: entry.id,
    ...alike,
    ...hidden,
  });
  const settings = { hostModel: entry.id, temperature: 0, maxReplyTokens: 1024 };
  const withEffort = { ...settings, reasoningEffort: "none" };
  assert.deepEqual(groqSettings(entry, generation!), { host: "groq", ...withEffort });
  // A stand-in's answers never pass for the host's.
  assert.equal(groqSettings(entry, generation!, "http://127.0.0.1:1").host, "stand-in");
});
