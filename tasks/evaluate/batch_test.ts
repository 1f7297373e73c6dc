import assert from "node:assert/strict";
import { join } from "node:path";
import { openProxy } from "../../lib/models/hosted/batch/testdata/proxy.ts";
import { lockAnswers } from "../../lib/pairs/study.ts";
import { inFolder } from "../../lib/pairs/testdata/folder.ts";
import { runBatchTask } from "./batch.ts";
import {
  askedOneByOne,
  contents,
  openHost,
  OPTIONS,
  timesAsked,
  worldIn,
} from "./testdata/host.ts";

Deno.test("runBatchTask() leaves what asking one by one leaves: rows, texts, settings", async () => {
  const expected = await askedOneByOne();
  assert.match(expected[0]!, /INVALID/);
  await using host = openHost({ batchPlan: () => ({ unfinishedPolls: 2 }) });
  await inFolder(async (_, folder) => {
    const said: string[] = [];
    const world = {
      ...worldIn(folder, host.baseUrl),
      print: (line: string) => void said.push(line),
    };
    assert.equal(await runBatchTask(OPTIONS, world), "done");
    assert.deepEqual(contents(folder), expected);
    assert.deepEqual(timesAsked(host), Array(12).fill(1));
    assert.equal(host.store.batches.length, 2);
    assert.match(said.join("\n"), /6 questions to llama-3\.3-70b-versatile, completed: 6 answers/);
    assert.equal(host.calls.length, 0);
    said.length = 0;
    assert.equal(await runBatchTask(OPTIONS, world), "done");
    assert.equal(host.store.batches.length, 2);
    assert.equal(said.filter((line) => line.includes("answers written")).length, 0);
  });
});

Deno.test("runBatchTask() merges the good lines of a bad batch and asks only the others again", async () => {
  const fates = [
    "answered",
    "missing",
    "cut",
    { status: 500 },
    "twice",
    "unknown name too",
  ] as const;
  const expected = await askedOneByOne();
  await using host = openHost({
    batchPlan: (number) => {
      let at = 0;
      return number > 2
        ? {}
        : { end: number === 1 ? "expired" : "completed", fate: () => fates[at++]! };
    },
  });
  await inFolder(async (_, folder) => {
    const said: string[] = [];
    const world = {
      ...worldIn(folder, host.baseUrl),
      print: (line: string) => void said.push(line),
    };
    assert.equal(await runBatchTask(OPTIONS, world), "incomplete");
    assert.equal(contents(folder)[0]!.trimEnd().split("\n").length, 1 + 6);
    const text = said.join("\n");
    for (
      const problem of [
        /returned no line for it \(ON_QUIRKY_CASE_\d+\.[AB]_gram\.\w+ and 1 more\)/,
        /the line is no result of a batch \(output\.jsonl, line 2\)/,
        /status 500: .*\(errors\.jsonl, line 1\)/,
        /the id nobody-asked was not asked/,
        /expired: 3 answers written, 3 questions without one/,
        /completed: 3 answers written, 3 questions without one/,
      ]
    ) assert.match(text, problem);
    assert.equal(await runBatchTask({ ...OPTIONS, mode: "fetch" }, world), "incomplete");
    assert.equal(host.store.batches.length, 2);
    assert.equal(await runBatchTask(OPTIONS, world), "done");
    assert.deepEqual(contents(folder), expected);
    assert.deepEqual([...timesAsked(host)].sort(), [...Array(6).fill(1), ...Array(6).fill(2)]);
  });
});

Deno.test("runBatchTask() says why Groq declined a batch, and asks again in the next run only", async () => {
  await using host = openHost({ batchPlan: (number) => number > 2 ? {} : { end: "failed" } });
  await inFolder(async (_, folder) => {
    const said: string[] = [];
    const world = {
      ...worldIn(folder, host.baseUrl),
      print: (line: string) => void said.push(line),
    };
    assert.equal(await runBatchTask(OPTIONS, world), "incomplete");
    assert.match(said.join("\n"), /failed\): line 1 of the input: /);
    assert.match(said.join("\n"), /failed: 0 answers written, 6 questions without one/);
    assert.equal(host.store.batches.length, 2);
    assert.equal(await runBatchTask(OPTIONS, world), "done");
    assert.equal(host.store.batches.length, 4);
  });
});

