import fc from "fast-check";
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { CallFailed, ModelUnavailable } from "../models/model.ts";
import type { ChatModel, LanguageModel, Reply } from "../models/model.ts";
import { readSettings, sentencesAddress, settingsAddress } from "./addresses.ts";
import { evaluateForcedChoice, scorePairs, scoreSets } from "./ask.ts";
import type { ForcedChoiceOptions, LikelihoodOptions } from "./ask.ts";
import { forcedChoiceTemplate } from "./forced_choice.ts";
import type { MinimalPair } from "./pair.ts";
import { fakeChat, fakeLanguage, scriptedChat } from "./testdata/fake_models.ts";
import { type At, inFolder, test } from "./testdata/folder.ts";
import { madePairs } from "./testdata/norse.ts";
import { studyIn } from "./testdata/study.ts";

const PAIRS = madePairs(4);

/** Evaluates models on these pairs, in a folder of the test. */
function evaluate(at: At, models: readonly ChatModel[], change: Partial<ForcedChoiceOptions> = {}) {
  const { question: template, files } = studyIn(at(""));
  return evaluateForcedChoice({ pairs: PAIRS, models, template, files, ...change });
}

const FILES = ["results.csv", "invalid.csv", "asked.csv", "settings.json"];
const read = (at: At, name = "results.csv") =>
  Deno.readTextFileSync(at(name)).trimEnd().split("\n");
const files = (at: At) => FILES.map((name) => Deno.readTextFileSync(at(name)));
const failure: Reply = { kind: "failure", message: "429." };

/** Result of an uninterrupted run, asked one call after the other. */
async function wholeRun(
  ...[models, change]: [readonly ChatModel[], Partial<ForcedChoiceOptions>?]
) {
  let whole: readonly string[] = [];
  await inFolder(async (at) => {
    await evaluate(at, models, change);
    whole = files(at);
  });
  return whole;
}

test("evaluateForcedChoice() writes one row an answer, in the specification's columns", async (at) => {
  const model = scriptedChat("always-a", () => "A");
  const report = await evaluate(at, [model], { pairs: PAIRS.slice(0, 1) });
  assert.deepEqual(read(at), [
    "model,pair_id,order,response,correct",
    "always-a,ON_QUIRKY_CASE_001,A_gram,A,True",
    "always-a,ON_QUIRKY_CASE_001,B_gram,A,False",
  ]);
  const done = { answered: 2, invalid: 0, kept: 0, failed: [], missing: 0 };
  assert.deepEqual(report, { ...done, models: [{ model: "always-a", ...done }] });
  assert.match(model.prompts[0] ?? "", /A: Hánum líkaði þat b0\. B: Hann líkaði þat b0\. Answer/);
  assert.match(model.prompts[1] ?? "", /A: Hann líkaði þat b0\. B: Hánum líkaði þat b0\. Answer/);
});

test("evaluateForcedChoice() takes no letter out of what a reasoning model was cut off in", async (at) => {
  const text = "The answer is A, if one looks at the verb. Then";
  const reply: Reply = { kind: "answer", text, promptTokens: 9, replyTokens: 9, isCut: true };
  const cut = (name: string, settings = {}): ChatModel => {
    const model = scriptedChat(name, () => reply);
    return { ...model, settings: { ...model.settings, ...settings } };
  };
  const models = [
    cut("plain"),
    cut("silent", { reasoningEffort: "none" }),
    cut("thinks", { reasoningEffort: "low" }),
  ];
  await evaluate(at, models, { pairs: PAIRS.slice(0, 1), orders: () => ["A_gram"] });
  const answers = read(at).slice(1).map((row) => row.split(",")[3]);
  assert.deepEqual(answers, ["A", "A", "INVALID"]);
  assert.match(read(at, "invalid.csv").at(-1)!, /^thinks,.*,cut,.*if one looks/);
});

