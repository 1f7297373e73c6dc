import assert from "node:assert/strict";
import { join } from "node:path";
import { openProxy, type Passing } from "../../lib/models/hosted/batch/testdata/proxy.ts";
import { apiKey } from "../../lib/models/hosted/api_keys.ts";
import { groqModel } from "../../lib/models/hosted/groq_model.ts";
import { openKeyedCalls } from "../../lib/models/hosted/keyed_calls.ts";
import {
  type StandInOptions,
  startStandInServer,
} from "../../lib/models/hosted/stand_in_server.ts";
import { QUESTION } from "../../lib/norse/study.ts";
import { batchEntries } from "../../lib/norse/batches/panel_batches.ts";
import { evaluateForcedChoice } from "../../lib/pairs/evaluation.ts";
import { inFolder } from "../../lib/pairs/testdata/folder.ts";
import { runBatchTask } from "./run.ts";
import { answerTo, FILES, OPTIONS, PAIRS, PANEL, worldIn } from "./testdata/study.ts";

const SCRIPT = new URL("./testdata/run_task.ts", import.meta.url).href;
const contents = (folder: string) => FILES.map((name) => Deno.readTextFileSync(join(folder, name)));
const server = (options: StandInOptions = {}) =>
  startStandInServer({ answer: answerTo, ...options });
type Server = ReturnType<typeof server>;

/** The tables as they are when Groq's models are asked one by one, through the same SDK. */
async function askedOneByOne(): Promise<readonly string[]> {
  await using host = server();
  using calls = openKeyedCalls([apiKey("GROQ_API_KEY_1", "gsk_test_one")]);
  let tables: readonly string[] = [];
  await inFolder(async (at, folder) => {
    await evaluateForcedChoice({
      pairs: PAIRS,
      models: batchEntries(PANEL).map((entry) =>
        groqModel(entry, PANEL.generation!, { calls, baseUrl: host.baseUrl })
      ),
      template: QUESTION,
      resultsPath: at("results.csv"),
      invalidLogPath: at("invalid.csv"),
      settingsPath: at("settings.json"),
    });
    tables = contents(folder);
  });
  return tables;
}

/** How often each question stands in an input file of a batch. */
function timesAsked({ store }: Server): readonly number[] {
  const ids = store.batches.flatMap(({ inputFileId }) => {
    const text = store.files.find(({ id }) => id === inputFileId)?.text ?? "";
    return text.trimEnd().split("\n").map((line): string => JSON.parse(line).custom_id);
  });
  return [...Map.groupBy(ids, (id) => id).values()].map(({ length }) => length);
}

Deno.test("runBatchTask() leaves what asking one by one leaves: rows, texts, settings", async () => {
  const expected = await askedOneByOne();
  assert.match(expected[0]!, /INVALID/);
  await using host = server({ batchPlan: () => ({ unfinishedPolls: 2 }) });
  await inFolder(async (_, folder) => {
    const said: string[] = [];
    const world = {
      ...worldIn(folder, host.baseUrl),
      print: (line: string) => void said.push(line),
    };
    assert.equal(await runBatchTask(OPTIONS, world), "complete");
    assert.deepEqual(contents(folder), expected);
    assert.deepEqual(timesAsked(host), Array(12).fill(1));
    assert.equal(host.store.batches.length, 2);
    assert.match(said.join("\n"), /6 questions to llama-3\.3-70b-versatile, completed: 6 answers/);
    assert.equal(host.calls.length, 0);
    said.length = 0;
    assert.equal(await runBatchTask(OPTIONS, world), "complete");
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
  await using host = server({
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
    assert.equal(await runBatchTask(OPTIONS, world), "complete");
    assert.deepEqual(contents(folder), expected);
    assert.deepEqual([...timesAsked(host)].sort(), [...Array(6).fill(1), ...Array(6).fill(2)]);
  });
});

Deno.test("runBatchTask() says why Groq declined a batch, and asks again in the next run only", async () => {
  await using host = server({ batchPlan: (number) => number > 2 ? {} : { end: "failed" } });
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
    assert.equal(await runBatchTask(OPTIONS, world), "complete");
    assert.equal(host.store.batches.length, 4);
  });
});

Deno.test("runBatchTask() asks few pairs in one order each, later the rest, nothing twice", async () => {
  await using host = server();
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
    assert.equal(await runBatchTask({ ...some, mode: "status" }, world), "complete");
    assert.equal(await runBatchTask(OPTIONS, world), "complete");
    assert.deepEqual(contents(folder), await askedOneByOne());
    assert.deepEqual(timesAsked(host), Array(12).fill(1));
  });
});

Deno.test("runBatchTask() lets one process at a time at its batches", async () => {
  await using host = server();
  await inFolder(async (_, folder) => {
    const world = worldIn(folder, host.baseUrl);
    const both = [runBatchTask(OPTIONS, world), runBatchTask(OPTIONS, world)];
    const [first, second] = await Promise.allSettled(both);
    const refused = [first, second].filter((result) => result?.status === "rejected");
    assert.match(String(refused[0]?.reason), /another process is at work/);
    assert.deepEqual(timesAsked(host), Array(12).fill(1));
  });
});

Deno.test("runBatchTask() writes and prints no key and no address", async () => {
  await using host = server();
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

/** Where a process is killed: as a request arrives, or when the host has done it and not yet said so. */
const KILLS = [
  ["after", "GET /batches"],
  ["before", "POST /files"],
  ["after", "POST /files"],
  ["before", "POST /batches"],
  ["after", "POST /batches"],
  ["after", "POST /batches"],
  ["before", "GET /batches/:id"],
  ["after", "GET /files/:id/content"],
] as const;

/** One process, killed at a place if it comes by. */
async function lifeOfTask(folder: string, host: Server, kill?: (typeof KILLS)[number]) {
  const killed = Promise.withResolvers<void>();
  const strike = async (when: string, { kind }: Passing) => {
    if (kill === undefined || when !== kill[0] || kind !== kill[1]) return;
    kill = undefined;
    child.kill("SIGKILL");
    await child.status;
    killed.resolve();
  };
  await using proxy = openProxy({
    target: host.baseUrl,
    meddle: async (request) => {
      await strike("before", request);
      return request.kind === struckBefore ? { status: 500, body: {} } : "pass";
    },
    answered: (request) => strike("after", request),
  });
  const struckBefore = kill?.[0] === "before" ? kill[1] : undefined;
  const permissions = [
    "--allow-read",
    `--allow-write=${folder}`,
    "--allow-env",
    "--allow-net=127.0.0.1",
  ];
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", ...permissions, SCRIPT, folder, proxy.url],
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const errors = new Response(child.stderr).text();
  const { signal, success } = await child.status;
  assert.ok(signal === "SIGKILL" || success, await errors);
  await errors;
  return signal === "SIGKILL";
}

Deno.test("runBatchTask() killed at every kind of request and resumed: one submission a question, one row each", async () => {
  const expected = await askedOneByOne();
  await using host = server({ batchPlan: () => ({ unfinishedPolls: 1 }) });
  await inFolder(async (_, folder) => {
    for (const kill of KILLS) {
      assert.ok(await lifeOfTask(folder, host, kill), `not killed ${kill.join(" ")}`);
      assert.ok(timesAsked(host).every((times) => times === 1), `asked twice: ${kill.join(" ")}`);
    }
    assert.equal(await lifeOfTask(folder, host), false);
    assert.deepEqual(contents(folder), expected);
    assert.deepEqual(timesAsked(host), Array(12).fill(1));
  });
});
