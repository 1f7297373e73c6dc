import assert from "node:assert/strict";
import { ModelUnavailable } from "../../models/model.ts";
import type { StructuredModel, StructuredReply } from "../../models/structured_model.ts";
import { generatingJudge } from "./generating_judge.ts";
import { promptTemplates } from "./prompts.ts";

const PROMPTS = promptTemplates(
  `
templates:
  - { name: accuracy, description: d, answer: score, text: "{{candidate}} {{answer_format}}" }
  - { name: better, description: d, answer: pairwise, text: "{{first}}{{second}}{{answer_format}}" }
`,
  "made.yaml",
);

const TASK = {
  template: "accuracy",
  values: { candidate: "Oslo has a million people." },
  judgedText: "Oslo has a million people.",
};

const OPTIONS = { weight: 2, measured: undefined, modelSha256: "ab", timeoutSeconds: 5 };

function judgeOver(ask: StructuredModel["ask"], timeoutSeconds = 5) {
  const model = { name: "made", settings: { seed: 1 }, concurrency: 3, ask };
  return generatingJudge(model, PROMPTS, { ...OPTIONS, timeoutSeconds });
}

const judging = (reply: StructuredReply) => judgeOver(() => Promise.resolve(reply)).judge(TASK);
const answer = (text: string) => judging({ kind: "answer", text, ended: "complete" });

/** Writes its text and then hangs until it is stopped. */
function slowly(text: string): StructuredModel["ask"] {
  return (_, { signal } = {}) =>
    new Promise((resolve) =>
      signal?.addEventListener("abort", () =>
        resolve(
          text === ""
            ? { kind: "failure", message: "stopped", partialText: undefined }
            : { kind: "answer", text, ended: "stopped" },
        ))
    );
}

Deno.test("Requirement 2.4: generatingJudge() gives score, reasons and where phrases stand", async () => {
  const judgement = await answer(
    '{"reasoning": "Too many.", "flagged": [{"phrase": "A million", "reason": "700,000"}, ' +
      '{"phrase": "Bergen", "reason": "not there"}], "score": 40}',
  );
  assert.deepEqual(judgement, {
    kind: "scored",
    score: 40,
    reasoning: "Too many.",
    flagged: [
      { phrase: "A million", reason: "700,000", span: { start: 9, end: 18 } },
      { phrase: "Bergen", reason: "not there", span: undefined },
    ],
    parse: "complete",
    provenance: {
      producedBy: "made",
      modelSha256: "ab",
      promptSha256: PROMPTS.template("accuracy").sha256,
    },
  });
});

Deno.test("generatingJudge() asks the filled prompt with the schema, and tells its settings", async () => {
  const asked: unknown[] = [];
  const judge = judgeOver((prompt, options) => {
    asked.push(
      prompt.slice(0, 11),
      Object.keys((options!.schema as { properties: object }).properties),
    );
    return Promise.resolve({ kind: "refusal", text: "no" });
  });
  await judge.judge(TASK);
  assert.deepEqual(asked, ["<candidate>", ["reasoning", "flagged", "score"]]);
  assert.deepEqual(judge.settings, { seed: 1, readout: "generation", timeoutSeconds: 5 });
  assert.deepEqual([judge.weight, judge.concurrency], [2, 3]);
});

Deno.test("Requirement 9.1: a malformed answer is unscored, its text kept", async () => {
  const judgement = await answer("I would say 85.");
  assert.ok(judgement.kind === "unscored" && judgement.reason === "malformed answer");
  assert.equal(judgement.partialText, "I would say 85.");
});

Deno.test("generatingJudge() keeps refusals and failures apart", async () => {
  const refused = await judging({ kind: "refusal", text: "I will not." });
  assert.ok(refused.kind === "unscored" && refused.reason === "refusal");
  const failed = await judging({ kind: "failure", message: "no network", partialText: undefined });
  assert.ok(failed.kind === "unscored" && failed.reason === "failure");
  assert.equal(failed.message, "no network");
  const gone = await judgeOver(() => Promise.reject(new ModelUnavailable("no key", "m"))).judge(
    TASK,
  );
  assert.ok(gone.kind === "unscored" && gone.message === "no key");
});

Deno.test("Requirement 9.2: a time-out keeps the partial text, and a score that was whole", async () => {
  const cut = await judgeOver(slowly('{"reasoning": "I think'), 0.002).judge(TASK);
  assert.ok(cut.kind === "unscored" && cut.reason === "time-out");
  assert.equal(cut.partialText, '{"reasoning": "I think');
  assert.equal(cut.message, "No whole answer within 0.002 s.");
  const whole = await judgeOver(slowly('{"score": 30} and so'), 0.002).judge(TASK);
  assert.ok(whole.kind === "scored" && whole.score === 30 && whole.parse === "partial");
  const none = await judgeOver(slowly(""), 0.002).judge(TASK);
  assert.ok(none.kind === "unscored" && none.partialText === undefined);
});

Deno.test("generatingJudge() throws the signal's reason when it aborts", async () => {
  const controller = new AbortController();
  const judging = judgeOver(slowly("half")).judge(TASK, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await assert.rejects(judging, /enough/);
});

Deno.test("generatingJudge() refuses a prompt that asks for no score", async () => {
  const judge = judgeOver(slowly(""));
  await assert.rejects(judge.judge({ ...TASK, template: "better" }), /its answer is pairwise/);
  await assert.rejects(judge.judge({ ...TASK, values: {} }), /\{\{candidate\}\} has no value/);
});