test("evaluateForcedChoice() asks again with a larger limit where it cut a reply, and looks through the user's tags", async (at) => {
  const limits: number[] = [];
  const cut = { kind: "answer", promptTokens: 9, replyTokens: 9, isCut: true } as const;
  const thinking: ChatModel = {
    ...fakeChat("m"),
    ask(_, { limitTimes = 1 } = {}) {
      limits.push(limitTimes);
      const text = "<ponder>B? ";
      if (limitTimes < 16) return Promise.resolve({ ...cut, text });
      const { isCut: _cut, ...whole } = cut;
      return Promise.resolve({ ...whole, text: `${text}No.</ponder>A` });
    },
  };
  const one = { pairs: PAIRS.slice(0, 1), orders: () => ["A_gram" as const] };
  await evaluate(at, [thinking], one);
  assert.deepEqual(limits, [1, 4, 16]);
  assert.deepEqual(read(at).slice(1), ["m,ON_QUIRKY_CASE_001,A_gram,INVALID,False"]);
  // What is on record is read anew, not asked anew.
  const again = await evaluate(at, [thinking], { ...one, thinkingTags: ["ponder"] });
  assert.deepEqual([again.answered, limits.length], [0, 3]);
  assert.deepEqual(read(at).slice(1), ["m,ON_QUIRKY_CASE_001,A_gram,A,True"]);
});

test("evaluateForcedChoice() keeps invalid answers as rows, their text in the log", async (at) => {
  const replies = ["A or B\nboth", { kind: "refusal", text: "No.\u007f" } as const];
  const model = scriptedChat("m", (call) => replies[call] ?? "A");
  const report = await evaluate(at, [model], { pairs: PAIRS.slice(0, 1) });
  assert.equal(report.invalid, 2);
  assert.match(read(at).join(), /_001,A_gram,INVALID,False,m,ON_QUIRKY_CASE_001,B_gram,INVALID,F/);
  assert.deepEqual(read(at, "invalid.csv"), [
    "model,pair_id,order,reason,raw_json",
    'm,ON_QUIRKY_CASE_001,A_gram,both_letters,"""A or B\\nboth"""',
    'm,ON_QUIRKY_CASE_001,B_gram,refusal,"""No.\\u007f"""',
  ]);
});

test("evaluateForcedChoice() writes no row for a failed call and asks it again, as where the text of an invalid answer was lost", async (at) => {
  const whole = await wholeRun([fakeChat("m")]);
  const sound = fakeChat("m");
  let calls = 0;
  const ask = (prompt: string) => calls++ % 3 === 1 ? Promise.resolve(failure) : sound.ask(prompt);
  const first = await evaluate(at, [{ ...sound, ask }]);
  assert.deepEqual([first.answered, first.failed.length, first.missing], [5, 3, 3]);
  const { asked, ...failed } = first.failed[0]!;
  assert.match(asked, /^[0-9a-f]{12}$/);
  const question = { model: "m", pairId: "ON_QUIRKY_CASE_001", way: "B_gram" };
  assert.deepEqual(failed, { ...question, mayPass: true, reason: "429." });
  const second = await evaluate(at, [sound]);
  assert.deepEqual([second.answered, second.kept, second.missing], [3, 5, 0]);
  assert.deepEqual(files(at), whole);
  Deno.removeSync(at("invalid.csv"));
  const lost = whole[0]!.match(/INVALID/g)!.length;
  assert.equal((await evaluate(at, [sound])).answered, lost);
  assert.deepEqual(files(at), whole);
});

test("evaluateForcedChoice() asks anew what another question, or another setting, was asked of", async (at) => {
  await evaluate(at, [fakeChat("m", { file: "one", threads: 2 })]);
  const again = (file: string, settings = {}, change: Partial<ForcedChoiceOptions> = {}) =>
    evaluate(at, [fakeChat("m", { file, ...settings })], change);
  // What belongs to the machine is no part of the question.
  assert.equal((await again("one", { threads: 8, engine: "another" })).kept, 8);
  assert.equal((await again("two")).answered, 8);
  assert.equal((await again("two")).kept, 8);
  const template = forcedChoiceTemplate("Icelandic");
  assert.equal((await again("two", {}, { template })).answered, 8);
  const five = await again("two", {}, { template, pairs: madePairs(5) });
  assert.deepEqual([five.kept, five.answered], [8, 2]);
  assert.deepEqual([read(at).length, read(at, "asked.csv").length], [11, 11]);
});

