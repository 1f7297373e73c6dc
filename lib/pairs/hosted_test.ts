import assert from "node:assert/strict";
import { join } from "node:path";
import type { GroqEntry, ServerEntry } from "../models/panel.ts";
import { accessTo } from "./hosted.ts";

const GROQ: GroqEntry = { id: "far/away", kind: "groq", roles: ["chat"], licence: "none" };

const SERVER: ServerEntry = {
  ...{ id: "mine", kind: "openai-compatible", concurrency: 4, roles: ["chat"], licence: "none" },
  baseUrl: "http://127.0.0.1:1/v1",
};

/** What is open or said with this `.env`, or with none. */
function access(entry: GroqEntry | ServerEntry, env?: string): string {
  const folder = Deno.makeTempDirSync();
  try {
    const path = join(folder, ".env");
    if (env !== undefined) Deno.writeTextFileSync(path, env);
    const found = accessTo(entry, path);
    return found.kind === "open" ? found.keys.join() : found.message.replaceAll(folder, "");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

Deno.test("accessTo() opens a model with the keys of its host", () => {
  const env = `GROQ_API_KEY_1=gsk_test_${"a".repeat(9)}\nGROQ_API_KEY_2=gsk_test_${
    "b".repeat(9)
  }\n`;
  assert.equal(access(GROQ, env), "GROQ_API_KEY_1,GROQ_API_KEY_2");
  assert.equal(access({ ...SERVER, keyName: "MINE" }, "MINE=secret-word"), "MINE");
  assert.equal(access(SERVER), "no key");
});

Deno.test("accessTo() says what to do for a key, and takes a missing one for no error", () => {
  assert.match(access(GROQ), /^there is no \.env: run `cp .*on its line GROQ_API_KEY_1=…$/);
  assert.match(access({ ...SERVER, keyName: "MINE" }), /on its line MINE=…$/);
  assert.match(access(GROQ, "MINE=x\n"), /\.env: it has no Groq key; add a line GROQ_API_KEY_1=…/);
  assert.match(access(GROQ, "GROQ_API_KEY_1=\n"), /\.env, line 1: GROQ_API_KEY_1 has no value/);
  assert.match(access({ ...SERVER, keyName: "MINE" }, "OTHER=x\n"), /it has no MINE; add a line/);
});
