import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { inFolder } from "../../files/testdata/folder.ts";
import { startStandInServer } from "../../models/hosted/testdata/stand_in/server.ts";
import { readPanel } from "../../pairs/panels.ts";
import { lockAnswers } from "../../pairs/study.ts";
import { openRuleBook } from "./selection.ts";
import {
  FURTHER,
  PROPOSER,
  readGenerationSettings,
  readNorseDataset,
  REVERSE,
  SENTENCES,
} from "./dataset.ts";
import { formatPrompt, proposalKey, readPromptTemplates, readProposals } from "./proposals.ts";
import { askForProposals, planQuestions, type ProposalOptions, runGeneration } from "./propose.ts";
import { PHENOMENA } from "./rules.ts";
import { NORSE_PATHS } from "./study.ts";
import { proposingModel, trueAnswer } from "./testdata/proposing_model.ts";
import { tablesIn } from "./testdata/sentence.ts";

const saga = SENTENCES.read();
const templates = readPromptTemplates();

Deno.test("planQuestions() draws 400 sentences that can show a phenomenon, the phenomena in turn", () => {
  const plan = planQuestions(saga);
  assert.deepEqual(plan.slice(0, 4).map(({ phenomenon }) => phenomenon), PHENOMENA);
  for (const phenomenon of PHENOMENA) {
    assert.ok(plan.filter((question) => question.phenomenon === phenomenon).length <= 400);
  }
  const keys = new Set(plan.map(({ phenomenon, sentence: { id } }) => `${phenomenon} ${id}`));
  assert.equal(keys.size, plan.length);
});

const sentences = saga.slice(10, 40);
const rules = openRuleBook(sentences);
const questions = planQuestions(sentences);

const ANSWERS = new Map(questions.map((question) => {
  const { sentence, phenomenon } = question;
  return [formatPrompt(templates, question), trueAnswer(sentence, phenomenon, rules)];
}));
const perfect = (options: Parameters<typeof proposingModel>[1] = {}) =>
  proposingModel((prompt) => ANSWERS.get(prompt)!, options);

/** Runs in a new folder, or continues an earlier file. */
const withFile = (body: (path: string) => Promise<void>) =>
  inFolder((folder) => body(join(folder, "proposals.jsonl")));

const ask = (
  path: string,
  model = perfect(),
  options: Parameters<typeof askForProposals>[2] = {},
  some = questions,
) => askForProposals({ questions: some, templates, path }, model, options);

Deno.test("askForProposals() asks every question once, within its limit, and keeps every answer", () =>
  withFile(async (path) => {
    const first = perfect({ concurrency: 4 });
    await ask(path, first, { limit: 10 });
    assert.equal(first.prompts.length, 10);
    await ask(path, perfect({ concurrency: 8 }));
    const records = readProposals(path);
    assert.equal(records.length, questions.length);
    assert.equal(new Set(records.map(proposalKey)).size, questions.length);
    const again = perfect();
    await ask(path, again);
    assert.equal(again.prompts.length, 0);
  }));

const FAILURE = { kind: "failure", message: "HTTP 500" } as const;

Deno.test("askForProposals() ends with everything kept: no model, a failure or ten, an abort", async () => {
  const controller = new AbortController();
  const aborting = proposingModel((_, call) => {
    if (call === 5) controller.abort();
    return "none";
  });
  const failingOnce = proposingModel((_, call) => call === 2 ? FAILURE : "none");
  const cases = [
    [perfect({ concurrency: 3, calls: 7 }), /no available keys remain/, 7],
    [failingOnce, undefined, questions.length - 1],
    [proposingModel(() => FAILURE), /10 calls in a row failed, the last one: HTTP 500/, 0],
    [aborting, undefined, 4],
  ] as const;
  for (const [model, why, answered] of cases) {
    await withFile(async (path) => {
      const asking = ask(path, model, { signal: controller.signal });
      await (why ? assert.rejects(asking, why) : asking);
      assert.equal(readProposals(path).length, answered);
      await ask(path);
      assert.equal(readProposals(path).length, questions.length);
    });
  }
});

const answer = ({ prompt }: { readonly prompt: string }) => ANSWERS.get(prompt) ?? "?";
const DAILY = { kind: "rate limit", quota: "TPD", tryAgainIn: "9h0m0s" } as const;