test("evaluateForcedChoice() refuses wrong columns and twin models before it asks", async (at) => {
  const model = scriptedChat("m", () => "A");
  await assert.rejects(() => evaluate(at, [model, model]), /two models are called m/);
  Deno.writeTextFileSync(at("results.csv"), "model,response\n");
  await assert.rejects(() => evaluate(at, [model]), SyntaxError);
  assert.equal(model.prompts.length, 0);
  assert.equal(existsSync(at("settings.json")), false);
});

/** Settings of generation with two values each: what a setting of that name may be. */
const GENERATION: Readonly<Record<string, readonly [string | number, string | number]>> = {
  temperature: [0, 0.7],
  topP: [1, 0.9],
  maxReplyTokens: [10, 1024],
  systemPrompt: ["", "You are a philologist."],
};

test("Feature: old-norse-minimal-pairs, Property 16: consistent API settings, each of them", async (at) => {
  const alike = Object.fromEntries(Object.entries(GENERATION).map(([name, [own]]) => [name, own]));
  // 0 and 1 are a setting's values; with 2 the model does not name it, which only temperature may not.
  const picks = fc.array(fc.nat(2), { minLength: 2, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...Object.keys(GENERATION)), picks, async (name, picks) => {
      const models = picks.map((pick, i) => {
        const { [name]: _, ...others } = alike;
        const settings = pick === 2 ? others : { ...others, [name]: GENERATION[name]![pick]! };
        return { ...scriptedChat(`m${i}`, () => "A"), settings };
      });
      const run = evaluate(at, models, { pairs: [] });
      if (name === "temperature" && picks.includes(2)) {
        await assert.rejects(run, /no temperature/);
      } else if (new Set(picks.filter((pick) => pick < 2)).size > 1) {
        await assert.rejects(run, (error) => {
          return error instanceof RangeError && error.message.includes(`: ${name} is `);
        });
      } else await run;
    }),
    { numRuns: 100 },
  );
});

const NAMES = ["openai/gpt-oss-120b", "openai/gpt-oss-20b", "llama-4", "llama-3.3"];
const PANEL = NAMES.map((name) => fakeChat(name));

/** Delays answers by a number of turns of the event queue, `delay` for each call. */
function slowChat(name: string, concurrency: number, delay: (call: number) => number): ChatModel {
  const model = fakeChat(name);
  let calls = 0;
  return {
    ...model,
    concurrency,
    ask: async (prompt) => {
      for (let left = delay(calls++); left > 0; left--) await Promise.resolve();
      return await model.ask(prompt);
    },
  };
}

test("Feature: hosted models, many calls in flight: whatever the order of arrival, the bytes are those of one call after the other", async (at) => {
  const whole = await wholeRun(PANEL);
  const delays = fc.array(fc.nat(9), { minLength: 7, maxLength: 7 });
  let run = 0;
  await fc.assert(
    fc.asyncProperty(delays, fc.integer({ min: 1, max: 32 }), async (delays, concurrency) => {
      const own = at(`${run++}`);
      Deno.mkdirSync(own);
      const within = (name: string) => `${own}/${name}`;
      const delay = (call: number) => delays[call % delays.length]!;
      await evaluate(within, NAMES.map((name) => slowChat(name, concurrency, delay)));
      assert.deepEqual(files(within), whole);
    }),
    { numRuns: 100 },
  );
});

