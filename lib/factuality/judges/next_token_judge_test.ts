import assert from "node:assert/strict";
import type { NextWordModel, NextWordReply } from "../../models/model.ts";
import {
  nextTokenJudge,
  type NextTokenJudgeOptions,
  timeLimitedJudge,
} from "./next_token_judge.ts";
import type { Judge, Judgement } from "../types.ts";
import { promptTemplates } from "./prompts.ts";

const PROMPTS = promptTemplates(
  `
templates:
  - name: claim
    description: d
    answer: score
    next_word_form: truth
    text: "{{claim}} {{answer_format}}"
  - { name: style, description: d, answer: score, text: "{{candidate}} {{answer_format}}" }
  - name: truth
    description: d
    answer: next word
    next_words: { yes: ["true"], no: ["false"] }
    text: "{{claim|line}} It is"
  - name: support
    description: d
    answer: next word
    next_words: { yes: ["Yes"], no: ["No"] }
    text: "{{claim|line}} Answer:"
`,
  "made.yaml",
);

const TASK = {
  template: "claim",
  values: { claim: "Snow is white." },
  judgedText: "Snow is white.",
};

function judgeThat(reply: NextWordReply, more: Partial<NextTokenJudgeOptions> = {}) {
  const asked: string[] = [];
  const model: NextWordModel = {
    name: "made",
    settings: { engine: "e" },
    concurrency: 1,
    nextWord: (prompt, { yes, no }) => {
      asked.push(`${prompt} ${yes}/${no}`);
      return Promise.resolve(reply);
    },
  };
  const judge = nextTokenJudge(model, PROMPTS, {
    weight: 1,
    measured: undefined,
    modelSha256: "ab",
    calibration: undefined,
    ...more,
  });
  return { judge, asked };
}

const MASS = { kind: "mass", yes: 0.3, no: 0.1, other: 0.6 } as const;

Deno.test("nextTokenJudge() scores by the two words and tells what went to others", async () => {
  const { judge, asked } = judgeThat(MASS);
  const judgement = await judge.judge(TASK);
  assert.ok(judgement.kind === "scored");
  assert.ok(Math.abs(judgement.score - 75) < 1e-9);
  assert.equal(judgement.reasoning, "P(true) 0.300, P(false) 0.100, other words 0.600");
  assert.equal(judgement.parse, "not parsed");
  assert.equal(judgement.provenance.promptSha256, PROMPTS.template("truth").sha256);
  assert.deepEqual(asked, ["Snow is white. It is true/false"]);
});

Deno.test("nextTokenJudge() applies calibration, and another form where it is told", async () => {
  const { judge, asked } = judgeThat(MASS, {
    calibration: { slope: 0, intercept: Math.log(4) },
    forms: { claim: "support" },
  });
  const judgement = await judge.judge(TASK);
  assert.ok(judgement.kind === "scored" && Math.abs(judgement.score - 80) < 1e-9);
  assert.deepEqual(asked, ["Snow is white. Answer: Yes/No"]);
  assert.equal(judge.settings.slope, 0);
});

Deno.test("nextTokenJudge() is unscored without a form, a probability or an answer", async () => {
  const style = { ...TASK, template: "style", values: { candidate: "x" } };
  const without = await judgeThat(MASS).judge.judge(style);
  assert.ok(without.kind === "unscored" && /style has no next_word_form/.test(without.message));
  const nothing = await judgeThat({ kind: "mass", yes: 0, no: 0, other: 1 }).judge.judge(TASK);
  assert.ok(nothing.kind === "unscored" && nothing.reason === "malformed answer");
  const failed = await judgeThat({ kind: "failure", message: "too long" }).judge.judge(TASK);
  assert.ok(failed.kind === "unscored" && failed.message === "too long");
  const refused = await judgeThat({ kind: "refusal", text: "no" }).judge.judge(TASK);
  assert.ok(refused.kind === "unscored" && refused.partialText === "no");
});

const PROVENANCE = { producedBy: "made", modelSha256: "abc", promptSha256: undefined };

const SCORED: Judgement = {
  kind: "scored",
  score: 80,
  reasoning: "",
  flagged: [],
  parse: "not parsed",
  provenance: PROVENANCE,
};

function judgeDoing(judge: Judge["judge"]): Judge {
  return { name: "made", settings: {}, weight: 1, measured: undefined, concurrency: 1, judge };
}

Deno.test("Requirement 9.2: timeLimitedJudge() gives up an answer that does not come", async () => {
  const never = timeLimitedJudge(judgeDoing(() => new Promise(() => {})), 0.01, "abc");
  assert.deepEqual(await never.judge(TASK), {
    kind: "unscored",
    reason: "time-out",
    message: "No whole answer within 0.01 s.",
    partialText: undefined,
    provenance: PROVENANCE,
  });
});

Deno.test("timeLimitedJudge() passes on answers, errors and the caller's abort", async () => {
  const prompt = timeLimitedJudge(judgeDoing(() => Promise.resolve(SCORED)), 5, "abc");
  assert.equal(await prompt.judge(TASK), SCORED);
  assert.equal(prompt.settings["timeoutSeconds"], 5);
  const broken = timeLimitedJudge(judgeDoing(() => Promise.reject(new Error("broken"))), 5, "abc");
  await assert.rejects(broken.judge(TASK), /^Error: broken$/);
  const signal = AbortSignal.abort(new Error("stopped"));
  await assert.rejects(prompt.judge(TASK, { signal }), /^Error: stopped$/);
});
