import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { startStandInServer } from "../../models/hosted/stand_in_server.ts";
import { readSentences } from "../acquisition.ts";
import { PHENOMENA } from "../candidate.ts";
import { readNorseDataset } from "../dataset.ts";
import { lockAnswers } from "../../pairs/panels/lock.ts";
import { readPanel } from "../../pairs/panels/read_panel.ts";
import { NORSE_PATHS } from "../paths.ts";
import { openRuleBook } from "../rule_book.ts";
import { formatPrompt, readPromptTemplates } from "./prompts.ts";
import { readProposals } from "./record.ts";
import { runGeneration, type RunWorld } from "./run.ts";
import { PROPOSER, readGenerationSettings } from "./settings.ts";
import { trueAnswer } from "./testdata/proposing_model.ts";

const sentences = readSentences(NORSE_PATHS.sentences).slice(10, 40);
const rules = openRuleBook(sentences);
const templates = readPromptTemplates();
const ANSWERS = new Map(sentences.flatMap((sentence) =>
  PHENOMENA.map((phenomenon) =>
    [
      formatPrompt(templates[phenomenon], sentence),
      trueAnswer(sentence, phenomenon, rules),
    ] as const
  )
));
const answer = ({ prompt }: { readonly prompt: string }) => ANSWERS.get(prompt) ?? "?";
const DAILY = { kind: "rate limit", quota: "TPD", tryAgainIn: "9h0m0s" } as const;

type Server = ReturnType<typeof startStandInServer>;

/** A world in a folder of its own; with a server, a key stands in its `.env`. */
async function inWorld(
  server: Server | undefined,
  body: (world: RunWorld, lines: string[]) => Promise<void>,
): Promise<void> {
  const folder = Deno.makeTempDirSync({ prefix: "generation-" });
  const at = (name: string) => join(folder, name);
  if (server) Deno.writeTextFileSync(at(".env"), `GROQ_API_KEY_1=gsk_test_${"k".repeat(20)}\n`);
  const lines: string[] = [];
  const names = Object.keys(NORSE_PATHS).map((name) => [name, at(name)]);
  const standIn = server
    ? { standIn: { baseUrl: server.baseUrl, calls: { backoffSeconds: 0.001 } } }
    : {};
  try {
    await body({
      ...{ sentences, templates, panel: readPanel(NORSE_PATHS.hostedPanel, NORSE_PATHS.project) },
      connection: { env: at(".env"), usage: at("usage.json"), ...standIn },
      paths: {
        ...Object.fromEntries(names) as Record<keyof typeof NORSE_PATHS, string>,
        ...{ generation: at("generation.json"), setAside: at("aside"), proposals: at("p.jsonl") },
        proposalsLock: at("p.lock"),
      },
      print: (line) => void lines.push(line),
      status: { write: () => {}, terminal: false, now: () => 0 },
    }, lines);
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
}

const proposers = (world: RunWorld) =>
  new Set(readNorseDataset(world.paths).map(({ certificate }) => certificate.proposedBy));

Deno.test("runGeneration() without a key asks nothing and takes what is on record: the rules", async () => {
  await inWorld(undefined, async (world, lines) => {
    assert.equal(await runGeneration({}, world), "complete");
    assert.match(lines[0]!, /No model is asked: .*GROQ_API_KEY_1/);
    assert.deepEqual(proposers(world), new Set(["rules"]));
    assert.equal(readGenerationSettings(world.paths.generation).source, "rules");
    assert.equal(existsSync(world.paths.proposals), false);
    await assert.rejects(runGeneration({ source: "both" }, world), /Cannot ask .*--limit 0/s);
    const before = Deno.readTextFileSync(world.paths.pairs);
    const settings = Deno.readTextFileSync(world.paths.generation);
    for (const source of ["llm", "both"] as const) {
      lines.length = 0;
      assert.equal(await runGeneration({ source, limit: 0 }, world), "incomplete");
      assert.match(lines.at(-1)!, /stays as it is: of 0 answers on record none is confirmed/);
      assert.doesNotMatch(lines.join("\n"), /nothing need be run/);
      assert.equal(Deno.readTextFileSync(world.paths.pairs), before);
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
    assert.equal(readProposals(world.paths.proposals).records.length, calls);
    assert.ok(
      readProposals(world.paths.proposals).records.every(({ settings }) =>
        settings.host === "stand-in"
      ),
    );
    assert.equal(await runGeneration({}, world), "complete");
    assert.equal(server.calls.length, calls, "nothing is asked twice");
    assert.equal(await runGeneration({ source: "llm" }, world), "complete");
    assert.deepEqual(proposers(world), new Set([PROPOSER]));
    assert.match(lines.at(-2)!, /earlier data set stands in .*aside/);
    assert.match(lines.at(-1)!, /deno task notebooks 12 13 14 15/);
  });
});

Deno.test("runGeneration() without its quota leaves the data set as it is, until it is told otherwise", async () => {
  let calls = 0;
  const plan = () => calls++ < 12 ? { kind: "answer" } as const : DAILY;
  await using server = startStandInServer({ answer, plan });
  await inWorld(server, async (world, lines) => {
    assert.equal(await runGeneration({ source: "rules" }, world), "complete");
    const before = Deno.readTextFileSync(world.paths.pairs);
    assert.equal(await runGeneration({ source: "both" }, world), "incomplete");
    assert.equal(Deno.readTextFileSync(world.paths.pairs), before);
    assert.equal(readProposals(world.paths.proposals).records.length, 12);
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
    assert.equal(existsSync(world.paths.pairs), false);
    assert.match(
      lines.at(-1)!,
      /at most \d+ calls, \d+ tokens \(guessed\), 1 day \(about \d+ minutes of asking; .* per minute\), \$/,
    );
    assert.equal(await runGeneration({ source: "rules", estimateOnly: true }, world), "complete");
    assert.match(lines.at(-1)!, /nothing to estimate/);
    assert.equal(existsSync(world.paths.pairs), false);
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
      assert.equal(existsSync(world.paths.pairs), false);
    }
    assert.equal(await runGeneration({ source: "rules" }, world), "complete");
  });
});
