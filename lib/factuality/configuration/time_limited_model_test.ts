import assert from "node:assert/strict";
import type { StructuredModel, StructuredReply } from "../../models/structured_model.ts";
import { timeLimitedModel } from "./time_limited_model.ts";

function limited(ask: StructuredModel["ask"], seconds: number): StructuredModel {
  return timeLimitedModel({ name: "made", settings: { seed: 1 }, concurrency: 3, ask }, seconds);
}

Deno.test("Requirement 9.2: timeLimitedModel() stops an answer, and keeps what was written", async () => {
  const slow = limited((_, { signal } = {}) =>
    new Promise((resolve) =>
      signal?.addEventListener(
        "abort",
        () => resolve({ kind: "answer", text: '{"claims": ["A', ended: "stopped" }),
      )
    ), 0.01);
  assert.deepEqual(await slow.ask("Q"), {
    kind: "failure",
    message: "no whole answer within 0.01 s",
    partialText: '{"claims": ["A',
  });
});

Deno.test("timeLimitedModel() passes on answers, the schema and the caller's abort", async () => {
  const reply: StructuredReply = { kind: "answer", text: "{}", ended: "complete" };
  const schema = { type: "boolean" } as const;
  const asked: unknown[] = [];
  const model = limited((prompt, options) => {
    asked.push(prompt, options?.schema);
    return Promise.resolve(reply);
  }, 5);
  assert.equal(await model.ask("Q", { schema }), reply);
  assert.deepEqual(asked, ["Q", schema]);
  assert.deepEqual([model.settings, model.concurrency], [{ seed: 1, timeoutSeconds: 5 }, 3]);
  const signal = AbortSignal.abort(new Error("stopped"));
  await assert.rejects(model.ask("Q", { signal }), /^Error: stopped$/);
});
