import assert from "node:assert/strict";
import { openHostedProgress } from "./hosted_progress.ts";

/** A status line in a terminal whose clock advances a second a look. */
function shown() {
  const written: string[] = [];
  let seconds = 0;
  const progress = openHostedProgress(["openai/one", "two"], 10, {
    ...{ terminal: true, columns: 200, everySeconds: 0 },
    now: () => seconds++,
    // deno-lint-ignore no-control-regex
    write: (text) => written.push(text.replace(/\r|\x1b\[K/g, "")),
  });
  return { progress, written };
}

const question = (model: string) => ({ model, pairId: "p", order: "A_gram" as const });

Deno.test("openHostedProgress() counts what was kept, each model's answers, invalid ones and failures", () => {
  const { progress, written } = shown();
  const outcomes = ["valid", "invalid", "failed"] as const;
  for (const [index, outcome] of outcomes.entries()) {
    const model = index === 0 ? "openai/one" : "two";
    progress.onProgress({ question: question(model), outcome, done: 5 + index, total: 10 });
  }
  assert.match(written[0] ?? "", /^choices 5\/10 50% .* · one \+1 · two \+0$/);
  assert.match(written[2] ?? "", /^choices 7\/10 .* · 1 invalid · 1 failed · one \+1 · two \+1$/);
  progress[Symbol.dispose]();
  assert.match(written.at(-2) ?? "", /^choices 7\/10/);
});

Deno.test("openHostedProgress() counts down while all keys rest, and says nothing where nothing was asked", () => {
  const { progress, written } = shown();
  const until = new Date(0);
  const wait = { model: "two", key: "GROQ_API_KEY_1", limit: "tokens per minute", until };
  progress.onWait({ ...wait, seconds: 43 });
  assert.deepEqual(written, ["waiting 0:43 for GROQ_API_KEY_1, two (tokens per minute)"]);
  const quiet = shown();
  quiet.progress[Symbol.dispose]();
  assert.deepEqual(quiet.written, []);
});