Deno.test("runBatchTask() asks few pairs in one order each, later the rest, nothing twice", async () => {
  await using host = openHost();
  await inFolder(async (_, folder) => {
    const world = worldIn(folder, host.baseUrl);
    const some = {
      ...OPTIONS,
      orders: "counterbalanced",
      limit: 2,
      models: ["openai/gpt-oss-20b"],
    } as const;
    assert.equal(await runBatchTask({ ...some, mode: "submit" }, world), "incomplete");
    // Fetched under other options: an answer is an answer.
    assert.equal(await runBatchTask({ ...OPTIONS, mode: "fetch", limit: 1 }, world), "incomplete");
    assert.equal(contents(folder)[0]!.trimEnd().split("\n").length, 1 + 2);
    assert.equal(await runBatchTask({ ...some, mode: "status" }, world), "done");
    assert.equal(await runBatchTask(OPTIONS, world), "done");
    assert.deepEqual(contents(folder), await askedOneByOne());
    assert.deepEqual(timesAsked(host), Array(12).fill(1));
  });
});

Deno.test("runBatchTask() lets one process at a time at its batches", async () => {
  await using host = openHost();
  await inFolder(async (_, folder) => {
    const world = worldIn(folder, host.baseUrl);
    const both = [runBatchTask(OPTIONS, world), runBatchTask(OPTIONS, world)];
    const [first, second] = await Promise.allSettled(both);
    const refused = [first, second].filter((result) => result?.status === "rejected");
    assert.match(String(refused[0]?.reason), /another process is at work/);
    assert.deepEqual(timesAsked(host), Array(12).fill(1));
  });
});

Deno.test("runBatchTask() submits and merges nothing while another process adds to the answers", async () => {
  const expected = await askedOneByOne();
  await using host = openHost({});
  await inFolder(async (_, folder) => {
    const world = worldIn(folder, host.baseUrl);
    {
      using _other = lockAnswers(world.study.lock);
      await assert.rejects(runBatchTask(OPTIONS, world), /another process is doing so/);
      assert.equal(host.store.batches.length, 0);
    }
    await runBatchTask({ ...OPTIONS, mode: "submit" }, world);
    {
      using _other = lockAnswers(world.study.lock);
      await assert.rejects(runBatchTask({ ...OPTIONS, mode: "fetch" }, world), /Let it end/);
    }
    assert.equal(await runBatchTask({ ...OPTIONS, mode: "fetch" }, world), "done");
    assert.deepEqual(contents(folder), expected);
    assert.deepEqual(timesAsked(host), Array(12).fill(1));
  });
});

Deno.test("runBatchTask() writes and prints no key and no address", async () => {
  await using host = openHost();
  await using proxy = openProxy({
    target: host.baseUrl,
    meddle: ({ kind, number, url }) => {
      const message = `Invalid API Key gsk_test_${"k".repeat(30)} at ${url}`;
      return kind === "POST /batches" && number === 1
        ? { status: 400, body: { error: { message } } }
        : "pass";
    },
  });
  await inFolder(async (at, folder) => {
    const said: string[] = [];
    const world = { ...worldIn(folder, proxy.url), print: (line: string) => void said.push(line) };
    await runBatchTask(OPTIONS, world);
    assert.match(
      said.join("\n"),
      /refused the batch: .*Invalid API Key \[GROQ_API_KEY_1\] at \[address\]/,
    );
    Deno.removeSync(at(".env"));
    const texts = filesUnder(folder).map((path) => Deno.readTextFileSync(path));
    assert.ok(texts.length > 8);
    for (const text of [...said, ...texts]) assert.doesNotMatch(text, /k{30}|127\.0\.0\.1/);
  });
});

function filesUnder(folder: string): readonly string[] {
  return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
    isDirectory ? filesUnder(join(folder, name)) : [join(folder, name)]
  );
}

Deno.test("runBatchTask() only estimates where told, with a total, and that is all there was to do", async () => {
  await using host = openHost();
  await inFolder(async (_, folder) => {
    const said: string[] = [];
    const print = (line: string) => void said.push(line);
    const world = { ...worldIn(folder, host.baseUrl), print };
    assert.equal(await runBatchTask({ ...OPTIONS, mode: "estimate" }, world), "done");
    assert.match(said.at(-1)!, /^together: 12 questions without an answer, \d+ \+ \d+ tokens/);
    assert.equal(said.length, 3);
    assert.equal(host.store.batches.length, 0);
  });
});

Deno.test("runBatchTask() says of nothing that it was submitted where nothing was", async () => {
  await using host = openHost();
  await inFolder(async (_, folder) => {
    const said: string[] = [];
    const print = (line: string) => void said.push(line);
    const world = { ...worldIn(folder, host.baseUrl), print };
    assert.equal(await runBatchTask({ ...OPTIONS, mode: "fetch" }, world), "incomplete");
    assert.equal(said[0], "Nothing to fetch: no batch of this panel was submitted.");
    said.length = 0;
    const stopped = { ...world, signal: AbortSignal.abort() };
    assert.equal(await runBatchTask(OPTIONS, stopped), "incomplete");
    assert.ok(said.includes("No batch was submitted."), said.join("\n"));
  });
});
