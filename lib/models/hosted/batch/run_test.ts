import assert from "node:assert/strict";
import fc from "fast-check";
import { ModelUnavailable } from "../../model.ts";
import type { BatchService } from "./groq_service.ts";
import { memoryStore, openTables, SETTLE, World } from "./testdata/world.ts";

const MODELS = { ash: ["ash1", "ash2", "ash3", "ash4"], elm: ["elm1", "elm2"] };
const IDS = Object.values(MODELS).flat();
const answer = (id: string) => ({ text: `answer to ${id}` });
const COMPLETE = new Map(IDS.map((id) => [id, answer(id).text]));
const assertComplete = (rows: ReadonlyMap<string, string>, where?: string) =>
  assert.deepEqual(new Map([...rows].sort()), COMPLETE, where);

Deno.test("runBatches() submits every question once, one model a batch, and merges each answer", async () => {
  const world = new World({ fate: answer, unfinishedLooks: 2 });
  const [store, tables] = [memoryStore(), openTables(MODELS)];
  const jobs = await world.live(store, tables);
  assertComplete(tables.rows);
  assert.ok(jobs !== "killed" && jobs.every(({ step }) => step === "closed"));
  await world.live(store, tables);
  const asked = world.host.batches.map(({ asked }) => asked.join()).sort();
  assert.deepEqual([asked, world.notes], [["ash1,ash2,ash3", "ash4", "elm1,elm2"], []]);
});

