import assert from "node:assert/strict";
import fc from "fast-check";
import { batchName, inputFileName, requestLine } from "./requests.ts";
import { adoptBatches } from "./run.ts";
import { type BatchService, type RemoteBatch, type RemoteFile, ServiceFailure } from "./service.ts";
import { memoryStore } from "./testdata/memory_store.ts";
import { SETTLE, type Tables, World } from "./testdata/world.ts";

const MODELS = { ash: ["ash1", "ash2", "ash3", "ash4"], elm: ["elm1", "elm2"] };
const IDS = Object.values(MODELS).flat();
const answer = (id: string) => ({ text: `answer to ${id}` });

/** Tables in memory; a second answer to a question, or one that is not its own, fails the test. */
function openTables(): Tables & { readonly rows: ReadonlyMap<string, string> } {
  const rows = new Map<string, string>();
  return {
    rows,
    wanted: () =>
      Object.entries(MODELS).map(([hostModel, ids]) => ({
        hostModel,
        requests: ids.filter((id) => !rows.has(id))
          .map((customId) => ({ customId, body: { model: hostModel } })),
      })),
    merge: ({ replies }) => {
      for (const [id, { text }] of replies) rows.set(id, text);
      return { merged: replies.size, foreign: 0 };
    },
  };
}

const complete = new Map(IDS.map((id) => [id, answer(id).text]));

const assertComplete = (rows: ReadonlyMap<string, string>, where?: string) =>
  assert.deepEqual(new Map([...rows].sort()), complete, where);

Deno.test("runBatches() submits every question once, one model a batch, and merges each answer", async () => {
  const world = new World({ fate: answer, unfinishedLooks: 2 });
  const [store, tables] = [memoryStore(), openTables()];
  const jobs = await world.live(store, tables);
  assertComplete(tables.rows);
  assert.deepEqual(world.host.batches.map(({ asked }) => asked.join()).sort(), [
    "ash1,ash2,ash3",
    "ash4",
    "elm1,elm2",
  ]);
  assert.ok(jobs !== "killed" && jobs.every(({ step }) => step === "closed"));
  await world.live(store, tables);
  assert.equal(world.host.batches.length, 3);
  assert.deepEqual(world.notes, []);
});

Deno.test("runBatches() killed at each of its moments in turn and resumed asks nothing twice", async () => {
  const undisturbed = new World({ fate: answer, unfinishedLooks: 1 });
  await undisturbed.live(memoryStore(), openTables());
  const count = undisturbed.moments.length;
  assert.ok(count > 60, `${count} moments`);
  for (let moment = 0; moment < count; moment++) {
    const world = new World({ fate: answer, unfinishedLooks: 1 });
    const [store, tables] = [memoryStore(), openTables()];
    world.left = moment;
    const where = `killed at moment ${moment}, ${undisturbed.moments[moment]}`;
    assert.equal(await world.live(store, tables), "killed", where);
    world.left = Infinity;
    await world.live(store, tables);
    assertComplete(tables.rows, where);
    assert.deepEqual([...world.host.timesAsked().values()], IDS.map(() => 1), where);
  }
});

/** How often a question fails before it is answered. */
function failures(id: string, seed: number): number {
  return (Number(id.at(-1)) + id.charCodeAt(0) + seed) % 3;
}

const LIFE = fc.record({
  moments: fc.nat(80),
  losesNotes: fc.nat(7).map((n) => n === 0),
  pause: fc.nat(2 * SETTLE),
});

const HISTORY = fc.record({
  lives: fc.array(LIFE, { maxLength: 8 }),
  seed: fc.nat(1000),
  keepsNames: fc.boolean(),
  unfinishedLooks: fc.nat(2),
  end: fc.constantFrom("completed", "expired", "cancelled"),
  delays: fc.array(fc.constantFrom(0, 0, 1, SETTLE / 2, SETTLE - 1), { maxLength: 8 }),
});

Deno.test("runBatches() survives kills, lost answers, lost notes and failed lines in any order: no question is asked while a batch asks it or after one answered it", async () => {
  let [killed, late, repeated, lost] = [0, 0, 0, 0];
  await fc.assert(
    fc.asyncProperty(HISTORY, async ({ lives, seed, delays, end, ...host }) => {
      const left = [...delays];
      const world = new World({
        ...host,
        end: () => end,
        delay: () => left.shift() ?? 0,
        fate: (id, time) => time > failures(id, seed) ? answer(id) : seed % 2 ? "error" : "no line",
      });
      const [store, tables] = [memoryStore(), openTables()];
      for (const { moments, losesNotes, pause } of lives) {
        world.left = moments;
        killed += Number(await world.live(store, tables) === "killed");
        world.clock += pause;
        if (!losesNotes) continue;
        // What is on its way arrives first: nothing but the notes knew of it.
        world.clock += SETTLE;
        store.clear();
        lost += 1;
      }
      world.left = Infinity;
      for (let more = 0; tables.rows.size < IDS.length; more++) {
        assert.ok(more < 8, "it does not come to an end");
        assert.notEqual(await world.live(store, tables), "killed");
      }
      assertComplete(tables.rows);
      for (const [id, times] of world.host.timesAsked()) {
        assert.equal(times, 1 + failures(id, seed), id);
        repeated += times - 1;
      }
      late += delays.length - left.length;
    }),
    { numRuns: 500, seed: 20261122 },
  );
  const counts = { killed, late, repeated, lost };
  assert.ok(Object.values(counts).every((count) => count > 200), JSON.stringify(counts));
});

