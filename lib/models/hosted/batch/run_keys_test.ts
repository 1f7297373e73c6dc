import assert from "node:assert/strict";
import { ModelUnavailable } from "../../model.ts";
import { type BatchService, ServiceFailure } from "./service.ts";
import { memoryStore } from "./testdata/memory_store.ts";
import { SETTLE, type Tables, World } from "./testdata/world.ts";

/** One question of one model. */
function oneQuestion(): Tables & { readonly rows: Map<string, string> } {
  const rows = new Map<string, string>();
  const requests = [{ customId: "ash1", body: { model: "ash" } }];
  return {
    rows,
    wanted: () => rows.has("ash1") ? [] : [{ hostModel: "ash", requests }],
    merge: ({ replies }) => {
      for (const [id, { text }] of replies) rows.set(id, text);
      return { merged: replies.size, foreign: 0 };
    },
  };
}

const answer = () => ({ text: "A" });
const named = (service: BatchService, keyLabel: string): BatchService => ({ ...service, keyLabel });

/** A key that the host refuses for good, or for now. */
function refusedKey(keyLabel: string, returns?: Date): BatchService {
  const refuse = () =>
    Promise.reject(new ModelUnavailable(`${keyLabel} is of no use`, "Batch API", returns));
  const all = { files: refuse, upload: refuse, batches: refuse, create: refuse };
  return { keyLabel, ...all, retrieve: refuse, content: refuse };
}

/** A world in which one batch is announced, on its way, and its process killed. */
async function announced() {
  const world = new World({ fate: answer, delay: () => 1000 });
  const [store, tables] = [memoryStore(), oneQuestion()];
  await world.live(store, tables, { mode: "submit" });
  assert.equal(store.jobs()[0]?.step, "creating");
  assert.match(world.notes.join(), /answer to the request for batch .* was lost .* not/s);
  return { world, store, tables };
}

Deno.test("runBatches() submits nothing again before the host's list has settled", async () => {
  const { world, store, tables } = await announced();
  world.clock += SETTLE - 1;
  const lists = { ...world.host.service("GROQ_API_KEY_1"), batches: () => Promise.resolve([]) };
  await world.live(store, tables, { mode: "submit", services: [lists] });
  assert.equal(store.jobs()[0]?.step, "creating");
  assert.equal(world.host.batches.length, 0); // The first is on its way, no second was sent.
  await world.live(store, tables);
  assert.deepEqual([...tables.rows], [["ash1", "A"]]);
  assert.deepEqual(world.host.timesAsked(), new Map([["ash1", 1]]));
});

Deno.test("runBatches() submits nothing again with a key that does not see what was uploaded", async () => {
  const { world, store, tables } = await announced();
  world.clock += 10 * SETTLE;
  const other = new World({ fate: answer });
  const services = [other.host.service("GROQ_API_KEY_1")];
  await world.live(store, tables, { mode: "submit", services });
  assert.match(world.notes.at(-1) ?? "", /cannot be known: GROQ_API_KEY_1 does not see its input/);
  assert.equal(other.host.batches.length, 0);
  assert.equal(store.jobs()[0]?.step, "creating");
});

Deno.test("runBatches() finds its batch again where keys were renumbered", async () => {
  const { world, store, tables } = await announced();
  world.clock += 2000;
  const other = new World({ fate: answer });
  const renumbered = [
    other.host.service("GROQ_API_KEY_1"),
    named(world.host.service(""), "GROQ_API_KEY_2"),
  ];
  await world.live(store, tables, { services: renumbered });
  assert.deepEqual([...tables.rows], [["ash1", "A"]]);
  assert.equal(other.host.batches.length, 0);
  assert.equal(store.jobs()[0]?.keyLabel, "GROQ_API_KEY_2");
});

Deno.test("runBatches() says which key to put back where no key sees a batch", async () => {
  const world = new World({ fate: answer, unfinishedLooks: 1 });
  const [store, tables] = [memoryStore(), oneQuestion()];
  await world.live(store, tables, { mode: "submit" });
  const other = new World({ fate: answer });
  await world.live(store, tables, { services: [other.host.service("GROQ_API_KEY_1")] });
  assert.match(world.notes.at(-1) ?? "", /No key sees batch batch_1: .*GROQ_API_KEY_1. Put that/);
  assert.equal(other.host.batches.length, 0);
  assert.equal(store.jobs()[0]?.step, "submitted");
});

Deno.test("runBatches() takes the next key where one is refused for good, and none where one is for now", async () => {
  const world = new World({ fate: answer });
  const [store, tables] = [memoryStore(), oneQuestion()];
  const second = world.host.service("GROQ_API_KEY_2");
  const later = refusedKey("GROQ_API_KEY_1", new Date(1e12));
  await world.live(store, tables, { services: [later, second] });
  assert.equal(world.host.batches.length, 0);
  assert.match(
    world.notes[0] ?? "",
    /GROQ_API_KEY_1 cannot be seen, nothing new is submitted: .* no use/,
  );
  await world.live(store, tables, { services: [refusedKey("GROQ_API_KEY_1"), second] });
  assert.deepEqual([...tables.rows], [["ash1", "A"]]);
  assert.equal(store.jobs()[0]?.keyLabel, "GROQ_API_KEY_2");
});

