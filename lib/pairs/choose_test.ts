import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { type ChatModel, ModelUnavailable, type Reply } from "../models/model.ts";
import { readSettings } from "./asked.ts";
import type { ForcedChoiceOptions } from "./choose.ts";
import { counterbalancedOrders, forcedChoiceTemplate } from "./forced_choice.ts";
import { type At, evaluatorOf } from "./testdata/evaluate.ts";
import { fakeChat, scriptedChat } from "./testdata/fake_models.ts";
import { inFolder, test } from "./testdata/folder.ts";
import { madePairs } from "./testdata/norse.ts";

const PAIRS = madePairs(4);
const evaluate = evaluatorOf(PAIRS);
const read = (at: At, name: string) => Deno.readTextFileSync(at(name)).trimEnd().split("\n");
const failure: Reply = { kind: "failure", message: "429" };

test("evaluateForcedChoice() writes one row an answer, in the specification's columns", async (at) => {
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

test("evaluateForcedChoice() keeps invalid answers as rows, their text in the log", async (at) => {
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

test("evaluateForcedChoice() writes no row for a failed call and asks it again", async (at) => {
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

test("evaluateForcedChoice() asks again where the text of an invalid answer was lost", async (at) => {
  const first = await evaluate(at, [fakeChat("m")]);
  assert.ok(first.invalid > 0 && first.invalid < 8);
  const [whole, log] = [read(at, "results.csv"), read(at, "invalid.csv")];
  Deno.removeSync(at("invalid.csv"));
  assert.equal((await evaluate(at, [fakeChat("m")])).answered, first.invalid);
  assert.deepEqual([read(at, "results.csv"), read(at, "invalid.csv")], [whole, log]);
});

test("evaluateForcedChoice() takes what an abort cut off for no failure", async (at) => {
  const abort = new AbortController();
  const stopping = scriptedChat("m", () => {
    abort.abort();
    return failure;
  });
  const report = await evaluate(at, [stopping], { signal: abort.signal });
  assert.deepEqual([report.failed.length, report.missing], [0, 8]);
});

test("evaluateForcedChoice() asks anew what another question, or another setting, was asked of", async (at) => {
  await evaluate(at, [fakeChat("m", { file: "one", threads: 2 })]);
  const again = (settings: ChatModel["settings"], change: Partial<ForcedChoiceOptions> = {}) =>
    evaluate(at, [fakeChat("m", settings)], change);
  // What belongs to the machine is no part of the question.
  assert.equal((await again({ file: "one", threads: 8, engine: "another" })).kept, 8);
  assert.equal((await again({ file: "two" })).answered, 8);
  assert.equal((await again({ file: "two" })).kept, 8);
  const template = forcedChoiceTemplate("Icelandic");
  assert.equal((await again({ file: "two" }, { template })).answered, 8);
  const five = await again({ file: "two" }, { template, pairs: madePairs(5) });
  assert.deepEqual([five.kept, five.answered], [8, 2]);
  assert.equal(read(at, "results.csv").length, 11);
  assert.equal(read(at, "asked.csv").length, 11);
});

test("evaluateForcedChoice() puts an answer under the number that its pair has now, and asks nobody", async (at) => {
  await evaluate(at, [fakeChat("m")]);
  const renumbered = PAIRS.map((pair, index) => ({ ...pair, id: PAIRS[(index + 1) % 4]!.id }));
  const silent = scriptedChat("m", () => {
    throw new Error("asked");
  });
  const report = await evaluate(at, [silent], { pairs: renumbered });
  assert.deepEqual([report.kept, report.answered], [8, 0]);
  await inFolder(async (other) => {
    await evaluate(other, [fakeChat("m")], { pairs: renumbered });
    for (const name of ["results.csv", "invalid.csv", "asked.csv"]) {
      assert.deepEqual(read(at, name), read(other, name), name);
    }
  });
});

test("evaluateForcedChoice() refuses wrong columns and twin models before it asks", async (at) => {
  const model = scriptedChat("m", () => "A");
  await assert.rejects(() => evaluate(at, [model, model]), /two models are called m/);
  Deno.writeTextFileSync(at("results.csv"), "model,response\n");
  await assert.rejects(() => evaluate(at, [model]), SyntaxError);
  assert.equal(model.prompts.length, 0);
  assert.throws(() => Deno.statSync(at("settings.json")), Deno.errors.NotFound);
});

test("evaluateForcedChoice() mends fuzzed results", async (at) => {
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

test("Feature: old-norse-minimal-pairs, Property 16: consistent API settings", async (at) => {
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
  const silent: ChatModel = { ...fakeChat("m"), settings: {} };
  await assert.rejects(() => evaluate(at, [silent]), /no temperature/);
});

/** The pairs of a panel's run. */
const PANEL_PAIRS = madePairs(12);
const NAMES = ["openai/gpt-oss-120b", "openai/gpt-oss-20b", "llama-4", "llama-3.3"];
const evaluatePanel = evaluatorOf(PANEL_PAIRS);

const files = (at: At) =>
  ["results.csv", "invalid.csv", "asked.csv", "settings.json"].map((name) =>
    Deno.readTextFileSync(at(name))
  );

/** What an uninterrupted run leaves, asked one call after the other. */
async function wholeRun(pairs = PANEL_PAIRS): Promise<readonly string[]> {
  let whole: readonly string[] = [];
  await inFolder(async (at) => {
    await evaluatePanel(at, NAMES.map((name) => fakeChat(name)), { pairs });
    whole = files(at);
  });
  return whole;
}

/** The same answers, but later: so many turns of the event queue as `delay` says for each call. */
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

Deno.test("Feature: hosted models, many calls in flight: whatever the order of arrival, the bytes are those of one call after the other", async () => {
  const pairs = PANEL_PAIRS.slice(0, 4);
  const whole = await wholeRun(pairs);
  const delays = fc.array(fc.nat(9), { minLength: 7, maxLength: 7 });
  await inFolder(async (at) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(delays, fc.integer({ min: 1, max: 32 }), async (delays, concurrency) => {
        const own = at(`${run++}`);
        Deno.mkdirSync(own);
        const within = (name: string) => `${own}/${name}`;
        const delay = (call: number) => delays[call % delays.length]!;
        await evaluatePanel(within, NAMES.map((name) => slowChat(name, concurrency, delay)), {
          pairs,
        });
        assert.deepEqual(files(within), whole);
      }),
      { numRuns: 100 },
    );
  });
});

test("evaluateForcedChoice() ends the part of a model that is not to be had, and no other's", async (at) => {
  const gone = scriptedChat("gone", () => {
    throw new ModelUnavailable("withdrawn", "gone");
  });
  const { models } = await evaluatePanel(at, [gone, fakeChat("there")]);
  assert.deepEqual(
    models.map(({ model, answered, missing, ended }) => [
      ...[model, answered, missing],
      ended?.message,
    ]),
    [["gone", 0, 24, "withdrawn"], ["there", 24, 0, undefined]],
  );
  assert.equal(gone.prompts.length, 0);
});

test("evaluateForcedChoice() records the settings of a model with its first answer, before the row", async (at) => {
  const gone = scriptedChat("gone", () => {
    throw new ModelUnavailable("withdrawn", "gone");
  });
  await evaluatePanel(at, [gone]);
  assert.equal(existsSync(at("settings.json")), false);
  await evaluatePanel(at, [gone, fakeChat("second")]);
  const records = Object.values(readSettings(at("settings.json")));
  assert.deepEqual(records.map(({ model }) => model), ["second"]);
});
await inFolder(async (at) => {
  // Nobody can write a file where a folder came to stand: no record, and so no row.
  const meddling = scriptedChat("m", () => {
    Deno.mkdirSync(at("settings.json"), { recursive: true });
    return "A";
  });
  await assert.rejects(evaluatePanel(at, [meddling]));
  assert.doesNotMatch(Deno.readTextFileSync(at("results.csv")), /^m,/m);
});

test("evaluateForcedChoice() asks a model no more after ten failures in a row", async (at) => {
  const failure: Reply = { kind: "failure", message: "500." };
  const broken = scriptedChat("broken", () => failure);
  const shaky = scriptedChat("shaky", (call) => call % 10 < 9 ? failure : "A");
  const { models: [first, second] } = await evaluatePanel(at, [broken, shaky]);
  assert.equal(broken.prompts.length, 10);
  assert.deepEqual([first?.failed.length, first?.missing, first?.ended?.kind], [
    10,
    24,
    "failing",
  ]);
  assert.match(first?.ended?.message ?? "", /^10 calls in a row failed.*500\..*run again\.$/);
  assert.deepEqual([shaky.prompts.length, second?.answered, second?.ended], [24, 2, undefined]);
});

test("evaluateForcedChoice() cuts the others' calls off where one model's error is no answer", async (at) => {
  const cut: string[] = [];
  const patient: ChatModel = {
    ...fakeChat("patient"),
    concurrency: 3,
    ask: (_, { signal } = {}) =>
      new Promise((_, reject) =>
        signal?.addEventListener("abort", () => {
          cut.push("cut");
          reject(signal.reason);
        })
      ),
  };
  const broken = scriptedChat("broken", (call) => {
    if (call === 2) throw new TypeError("a bug");
    return "A";
  });
  await assert.rejects(() => evaluatePanel(at, [patient, broken]), /a bug/);
  assert.equal(cut.length, 3);
  const [results = ""] = files(at);
  assert.deepEqual(results.trimEnd().split("\n").length, 3); // header, two rows of "broken"
});

test("evaluateForcedChoice() stops at once on an abort with many calls in flight", async (at) => {
  const abort = new AbortController();
  const answering = fakeChat("m");
  // Answers about the first pair at once, about all others never.
  const model: ChatModel = {
    ...answering,
    concurrency: 5,
    ask: (prompt, { signal } = {}) =>
      prompt.includes("b0.") ? answering.ask(prompt) : new Promise((_, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
      }),
  };
  const onProgress = ({ done }: { readonly done: number }) => done === 2 ? abort.abort() : 0;
  const report = await evaluatePanel(at, [model], { signal: abort.signal, onProgress });
  assert.deepEqual([report.answered, report.failed.length, report.missing], [2, 0, 22]);
});

Deno.test("evaluateForcedChoice() asks one order a pair where told, and completes both later", async () => {
  const whole = await wholeRun();
  await inFolder(async (at) => {
    const orders = counterbalancedOrders(PANEL_PAIRS, 1);
    const models = NAMES.map((name) => fakeChat(name));
    const first = await evaluatePanel(at, models, { orders });
    assert.deepEqual([first.answered, first.missing], [48, 0]);
    const [half = ""] = files(at);
    assert.ok(half.split("\n").every((line) => whole[0]?.includes(`${line}\n`) || line === ""));
    const second = await evaluatePanel(at, models);
    assert.deepEqual([second.kept, second.answered, second.missing], [48, 48, 0]);
    assert.deepEqual(files(at), whole);
  });
});