test("evaluateForcedChoice() ends the part of a model that is not to be had and no other's; settings go with a first answer", async (at) => {
  const returns = new Date(Date.UTC(2026, 0, 2));
  const gone = scriptedChat("gone", () => {
    throw new ModelUnavailable("withdrawn", "gone", returns);
  });
  await evaluate(at, [gone]);
  assert.equal(existsSync(at("settings.json")), false);
  const { models: [first, second] } = await evaluate(at, [gone, fakeChat("there")]);
  assert.deepEqual([first?.answered, first?.missing, gone.prompts.length], [0, 8, 0]);
  assert.deepEqual(first?.ended, { message: "withdrawn", returns });
  assert.deepEqual([second?.answered, second?.missing, second?.ended], [8, 0, undefined]);
  const records = Object.values(readSettings(at("settings.json")));
  assert.deepEqual(records.map(({ model }) => model), ["there"]);
});

test("evaluateForcedChoice() asks a model no more after ten failures in a row", async (at) => {
  const broken = scriptedChat("broken", () => failure);
  const shaky = scriptedChat("shaky", (call) => call % 10 < 9 ? failure : "A");
  const few = { pairs: madePairs(12), maxFailed: 1 };
  const { models: [first, second] } = await evaluate(at, [broken, shaky], few);
  assert.deepEqual([broken.prompts.length, first?.failed.length, first?.missing], [10, 10, 24]);
  assert.match(first?.ended?.message ?? "", /^10 calls in a row failed.*429\..*run again\.$/);
  assert.deepEqual([shaky.prompts.length, second?.answered, second?.ended], [24, 2, undefined]);
});

test("evaluateForcedChoice() asks no more who fails on more than its share, in a row or not", async (at) => {
  const shaky = scriptedChat("shaky", (call) => call % 2 === 0 ? failure : "A");
  const { models: [report] } = await evaluate(at, [shaky], { pairs: madePairs(120) });
  assert.match(report!.ended!.message, /^13 of 240 calls failed, the last one with: 429\. What/);
  // A prompt that is too long is no fault of the model: the others are asked.
  const short = scriptedChat("short", (call) => call < 5 ? { ...failure, tooLong: true } : "A");
  const { models: [other] } = await evaluate(at, [short], { pairs: madePairs(12) });
  const { answered, missing, ended, failed } = other!;
  assert.deepEqual([answered, missing, ended, failed.length], [19, 0, undefined, 5]);
});

/**
 * A model that answers about the first pair at once. It answers about all others only with an
 * abort.
 */
function patientChat(onCut: () => void): ChatModel {
  const answering = fakeChat("patient");
  return {
    ...answering,
    concurrency: 5,
    ask: (prompt, { signal } = {}) =>
      prompt.includes("b0.") ? answering.ask(prompt) : new Promise((_, reject) => {
        signal?.addEventListener("abort", () => {
          onCut();
          reject(signal.reason);
        });
      }),
  };
}

test("evaluateForcedChoice() cuts the others' calls off where one model's error is no answer", async (at) => {
  let cut = 0;
  const broken = scriptedChat("broken", (call) => {
    if (call === 2) throw new TypeError("a bug");
    return "A";
  });
  await assert.rejects(() => evaluate(at, [patientChat(() => cut += 1), broken]), /a bug/);
  assert.ok(cut > 0);
  assert.equal(read(at).filter((row) => row.startsWith("broken")).length, 2);
});

test("evaluateForcedChoice() stops at once on an abort; what it cut off is no failure", async (at) => {
  const abort = new AbortController();
  const { signal } = abort;
  const onProgress = ({ done }: { readonly done: number }) => done === 2 ? abort.abort() : 0;
  const report = await evaluate(at, [patientChat(() => {})], { signal, onProgress });
  assert.deepEqual([report.answered, report.failed.length, report.missing], [2, 0, 6]);
  const failing = await evaluate(at, [scriptedChat("m", () => failure)], { signal });
  assert.deepEqual([failing.failed.length, failing.missing], [0, 8]);
});

