import { join } from "node:path";
import { parsePanel } from "../../../lib/models/panel.ts";
import { madePairs } from "../../../lib/pairs/testdata/norse.ts";
import { studyIn } from "../../../lib/pairs/testdata/study.ts";
import { fnv1a64 } from "../../../lib/stats/random.ts";
import type { BatchTaskOptions } from "../options.ts";
import type { BatchTaskWorld } from "../world.ts";

export const PAIRS = madePairs(3);

/** Two of the four models, one with a name of its own at the host. */
export const PANEL = parsePanel(
  `
name: groq
generation: { temperature: 0, maxReplyTokens: 64 }
models:
  - { id: openai/gpt-oss-20b, kind: groq, roles: [chat], reasoningEffort: low, licence: x }
  - { id: meta-llama/llama-3.3-70b-versatile, kind: groq, model: llama-3.3-70b-versatile, roles: [chat], licence: x }
`,
  "the test's panel",
);

const TEXTS = ["A", "B", "The answer is B.", "A or B", "", "I cannot say.", "Bæði\neru rétt"];

/** An answer that depends on nothing but model and prompt; some choose nothing. */
export function answerTo({ model, prompt }: { readonly model: string; readonly prompt: string }) {
  return TEXTS[Number(fnv1a64(model + prompt) % BigInt(TEXTS.length))] ?? "";
}

export const FILES = ["results.csv", "invalid.csv", "settings.json"] as const;

/** The study in a folder of its own, asked through a stand-in. */
export function worldIn(folder: string, baseUrl: string): BatchTaskWorld {
  Deno.writeTextFileSync(join(folder, ".env"), `GROQ_API_KEY_1=gsk_test_${"k".repeat(30)}\n`);
  const calls = { backoffSeconds: 0.001, timeoutSeconds: 5, longestWaitSeconds: 1 };
  return {
    study: studyIn(folder),
    pairs: PAIRS,
    panel: PANEL,
    print: () => {},
    status: { write: () => {} },
    standIn: { baseUrl, calls, settleSeconds: 0.05 },
  };
}

export const OPTIONS: BatchTaskOptions = {
  study: "norse",
  panel: "groq",
  orders: "both",
  mode: "all",
  window: "24h",
  pollSeconds: 0.01,
};
