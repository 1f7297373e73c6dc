import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { openProxy } from "../../lib/models/hosted/batch/testdata/proxy.ts";
import type {
  StandInOptions,
  StandInServer,
} from "../../lib/models/hosted/testdata/stand_in/server.ts";
import { lockAnswers } from "../../lib/pairs/study.ts";
import { inFolder } from "../../lib/pairs/testdata/folder.ts";
import { studyIn } from "../../lib/pairs/testdata/study.ts";
import { type BatchTaskOptions, type BatchTaskWorld, runBatchTask } from "./batch.ts";
import {
  askedOneByOne,
  contents,
  openHost,
  OPTIONS,
  timesAsked,
  worldIn,
} from "./testdata/host.ts";

/** A task in a folder of its own; `run` gives the outcome and what was printed. */
function placeIn(folder: string, host: StandInServer) {
  const world = worldIn(folder, host.baseUrl);
  const run = async (
    change: Partial<BatchTaskOptions> = {},
    given: Partial<BatchTaskWorld> = {},
  ) => {
    const said: string[] = [];
    const print = (line: string) => void said.push(line);
    const outcome = await runBatchTask({ ...OPTIONS, ...change }, { ...world, ...given, print });
    return [outcome, said.join("\n")] as const;
  };
  return { host, folder, world, run };
}

async function withHost(
  options: StandInOptions,
  work: (at: ReturnType<typeof placeIn>) => Promise<void>,
): Promise<void> {
  await using host = openHost(options);
  await inFolder((_, folder) => work(placeIn(folder, host)));
}

const ONCE = Array(12).fill(1);
const answersIn = (folder: string) => contents(folder)[0]!.trimEnd().split("\n").length - 1;

Deno.test("runBatchTask() leaves what asking one by one leaves: rows, texts, settings", async () => {
  const expected = await askedOneByOne();
  assert.match(expected[0]!, /INVALID/);
  await withHost({ unfinishedPolls: 2 }, async ({ host, folder, run }) => {
    const [none, nothing] = await run({ mode: "fetch" });
    assert.deepEqual([none, nothing.split(":")[0]], ["incomplete", "Nothing to fetch"]);
    const [estimated, estimate] = await run({ mode: "estimate" });
    assert.equal(estimated, "done");
    assert.match(estimate, /\ntogether: 12 questions without an answer, \d+ \+ \d+ tokens/);
    const [stopped] = await run({}, { signal: AbortSignal.abort() });
    assert.deepEqual([stopped, host.store.batches.length], ["incomplete", 0]);
    const [outcome, said] = await run();
    assert.equal(outcome, "done");
    assert.deepEqual(contents(folder), expected);
    assert.deepEqual(timesAsked(host), ONCE);
    assert.match(said, /6 questions to llama-3\.3-70b-versatile, completed: 6 answers/);
    assert.equal(host.calls.length, 0);
    assert.deepEqual([(await run())[0], host.store.batches.length], ["done", 2]);
  });
});

Deno.test("runBatchTask() asks few pairs in one order each, later the rest, nothing twice", async () => {
  await withHost({}, async ({ host, folder, run }) => {
    const models = ["openai/gpt-oss-20b"];
    const some = { orders: "counterbalanced", limit: 2, models } as const;
    assert.equal((await run({ ...some, mode: "submit" }))[0], "incomplete");
    // Fetched under other options: an answer is an answer.
    assert.equal((await run({ mode: "fetch", limit: 1 }))[0], "incomplete");
    assert.equal(answersIn(folder), 2);
    assert.equal((await run({ ...some, mode: "status" }))[0], "done");
    assert.equal((await run())[0], "done");
    assert.deepEqual(contents(folder), await askedOneByOne());
    assert.deepEqual(timesAsked(host), ONCE);
  });
});

Deno.test("runBatchTask() lets one process at a time at its batches, and at the answers", async () => {
  await withHost({}, async ({ host, folder, world, run }) => {
    {
      using _other = lockAnswers(world.study.lock);
      await assert.rejects(run(), /another process is doing so/);
      assert.equal(host.store.batches.length, 0);
    }
    const both = await Promise.allSettled([run(), run()]);
    const [refused] = both.filter(({ status }) => status === "rejected");
    assert.match(String((refused as PromiseRejectedResult).reason), /another process is at work/);
    assert.deepEqual(contents(folder), await askedOneByOne());
    assert.deepEqual(timesAsked(host), ONCE);
  });
});

Deno.test("runBatchTask() of two sets side by side, with one lock and one file of settings, leaves what each leaves alone", async () => {
  await withHost({ unfinishedPolls: 2 }, async ({ host, folder, world, run }) => {
    const { study } = world;
    const files = { ...study.files, ...studyIn(join(folder, "other")).files };
    const connection = { ...study.connection, batches: join(folder, "other/batches") };
    const name = "other";
    const other = {
      ...study,
      name,
      connection,
      files: { ...files, settings: study.files.settings },
    };
    const [one, two] = await Promise.all([run(), run({}, { study: other })]);
    assert.deepEqual([one[0], two[0], host.store.batches.length], ["done", "done", 4]);
    const expected = await askedOneByOne();
    assert.deepEqual(contents(folder), expected);
    const answers = Deno.readTextFileSync(join(folder, "other/results.csv"));
    assert.equal(answers, expected[0]);
  });
});

Deno.test("runBatchTask() writes and prints no key and no address", async () => {
  await withHost({}, async ({ host, folder, run }) => {
    await using proxy = openProxy({
      target: host.baseUrl,
      meddle: ({ kind, number, url }) => {
        const message = `Invalid API Key gsk_test_${"k".repeat(30)} at ${url}`;
        return kind === "POST /batches" && number === 1
          ? { status: 400, body: { error: { message } } }
          : "pass";
      },
    });
    const [, said] = await run({}, worldIn(folder, proxy.url));
    assert.match(said, /refused the batch: .*Invalid API Key \[GROQ_API_KEY_1\] at \[address\]/);
    Deno.removeSync(join(folder, ".env"));
    const texts = readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name)).filter((path) => Deno.statSync(path).isFile)
      .map((path) => Deno.readTextFileSync(path));
    assert.ok(texts.length > 8);
    for (const text of [said, ...texts]) assert.doesNotMatch(text, /k{30}|127\.0\.0\.1/);
  });
});
