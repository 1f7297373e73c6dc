import assert from "node:assert/strict";
import fc from "fast-check";
import { readProblem, UnusableReply } from "./call_problem.ts";
import { bodyOf, ErrorInBody, readCompletion } from "./chat_completion.ts";

const CONTEXT = { host: "H", modelRemedy: "", now: 0, clean: (text: string) => text };

/** What is to be done about a body. */
function problemOf(body: unknown) {
  try {
    return bodyOf(body);
  } catch (error) {
    return readProblem(error, CONTEXT);
  }
}

Deno.test("bodyOf() throws an error with status 200 as the error it is", () => {
  const limited = (error: unknown) =>
    assert.deepEqual(problemOf({ error }), {
      kind: "limited",
      rate: { limit: "rate limit", waitSeconds: 7 },
    });
  limited({ message: "Try again in 7s", code: 429 });
  limited({ message: "Try again in 7s", code: "429" });
  limited({ message: "Try again in 7s", type: "rate_limit_error" });
  assert.throws(() => bodyOf({ error: { message: "no", code: 400 } }), ErrorInBody);
  assert.deepEqual(problemOf(JSON.stringify({ error: { message: "too long", code: 400 } })), {
    kind: "refused",
    message: "bad request (H answers 400: too long)",
  });
  for (const error of ["overloaded", { message: "overloaded", code: "odd" }]) {
    assert.throws(() => bodyOf({ error }), UnusableReply);
    assert.deepEqual(problemOf({ error }), {
      kind: "transient",
      message: "H sent no usable reply: an error, overloaded",
    });
  }
});

Deno.test("bodyOf() leaves a body alone or throws one of its two errors (property)", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      try {
        const text = JSON.stringify(value);
        assert.deepEqual(bodyOf(text), JSON.parse(text));
      } catch (error) {
        assert.ok(error instanceof ErrorInBody || error instanceof UnusableReply, String(error));
      }
    }),
    { numRuns: 200 },
  );
});

const usage = { prompt_tokens: 30, completion_tokens: 4 };

const completion = (message: object, finish_reason = "stop") => ({
  id: "x",
  choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason }],
  usage,
});

Deno.test("readCompletion() reads an answer as it stands, and what it cost", () => {
  assert.deepEqual(readCompletion(completion({ content: " B\n" })), {
    reply: { kind: "answer", text: " B\n", promptTokens: 30, replyTokens: 4 },
    promptTokens: 30,
    replyTokens: 4,
    isWhole: true,
  });
  const { reply } = readCompletion({ choices: [{ message: { content: "A" } }] });
  assert.deepEqual(reply, { kind: "answer", text: "A", promptTokens: 0, replyTokens: 0 });
});

Deno.test("readCompletion() loses no answer over what is said of its cost", () => {
  const cases: readonly (readonly [unknown, number, number])[] = [
    [{ prompt_tokens: 30 }, 30, 0],
    [{ prompt_tokens: 1.5, completion_tokens: null }, 2, 0],
    [{ prompt_tokens: -1, completion_tokens: "4" }, 0, 0],
    [{ prompt_tokens: 1e300, completion_tokens: 4 }, 0, 4],
    ["free", 0, 0],
    [null, 0, 0],
  ];
  for (const [usage, promptTokens, replyTokens] of cases) {
    const { reply } = readCompletion({ ...completion({ content: "A" }), usage });
    assert.deepEqual(reply, { kind: "answer", text: "A", promptTokens, replyTokens });
  }
});

Deno.test("readCompletion() reads refusals, the model's and the host's", () => {
  const refused = readCompletion(completion({ content: null, refusal: "I cannot" })).reply;
  assert.deepEqual(refused, { kind: "refusal", text: "I cannot" });
  const filtered = readCompletion(completion({ content: "" }, "content_filter")).reply;
  assert.equal(filtered.kind, "refusal");
});

Deno.test("readCompletion() throws for what is no completion, saying what is wrong with it", () => {
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [completion({}).choices, /the body/],
    [{ choices: [] }, /^choices: /],
    [{ choices: [{}] }, /^choices\.0\.message: /],
    [{ choices: [{ message: { content: 7 } }] }, /^choices\.0\.message\.content: /],
    ["<!DOCTYPE html><title>Hi</title>", /an HTML page/],
    ["all is well", /text that is no JSON/],
    [undefined, /the body/],
    [null, /the body/],
  ];
  for (const [body, message] of cases) {
    assert.throws(() => readCompletion(body), (error) => {
      assert.ok(error instanceof UnusableReply);
      assert.match(error.message, message);
      return true;
    });
  }
});

Deno.test("readCompletion() reads or refuses every JSON value, never otherwise (property)", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (body) => {
      try {
        readCompletion(body);
      } catch (error) {
        assert.ok(error instanceof UnusableReply);
      }
    }),
    { numRuns: 300 },
  );
});
