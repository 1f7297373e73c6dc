import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import fc from "fast-check";
import { type ChatModel, ModelUnavailable, type Reply } from "../models/model.ts";
import { counterbalancedOrders } from "./order_plan.ts";
import { type At, evaluatorOf } from "./testdata/evaluate.ts";
import { fakeChat, scriptedChat } from "./testdata/fake_models.ts";
import { inFolder } from "./testdata/folder.ts";
import { madePairs } from "./testdata/norse.ts";

const PAIRS = madePairs(12);
const NAMES = ["openai/gpt-oss-120b", "openai/gpt-oss-20b", "llama-4", "llama-3.3"];
const evaluate = evaluatorOf(PAIRS);

const files = (at: At) =>
  ["results.csv", "invalid.csv", "settings.json"].map((name) => Deno.readTextFileSync(at(name)));

/** What an uninterrupted run leaves, asked one call after the other. */
async function wholeRun(pairs = PAIRS): Promise<readonly string[]> {
  let whole: readonly string[] = [];
  await inFolder(async (at) => {
    await evaluate(at, NAMES.map((name) => fakeChat(name)), { pairs });
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

/** A model that answers so many calls a day and then has no key left. */
function dailyChat(name: string, quota: number, returns: Date): ChatModel {
  const model = fakeChat(name);
  let left = quota;
  return {
    ...model,
    concurrency: 4,
    ask: (prompt) => {
      if (left-- > 0) return model.ask(prompt);
      throw new ModelUnavailable("no available keys remain", name, returns);
    },
  };
}

Deno.test("Feature: hosted models, many calls in flight: whatever the order of arrival, the bytes are those of one call after the other", async () => {
  const pairs = PAIRS.slice(0, 4);
  const whole = await wholeRun(pairs);
  const delays = fc.array(fc.nat(9), { minLength: 7, maxLength: 7 });
  await inFolder(async (_, folder) => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(delays, fc.integer({ min: 1, max: 32 }), async (delays, concurrency) => {
        const at = (name: string) => `${folder}/${run}-${name}`;
        run += 1;
        const delay = (call: number) => delays[call % delays.length]!;
        await evaluate(at, NAMES.map((name) => slowChat(name, concurrency, delay)), { pairs });
        assert.deepEqual(files(at), whole);
      }),
      { numRuns: 100 },
    );
  });
});

Deno.test("evaluateForcedChoice() finishes a panel of four over three days of quota by resuming", async () => {
  const whole = await wholeRun();
  await inFolder(async (at) => {
    const seen = [];
    for (const day of [1, 2, 3]) {
      const returns = new Date(Date.UTC(2026, 0, day + 1));
      const report = await evaluate(at, NAMES.map((name, i) => dailyChat(name, 8 + i, returns)));
      seen.push(report.models.map(({ answered, missing }) => [answered, missing]));
      for (const { ended, missing, failed } of report.models) {
        assert.deepEqual(failed, []);
        assert.deepEqual(
          ended,
          missing === 0
            ? undefined
            : { kind: "unavailable", message: "no available keys remain", returns },
        );
      }
    }
    assert.deepEqual(seen, [
      [[8, 16], [9, 15], [10, 14], [11, 13]],
      [[8, 8], [9, 6], [10, 4], [11, 2]],
      [[8, 0], [6, 0], [4, 0], [2, 0]],
    ]);
    assert.deepEqual(files(at), whole);
  });
});

Deno.test("evaluateForcedChoice() ends the part of a model that is not to be had, and no other's", async () => {
  await inFolder(async (at) => {
    const gone = scriptedChat("gone", () => {
      throw new ModelUnavailable("withdrawn", "gone");
    });
    const { models } = await evaluate(at, [gone, fakeChat("there")]);
    assert.deepEqual(
      models.map(({ model, answered, missing, ended }) => [
        ...[model, answered, missing],
        ended?.message,
      ]),
      [["gone", 0, 24, "withdrawn"], ["there", 24, 0, undefined]],
    );
    assert.equal(gone.prompts.length, 0);
  });
});

Deno.test("evaluateForcedChoice() records the settings of a model with its first answer, before the row", async () => {
  await inFolder(async (at) => {
    const gone = scriptedChat("gone", () => {
      throw new ModelUnavailable("withdrawn", "gone");
    });
    await evaluate(at, [gone]);
    const there = () => existsSync(at("settings.json"));
    assert.equal(there(), false);
    await evaluate(at, [fakeChat("first")]);
    const before = Deno.readTextFileSync(at("settings.json"));
    await evaluate(at, [gone]);
    assert.equal(Deno.readTextFileSync(at("settings.json")), before);
    await evaluate(at, [gone, fakeChat("second")]);
    const models = Object.keys(JSON.parse(Deno.readTextFileSync(at("settings.json"))));
    assert.deepEqual(models, ["first", "second"]);
  });
  await inFolder(async (at) => {
    // Nobody can write a file where a folder came to stand: no record, and so no row.
    const meddling = scriptedChat("m", () => {
      Deno.mkdirSync(at("settings.json"), { recursive: true });
      return "A";
    });
    await assert.rejects(evaluate(at, [meddling]));
    assert.doesNotMatch(Deno.readTextFileSync(at("results.csv")), /^m,/m);
  });
});

Deno.test("evaluateForcedChoice() asks a model no more after ten failures in a row", async () => {
  await inFolder(async (at) => {
    const failure: Reply = { kind: "failure", message: "500." };
    const broken = scriptedChat("broken", () => failure);
    const shaky = scriptedChat("shaky", (call) => call % 10 < 9 ? failure : "A");
    const { models: [first, second] } = await evaluate(at, [broken, shaky]);
    assert.equal(broken.prompts.length, 10);
    assert.deepEqual([first?.failed.length, first?.missing, first?.ended?.kind], [
      10,
      24,
      "failing",
    ]);
    assert.match(first?.ended?.message ?? "", /^10 calls in a row failed.*500\..*run again\.$/);
    assert.deepEqual([shaky.prompts.length, second?.answered, second?.ended], [24, 2, undefined]);
  });
});

Deno.test("evaluateForcedChoice() cuts the others' calls off where one model's error is no answer", async () => {
  await inFolder(async (at) => {
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
    await assert.rejects(() => evaluate(at, [patient, broken]), /a bug/);
    assert.equal(cut.length, 3);
    const [results = ""] = files(at);
    assert.deepEqual(results.trimEnd().split("\n").length, 3); // header, two rows of "broken"
  });
});

Deno.test("evaluateForcedChoice() stops at once on an abort with many calls in flight", async () => {
  await inFolder(async (at) => {
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
    const report = await evaluate(at, [model], { signal: abort.signal, onProgress });
    assert.deepEqual([report.answered, report.failed.length, report.missing], [2, 0, 22]);
  });
});

Deno.test("evaluateForcedChoice() asks one order a pair where told, and completes both later", async () => {
  const whole = await wholeRun();
  await inFolder(async (at) => {
    const orders = counterbalancedOrders(PAIRS, 1);
    const models = NAMES.map((name) => fakeChat(name));
    const first = await evaluate(at, models, { orders });
    assert.deepEqual([first.answered, first.missing], [48, 0]);
    const [half = ""] = files(at);
    assert.ok(half.split("\n").every((line) => whole[0]?.includes(`${line}\n`) || line === ""));
    const second = await evaluate(at, models);
    assert.deepEqual([second.kept, second.answered, second.missing], [48, 48, 0]);
    assert.deepEqual(files(at), whole);
  });
});

Deno.test("evaluateForcedChoice() compares settings of generation with the same panel's models only", async () => {
  await inFolder(async (at) => {
    await evaluate(at, [fakeChat("local", { maxReplyTokens: 10 })]);
    const hosted = [fakeChat("hosted", { maxReplyTokens: 1024 })];
    await assert.rejects(evaluate(at, hosted), /hosted and local together: maxReplyTokens is 1024/);
    assert.equal((await evaluate(at, hosted, { comparedWith: ["hosted", "b"] })).answered, 24);
    const later = evaluate(at, [fakeChat("b", { maxReplyTokens: 9 })], {
      comparedWith: ["hosted", "b"],
    });
    await assert.rejects(later, /b and hosted together: maxReplyTokens is 9/);
  });
});
