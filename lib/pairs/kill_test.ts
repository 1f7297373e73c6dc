import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { randomSource } from "../stats/random.ts";
import { RUN_FILES, wholeRun } from "./testdata/whole_run.ts";

const PAIRS = 12;
const KILLS = 50;
const CHAINS = 10;
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
