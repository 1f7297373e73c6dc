import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { inFolder } from "../files/testdata/folder.ts";
import { startStandInServer } from "../models/hosted/testdata/stand_in/server.ts";
import { readPanel } from "../pairs/panels.ts";
import { lockAnswers } from "../pairs/study.ts";
import { locate } from "./candidate.ts";
import { findCandidates, openRuleBook } from "./candidates.ts";
import { PROPOSER, readGenerationSettings, readNorseDataset } from "./dataset.ts";
import { SENTENCES } from "./dataset_tables.ts";
import { formatPrompt, proposalKey, readPromptTemplates, readProposals } from "./proposals.ts";
import {
  askForProposals,
  mayShow,
  planQuestions,
  planWork,
  runGeneration,
  type RunWorld,
  spreadOut,
} from "./propose.ts";
import { PHENOMENA } from "./rules.ts";
import { NORSE_PATHS } from "./study.ts";
import { proposingModel, type ProposingOptions, trueAnswer } from "./testdata/proposing_model.ts";
import { tablesIn } from "./testdata/tables.ts";

const saga = SENTENCES.read();
const templates = readPromptTemplates();

Deno.test("spreadOut() covers the list ever more closely: halves, quarters, eighths", () => {
  // Bit-reversed 0 … 7 is 0 4 2 6 1 5 3 7; the seed only turns it.
  const order = spreadOut([0, 1, 2, 3, 4, 5, 6, 7], 1);
  const first = order[0]!;
  assert.deepEqual(order.map((n) => (n - first + 8) % 8), [0, 4, 2, 6, 1, 5, 3, 7]);
  const begins = [1, 2, 3, 4, 5, 6].map((seed) => spreadOut([0, 1, 2, 3, 4, 5, 6, 7], seed)[0]);
  assert.ok(new Set(begins).size > 1, begins.join());
  assert.deepEqual(spreadOut([], 1), []);
  assert.deepEqual(spreadOut(["a"], 1), ["a"]);
});

Deno.test("spreadOut() loses and doubles nothing, and every beginning is even", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.integer(), (n, seed) => {
      const order = spreadOut(Array.from({ length: n }, (_, i) => i), seed);
      assert.deepEqual(order.toSorted((a, b) => a - b), order.map((_, i) => i));
      // No stretch of a quarter of the list is left out by the first sixteenth of twice its size.
      const asked = order.slice(0, Math.ceil(n / 2));
      for (let start = 0; start + 8 <= n; start++) {
        assert.ok(asked.some((i) => i >= start && i < start + 8), `${start} of ${n}`);
      }
    }),
    { numRuns: 100 },
  );
});

Deno.test("planQuestions() asks only where the phenomenon can show, each sentence once", () => {
  const plan = planQuestions(saga, 1);
  assert.ok(plan.UMLAUT.every(({ normalised }) => /ǫ/iu.test(normalised)));
  assert.ok(plan.MIDDLE_VOICE.every(({ normalised }) => /[sz]k(?!\p{L})/u.test(normalised)));
  for (const phenomenon of PHENOMENA) {
    const ids = plan[phenomenon].map(({ id }) => id);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.length < saga.length);
  }
  assert.deepEqual(planQuestions(saga, 1), plan);
});

Deno.test("mayShow() leaves out hardly a sentence in which the rules find a pair", () => {
  const byPlace = new Map(saga.map((s) => [JSON.stringify(locate(s)), s]));
  const { certified } = findCandidates(saga);
  const missed = certified.filter(({ pair, certificate }) =>
    !mayShow(pair.phenomenon, byPlace.get(JSON.stringify(certificate.source))!)
  );
  assert.ok(missed.length <= 0.01 * certified.length, `${missed.length} of ${certified.length}`);
});

const sentences = saga.slice(10, 40);
const rules = openRuleBook(sentences);
const QUESTIONS = Object.values(planQuestions(sentences, 1)).flat().length;
const EVERYTHING = { QUIRKY_CASE: 999, ADJECTIVE: 999, UMLAUT: 999, MIDDLE_VOICE: 999 };

/** A run into a fresh folder, or on with the file of an earlier one. */
const withFile = (body: (path: string) => Promise<void>) =>
  inFolder((folder) => body(join(folder, "proposals.jsonl")));

