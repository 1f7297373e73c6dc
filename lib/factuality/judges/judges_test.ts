import assert from "node:assert/strict";
import { ModelUnavailable, type NextWordReply } from "../../models/model.ts";
import type { StructuredModel, StructuredReply } from "../../models/model.ts";
import { nextTokenJudge, type NextTokenJudgeOptions } from "./ensemble.ts";
import { sampleVariance } from "simple-statistics";
import { randomSource } from "../../stats/random.ts";
import { generatingJudge } from "./generating_judge.ts";
import { FACTUALITY_PATHS } from "../paths.ts";
import { readPromptTemplates } from "./prompts.ts";
import { PROMPTS, scriptedNextWord } from "./testdata/made.ts";

const PROMPT = PROMPTS.template("claim");
const CLAIM = "Oslo has a million people.";
const TASK = { template: "claim", values: { claim: CLAIM }, judgedText: CLAIM };
const OPTIONS = { weight: 2, measured: undefined, modelSha256: "ab" };

const modelThat = (ask: StructuredModel["ask"]): StructuredModel => ({
  name: "made",
  settings: { seed: 1 },
  concurrency: 3,
  ask,
});
const judgeOver = (ask: StructuredModel["ask"], timeoutSeconds = 5) =>
  generatingJudge(modelThat(ask), PROMPTS, { ...OPTIONS, timeoutSeconds });
const judging = (reply: StructuredReply) => judgeOver(() => Promise.resolve(reply)).judge(TASK);
const answer = (text: string) => judging({ kind: "answer", text, ended: "complete" });

/** Writes its text and then hangs until it is stopped. */
const slowly = (text: string): StructuredModel["ask"] => (_, { signal } = {}) =>
  new Promise((resolve) =>
    signal?.addEventListener("abort", () => resolve({ kind: "answer", text, ended: "stopped" }))
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
    provenance: { producedBy: "made", modelSha256: "ab", promptSha256: PROMPT.sha256 },
  });
});

/** A judge whose written score depends on the seed. */
function drawingJudge(settings: StructuredModel["settings"], draw: () => number) {
  let evaluation = 0;
  const seeds: string[] = [];
  const ask: StructuredModel["ask"] = (_, { seed = 0, numberOf } = {}) => {
    assert.equal(numberOf, "score");
    if (seed === 0) evaluation++;
    seeds.push(`${evaluation}/${seed}`);
    const score = Math.round(Math.min(100, Math.max(0, draw())));
    return Promise.resolve({ kind: "answer", text: `{"score": ${score}}`, ended: "complete" });
  };
  const model = { ...modelThat(ask), settings };
  const options = { ...OPTIONS, timeoutSeconds: 5, scoring: "expected" } as const;
  return { judge: generatingJudge(model, PROMPTS, options), seeds };
}

Deno.test("Requirement 10.1: scores of a drawing judge vary by less than 5 points², or are none", async () => {
  for (const [deviation, least] of [[0, 40], [6, 40], [8, 36], [30, 0]] as const) {
    const random = randomSource(deviation);
    // A sum of twelve is as good as normal.
    const draw = () => {
      const sum = Array.from({ length: 12 }, () => random.next()).reduce((all, one) => all + one);
      return 60 + deviation * (sum - 6);
    };
    const { judge } = drawingJudge({ temperature: 0.7 }, draw);
    const scores: number[] = [];
    for (let i = 0; i < 40; i++) {
      const judgement = await judge.judge(TASK);
      if (judgement.kind === "unscored") {
        assert.equal(judgement.reason, "unsteady");
        assert.match(judgement.message, /After 48 answers .* varies by .* temperature/);
        continue;
      }
      scores.push(judgement.score);
      const { draws, variance } = judgement.repetition!;
      assert.ok(draws >= 7 && draws <= 48 && variance! < 2.5);
    }
    assert.ok(scores.length >= least, `${scores.length} with a deviation of ${deviation}`);
    if (least === 0) assert.ok(scores.length < 6);
    else assert.ok(sampleVariance(scores) < 5, `${sampleVariance(scores)}`);
  }
});