test("evaluateForcedChoice() asks anew for each setting that can change an answer, and for no other", async (at) => {
  const settings = { fileSha256: "aa", maxReplyTokens: 10, topP: 1, systemPrompt: "", seed: 1 };
  const uncounted = { engine: "v1", threads: 1, batchTokens: 1, licence: "MIT", timeoutSeconds: 9 };
  const answered = async (changed = {}, change: Partial<ForcedChoiceOptions> = {}) =>
    (await evaluate(at, [fakeChat("m", { ...settings, ...uncounted, ...changed })], change))
      .answered;
  assert.equal(await answered(), 8);
  const others = { engine: "v2", threads: 8, batchTokens: 512, licence: "GPL", timeoutSeconds: 90 };
  for (const [name, value] of Object.entries(others)) {
    assert.equal(await answered({ [name]: value }), 0, name);
  }
  const counted = { fileSha256: "bb", maxReplyTokens: 20, topP: 0.9, systemPrompt: "s", seed: 2 };
  for (const [name, value] of Object.entries({ ...counted, temperature: 1, chatTemplate: "t" })) {
    assert.equal(await answered({ [name]: value }), 8, name);
  }
  await answered();
  const template = forcedChoiceTemplate("Icelandic");
  assert.equal(await answered({}, { template }), 8);
});

const SCORED = madePairs(5);

const filesAt = (at: At, name = "likelihoods") => {
  return { likelihoods: at(`${name}.csv`), settings: at(`${name}.json`) };
};
const score = (at: At, model: LanguageModel, change: Partial<LikelihoodOptions> = {}) =>
  scorePairs({ pairs: SCORED, model, files: filesAt(at), ...change });

const written = (at: At, name = "likelihoods") =>
  Object.values(filesAt(at, name)).map((path) => Deno.readTextFileSync(path));

const fixed = (name: string, logProbability: number): LanguageModel => ({
  name,
  settings: {},
  score: (texts) =>
    Promise.resolve(texts.map((text) => {
      return { logProbability, tokens: 4, bytes: new TextEncoder().encode(text).length };
    })),
});

test("scorePairs() gives both members together and writes one row", async (at) => {
  const asked: (readonly string[])[] = [];
  const model = fixed("m", -12.34567891);
  const listening: LanguageModel = {
    ...model,
    score: (texts) => {
      asked.push(texts);
      return model.score(texts);
    },
  };
  await score(at, listening, { pairs: SCORED.slice(0, 1) });
  assert.deepEqual(asked, [["Hánum líkaði þat b0.", "Hann líkaði þat b0."]]);
  assert.equal(
    written(at)[0],
    "model,pair_id,grammatical_logprob,ungrammatical_logprob,grammatical_tokens," +
      "ungrammatical_tokens,grammatical_bytes,ungrammatical_bytes,asked,settings\n" +
      "m,ON_QUIRKY_CASE_001,-12.345679,-12.345679,4,4,24,22," +
      `${sentencesAddress(SCORED[0]!)},${settingsAddress(model)}\n`,
  );
});

test("scorePairs() resumes after an abort, or other pairs, to the same bytes", async (at) => {
  const [z, a] = [fakeLanguage("z"), fakeLanguage("a")];
  for (const model of [z, a]) await score(at, model, { files: filesAt(at, "whole") });
  const wanted = ({ id }: { readonly id: string }) => id !== SCORED[1]?.id;
  const abort = new AbortController();
  const onProgress = ({ done }: { readonly done: number }) =>
    done === 2 ? abort.abort() : undefined;
  const first = await score(at, z, { wanted, signal: abort.signal, onProgress });
  assert.deepEqual([first.scored, first.missing], [2, 2]);
  await score(at, a);
  const second = await score(at, z);
  assert.deepEqual([second.scored, second.kept, second.missing], [3, 2, 0]);
  assert.deepEqual(written(at), written(at, "whole"));
});