const modelOf = (options: Partial<ProposingOptions> = {}) =>
  proposingModel({
    sentences,
    templates,
    answer: (sentence, phenomenon) => trueAnswer(sentence, phenomenon, rules),
    ...options,
  });

const ask = (path: string, options: Partial<Parameters<typeof askForProposals>[0]> = {}) =>
  askForProposals({
    model: modelOf(),
    work: planWork(sentences, templates, EVERYTHING),
    path,
    ...options,
  });

Deno.test("askForProposals() asks every question once and keeps every answer", () =>
  withFile(async (path) => {
    const report = await ask(path, { model: modelOf({ concurrency: 8 }) });
    assert.deepEqual(report, { answered: QUESTIONS, kept: 0, failed: [], remaining: 0 });
    assert.equal(new Set(readProposals(path).map(proposalKey)).size, QUESTIONS);
    const again = modelOf();
    const resumed = await ask(path, { model: again });
    assert.deepEqual(resumed, { answered: 0, kept: QUESTIONS, failed: [], remaining: 0 });
    assert.equal(again.prompts.length, 0);
  }));

Deno.test("askForProposals() asks no more of a phenomenon that has enough", () =>
  withFile(async (path) => {
    const wanted = { QUIRKY_CASE: 0, ADJECTIVE: 0, UMLAUT: 1, MIDDLE_VOICE: 0 };
    const work = planWork(sentences, templates, wanted);
    assert.equal((await ask(path, { work })).remaining, 0);
    const records = readProposals(path);
    assert.ok(records.every(({ phenomenon }) => phenomenon === "UMLAUT"));
    assert.match(work.describe(), /answers, confirmed: 0 QUIRKY_CASE.* [1-9]\d* UMLAUT/);
  }));

Deno.test("askForProposals() keeps to a limit of calls", () =>
  withFile(async (path) => {
    const model = modelOf({ concurrency: 4 });
    const report = await ask(path, { model, limit: 10 });
    assert.equal(model.prompts.length, 10);
    assert.deepEqual([report.answered, report.remaining], [10, QUESTIONS - 10]);
    assert.equal((await ask(path, { limit: 0 })).answered, 0);
  }));

Deno.test("askForProposals() ends with everything kept when the model is not to be had", () =>
  withFile(async (path) => {
    const returns = new Date("2026-11-23T00:00:00Z");
    const model = modelOf({ concurrency: 3, callsUntilUnavailable: 7, returns });
    const report = await ask(path, { model });
    assert.deepEqual(report.ended, { message: "no available keys remain", returns });
    assert.deepEqual([report.answered, report.remaining], [7, QUESTIONS - 7]);
    assert.equal(readProposals(path).length, 7);
  }));

const FAILURE = { kind: "failure", message: "HTTP 500" } as const;

Deno.test("askForProposals() leaves no line for a failure and asks it again the next time", () =>
  withFile(async (path) => {
    const flaky = modelOf({ answer: (_, __, call) => call === 2 ? FAILURE : "none" });
    const report = await ask(path, { model: flaky });
    assert.deepEqual(report.failed, ["HTTP 500"]);
    assert.deepEqual([report.answered, report.remaining], [QUESTIONS - 1, 1]);
    assert.equal((await ask(path)).answered, 1);
  }));

Deno.test("askForProposals() gives up after ten failures in a row", () =>
  withFile(async (path) => {
    const report = await ask(path, { model: modelOf({ answer: () => FAILURE }) });
    assert.equal(report.failed.length, 10);
    assert.match(report.ended!.message, /10 calls in a row failed, the last one: HTTP 500/);
    assert.equal(report.remaining, QUESTIONS);
  }));

Deno.test("askForProposals() stops at once on an abort, with what was answered kept", () =>
  withFile(async (path) => {
    const controller = new AbortController();
    const model = modelOf({
      answer: (_, __, call) => {
        if (call === 5) controller.abort();
        return "none";
      },
    });
    const report = await ask(path, { model, signal: controller.signal });
    assert.deepEqual([report.answered, report.remaining], [4, QUESTIONS - 4]);
    assert.equal((await ask(path)).answered, QUESTIONS - 4);
  }));

