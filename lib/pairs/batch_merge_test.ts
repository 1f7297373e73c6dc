import assert from "node:assert/strict";
import fc from "fast-check";
import type { GivenReply } from "../models/hosted/chat_completion.ts";
import { mergeBatchReplies } from "./batch_merge.ts";
import { batchRequest, type BodyOf, customId } from "./batch_questions.ts";
import { evaluateForcedChoice } from "./evaluation.ts";
import { planEvaluation, type PlanInput } from "./evaluation_plan.ts";
import { forcedChoiceTemplate } from "./forced_choice.ts";
import { fakeChat } from "./testdata/fake_models.ts";
import { inFolder } from "./testdata/folder.ts";
import { madePairs } from "./testdata/norse.ts";

const PAIRS = madePairs(6);
const MODELS = [fakeChat("openai/ǫnd"), fakeChat("askr")];
const FILES = ["results.csv", "invalid.csv", "settings.json"] as const;
const bodyOf: BodyOf = ({ model, prompt }) => ({ model: model.name, prompt });

type At = (name: string) => string;

function inputAt(at: At, change: Partial<PlanInput> = {}): PlanInput {
  return {
    pairs: PAIRS,
    models: MODELS,
    template: forcedChoiceTemplate("Old Norse"),
    resultsPath: at("results.csv"),
    invalidLogPath: at("invalid.csv"),
    settingsPath: at("settings.json"),
    ...change,
  };
}

/** What the models would have answered, by custom id. */
async function repliesTo(input: PlanInput): Promise<Map<string, GivenReply>> {
  const replies = new Map<string, GivenReply>();
  for (const call of planEvaluation(input).calls) {
    const reply = await call.model.ask(call.prompt);
    assert.notEqual(reply.kind, "failure");
    if (reply.kind !== "failure") replies.set(batchRequest(call, bodyOf).customId, reply);
  }
  return replies;
}

const contents = (at: At) => FILES.map((name) => Deno.readTextFileSync(at(name)));

Deno.test("mergeBatchReplies() writes the bytes that asking one by one writes", async () => {
  await inFolder(async (at) => {
    await evaluateForcedChoice(inputAt(at));
    const expected = contents(at);
    await inFolder(async (other) => {
      const input = inputAt(other);
      const replies = await repliesTo(input);
      const merge = mergeBatchReplies(input, replies, bodyOf);
      assert.deepEqual(contents(other), expected);
      const invalid = expected[1]!.trimEnd().split("\n").length - 1;
      assert.ok(invalid > 0);
      assert.deepEqual(merge, { merged: 24, invalid, kept: 0, foreign: 0 });
      assert.deepEqual(mergeBatchReplies(input, replies, bodyOf), {
        merged: 0,
        invalid: 0,
        kept: 24,
        foreign: 0,
      });
      assert.deepEqual(contents(other), expected);
    });
  });
});

Deno.test("mergeBatchReplies() in parts, in any order, some of them again, ends in the same bytes", async () => {
  await inFolder(async (at) => {
    await evaluateForcedChoice(inputAt(at));
    const expected = contents(at);
    const all = [...await repliesTo(inputAt(at))];
    const shuffled = fc.shuffledSubarray(all, { minLength: all.length, maxLength: all.length });
    await fc.assert(
      fc.asyncProperty(
        shuffled,
        fc.array(fc.nat(all.length), { maxLength: 4 }),
        (order, cuts) =>
          inFolder((other) => {
            const input = inputAt(other);
            for (const cut of cuts) {
              mergeBatchReplies(input, new Map(order.slice(Math.floor(cut / 2), cut)), bodyOf);
            }
            mergeBatchReplies(input, new Map(order), bodyOf);
            assert.deepEqual(contents(other), expected);
          }),
      ),
      { numRuns: 100 },
    );
  });
});

Deno.test("mergeBatchReplies() keeps the answer that stands there", async () => {
  await inFolder(async (at) => {
    const input = inputAt(at);
    await evaluateForcedChoice(input);
    const before = contents(at);
    const replies = await repliesTo(input);
    for (const id of replies.keys()) replies.set(id, { kind: "refusal", text: "No." });
    assert.equal(mergeBatchReplies(input, replies, bodyOf).kept, 24);
    assert.deepEqual(contents(at), before);
  });
});

Deno.test("mergeBatchReplies() counts answers to other questions and writes nothing for them", async () => {
  await inFolder(async (at) => {
    const asked = inputAt(at, { template: forcedChoiceTemplate("Icelandic") });
    const replies = await repliesTo(asked);
    const merge = mergeBatchReplies(inputAt(at), replies, bodyOf);
    assert.deepEqual(merge, { merged: 0, invalid: 0, kept: 0, foreign: 24 });
    assert.throws(() => Deno.statSync(at("results.csv")), Deno.errors.NotFound);
    assert.throws(() => Deno.statSync(at("settings.json")), Deno.errors.NotFound);
  });
});

Deno.test("mergeBatchReplies() refuses answers under other settings than those on record", async () => {
  await inFolder(async (at) => {
    await evaluateForcedChoice(inputAt(at, { pairs: PAIRS }));
    const whole = Deno.readTextFileSync(at("results.csv"));
    Deno.writeTextFileSync(at("results.csv"), whole.split("\n").slice(0, 4).join("\n") + "\n");
    const before = contents(at);
    const other = inputAt(at, { models: [fakeChat("askr", { reasoningEffort: "high" })] });
    const replies = await repliesTo(inputAt((name) => at(`other ${name}`), { models: MODELS }));
    assert.throws(
      () => mergeBatchReplies(other, replies, bodyOf),
      /askr .*reasoningEffort was not set and is "high" now/,
    );
    assert.deepEqual(contents(at), before);
  });
});

Deno.test("customId() is short, stable, and of one question alone", () => {
  const question = { model: "openai/gpt-oss-120b", pairId: "ON_MIDDLE_VOICE_001", order: "A_gram" };
  const id = customId({ ...question, order: "A_gram" }, { temperature: 0 });
  // sha256 of '["openai/gpt-oss-120b","ON_MIDDLE_VOICE_001","A_gram",{"temperature":0}]'.
  assert.equal(id, "ON_MIDDLE_VOICE_001.A_gram.41340866c48d0334");
  const others = [
    customId({ ...question, order: "B_gram" }, { temperature: 0 }),
    customId({ ...question, order: "A_gram" }, { temperature: 1 }),
    customId({ ...question, order: "A_gram", model: "m" }, { temperature: 0 }),
    customId({ ...question, order: "A_gram", pairId: "ON_MIDDLE_VOICE_002" }, { temperature: 0 }),
  ];
  assert.equal(new Set([id, ...others]).size, 5);
  const long = customId({ ...question, order: "A_gram", pairId: "X".repeat(100) }, {});
  assert.equal(long.length, 64);
});