Deno.test("an expected score is asked for once at temperature 0, of a silent server twice or more", async () => {
  const here = drawingJudge({ temperature: 0 }, () => 40);
  const one = await here.judge.judge(TASK);
  assert.ok(one.kind === "scored");
  assert.deepEqual([one.score, one.repetition], [40, { draws: 1, variance: 0 }]);
  assert.equal(here.seeds.length, 1);
  const served = drawingJudge({ temperature: 0, host: "made" }, () => 40);
  const two = await served.judge.judge(TASK);
  assert.ok(two.kind === "scored");
  assert.deepEqual([two.repetition, served.seeds.length], [{ draws: 2, variance: 0 }, 2]);
  const numbers = new Map([[80, 0.6], [40, 0.2]]);
  const scriptedModel = modelThat(() =>
    Promise.resolve({ kind: "answer", text: '{"score": 80}', ended: "complete", numbers })
  );
  const options = { ...OPTIONS, timeoutSeconds: 5, scoring: "expected" } as const;
  const settings = { temperature: 0, host: "made" };
  const telling = await generatingJudge({ ...scriptedModel, settings }, PROMPTS, options).judge(
    TASK,
  );
  assert.ok(telling.kind === "scored");
  assert.deepEqual([telling.score, telling.repetition], [70, { draws: 1, variance: undefined }]);
});

Deno.test("generatingJudge() asks the filled prompt with the schema, and gives its settings", async () => {
  const judge = judgeOver((prompt, { schema } = {}) => {
    const { properties } = schema as { readonly properties: object };
    assert.match(prompt, /^<claim>/);
    assert.deepEqual(Object.keys(properties), ["reasoning", "flagged", "score"]);
    return Promise.resolve({ kind: "refusal", text: "no" });
  });
  await judge.judge(TASK);
  assert.deepEqual(judge.settings, { seed: 1, readout: "generation", timeoutSeconds: 5 });
  assert.deepEqual([judge.weight, judge.concurrency], [2, 3]);
  await assert.rejects(judge.judge({ ...TASK, template: "pairwise" }), /its answer is pairwise/);
  await assert.rejects(judge.judge({ ...TASK, values: {} }), /\{\{claim\}\} has no value/);
});

Deno.test("Requirement 9.1: malformed answers, refusals and failures are unscored and kept apart", async () => {
  const gone = () => Promise.reject(new ModelUnavailable("no key", "m"));
  const judgements = [
    await answer("I would say 85."),
    await judging({ kind: "refusal", text: "I will not." }),
    await judging({ kind: "failure", message: "no network", partialText: undefined }),
    await judgeOver(gone).judge(TASK),
  ];
  assert.deepEqual(
    judgements.map((one) => one.kind === "unscored" && `${one.reason}: ${one.partialText}`),
    ["malformed answer: I would say 85.", "refusal: I will not."]
      .concat(Array(2).fill("failure: undefined")),
  );
});

Deno.test("Requirement 9.2: a time-out keeps the partial text, and a score that was whole", async () => {
  const cut = await judgeOver(slowly('{"reasoning": "I think'), 0.002).judge(TASK);
  assert.ok(cut.kind === "unscored" && cut.reason === "time-out");
  assert.equal(cut.partialText, '{"reasoning": "I think');
  const whole = await judgeOver(slowly('{"score": 30} and so'), 0.002).judge(TASK);
  assert.ok(whole.kind === "scored" && whole.score === 30 && whole.parse === "partial");
  const controller = new AbortController();
  const judging = judgeOver(slowly("half")).judge(TASK, { signal: controller.signal });
  controller.abort(new Error("enough"));
  await assert.rejects(judging, /enough/);
});

const MASS = { kind: "mass", yes: 0.3, no: 0.1, other: 0.6 } as const;

function readerOf(
  reply: NextWordReply | Promise<NextWordReply>,
  more: Partial<NextTokenJudgeOptions> = {},
) {
  const { model, asked } = scriptedNextWord(() => reply);
  const judge = nextTokenJudge(model, PROMPTS, { ...OPTIONS, calibration: undefined, ...more });
  return { judge, asked };
}