Deno.test("askForProposals() throws on what is no failure of the model, and awaits the rest", () =>
  withFile(async (path) => {
    const model = modelOf({ concurrency: 4 });
    const onAnswer = () => {
      throw new Deno.errors.PermissionDenied("disk full");
    };
    await assert.rejects(ask(path, { model, onAnswer }), /disk full/);
    assert.equal(readProposals(path).length, model.prompts.length);
  }));

Deno.test("proposals: a file cut anywhere is resumed with nothing lost and nothing doubled", () =>
  withFile(async (path) => {
    const work = () => planWork(sentences.slice(0, 6), templates, EVERYTHING);
    await ask(path, { work: work() });
    const whole = Deno.readFileSync(path);
    const keys = new Set(readProposals(path).map(proposalKey));
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: whole.length }), async (cut) => {
        Deno.writeFileSync(path, whole.subarray(0, cut));
        const kept = readProposals(path).length;
        assert.equal((await ask(path, { work: work() })).answered, keys.size - kept);
        const records = readProposals(path);
        assert.deepEqual(new Set(records.map(proposalKey)), keys);
        assert.equal(records.length, keys.size);
      }),
      { numRuns: 100 },
    );
  }));

const ANSWERS = new Map(sentences.flatMap((sentence) =>
  PHENOMENA.map((phenomenon) =>
    [
      formatPrompt(templates, { phenomenon, sentence }),
      trueAnswer(sentence, phenomenon, rules),
    ] as const
  )
));
const answer = ({ prompt }: { readonly prompt: string }) => ANSWERS.get(prompt) ?? "?";
const DAILY = { kind: "rate limit", quota: "TPD", tryAgainIn: "9h0m0s" } as const;

/** A world in a folder of its own; with a server, a key stands in its `.env`. */
const inWorld = (
  server: ReturnType<typeof startStandInServer> | undefined,
  body: (world: RunWorld, lines: string[]) => Promise<void>,
) =>
  inFolder((folder) => {
    const at = (name: string) => join(folder, name);
    if (server) Deno.writeTextFileSync(at(".env"), `GROQ_API_KEY_1=gsk_test_${"k".repeat(20)}\n`);
    const lines: string[] = [];
    const standIn = server && { baseUrl: server.baseUrl, calls: { backoffSeconds: 0.001 } };
    return body({
      sentences,
      templates,
      panel: readPanel(NORSE_PATHS.hostedPanel, NORSE_PATHS.project),
      connection: { env: at(".env"), usage: at("usage.json"), ...(standIn ? { standIn } : {}) },
      tables: tablesIn(folder),
      paths: {
        generation: at("generation.json"),
        proposals: at("proposals.jsonl"),
        proposalsLock: at("proposals.lock"),
        answersLock: at("answers.lock"),
      },
      print: (line) => void lines.push(line),
      status: { write: () => {}, terminal: false, now: () => 0 },
    }, lines);
  });

const proposers = (world: RunWorld) =>
  new Set(readNorseDataset(world.tables).map(({ certificate }) => certificate.proposedBy));

Deno.test("runGeneration() without a key asks nothing and takes what is on record: the rules", async () => {
  await inWorld(undefined, async (world, lines) => {
    assert.equal(await runGeneration({}, world), "complete");
    assert.match(lines[0]!, /No model is asked: .*GROQ_API_KEY_1/);
    assert.deepEqual(proposers(world), new Set(["rules"]));
    assert.equal(readGenerationSettings(world.paths.generation).source, "rules");
    assert.equal(existsSync(world.paths.proposals), false);
    await assert.rejects(runGeneration({ source: "both" }, world), /Cannot ask .*--limit 0/s);
    const before = Deno.readTextFileSync(world.tables!.pairs.path);
    const settings = Deno.readTextFileSync(world.paths.generation);
    for (const source of ["llm", "both"] as const) {
      lines.length = 0;
      assert.equal(await runGeneration({ source, limit: 0 }, world), "incomplete");
      assert.match(lines.at(-1)!, /stays as it is: of 0 answers on record none is confirmed/);
      assert.equal(Deno.readTextFileSync(world.tables!.pairs.path), before);
      assert.equal(Deno.readTextFileSync(world.paths.generation), settings);
    }
  });
});

