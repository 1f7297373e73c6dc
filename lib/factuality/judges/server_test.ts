import assert from "node:assert/strict";
import { apiKey } from "../../models/hosted/api_keys.ts";
import type { KeyedCalls } from "../../models/hosted/keyed_calls.ts";
import { judgeWithServerErrors, watchedCalls } from "./server.ts";
import { unscored } from "../decision.ts";
import { judgement, scriptedJudge } from "../check/testdata/fakes.ts";

const TASK = { template: "claim", values: {}, judgedText: "" };
const KEY = apiKey("MY_KEY", "secret-1234567890");

const ONCE: KeyedCalls = {
  concurrency: 1,
  call: (_model, request) =>
    request(KEY, new AbortController().signal)
      .then((value) => ({ kind: "done", value }), () => ({ kind: "failure", message: "stopped" })),
};

Deno.test("judgeWithServerErrors() adds to a time-out what watchedCalls() met meanwhile, and to nothing else", async () => {
  const { calls, trouble } = watchedCalls(ONCE, "its server");
  const late = unscored("j", "time-out", "No whole answer within 3 s.");
  const judging = (answer: ReturnType<typeof judgement> | typeof late, isDown: boolean) => {
    const judge = scriptedJudge("j", async () => {
      if (isDown) await calls.call("m", () => Promise.reject(new SyntaxError("x")));
      return answer;
    });
    return judgeWithServerErrors(judge, trouble).judge(TASK);
  };
  const answer = await judging(late, true);
  assert.match(
    answer.kind === "unscored" ? answer.message : "",
    /3 s\. Tried again .*half a reply/,
  );
  assert.equal((await judging(judgement(80), true)).kind, "scored");
  assert.deepEqual(await judging(late, false), late);
});
