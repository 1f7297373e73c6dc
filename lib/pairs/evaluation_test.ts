import assert from "node:assert/strict";
import fc from "fast-check";
import type { ChatModel, Reply } from "../models/model.ts";
import type { ForcedChoiceOptions } from "./evaluation.ts";
import { forcedChoiceTemplate } from "./forced_choice.ts";
import { type At, evaluatorOf } from "./testdata/evaluate.ts";
import { fakeChat, scriptedChat } from "./testdata/fake_models.ts";
import { inFolder } from "./testdata/folder.ts";
import { madePairs } from "./testdata/norse.ts";

const PAIRS = madePairs(4);
const evaluate = evaluatorOf(PAIRS);

const read = (at: At, name: string) => Deno.readTextFileSync(at(name)).trimEnd().split("\n");
const failure: Reply = { kind: "failure", message: "429" };

Deno.test("evaluateForcedChoice() writes one row an answer, in the specification's columns", async () => {
  await inFolder(async (at) => {
    const model = scriptedChat("always-a", () => "A");
    const report = await evaluate(at, [model], { pairs: PAIRS.slice(0, 1) });
    assert.deepEqual(read(at, "results.csv"), [
      "model,pair_id,order,response,correct",
      "always-a,ON_QUIRKY_CASE_001,A_gram,A,True",
      "always-a,ON_QUIRKY_CASE_001,B_gram,A,False",
    ]);
    const done = { answered: 2, invalid: 0, kept: 0, failed: [], missing: 0 };
    const models = [{ model: "always-a", ...done }];
    assert.deepEqual(report, { ...done, models, damaged: [] });
    assert.match(model.prompts[0] ?? "", /A: Hánum líkaði þat b0\. B: Hann líkaði þat b0\. Answer/);
    assert.match(model.prompts[1] ?? "", /A: Hann líkaði þat b0\. B: Hánum líkaði þat b0\. Answer/);
  });
});

Deno.test("evaluateForcedChoice() keeps invalid answers as rows, their text in the log", async () => {
  await inFolder(async (at) => {
    const replies = ["A or B\nboth", { kind: "refusal", text: "No.\u007f" } as const];
    const model = scriptedChat("m", (call) => replies[call] ?? "A");
    const report = await evaluate(at, [model], { pairs: PAIRS.slice(0, 1) });
    assert.equal(report.invalid, 2);
    assert.deepEqual(read(at, "results.csv").slice(1), [
      "m,ON_QUIRKY_CASE_001,A_gram,INVALID,False",
      "m,ON_QUIRKY_CASE_001,B_gram,INVALID,False",
    ]);
    assert.deepEqual(read(at, "invalid.csv"), [
      "model,pair_id,order,reason,raw_json",
      'm,ON_QUIRKY_CASE_001,A_gram,both_letters,"""A or B\\nboth"""',
      'm,ON_QUIRKY_CASE_001,B_gram,refusal,"""No.\\u007f"""',
    ]);
  });
});

Deno.test("evaluateForcedChoice() writes no row for a failed call and asks it again", async () => {
  await inFolder(async (at) => {
    const flaky = scriptedChat("m", (call) => call % 3 === 1 ? failure : "B");
    const first = await evaluate(at, [flaky]);
    assert.deepEqual([first.answered, first.failed.length, first.missing], [5, 3, 3]);
    assert.deepEqual(first.failed[0], {
      model: "m",
      pairId: "ON_QUIRKY_CASE_001",
      order: "B_gram",
      message: "429",
    });
    const sound = scriptedChat("m", () => "B");
    const second = await evaluate(at, [sound]);
    assert.deepEqual([second.answered, second.kept, second.missing], [3, 5, 0]);
    assert.equal(sound.prompts.length, 3);
    const resumed = read(at, "results.csv");
    await inFolder(async (other) => {
      await evaluate(other, [scriptedChat("m", () => "B")]);
      assert.deepEqual(read(other, "results.csv"), resumed);
    });
  });
});

Deno.test("evaluateForcedChoice() asks again where the text of an invalid answer was lost", async () => {
  await inFolder(async (at) => {
    const first = await evaluate(at, [fakeChat("m")]);
    assert.ok(first.invalid > 0 && first.invalid < 8);
    const [whole, log] = [read(at, "results.csv"), read(at, "invalid.csv")];
    Deno.removeSync(at("invalid.csv"));
    assert.equal((await evaluate(at, [fakeChat("m")])).answered, first.invalid);
    assert.deepEqual([read(at, "results.csv"), read(at, "invalid.csv")], [whole, log]);
  });
});

Deno.test("evaluateForcedChoice() leaves whole lines when aborted and resumes", async () => {
  await inFolder(async (at) => {
    const abort = new AbortController();
    const report = await evaluate(at, [fakeChat("m")], {
      signal: abort.signal,
      onProgress: ({ done }) => done === 3 ? abort.abort() : undefined,
    });
    assert.deepEqual([report.answered, report.missing, report.failed], [3, 5, []]);
    assert.ok(Deno.readTextFileSync(at("results.csv")).endsWith("\n"));
    assert.equal((await evaluate(at, [fakeChat("m")])).answered, 5);
  });
});