/** Runs in a separate folder. With a server, its `.env` contains a key. */
const inWorld = (
  server: ReturnType<typeof startStandInServer> | undefined,
  body: (
    world: ProposalOptions & Required<Pick<ProposalOptions, "tables">>,
    lines: string[],
  ) => Promise<void>,
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
      further: tablesIn(folder, FURTHER),
      reverse: tablesIn(folder, REVERSE),
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

const proposers = (world: ProposalOptions) =>
  new Set(readNorseDataset(world.tables).map(({ certificate }) => certificate.proposedBy));

Deno.test("runGeneration() without a key asks nothing and takes what is on record: the rules", () =>
  inWorld(undefined, async (world, lines) => {
    {
      using _other = lockAnswers(world.paths.answersLock);
      await assert.rejects(runGeneration({ source: "rules" }, world), /another process/);
      assert.equal(existsSync(world.tables.pairs.path), false);
    }
    lines.length = 0;
    assert.equal(await runGeneration({}, world), "complete");
    assert.match(lines[0]!, /No model is asked: --source both or llm asks one/);
    assert.deepEqual(proposers(world), new Set(["rules"]));
    assert.ok(world.reverse!.pairs.read().length > 0);
    assert.equal(readGenerationSettings(world.paths.generation).source, "rules");
    assert.equal(existsSync(world.paths.proposals), false);
    await assert.rejects(runGeneration({ source: "both" }, world), /Cannot ask .*--limit 0/s);
    const before = Deno.readTextFileSync(world.tables.pairs.path);
    const settings = Deno.readTextFileSync(world.paths.generation);
    for (const source of ["llm", "both"] as const) {
      assert.equal(await runGeneration({ source, limit: 0 }, world), "incomplete");
      assert.match(lines.at(-1)!, /of 0 answers on record none is confirmed/);
      assert.equal(Deno.readTextFileSync(world.tables.pairs.path), before);
      assert.equal(Deno.readTextFileSync(world.paths.generation), settings);
    }
  }));

Deno.test("runGeneration() with a key estimates, then takes proposals first and the rules to fill up", async () => {
  await using server = startStandInServer({ answer });
  await inWorld(server, async (world, lines) => {
    // A key in .env is no order.
    assert.equal(await runGeneration({}, world), "complete");
    assert.deepEqual([server.calls.length, proposers(world)], [0, new Set(["rules"])]);
    const source = "both";
    assert.equal(await runGeneration({ source, estimateOnly: true }, world), "complete");
    assert.match(lines.at(-1)!, /openai\/gpt-oss-120b \| \d+ \| .* guessed/);
    assert.equal(server.calls.length, 0);
    assert.equal(await runGeneration({ source }, world), "complete");
    assert.deepEqual(proposers(world), new Set([PROPOSER, "rules"]));
    const calls = server.calls.length;
    const records = readProposals(world.paths.proposals);
    assert.equal(records.length, calls);
    assert.ok(records.every(({ settings }) => settings.host === "stand-in"));
    assert.equal(await runGeneration({ source: "llm" }, world), "complete");
    assert.equal(server.calls.length, calls, "nothing is asked twice");
    assert.deepEqual(proposers(world), new Set([PROPOSER]));
  });
});

Deno.test("runGeneration() with all asked and none confirmed ends: the rules fill in, and alone there is nothing to choose", async () => {
  await using server = startStandInServer({ answer: () => "none" });
  await inWorld(server, async (world, lines) => {
    for (const _time of ["asked", "on record"]) {
      assert.equal(await runGeneration({ source: "both" }, world), "complete");
      assert.match(lines.join("\n"), /All asked, none of \d+ answers confirmed: the rules fill in/);
      assert.deepEqual(proposers(world), new Set(["rules"]));
      assert.equal(readGenerationSettings(world.paths.generation).source, "both");
      lines.length = 0;
    }
    const calls = server.calls.length;
    const alone = runGeneration({ source: "llm" }, world);
    await assert.rejects(alone, /Cannot choose pairs: all is asked.*--source both or rules/);
    assert.equal(server.calls.length, calls);
  });
});

Deno.test("runGeneration() without its quota leaves the data set unchanged until a source is chosen", async () => {
  let calls = 0;
  const plan = () => calls++ < 12 ? { kind: "answer" } as const : DAILY;
  await using server = startStandInServer({ answer, plan });
  await inWorld(server, async (world, lines) => {
    assert.equal(await runGeneration({ source: "rules" }, world), "complete");
    const before = Deno.readTextFileSync(world.tables.pairs.path);
    assert.equal(await runGeneration({ source: "both" }, world), "incomplete");
    assert.equal(Deno.readTextFileSync(world.tables.pairs.path), before);
    assert.equal(readProposals(world.paths.proposals).length, 12);
    assert.match(lines.join("\n"), /no available keys remain/);
    assert.match(lines.at(-1)!, /Everything answered is kept.*--limit 0/);
    assert.ok(!lines.join("\n").includes("gsk_test_"));
    const asked = server.calls.length;
    assert.equal(await runGeneration({ source: "both", limit: 0 }, world), "complete");
    assert.equal(server.calls.length, asked);
    assert.ok(proposers(world).has(PROPOSER));
  });
});
