import assert from "node:assert/strict";
import fc from "fast-check";
import { eachGroupInFlight, eachInFlight, sleep, withTimeLimit } from "./in_flight.ts";

/** Waits for turns of the event queue, so that tasks end in another order than they began. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

Deno.test("Feature: hosted models, back-pressure: every item once, never more at once than allowed", async () => {
  const lengths = fc.array(fc.nat(5), { maxLength: 40 });
  await fc.assert(
    fc.asyncProperty(lengths, fc.integer({ min: 1, max: 50 }), async (lengths, limit) => {
      const done: number[] = [];
      let [now, most] = [0, 0];
      await eachInFlight(lengths.keys(), limit, async (item) => {
        most = Math.max(most, ++now);
        await turns(lengths[item]!);
        done.push(item);
        now -= 1;
      });
      assert.deepEqual(done.toSorted((a, b) => a - b), [...lengths.keys()]);
      assert.ok(most <= limit && most === Math.min(limit, lengths.length), `${most} at once`);
    }),
    { numRuns: 200 },
  );
});

Deno.test("eachInFlight() throws what the work threw first, begins nothing more, and awaits what is under way", async () => {
  const begun: number[] = [];
  let ended = 0;
  const run = eachInFlight([1, 2, 3], 2, async (item) => {
    begun.push(item);
    await turns(item);
    if (item === 1) throw new TypeError("first");
    ended += 1;
    throw new TypeError("second");
  });
  await assert.rejects(run, /first/);
  assert.deepEqual([begun, ended], [[1, 2], 1]);
});

Deno.test("eachGroupInFlight() keeps a group together while there are enough, and parts it where there are not", async () => {
  const run = async (groups: readonly (readonly string[])[]) => {
    const [begun, atOnce]: [string[], number[]] = [[], []];
    let now = 0;
    await eachGroupInFlight(groups, 2, async (item) => {
      begun.push(item);
      atOnce.push(++now);
      await turns(3);
      now -= 1;
    });
    return { begun: begun.join(" "), most: Math.max(...atOnce) };
  };
  // Neither group waits for the other, and none is read in two places.
  const two = await run([["a1", "a2", "a3"], ["b1", "b2", "b3"], ["c1"]]);
  assert.deepEqual(two, { begun: "a1 b1 a2 b2 a3 b3 c1", most: 2 });
  assert.deepEqual(await run([["a1", "a2", "a3"]]), { begun: "a1 a2 a3", most: 2 });
  assert.equal((await run([["a1"]])).most, 1);
});

const never = () => new Promise<never>(() => {});

Deno.test("withTimeLimit() and sleep() end at once with the caller's reason", async () => {
  const controller = new AbortController();
  const reason = new Error("Ctrl-C");
  const ends = [
    assert.rejects(withTimeLimit(never, 60, controller.signal), reason),
    assert.rejects(sleep(60_000, controller.signal), { name: "AbortError" }),
  ];
  controller.abort(reason);
  await Promise.all(ends);
  await assert.rejects(withTimeLimit(never, 60, controller.signal), reason);
  await assert.rejects(sleep(60_000, controller.signal), { name: "AbortError" });
});
