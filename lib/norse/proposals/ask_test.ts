import assert from "node:assert/strict";
import { join } from "node:path";
import fc from "fast-check";
import { readSentences } from "../acquisition.ts";
import { NORSE_PATHS } from "../paths.ts";
import { openRuleBook } from "../rule_book.ts";
import { askForProposals, type AskOptions } from "./ask.ts";
import { openConfirmation } from "./confirmation.ts";
import { readPromptTemplates } from "./prompts.ts";
import { planQuestions } from "./questions.ts";
import { proposalKey, readProposals } from "./record.ts";
import { proposingModel, type ProposingOptions, trueAnswer } from "./testdata/proposing_model.ts";

const sentences = readSentences(NORSE_PATHS.sentences).slice(0, 60);
const rules = openRuleBook(sentences);
const templates = readPromptTemplates();
const plan = planQuestions(sentences, 1);
const questions = Object.values(plan).reduce((sum, list) => sum + list.length, 0);
const EVERYTHING = { QUIRKY_CASE: 999, ADJECTIVE: 999, UMLAUT: 999, MIDDLE_VOICE: 999 };

/** A run into a fresh folder, or on with the file of an earlier one. */
async function withFile<T>(body: (path: string) => Promise<T>): Promise<T> {
  const folder = Deno.makeTempDirSync({ prefix: "proposals-" });
  try {
    return await body(join(folder, "proposals.jsonl"));
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const modelOf = (options: Partial<ProposingOptions> = {}) =>
  proposingModel({
    sentences,
    templates,
    answer: (sentence, phenomenon) => trueAnswer(sentence, phenomenon, rules),
    ...options,
  });

function run(path: string, options: Partial<AskOptions> = {}, wanted = EVERYTHING) {
  const progress = openConfirmation(sentences, rules, wanted);
  return askForProposals({ model: modelOf(), templates, plan, path, progress, ...options });
}

Deno.test("askForProposals() asks every question once and keeps every answer", async () => {
  await withFile(async (path) => {
    const report = await run(path, { model: modelOf({ concurrency: 8 }) });
    assert.deepEqual(report, { answered: questions, kept: 0, failed: [], remaining: 0 });
    const { records, damaged } = readProposals(path);
    assert.equal(damaged.length, 0);
    assert.equal(new Set(records.map(proposalKey)).size, questions);
    const again = modelOf();
    const resumed = await run(path, { model: again });
    assert.deepEqual(resumed, { answered: 0, kept: questions, failed: [], remaining: 0 });
    assert.equal(again.prompts.length, 0);
  });
});

Deno.test("askForProposals() asks no more of a phenomenon that has enough", async () => {
  await withFile(async (path) => {
    const wanted = { QUIRKY_CASE: 0, ADJECTIVE: 0, UMLAUT: 3, MIDDLE_VOICE: 0 };
    const report = await run(path, {}, wanted);
    const { records } = readProposals(path);
    assert.equal(report.remaining, 0);
    assert.ok(records.every(({ phenomenon }) => phenomenon === "UMLAUT"));
    assert.ok(records.length < plan.UMLAUT.length);
    const confirmation = openConfirmation(sentences, rules, wanted);
    for (const record of records) confirmation.record(record);
    assert.ok(confirmation.isEnough("UMLAUT"));
    assert.match(confirmation.describe(), /answers, confirmed: 0 QUIRKY_CASE.* 3 UMLAUT/);
  });
});

Deno.test("askForProposals() keeps to a limit of calls", async () => {
  await withFile(async (path) => {
    const model = modelOf({ concurrency: 4 });
    const report = await run(path, { model, limit: 10 });
    assert.equal(model.prompts.length, 10);
    assert.equal(report.answered, 10);
    assert.equal(report.remaining, questions - 10);
    assert.equal((await run(path, { limit: 0 })).answered, 0);
  });
});

Deno.test("askForProposals() ends with everything kept when the model is not to be had", async () => {
  await withFile(async (path) => {
    const returns = new Date("2026-11-23T00:00:00Z");
    const model = modelOf({ concurrency: 3, callsUntilUnavailable: 7, returns });
    const report = await run(path, { model });
    assert.deepEqual(report.ended, { message: "no available keys remain", returns });
    assert.equal(report.answered, 7);
    assert.equal(report.remaining, questions - 7);
    assert.equal(readProposals(path).records.length, 7);
  });
});

Deno.test("askForProposals() leaves no line for a failure and gives up after ten in a row", async () => {
  await withFile(async (path) => {
    const failure = { kind: "failure", message: "HTTP 500" } as const;
    const flaky = modelOf({ answer: (_, __, call) => call === 2 ? failure : "none" });
    const once = await run(path, { model: flaky });
    assert.deepEqual(once.failed, ["HTTP 500"]);
    assert.equal(once.answered, questions - 1);
    assert.equal(once.remaining, 1);
    assert.equal((await run(path)).answered, 1);
  });
  await withFile(async (path) => {
    const report = await run(path, {
      model: modelOf({ answer: () => ({ kind: "failure", message: "HTTP 500" }) }),
    });
    assert.equal(report.failed.length, 10);
    assert.match(report.ended!.message, /10 calls in a row failed, the last one: HTTP 500/);
    assert.equal(report.remaining, questions);
  });
});

Deno.test("askForProposals() stops at once on an abort, and an answer under way is not lost", async () => {
  await withFile(async (path) => {
    const controller = new AbortController();
    const model = modelOf({
      answer: (_, __, call) => {
        if (call === 5) controller.abort();
        return "none";
      },
    });
    const report = await run(path, { model, signal: controller.signal });
    assert.equal(report.answered, 5);
    assert.equal(report.remaining, questions - 5);
    assert.equal((await run(path)).answered, questions - 5);
  });
});

Deno.test("askForProposals() asks nothing more when the file cannot be written, and awaits the rest", async () => {
  await withFile(async (path) => {
    const [model, full] = [
      modelOf({ concurrency: 4 }),
      openConfirmation(sentences, rules, EVERYTHING),
    ];
    let [begun, ended] = [0, 0];
    const counted = {
      ...{ name: model.name, settings: model.settings, concurrency: 4 },
      ask: async (prompt: string) => {
        begun += 1;
        const reply = await model.ask(prompt, {});
        for (let turn = 0; turn < begun; turn++) await Promise.resolve();
        ended += 1;
        return reply;
      },
    };
    const progress = {
      isEnough: full.isEnough,
      record: () => {
        throw new Deno.errors.PermissionDenied("disk full");
      },
    };
    await assert.rejects(run(path, { model: counted, progress }), /disk full/);
    assert.deepEqual([begun, ended], [4, 4]);
    // Each of the four that were under way is in the file.
    assert.equal(readProposals(path).records.length, 4);
  });
});

Deno.test("proposals: a file cut anywhere is resumed with nothing lost and nothing doubled", async () => {
  const few = { plan: planQuestions(sentences.slice(0, 8), 1) };
  await withFile(async (path) => {
    await run(path, few);
    const whole = Deno.readFileSync(path);
    const keys = new Set(readProposals(path).records.map(proposalKey));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length }), async (cut) => {
        Deno.writeFileSync(path, whole.subarray(0, cut));
        const kept = readProposals(path).records.length;
        const report = await run(path, few);
        assert.equal(report.answered, keys.size - kept);
        assert.deepEqual(new Set(readProposals(path).records.map(proposalKey)), keys);
        assert.equal(readProposals(path).records.length, keys.size);
      }),
      { numRuns: 100 },
    );
  });
});