Deno.test("runBatches() killed at each of its moments in turn and resumed asks nothing twice", async () => {
  const undisturbed = new World({ fate: answer, unfinishedLooks: 1 });
  await undisturbed.live(memoryStore(), openTables(MODELS));
  const count = undisturbed.moments.length;
  assert.ok(count > 60, `${count} moments`);
  for (let moment = 0; moment < count; moment++) {
    const world = new World({ fate: answer, unfinishedLooks: 1 });
    const [store, tables] = [memoryStore(), openTables(MODELS)];
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

const LIFE = fc.record({ moments: fc.nat(80), pause: fc.nat(2 * SETTLE) });

const HISTORY = fc.record({
  lives: fc.array(LIFE, { maxLength: 8 }),
  seed: fc.nat(1000),
  unfinishedLooks: fc.nat(2),
  end: fc.constantFrom("completed", "expired", "cancelled"),
  delays: fc.array(fc.constantFrom(0, 0, 1, SETTLE / 2, SETTLE - 1), { maxLength: 8 }),
});

Deno.test("runBatches() survives kills, lost answers and failed lines in any order: no question is asked while a batch asks it or after one answered it (property)", async () => {
  let [killed, late, repeated] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(HISTORY, async ({ lives, seed, delays, end, ...host }) => {
      const left = [...delays];
      const world = new World({
        ...host,
        end: () => end,
        delay: () => left.shift() ?? 0,
        fate: (id, time) => time > failures(id, seed) ? answer(id) : seed % 2 ? "error" : "no line",
      });
      const [store, tables] = [memoryStore(), openTables(MODELS)];
      for (const { moments, pause } of lives) {
        world.left = moments;
        killed += Number(await world.live(store, tables) === "killed");
        world.clock += pause;
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
  const counts = { killed, late, repeated };
  assert.ok(Object.values(counts).every((count) => count > 200), JSON.stringify(counts));
});

/** A world of one question, `ash1`, after a run that submits it. */
async function submitted(options: Partial<ConstructorParameters<typeof World>[0]> = {}) {
  const world = new World({ fate: answer, ...options });
  const [store, tables] = [memoryStore(), openTables({ ash: ["ash1"] })];
  await world.live(store, tables, { mode: "submit" });
  const [own, step] = [world.host.service("GROQ_API_KEY_1"), () => store.jobs()[0]?.step];
  const assertAnswered = () => assert.deepEqual([...tables.rows], [["ash1", answer("ash1").text]]);
  return { world, store, tables, own, step, assertAnswered };
}

/** A key that is of no use, for good or for now. */
function refusedKey(keyLabel: string): BatchService {
  const refuse = () =>
    Promise.reject(new ModelUnavailable(`${keyLabel} is of no use`, "Batch API"));
  const all = { upload: refuse, batches: refuse, create: refuse };
  return { keyLabel, ...all, retrieve: refuse, content: refuse };
}

Deno.test("runBatches() submits nothing again with a key that does not see what was uploaded", async () => {
  // Its batch is announced and on its way, and the answer lost.
  const { world, store, tables, step } = await submitted({ delay: () => 1000 });
  assert.match(world.notes.join(), /answer to the request for batch .* was lost .* not/s);
  world.clock += 10 * SETTLE;
  const { host } = new World({ fate: answer });
  const services = [host.service("GROQ_API_KEY_1")];
  await world.live(store, tables, { mode: "submit", services });
  assert.match(world.notes.at(-1)!, /cannot be known: GROQ_API_KEY_1 does not see its input/);
  assert.equal(host.batches.length, 0);
  assert.equal(step(), "creating");
});

Deno.test("runBatches() takes the next key where one is of no use, and keeps to the one that submitted", async () => {
  const world = new World({ fate: answer });
  const [store, tables] = [memoryStore(), openTables(MODELS)];
  const [first, second] = [refusedKey("GROQ_API_KEY_1"), world.host.service("GROQ_API_KEY_2")];
  await world.live(store, tables, { mode: "submit", services: [first, second] });
  assert.deepEqual(store.jobs().map(({ keyLabel }) => keyLabel), Array(3).fill("GROQ_API_KEY_2"));
  await world.live(store, tables, { mode: "fetch", services: [first] });
  assert.match(
    world.notes.at(-1)!,
    /only GROQ_API_KEY_2 can tell\. Put the key .* back into \.env/,
  );
  await world.live(store, tables, { services: [first, second] });
  assertComplete(tables.rows);
  assert.deepEqual([...world.host.timesAsked().values()], IDS.map(() => 1));
});

Deno.test("runBatches() in mode fetch submits nothing and waits for nothing; an abort ends it, and it goes on later", async () => {
  const { world, store, tables, step, assertAnswered } = await submitted({ unfinishedLooks: 4 });
  await world.live(memoryStore(), openTables({ elm: ["elm1"] }), { mode: "fetch" });
  assert.equal(world.host.batches.length, 1);
  for (let look = 0; look < 2; look++) await world.live(store, tables, { mode: "fetch" });
  assert.deepEqual([tables.rows.size, world.clock], [0, 0]);
  const stop = new AbortController();
  const sleep = () => {
    stop.abort();
    return Promise.reject(stop.signal.reason);
  };
  await world.live(store, tables, { signal: stop.signal, sleep });
  assert.equal(step(), "submitted");
  await world.live(store, tables);
  assertAnswered();
  assert.equal(world.host.batches.length, 1);
});

Deno.test("runBatches() keeps answers that the study has no question for, and asks on", async () => {
  const { world, store, tables, step, assertAnswered } = await submitted();
  const changed = { ...tables, merge: () => ({ merged: 0, foreign: 1 }) };
  await world.live(store, changed, { mode: "fetch" });
  assert.equal(step(), "fetched");
  assert.match(world.notes.at(-1)!, /1 questions that are not asked now: .* batches\/touch/);
  await world.live(store, tables, { mode: "fetch" });
  assertAnswered();
});

Deno.test("runBatches() tells of files that are gone", async () => {
  const { world, store, tables, own } = await submitted();
  const content = () => Promise.resolve(undefined);
  await world.live(store, tables, { mode: "fetch", services: [{ ...own, content }] });
  assert.match(world.notes.join(), /its file output\.jsonl is gone: .* 30 days/);
});
