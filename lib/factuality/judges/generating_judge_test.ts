import assert from "node:assert/strict";
import {
  ModelUnavailable,
  type StructuredModel,
  type StructuredReply,
} from "../../models/model.ts";
import { generatingJudge, timeLimitedModel } from "./generating_judge.ts";
import { promptTemplates } from "./prompts.ts";

const PROMPTS = promptTemplates(
  `
templates:
  - { name: accuracy, description: d, answer: score, text: "{{candidate}} {{answer_format}}" }
  - { name: better, description: d, answer: pairwise, text: "{{first}}{{second}}{{answer_format}}" }
`,
  "made.yaml",
);
const CANDIDATE = "Oslo has a million people.";
const TASK = { template: "accuracy", values: { candidate: CANDIDATE }, judgedText: CANDIDATE };

const modelThat = (ask: StructuredModel["ask"]): StructuredModel => ({
  name: "made",
  settings: { seed: 1 },
  concurrency: 3,
  ask,
});

function judgeOver(ask: StructuredModel["ask"], timeoutSeconds = 5) {
  const options = { weight: 2, measured: undefined, modelSha256: "ab", timeoutSeconds };
  return generatingJudge(modelThat(ask), PROMPTS, options);
}

const judging = (reply: StructuredReply) => judgeOver(() => Promise.resolve(reply)).judge(TASK);
const answer = (text: string) => judging({ kind: "answer", text, ended: "complete" });

/** Writes its text and then hangs until it is stopped. */
const slowly = (text: string): StructuredModel["ask"] => (_, { signal } = {}) =>
  new Promise((resolve) =>
    signal?.addEventListener("abort", () =>
      resolve(
        text === ""
          ? { kind: "failure", message: "stopped", partialText: undefined }
          : { kind: "answer", text, ended: "stopped" },
      ))
  );

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
  const judge = judgeOver((prompt, { schema } = {}) => {
    const { properties } = schema as { readonly properties: object };
    asked.push(prompt.slice(0, 11), Object.keys(properties));
    return Promise.resolve({ kind: "refusal", text: "no" });
  });
  await judge.judge(TASK);
  assert.deepEqual(asked, ["<candidate>", ["reasoning", "flagged", "score"]]);
  assert.deepEqual(judge.settings, { seed: 1, readout: "generation", timeoutSeconds: 5 });
  assert.deepEqual([judge.weight, judge.concurrency], [2, 3]);
  await assert.rejects(judge.judge({ ...TASK, template: "better" }), /its answer is pairwise/);
  await assert.rejects(judge.judge({ ...TASK, values: {} }), /\{\{candidate\}\} has no value/);
});

Deno.test("Requirement 9.1: malformed answers, refusals and failures are unscored and kept apart", async () => {
  const gone = () => Promise.reject(new ModelUnavailable("no key", "m"));
  const failure = { kind: "failure", message: "no network", partialText: undefined } as const;
  const judgements = [
    await answer("I would say 85."),
    await judging({ kind: "refusal", text: "I will not." }),
    await judging(failure),
    await judgeOver(gone).judge(TASK),
  ];
  assert.deepEqual(
    judgements.map((one) => one.kind === "unscored" && [one.reason, one.partialText]),
    [
      ["malformed answer", "I would say 85."],
      ["refusal", "I will not."],
      ["failure", undefined],
      ["failure", undefined],
    ],
  );
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
  const controller = new AbortController();
  const judging = judgeOver(slowly("half")).judge(TASK, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await assert.rejects(judging, /enough/);
});

Deno.test("Requirement 9.2: timeLimitedModel() stops an answer, and keeps what was written", async () => {
  const slow = timeLimitedModel(modelThat(slowly('{"claims": ["A')), 0.01);
  assert.deepEqual(await slow.ask("Q"), {
    kind: "failure",
    message: "no whole answer within 0.01 s",
    partialText: '{"claims": ["A',
  });
  assert.deepEqual(slow.settings, { seed: 1, timeoutSeconds: 0.01 });
});

Deno.test("timeLimitedModel() passes on answers, the schema and the caller's abort", async () => {
  const reply: StructuredReply = { kind: "answer", text: "{}", ended: "complete" };
  const schema = { type: "boolean" } as const;
  const asked: unknown[] = [];
  const model = timeLimitedModel(
    modelThat((prompt, options) => {
      asked.push(prompt, options?.schema);
      return Promise.resolve(reply);
    }),
    5,
  );
  assert.equal(await model.ask("Q", { schema }), reply);
  assert.deepEqual(asked, ["Q", schema]);
  const signal = AbortSignal.abort(new Error("stopped"));
  await assert.rejects(model.ask("Q", { signal }), /^Error: stopped$/);
});
