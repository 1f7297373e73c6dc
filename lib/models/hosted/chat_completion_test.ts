import assert from "node:assert/strict";
import fc from "fast-check";
import { UnusableReply } from "./call_problem.ts";
import { bodyOf, readCompletion } from "./chat_completion.ts";

Deno.test("readCompletion() reads an answer as it stands, and loses none over its cost", () => {
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
