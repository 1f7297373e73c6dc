import assert from "node:assert/strict";
import type { Judge, Judgement } from "../judges/judgement.ts";
import { timeLimitedJudge } from "./time_limited_judge.ts";

const TASK = { template: "claim", values: {}, judgedText: "" };
const PROVENANCE = { producedBy: "made", modelSha256: "abc", promptSha256: undefined };
const SCORED: Judgement = {
  ...{ kind: "scored", score: 80, reasoning: "", flagged: [], parse: "not parsed" },
  provenance: PROVENANCE,
};

function judgeThat(judge: Judge["judge"]): Judge {
  return { name: "made", settings: {}, weight: 1, measured: undefined, concurrency: 1, judge };
}

Deno.test("Requirement 9.2: timeLimitedJudge() gives up an answer that does not come", async () => {
  const never = timeLimitedJudge(judgeThat(() => new Promise(() => {})), 0.01, "abc");
  assert.deepEqual(await never.judge(TASK), {
    kind: "unscored",
    reason: "time-out",
    message: "No whole answer within 0.01 s.",
    partialText: undefined,
    provenance: PROVENANCE,
  });
});

Deno.test("timeLimitedJudge() passes on answers, errors and the caller's abort", async () => {
  const prompt = timeLimitedJudge(judgeThat(() => Promise.resolve(SCORED)), 5, "abc");
  assert.equal(await prompt.judge(TASK), SCORED);
  assert.equal(prompt.settings["timeoutSeconds"], 5);
  const broken = timeLimitedJudge(judgeThat(() => Promise.reject(new Error("broken"))), 5, "abc");
  await assert.rejects(broken.judge(TASK), /^Error: broken$/);
  const signal = AbortSignal.abort(new Error("stopped"));
  await assert.rejects(prompt.judge(TASK, { signal }), /^Error: stopped$/);
});