test("scorePairs() writes the same bytes whichever pair is scored first, and loses none to another's error", async (at) => {
  const model = fakeLanguage("m");
  await score(at, model, { files: filesAt(at, "whole") });
  const sideBySide = (broken?: string): LanguageModel => ({
    ...model,
    concurrency: 3,
    async score(texts) {
      // Five pairs, b0 to b4: the later, the sooner.
      const place = Number(/b(\d)/.exec(texts[0]!)![1]);
      await new Promise((resolve) => setTimeout(resolve, (5 - place) * 4));
      if (texts[0] === broken) throw new RangeError("Cannot score text 0: it has 9999 tokens");
      return await model.score(texts);
    },
  });
  const { failed } = await score(at, sideBySide(SCORED[2]!.grammatical));
  assert.deepEqual(failed.map(({ pairId, mayPass }) => [pairId, mayPass]), [[
    SCORED[2]!.id,
    false,
  ]]);
  assert.match(failed[0]!.reason, /9999 tokens/);
  const { scored, kept } = await score(at, sideBySide());
  assert.deepEqual([scored, kept], [1, 4]);
  assert.deepEqual(written(at), written(at, "whole"));
});

test("scorePairs() scores anew with other settings, and refuses other columns and impossible scores", async (at) => {
  await score(at, fakeLanguage("m"));
  const other = { ...fakeLanguage("m"), settings: { precision: "Q4" } };
  const onMore = { ...other, settings: { precision: "Q4", threads: 9 } };
  assert.equal((await score(at, other)).scored, 5);
  assert.equal((await score(at, onMore)).kept, 5);
  const [, settings] = written(at);
  for (const impossible of [NaN, 0.5]) {
    const { scored, failed } = await score(at, fixed("n", impossible));
    assert.deepEqual([scored, failed.length], [0, 5]);
    assert.match(failed[0]!.reason, /not finite and ≤ 0/);
  }
  const short = { ...fixed("n", -1), score: () => Promise.resolve([]) };
  await assert.rejects(() => score(at, short), /not two likelihoods/);
  // Who gave no row has no settings on record.
  assert.equal(written(at)[1], settings);
  Deno.writeTextFileSync(at("likelihoods.csv"), "model\n");
  await assert.rejects(() => score(at, fakeLanguage("m")), SyntaxError);
});

test("scorePairs() puts what is scored under the number that a pair has now", async (at) => {
  await score(at, fakeLanguage("m"));
  const pairs = SCORED.map((pair, index) => ({ ...pair, id: SCORED[(index + 1) % 5]!.id }));
  const silent = { ...fakeLanguage("m"), score: () => Promise.reject(new Error("asked")) };
  const again = await score(at, silent, { pairs });
  assert.deepEqual([again.scored, again.kept], [0, 5]);
  await score(at, fakeLanguage("m"), { pairs, files: filesAt(at, "anew") });
  assert.deepEqual(written(at), written(at, "anew"));
});