Deno.test("nextTokenJudge() scores by the two words, calibrated and in another form on request", async () => {
  const { judge, asked } = readerOf(MASS);
  const judgement = await judge.judge(TASK);
  assert.ok(judgement.kind === "scored" && Math.abs(judgement.score - 75) < 1e-9);
  assert.equal(judgement.reasoning, "P(true) 0.300, P(false) 0.100, other words 0.600");
  assert.equal(judgement.provenance.promptSha256, PROMPTS.template("truth").sha256);
  assert.deepEqual(asked, [`${CLAIM} It is true/false`]);
  const calibration = { slope: 0, intercept: Math.log(4) };
  const other = readerOf(MASS, { calibration, prompt: "support" });
  const scaled = await other.judge.judge(TASK);
  assert.ok(scaled.kind === "scored" && Math.abs(scaled.score - 80) < 1e-9);
  assert.deepEqual(other.asked, [`${CLAIM} Answer: Yes/No`]);
  const settings = { engine: "e", calibrated: true, ...calibration, prompt: "support" };
  assert.deepEqual(other.judge.settings, settings);
  // A form about claims is asked about a text as if it were one, its source being the passages.
  const ofText = readerOf(MASS, { calibration, prompt: "support" });
  const text = { source: "A source.", candidate: CLAIM };
  await ofText.judge.judge({ template: "factual_accuracy", values: text, judgedText: CLAIM });
  assert.deepEqual(ofText.asked, other.asked);
  // The scaling is of truth: of another criterion the words count as they are.
  const values = { candidate: CLAIM };
  const ofManner = readerOf(MASS, { calibration, prompt: "support" });
  const manner = await ofManner.judge.judge({ template: "manner", values, judgedText: CLAIM });
  assert.ok(manner.kind === "scored" && Math.abs(manner.score - 75) < 1e-9);
  assert.deepEqual(ofManner.asked, [`${CLAIM} Answer: yes/no`]);
});

Deno.test("Requirement 7.3: by the committed prompts a judge that is read scores relevance, completeness and style, each by a form of its own", async () => {
  const { model, asked } = scriptedNextWord(() => MASS);
  const prompts = await readPromptTemplates(FACTUALITY_PATHS.prompts);
  const judge = nextTokenJudge(model, prompts, { ...OPTIONS, calibration: undefined });
  const values = { source: "Oslo is big.", question: "How big is Oslo?", candidate: CLAIM };
  for (const template of ["relevance", "completeness", "style"]) {
    const judgement = await judge.judge({ template, values, judgedText: CLAIM });
    assert.ok(judgement.kind === "scored" && Math.round(judgement.score) === 75, template);
    assert.ok(asked.at(-1)!.includes(CLAIM), template);
  }
  assert.equal(new Set(asked).size, 3);
});

Deno.test("Requirement 9.2: nextTokenJudge() is unscored without a form, a probability, an answer, or in time", async () => {
  const said = async (reply: Parameters<typeof readerOf>[0], task = TASK) => {
    const judgement = await readerOf(reply, { timeoutSeconds: 0.01 }).judge.judge(task);
    assert.ok(judgement.kind === "unscored");
    return [judgement.reason, judgement.message, judgement.partialText];
  };
  const style = { ...TASK, template: "style" };
  assert.match((await said(MASS, style))[1]!, /style has no next_word_form/);
  const [nothing] = await said({ kind: "mass", yes: 0, no: 0, other: 1 });
  assert.equal(nothing, "malformed answer");
  assert.equal((await said({ kind: "failure", message: "too long" }))[1], "too long");
  assert.equal((await said({ kind: "refusal", text: "no" }))[2], "no");
  const never = new Promise<NextWordReply>(() => {});
  assert.deepEqual(await said(never), ["time-out", "No whole answer within 0.01 s.", undefined]);
  const { judge } = readerOf(Promise.reject(new Error("broken")), { timeoutSeconds: 5 });
  assert.equal(judge.settings["timeoutSeconds"], 5);
  await assert.rejects(judge.judge(TASK), /^Error: broken$/);
});