const SERIES = { study: "norse", panel: "groq" };
const INPUT = requestLine({ customId: "q1", body: { model: "m" } });
const NAME = batchName(SERIES, INPUT, 1);
const COUNTS = { total: 5, completed: 0, failed: 0 };

const RUNNING: RemoteBatch = {
  id: "batch_1",
  inputFileId: "file_1",
  status: "in_progress",
  counts: COUNTS,
  errors: [],
};

/** A host that shows these batches and files, and has this text in every file. */
function host(
  batches: readonly RemoteBatch[],
  files: readonly RemoteFile[],
  text?: string,
): BatchService {
  const never = () => Promise.reject(new Error("the test does not expect it"));
  return {
    keyLabel: "GROQ_API_KEY_2",
    batches: () => Promise.resolve(batches),
    files: () => Promise.resolve(files),
    content: () => Promise.resolve(text),
    upload: never,
    create: never,
    retrieve: never,
  };
}

const JOB = {
  hostModel: "m",
  keyLabel: "GROQ_API_KEY_2",
  requests: 1,
  fileId: "file_1",
  batchId: "batch_1",
};

Deno.test("adoptBatches() knows its batches by their own name or by their input file's", async () => {
  const files = [{ id: "file_1", name: inputFileName(NAME) }];
  for (
    const seen of [host([{ ...RUNNING, name: NAME }], [], INPUT), host([RUNNING], files, INPUT)]
  ) {
    const store = memoryStore();
    assert.deepEqual(await adoptBatches(SERIES, store, seen), [NAME]);
    assert.deepEqual(store.jobs(), [{ ...JOB, name: NAME, step: "submitted" }]);
    assert.equal(store.readFile(NAME, "requests.jsonl"), INPUT);
    assert.deepEqual(await adoptBatches(SERIES, store, seen), []);
  }
});

Deno.test("adoptBatches() takes no name that is not exactly as ours are made", async () => {
  const half = NAME.slice(0, -1);
  for (const name of [`${half}../../x`, half, `${half}0`, `${NAME}/..`, `${NAME}\n`]) {
    const store = memoryStore();
    assert.deepEqual(
      await adoptBatches(SERIES, store, host([{ ...RUNNING, name }], [], INPUT)),
      [],
    );
  }
});

Deno.test("adoptBatches() names the batch whose input is cut off or somebody else's", async () => {
  for (const text of [INPUT.slice(0, 20), '{"prompt":"x"}', "\n"]) {
    const store = memoryStore();
    const seen = host([{ ...RUNNING, name: NAME }], [], text);
    await assert.rejects(adoptBatches(SERIES, store, seen), (error) => {
      assert.ok(error instanceof ServiceFailure);
      assert.match(error.message, /What batch batch_1 asks cannot be known: .*file_1/);
      return true;
    });
    assert.deepEqual(store.jobs(), []);
  }
});

Deno.test("adoptBatches() takes a job that was announced for the one that was made", async () => {
  const store = memoryStore();
  const { batchId: _, ...rest } = JOB;
  store.save({ ...rest, name: NAME, keyLabel: "GROQ_API_KEY_1", step: "creating", since: 0 });
  await adoptBatches(SERIES, store, host([{ ...RUNNING, name: NAME }], []));
  assert.deepEqual(store.jobs(), [{ ...JOB, name: NAME, step: "submitted" }]);
});

Deno.test("adoptBatches() refuses to go on where a running batch's questions cannot be known", async () => {
  const gone = host([{ ...RUNNING, name: NAME }], []);
  await assert.rejects(
    adoptBatches(SERIES, memoryStore(), gone),
    /Groq runs batch batch_1 .* input file is gone: .* Wait until it has ended/,
  );
  const store = memoryStore();
  await adoptBatches(SERIES, store, host([{ ...RUNNING, name: NAME, status: "completed" }], []));
  assert.deepEqual(store.jobs(), [{
    ...JOB,
    name: NAME,
    hostModel: "",
    requests: 5,
    step: "submitted",
  }]);
});