test("scoreSets() scores sentences and their regions in one pass, and regions of an older rule anew", async (at) => {
  const model = fakeLanguage("m");
  const passes: string[][] = [];
  const counting: LanguageModel = {
    ...model,
    score: () => Promise.reject(new Error("a pass more")),
    scoreParts(texts) {
      passes.push(texts.map(({ text, through }) => `${text}|${through}`));
      return model.scoreParts!(texts);
    },
  };
  const region = (n: number): MinimalPair => ({
    ...SCORED[n]!,
    id: `${SCORED[n]!.id} through`,
    through: { grammatical: "Hánum", ungrammatical: "Hann" },
  });
  const pairs = SCORED.slice(0, 2);
  const sets = (regions: readonly MinimalPair[]) => [
    { pairs, files: filesAt(at) },
    { pairs: regions, files: filesAt(at, "regions") },
  ];
  const regions = [region(0), region(1)];
  const { reports } = await scoreSets(sets(regions), { model: counting });
  assert.deepEqual(reports.map(({ scored }) => scored), [2, 2]);
  assert.deepEqual(passes, [
    ["Hánum líkaði þat b0.|Hánum", "Hann líkaði þat b0.|Hann"],
    ["Hánum líkaði þat b1.|Hánum", "Hann líkaði þat b1.|Hann"],
  ]);
  const [whole] = await model.score(["Hánum"]);
  assert.equal(
    written(at, "regions")[0]!.split("\n")[1]!.split(",")[2],
    whole!.logProbability.toFixed(6),
  );
  // The sentences are as they are scored without regions: their rows stay valid.
  await score(at, model, { pairs, files: filesAt(at, "alone") });
  assert.deepEqual(written(at), written(at, "alone"));
  // Rows of beginnings that were scored as texts, without the end of the word, are of another address.
  const cut = regions.map((pair) => ({ ...pair, ...pair.through!, through: undefined }));
  await score(at, model, { pairs: cut, files: filesAt(at, "regions") });
  const again = await scoreSets(sets(regions), { model: counting });
  assert.deepEqual(again.reports.map(({ scored, kept }) => [scored, kept]), [[0, 2], [2, 0]]);
  // A model without probabilities of what may follow has no regions.
  const silent = { ...model, scoreParts: undefined, name: "s" };
  const { reports: [sentences, none] } = await scoreSets(sets([region(0)]), { model: silent });
  assert.equal(sentences!.scored, 2);
  assert.match(none!.failed[0]!.reason, /s gives no probability of a word's end/);
});

test("scoreSets() reports pairs that cannot be scored, scores the others, and stops where too many fail", async (at) => {
  const model = fakeLanguage("m");
  const failing = (fails: (text: string) => Error | undefined): LanguageModel => ({
    ...model,
    score: async ([good = "", bad = ""]) => {
      const error = fails(good);
      if (error) throw error;
      return await model.score([good, bad]);
    },
  });
  const pairs = madePairs(40);
  const files = filesAt(at);
  const onFirst = (error: Error) =>
    failing((text) => text === pairs[0]!.grammatical ? error : undefined);
  const outcome = async (model: LanguageModel, maxFailed?: number) => {
    const { reports: [report], ended } = await scoreSets([{ pairs, files }], { model, maxFailed });
    return { ...report!, isEnded: ended instanceof RangeError };
  };
  const summary = (
    { scored, failed, missing, isEnded }: Awaited<ReturnType<typeof outcome>>,
  ) => [scored, failed.map(({ mayPass }) => mayPass), missing, isEnded];
  // What cannot pass is missing no more; what may pass is asked again.
  const tooLong = await outcome(onFirst(new RangeError("too long")));
  assert.deepEqual(summary(tooLong), [39, [false], 0, false]);
  const busy = await outcome(onFirst(new CallFailed("busy")));
  assert.deepEqual(summary(busy), [0, [true], 1, false]);
  assert.deepEqual(summary(await outcome(model)), [1, [], 0, false]);
  const none = { ...failing(() => new RangeError("NaN")), settings: { precision: "Q4" } };
  const { scored, failed, missing, isEnded } = await outcome(none);
  assert.deepEqual([scored, failed.length, missing, isEnded], [0, 10, 30, true]);
  assert.equal((await outcome(none, 0.5)).failed.length, 21);
});

test("answers and scores of a pair under its former id leave the tables once they stand under the new one", async (at) => {
  const pairs = SCORED.slice(0, 2);
  const renamed = pairs.map((pair) => ({ ...pair, id: `joined_${pair.id}` }));
  const others = { ...SCORED[4]!, id: "other" };
  await score(at, fakeLanguage("m"), { pairs: [...pairs, others] });
  await score(at, fakeLanguage("m"), { pairs: renamed });
  const ids = (rows: string) => rows.trimEnd().split("\n").slice(1).map((row) => row.split(",")[1]);
  // What is of no present pair stays: nothing is lost to a file that lacks it for once.
  assert.deepEqual(ids(written(at)[0]!), [...renamed.map(({ id }) => id), "other"]);
  await evaluate(at, [fakeChat("m")], { pairs: [...pairs, others] });
  await evaluate(at, [fakeChat("m")], { pairs: renamed });
  const two = [...renamed, others].flatMap(({ id }) => [id, id]);
  assert.deepEqual(read(at).slice(1).map((row) => row.split(",")[1]), two);
  assert.deepEqual(read(at, "asked.csv").slice(1).map((row) => row.split(",")[1]), two);
});
