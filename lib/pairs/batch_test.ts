import assert from "node:assert/strict";
import type { GivenReply } from "../models/hosted/chat_completion.ts";
import { settingsDigest } from "./asked.ts";
import { customId, mergeBatchReplies } from "./batch.ts";
import { type ChoiceQuestions, evaluateForcedChoice, plannedCalls } from "./choose.ts";
import { forcedChoiceTemplate, formatPrompt } from "./forced_choice.ts";
import { fakeChat } from "./testdata/fake_models.ts";
import { type At, inFolder, test } from "./testdata/folder.ts";
import { madePairs } from "./testdata/norse.ts";
import { studyIn } from "./testdata/study.ts";

const PAIRS = madePairs(6);
const MODELS = [fakeChat("openai/ǫnd"), fakeChat("askr")];
const FILES = ["results.csv", "invalid.csv", "asked.csv", "settings.json"] as const;

function inputAt(at: At, change: Partial<ChoiceQuestions> = {}) {
  return {
    pairs: PAIRS,
    models: MODELS,
    template: forcedChoiceTemplate("Old Norse"),
    files: studyIn(at("")).files,
    ...change,
  };
}

/** What the models would have answered, by custom id. */
async function repliesTo(input: ChoiceQuestions): Promise<Map<string, GivenReply>> {
  const replies = new Map<string, GivenReply>();
  const { models, template } = input;
  for (const model of models) {
    for (const call of plannedCalls(input, model.name, settingsDigest(model))) {
      const reply = await model.ask(formatPrompt(template, call.pair, call.order));
      assert.ok(reply.kind !== "failure");
      replies.set(customId(call), reply);
    }
  }
  return replies;
}

const contents = (at: At) => FILES.map((name) => Deno.readTextFileSync(at(name)));

test("mergeBatchReplies() writes the bytes that asking one by one writes", async (at) => {
  await evaluateForcedChoice(inputAt(at));
  const expected = contents(at);
  await inFolder(async (other) => {
    const input = inputAt(other);
    const replies = await repliesTo(input);
    // In parts, in any order, some of them again, and whole.
    const all = [...replies].toReversed();
    await inFolder((third) => {
      const into = inputAt(third);
      const parts = [all.slice(5, 9), all.slice(2, 7), all];
      for (const part of parts) mergeBatchReplies(into, new Map(part));
      assert.deepEqual(contents(third), expected);
    });
    const merge = mergeBatchReplies(input, replies);
    assert.deepEqual(contents(other), expected);
    const invalid = expected[1]!.trimEnd().split("\n").length - 1;
    assert.ok(invalid > 0);
    assert.deepEqual(merge, { merged: 24, invalid, kept: 0, foreign: 0 });
    const again = { merged: 0, invalid: 0, kept: 24, foreign: 0 };
    assert.deepEqual(mergeBatchReplies(input, replies), again);
    assert.deepEqual(contents(other), expected);
  });
});

test("mergeBatchReplies() takes answers under other settings for answers to other questions", async (at) => {
  await evaluateForcedChoice(inputAt(at));
  const before = contents(at);
  const other = inputAt(at, { models: [fakeChat("askr", { reasoningEffort: "high" })] });
  const replies = await repliesTo(inputAt((name) => at(`other ${name}`)));
  assert.equal(mergeBatchReplies(other, replies).foreign, 24);
  assert.deepEqual(contents(at), before);
  // Asked anew with those settings, the answers take the place of the former ones.
  assert.equal(mergeBatchReplies(other, await repliesTo(other)).merged, 12);
});

Deno.test("customId() is short, stable, and of one question alone", () => {
  const question = {
    model: "openai/gpt-oss-120b",
    pairId: "ON_MIDDLE_VOICE_001",
    order: "A_gram" as const,
    asked: "0123456789ab",
    settings: "ba9876543210",
  };
  const id = customId(question);
  // sha256 of '["openai/gpt-oss-120b","ON_MIDDLE_VOICE_001","A_gram","0123456789ab","ba9876543210"]'.
  assert.equal(id, "ON_MIDDLE_VOICE_001.A_gram.7c65bb13150177f9");
  const parts = ["order", "asked", "settings", "model", "pairId"];
  const others = parts.map((part) => customId({ ...question, [part]: "other" }));
  assert.equal(new Set([id, ...others]).size, 6);
  assert.equal(customId({ ...question, pairId: "X".repeat(100) }).length, 64);
});