Deno.test("runGeneration() with a key takes proposals first and the rules to fill up", async () => {
  await using server = startStandInServer({ answer });
  await inWorld(server, async (world, lines) => {
    assert.equal(await runGeneration({}, world), "complete");
    assert.equal(lines[0], "source: both");
    assert.deepEqual(proposers(world), new Set([PROPOSER, "rules"]));
    const calls = server.calls.length;
    assert.equal(readProposals(world.paths.proposals).length, calls);
    assert.ok(
      readProposals(world.paths.proposals).every(({ settings }) => settings.host === "stand-in"),
    );
    assert.equal(await runGeneration({}, world), "complete");
    assert.equal(server.calls.length, calls, "nothing is asked twice");
    assert.equal(await runGeneration({ source: "llm" }, world), "complete");
    assert.deepEqual(proposers(world), new Set([PROPOSER]));
    assert.match(lines.at(-1)!, /deno task notebooks 12 13 14 15/);
  });
});

Deno.test("runGeneration() without its quota leaves the data set as it is, until it is told otherwise", async () => {
  let calls = 0;
  const plan = () => calls++ < 12 ? { kind: "answer" } as const : DAILY;
  await using server = startStandInServer({ answer, plan });
  await inWorld(server, async (world, lines) => {
    assert.equal(await runGeneration({ source: "rules" }, world), "complete");
    const before = Deno.readTextFileSync(world.tables!.pairs.path);
    assert.equal(await runGeneration({ source: "both" }, world), "incomplete");
    assert.equal(Deno.readTextFileSync(world.tables!.pairs.path), before);
    assert.equal(readProposals(world.paths.proposals).length, 12);
    assert.match(lines.join("\n"), /no available keys remain/);
    assert.match(lines.at(-1)!, /questions may still be asked.*--limit 0/);
    assert.ok(!lines.join("\n").includes("gsk_test_"));
    const asked = server.calls.length;
    assert.equal(await runGeneration({ source: "both", limit: 0 }, world), "complete");
    assert.equal(server.calls.length, asked);
    assert.ok(proposers(world).has(PROPOSER));
  });
});

Deno.test("runGeneration() changes nothing where the few calls it was allowed gave no answer", async () => {
  await using server = startStandInServer({ answer, plan: () => ({ kind: "no choices" }) });
  await inWorld(server, async (world, lines) => {
    assert.equal(await runGeneration({ source: "rules" }, world), "complete");
    const before = Deno.readTextFileSync(world.paths.generation);
    assert.equal(await runGeneration({ limit: 1 }, world), "incomplete");
    assert.equal(Deno.readTextFileSync(world.paths.generation), before);
    assert.match(lines.join("\n"), /1 calls? failed/);
    assert.match(lines.at(-1)!, /none is confirmed/);
  });
});

Deno.test("runGeneration() estimates without asking or writing", async () => {
  await using server = startStandInServer({ answer });
  await inWorld(server, async (world, lines) => {
    assert.equal(await runGeneration({ estimateOnly: true }, world), "complete");
    assert.equal(server.calls.length, 0);
    assert.equal(existsSync(world.tables!.pairs.path), false);
    assert.match(
      lines.at(-1)!,
      /at most \d+ calls, \d+ tokens \(guessed\), 1 day \(about \d+ minutes of asking; .* per minute\), \$/,
    );
    assert.equal(await runGeneration({ source: "rules", estimateOnly: true }, world), "complete");
    assert.match(lines.at(-1)!, /nothing to estimate/);
    assert.equal(existsSync(world.tables!.pairs.path), false);
  });
});

Deno.test("runGeneration() changes nothing while another process adds to the answers", async () => {
  await inWorld(undefined, async (world) => {
    {
      using _other = lockAnswers(world.paths.answersLock);
      await assert.rejects(
        runGeneration({ source: "rules" }, world),
        /another process is doing so/,
      );
      assert.equal(existsSync(world.tables!.pairs.path), false);
    }
    assert.equal(await runGeneration({ source: "rules" }, world), "complete");
  });
});
