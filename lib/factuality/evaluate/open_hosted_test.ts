import assert from "node:assert/strict";
import { apiKey } from "../../models/hosted/api_keys.ts";
import type { KeyedCalls } from "../../models/hosted/keyed_calls.ts";
import { tellingJudge, watchedCalls } from "./open_hosted.ts";
import { unscored } from "./run.ts";
import { judgement, toldJudge } from "./testdata/stand_ins.ts";

const TASK = { template: "claim", values: {}, judgedText: "" };
const KEY = apiKey("MY_KEY", "secret-1234567890");

const ONCE: KeyedCalls = {
  call: async (_model, request) => {
    try {
      return { kind: "done", value: await request(KEY, new AbortController().signal) };
    } catch {
      return { kind: "failure", message: "stopped" };
    }
  },
};

Deno.test("watchedCalls() remembers what the server met last, and changes nothing of the result", async () => {
  const { calls, trouble } = watchedCalls(ONCE, "its server");
  const done = await calls.call("m", () => Promise.resolve(3));
  assert.deepEqual([done, trouble().count], [{ kind: "done", value: 3 }, 0]);
  const failed = await calls.call("m", () => Promise.reject(new SyntaxError("x")));
  assert.deepEqual(failed, { kind: "failure", message: "stopped" });
  assert.deepEqual([trouble().count, /sent half a reply/.test(trouble().words)], [1, true]);
});

Deno.test("tellingJudge() adds to a time-out what the server met meanwhile, and to nothing else", async () => {
  let count = 0;
  const trouble = () => ({ count, words: "its server cannot be reached" });
  const late = unscored("j", "time-out", "No whole answer within 3 s.");
  const meeting = (answer: ReturnType<typeof judgement> | typeof late) =>
    tellingJudge(
      toldJudge("j", () => {
        count += 1;
        return Promise.resolve(answer);
      }),
      trouble,
    ).judge(TASK);
  const told = await meeting(late);
  assert.match(told.kind === "unscored" ? told.message : "", /3 s\. Tried again .*be reached\.$/);
  assert.equal((await meeting(judgement(80))).kind, "scored");
  const quiet = tellingJudge(toldJudge("j", () => Promise.resolve(late)), trouble);
  assert.deepEqual(await quiet.judge(TASK), late);
});