Deno.test("evaluateForcedChoice() takes what an abort cut off for no failure, and lets errors through", async () => {
  await inFolder(async (at) => {
    const abort = new AbortController();
    const stopping = scriptedChat("m", () => {
      abort.abort();
      return failure;
    });
    const report = await evaluate(at, [stopping], { signal: abort.signal });
    assert.deepEqual([report.failed.length, report.missing], [0, 8]);
    const broken = scriptedChat("m", (call) => {
      if (call === 2) throw new TypeError("a bug");
      return "A";
    });
    await assert.rejects(() => evaluate(at, [broken]), /a bug/);
    assert.equal(read(at, "results.csv").length, 3);
  });
});

Deno.test("evaluateForcedChoice() refuses to mix settings and says how to start anew", async () => {
  await inFolder(async (at) => {
    await evaluate(at, [fakeChat("m", { file: "one", threads: 2 })]);
    const whole = read(at, "results.csv");
    const again = (settings: ChatModel["settings"], change: Partial<ForcedChoiceOptions> = {}) =>
      evaluate(at, [fakeChat("m", settings)], change);
    // Complete results may be read on a machine with other threads; nothing is added then.
    assert.equal((await again({ file: "one", threads: 8 })).kept, 8);
    await assert.rejects(again({ file: "two" }), /m .*file was "one" and is "two" now.*anew/);
    const template = forcedChoiceTemplate("Icelandic");
    await assert.rejects(again({ file: "one" }, { template }), /template/);
    await assert.rejects(again({ file: "one" }, { pairs: madePairs(5) }), /pairsSha256/);
    assert.deepEqual(read(at, "results.csv"), whole);
    Deno.writeTextFileSync(at("results.csv"), whole.slice(0, 4).join("\n") + "\n");
    await assert.rejects(again({ file: "one", threads: 8 }), /threads was 2 and is 8 now/);
    assert.equal((await again({ file: "one", threads: 2 })).answered, 5);
    Deno.removeSync(at("settings.json"));
    await assert.rejects(again({ file: "one", threads: 2 }), /no settings on record/);
  });
});

Deno.test("evaluateForcedChoice() refuses wrong columns and twin models before it asks", async () => {
  await inFolder(async (at) => {
    const model = scriptedChat("m", () => "A");
    await assert.rejects(() => evaluate(at, [model, model]), /two models are called m/);
    Deno.writeTextFileSync(at("results.csv"), "model,response\n");
    await assert.rejects(() => evaluate(at, [model]), SyntaxError);
    assert.equal(model.prompts.length, 0);
    assert.throws(() => Deno.statSync(at("settings.json")), Deno.errors.NotFound);
  });
});

Deno.test("evaluateForcedChoice() mends fuzzed results", async () => {
  await inFolder(async (at) => {
    const models = [fakeChat("a"), fakeChat("b")];
    await evaluate(at, models);
    const whole = Deno.readTextFileSync(at("results.csv"));
    const log = Deno.readTextFileSync(at("invalid.csv"));
    const start = whole.indexOf("\n") + 1;
    const junk = fc.constantFrom('"', ",", "\n", "\u0000", "True\n", "é", "a,b,c,d,e\n");
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(9), junk, async (at_, drop, text) => {
        const place = start + at_ % (whole.length - start);
        const mangled = whole.slice(0, place) + text + whole.slice(place + drop);
        Deno.writeTextFileSync(at("results.csv"), mangled);
        await evaluate(at, models);
        // Lines of a model or pair that never was stay: they may be another run's.
        const rows = read(at, "results.csv").filter((row) => whole.includes(`${row}\n`));
        assert.deepEqual(rows, whole.trimEnd().split("\n"));
        assert.equal(Deno.readTextFileSync(at("invalid.csv")), log);
      }),
      { numRuns: 100 },
    );
  });
});

Deno.test("Feature: old-norse-minimal-pairs, Property 16: consistent API settings", async () => {
  await inFolder(async (at) => {
    const temperature = fc.constantFrom(0, 0.7, 1);
    await fc.assert(
      fc.asyncProperty(fc.array(temperature, { minLength: 1, maxLength: 4 }), async (values) => {
        const models = values.map((temperature, i) => fakeChat(`m${i}`, { temperature }));
        const run = evaluate(at, models, { pairs: [] });
        if (new Set(values).size === 1) await run;
        else await assert.rejects(run, /temperature is/);
      }),
      { numRuns: 100 },
    );
    await evaluate(at, [fakeChat("earlier", { temperature: 0 })]);
    const later = evaluate(at, [fakeChat("later", { temperature: 1 })]);
    await assert.rejects(later, /later and earlier together: temperature is 1/);
    const silent: ChatModel = { ...fakeChat("m"), settings: {} };
    await assert.rejects(() => evaluate(at, [silent]), /no temperature/);
  });
});
