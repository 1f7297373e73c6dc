import assert from "node:assert/strict";
import fc from "fast-check";
import { readProblem, UnusableReply } from "./call_problem.ts";
import { bodyOf, readCompletion } from "./chat_completion.ts";

function problemOf(body: unknown) {
  try {
    return bodyOf(body);
  } catch (error) {
    const clean = (text: string) => text;
    const problem = readProblem(error, { host: "H", modelRemedy: "", now: 0, clean });
    return "message" in problem ? problem.message : problem.kind === "limited" && problem.rate;
  }
}

Deno.test("bodyOf() throws an error with status 200 as the error it is", () => {
  for (const more of [{ code: 429 }, { code: "429" }, { type: "rate_limit_error" }]) {
    const problem = problemOf({ error: { message: "Try again in 7s", ...more } });
    assert.deepEqual(problem, { limit: "rate limit", waitSeconds: 7 });
  }
  const long = JSON.stringify({ error: { message: "too long", code: 400 } });
  assert.equal(problemOf(long), "bad request (H answers 400: too long)");
  for (const error of ["overloaded", { message: "overloaded", code: "odd" }]) {
    assert.equal(problemOf({ error }), "H sent no usable reply: an error, overloaded");
  }
});

const completion = (message: object, finish_reason = "stop") => ({
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
  usage: { prompt_tokens: 30, completion_tokens: 4 },
});

Deno.test("readCompletion() reads an answer as it stands, and loses none over its cost", () => {
  const tokens = { promptTokens: 30, replyTokens: 4 };
  const reply = { kind: "answer", text: " B\n", ...tokens };
  assert.deepEqual(readCompletion(completion({ content: " B\n" })), {
    reply,
    ...tokens,
    isWhole: true,
  });
  const cases: readonly (readonly [unknown, number, number])[] = [
    [{ prompt_tokens: 30 }, 30, 0],
    [{ prompt_tokens: 1.5, completion_tokens: null }, 2, 0],
    [{ prompt_tokens: -1, completion_tokens: "4" }, 0, 0],
    [undefined, 0, 0],
  ];
  for (const [usage, promptTokens, replyTokens] of cases) {
    const { reply } = readCompletion({ ...completion({ content: "A" }), usage });
    assert.deepEqual(reply, { kind: "answer", text: "A", promptTokens, replyTokens });
  }
});

Deno.test("bodyOf() and readCompletion() read or refuse every JSON value, never otherwise (property)", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      try {
        const text = JSON.stringify(value);
        assert.deepEqual(bodyOf(text), JSON.parse(text));
        readCompletion(value);
      } catch (error) {
        assert.ok(error instanceof UnusableReply || Object.hasOwn(error as object, "status"));
      }
    }),
    { numRuns: 300 },
  );
});