Deno.test("runBatches() takes no other key once a batch was announced, whatever ended it", async () => {
  const world = new World({ fate: answer });
  const [store, tables] = [memoryStore(), oneQuestion()];
  const first: BatchService = {
    ...world.host.service("GROQ_API_KEY_1"),
    create: (_file, _name, announce) => {
      announce();
      return Promise.reject(new ModelUnavailable("no key is left", "Batch API"));
    },
  };
  const services = [first, world.host.service("GROQ_API_KEY_2")];
  await world.live(store, tables, { mode: "submit", services });
  assert.equal(world.host.batches.length, 0);
  assert.equal(store.jobs()[0]?.step, "creating");
});

Deno.test("runBatches() in mode fetch submits nothing and waits for nothing", async () => {
  const world = new World({ fate: answer, unfinishedLooks: 1 });
  const [store, tables] = [memoryStore(), oneQuestion()];
  await world.live(store, tables, { mode: "fetch" });
  assert.equal(world.host.files.length, 0);
  await world.live(store, tables, { mode: "submit" });
  assert.equal(world.clock, 0);
  await world.live(store, tables, { mode: "fetch" });
  assert.equal(tables.rows.size, 0);
  await world.live(store, tables, { mode: "fetch" });
  assert.deepEqual([...tables.rows], [["ash1", "A"]]);
  assert.equal(world.clock, 0);
});

Deno.test("runBatches() submits nothing while an adopted batch's questions are unknown, until it is closed by hand", async () => {
  const world = new World({ fate: answer });
  const [store, tables] = [memoryStore(), oneQuestion()];
  await world.live(store, tables, { mode: "submit" });
  store.clear();
  const own = world.host.service("GROQ_API_KEY_1");
  const forgetful: BatchService = {
    ...own,
    batches: async () =>
      (await own.batches()).map((batch) => ({ ...batch, status: "completed" as const })),
    content: () => Promise.resolve(undefined),
    retrieve: () => Promise.reject(new ServiceFailure("Groq answers 503")),
  };
  await world.live(store, tables, { services: [forgetful] });
  assert.match(
    world.notes.join("\n"),
    /is not known, .* write "closed" for "submitted" in batches/,
  );
  assert.equal(world.host.batches.length, 1);
  const [job] = store.jobs();
  assert.ok(job);
  store.save({ ...job, step: "closed" } as never);
  const emptied = new World({ fate: answer }).host.service("GROQ_API_KEY_1");
  await world.live(store, tables, { services: [emptied] });
  assert.deepEqual(store.jobs().map(({ name, step }) => [name.at(-1), step]), [
    ["1", "closed"],
    ["2", "closed"],
  ]);
});

Deno.test("runBatches() never gives a batch the name of one that was there", async () => {
  const world = new World({ fate: () => "error" });
  const [store, tables] = [memoryStore(), oneQuestion()];
  await world.live(store, tables);
  await world.live(store, tables);
  const gone = (name: string) => name.endsWith("_1");
  const own = world.host.service("GROQ_API_KEY_1");
  const list = async () => (await own.batches()).filter(({ name }) => !gone(name ?? ""));
  const left = { ...store, jobs: () => store.jobs().filter(({ name }) => !gone(name)) };
  await world.live(left, tables, { services: [{ ...own, batches: list }] });
  assert.deepEqual(world.host.batches.map(({ name }) => name?.at(-1)), ["1", "2", "3"]);
});

Deno.test("runBatches() keeps answers that the study has no question for, and asks on", async () => {
  const world = new World({ fate: answer });
  const [store, tables] = [memoryStore(), oneQuestion()];
  const changed = { ...tables, merge: () => ({ merged: 0, foreign: 1 }) };
  await world.live(store, changed);
  assert.equal(store.jobs()[0]?.step, "fetched");
  assert.match(
    world.notes.at(-1) ?? "",
    /1 questions that are not asked now: .* batches\/touch.*"closed" for "fetched"/,
  );
  await world.live(store, tables, { mode: "fetch" });
  assert.deepEqual([...tables.rows], [["ash1", "A"]]);
});

Deno.test("runBatches() ends at an abort and goes on later", async () => {
  const world = new World({ fate: answer, unfinishedLooks: 3 });
  const [store, tables] = [memoryStore(), oneQuestion()];
  const stop = new AbortController();
  const sleep = () => {
    stop.abort();
    return Promise.reject(stop.signal.reason);
  };
  await world.live(store, tables, { signal: stop.signal, sleep });
  assert.equal(store.jobs()[0]?.step, "submitted");
  await world.live(store, tables);
  assert.deepEqual([...tables.rows], [["ash1", "A"]]);
  assert.equal(world.host.batches.length, 1);
});
