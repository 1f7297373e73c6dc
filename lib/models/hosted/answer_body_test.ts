import assert from "node:assert/strict";
import fc from "fast-check";
import { bodyOf, ErrorInBody } from "./answer_body.ts";
import { readProblem, UnusableReply } from "./call_problem.ts";
import { completionBody } from "./testdata/small_host.ts";

const CONTEXT = { host: "H", modelRemedy: "", now: 0, clean: (text: string) => text };

/** What is to be done about a body. */
function problemOf(body: unknown) {
  try {
    return bodyOf(body);
  } catch (error) {
    return readProblem(error, CONTEXT);
  }
}

Deno.test("bodyOf() parses JSON that came as text, and leaves other text", () => {
  assert.deepEqual(bodyOf(JSON.stringify(completionBody("A"))), completionBody("A"));
  assert.equal(bodyOf("<html>"), "<html>");
});

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

Deno.test("bodyOf() takes nothing that has an answer for an error", () => {
  for (const error of [null, "", "odd", { message: "odd", code: 429 }]) {
    const body = { ...completionBody("A"), error };
    assert.equal(bodyOf(body), body);
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
