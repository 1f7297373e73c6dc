import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inFolder } from "../files/testdata/folder.ts";
import { openContainedModel } from "../models/llama/contained_model.ts";
import type { GgufEntry } from "../models/panel.ts";
import { randomSource } from "../stats/random.ts";
import { scorePairs } from "./ask.ts";
import { RUN_FILES, wholeRun } from "./testdata/whole_run.ts";

const PAIRS = 12;
const KILLS = 50;
const CHAINS = 10;
const CRASHING = fileURLToPath(
  new URL("../models/llama/testdata/crashing_model.ts", import.meta.url),
);
const SCRIPT = new URL("./testdata/run_until_killed.ts", import.meta.url).href;

/** Runs until a number of bytes is written, then kills the process. False where it ended before. */
async function runUntilKilled(folder: string, bytes: number): Promise<boolean> {
  const permissions = [`--allow-read`, `--allow-write=${folder}`];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", ...permissions, SCRIPT, folder, String(PAIRS), String(bytes)],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.getReader();
  const stuck = !(await reader.read()).done;
  await reader.cancel();
  if (stuck) child.kill("SIGKILL");
  const { signal, success } = await child.status;
  assert.ok(stuck ? signal === "SIGKILL" : success, `the run failed: ${folder}`);
  return stuck;
}

const contents = (folder: string) =>
  RUN_FILES.map((name) =>
    existsSync(join(folder, name)) ? Deno.readTextFileSync(join(folder, name)) : ""
  );

/** Kills one run again and again, each time at a random byte of the rest. */
async function killedOften(chain: number, folder: string, expected: readonly string[]) {
  const random = randomSource(`kill ${chain}`);
  const total = new TextEncoder().encode(expected.join("")).length;
  let [kills, cut] = [0, 0];
  for (let round = 0; kills < KILLS / CHAINS; round++) {
    const place = join(folder, `${chain}-${round}`);
    Deno.mkdirSync(place);
    while (
      kills < KILLS / CHAINS && await runUntilKilled(place, 1 + random.integer(total / 3 | 0))
    ) {
      kills += 1;
      const found = contents(place);
      assertOrderOfWriting(
        Object.fromEntries(RUN_FILES.map((name, i) => [name, wholeLines(found[i]!)])),
      );
      cut += found.filter((text) => !/(?:^|\n)$/.test(text)).length;
    }
    await wholeRun(place, PAIRS);
    assert.deepEqual(contents(place), expected, `chain ${chain}, round ${round}`);
  }
  return { kills, cut };
}

/** The whole lines of a file, the header among them. */
const wholeLines = (text: string) => text.split("\n").slice(0, -1);

/** Whatever the moment: no pair without its certificate, no invalid answer without its text, no line twice. */
function assertOrderOfWriting(lines: Readonly<Record<string, readonly string[]>>): void {
  assert.ok(lines["minimal_pairs.csv"]!.length <= lines["certificates.csv"]!.length);
  const invalid = lines["results.csv"]!.filter((line) => line.includes("INVALID"));
  assert.ok(invalid.length <= Math.max(0, lines["invalid.csv"]!.length - 1));
  for (const own of Object.values(lines)) assert.equal(new Set(own).size, own.length);
}

Deno.test("Feature: old-norse-minimal-pairs, Property 14: incremental saving with duplicate prevention (generation and evaluation killed at 50 random moments and resumed equal the uninterrupted run)", async () => {
  const folder = Deno.makeTempDirSync();
  try {
    const whole = join(folder, "whole");
    Deno.mkdirSync(whole);
    await wholeRun(whole, PAIRS);
    const expected = contents(whole);
    const results = [];
    // Two at a time: a chain is one process after the other.
    for (let chain = 0; chain < CHAINS; chain += 2) {
      const both = [chain, chain + 1].map((number) => killedOften(number, folder, expected));
      results.push(...await Promise.all(both));
    }
    assert.equal(results.reduce((sum, { kills }) => sum + kills, 0), KILLS);
    assert.ok(results.some(({ cut }) => cut > 0), "no kill hit the middle of a line");
  } finally {
    Deno.removeSync(folder, { recursive: true });
  }
});

Deno.test("a model that crashes in mid-scoring loses the pair that crashes it, and no other", () =>
  inFolder(async (folder) => {
    const starts = join(folder, "starts.txt");
    Deno.env.set("CRASHING_MODEL_STARTS", starts);
    try {
      const entry: GgufEntry = {
        ...{ kind: "gguf", id: "mine", path: join(folder, "mine.gguf"), licence: "MIT" },
        ...{ roles: ["likelihood"], readout: "generation", precision: "shipped" },
        contextTokens: 256,
      };
      await using model = await openContainedModel(entry, { cacheDirectory: folder }, CRASHING);
      const pairs = ["a", "b", "abort", "c", "refused", "d", "abort again", "e"].map((
        word,
        at,
      ) => ({
        ...{ id: `p${at}`, phenomenon: "x", target: word, errorType: "" },
        ...{ grammatical: `${word} good`, ungrammatical: `${word} bad` },
      }));
      const files = { likelihoods: join(folder, "l.csv"), settings: join(folder, "s.json") };
      const report = await scorePairs({ model: model.likelihood!, pairs, files, maxFailed: 1 });
      assert.deepEqual([report.scored, report.missing], [5, 0]);
      assert.deepEqual(report.failed.map(({ pairId, mayPass }) => [pairId, mayPass]).toSorted(), [
        ["p2", false],
        ["p4", false],
        ["p6", false],
      ]);
      const reasons = new Map(report.failed.map(({ pairId, reason }) => [pairId, reason]));
      assert.match(reasons.get("p2")!, /llama\.cpp ends the process .* \(SIGABRT\)$/);
      assert.match(reasons.get("p4")!, /no tokens$/);
      const rows = Deno.readTextFileSync(files.likelihoods).split("\n");
      assert.match(rows.find((row) => row.startsWith("mine,p7"))!, /-6\.100000.*-5\.100000/);
      // Once, and twice for each text that crashes it: among others, and alone.
      const count = Deno.readTextFileSync(starts).trim().split("\n").length;
      assert.ok(count >= 4 && count <= 5, String(count));
    } finally {
      Deno.env.delete("CRASHING_MODEL_STARTS");
    }
  }));
