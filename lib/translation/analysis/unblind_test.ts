import assert from "node:assert/strict";
import fc from "fast-check";
import { displayOrder } from "../order.ts";
import { madeRun } from "./testdata/made_run.ts";
import { unblind } from "./unblind.ts";

const items = [{ da: [90, 60, 10] }, { da: [80, 55, 30], document: "d2" }, { da: [70, 40, 20] }];

Deno.test("unblind() gives every rating its system, whatever the t#", () => {
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.nat(100), { minLength: 4, maxLength: 4 }), {
        minLength: 1,
        maxLength: 9,
      }),
      (scores) => {
        const { ratings } = unblind(madeRun("r", scores.map((da) => ({ da }))));
        for (const { itemId, system, da } of ratings) {
          assert.equal(da, scores[itemId - 1]!["ABCD".indexOf(system)]);
        }
        assert.equal(ratings.length, 4 * scores.length);
      },
    ),
    { numRuns: 100 },
  );
});

Deno.test("unblind() gives row of the screen, bucket, rank and place of each rating", () => {
  const run = madeRun("r", items);
  const { ratings, items: n, leftOut } = unblind(run);
  const found = ratings.find(({ itemId, system }) => itemId === 2 && system === "B")!;
  assert.deepEqual(
    [found.rater, found.segment, found.document, found.bucket, found.bucketRank, found.da],
    ["r", "s2", "d2", "good", 2, 55],
  );
  const order = displayOrder(run.workbook.runId, 2, 3);
  assert.equal(order[found.position - 1], found.translation);
  assert.deepEqual([n, leftOut], [3, []]);
});

Deno.test("FR-7: unblind() refuses a run that is not finished, and lists what is wrong with it", () => {
  const run = madeRun("r", [
    items[0]!,
    { ...items[1]!, committedAt: "never" },
    { da: [90, 60, 150] },
    { da: [60, 60, 10], buckets: ["best", "good", "poor"] },
  ]);
  assert.throws(() => unblind(run), {
    message: "Cannot unblind the ratings of r: item 2 incomplete; item 3, 4 invalid. " +
      "unblind(run, { partial: true }) leaves these out and lists them.",
  });
  const { ratings, leftOut } = unblind(run, { partial: true });
  assert.deepEqual(new Set(ratings.map(({ itemId }) => itemId)), new Set([1]));
  assert.deepEqual(leftOut, [
    { itemId: 2, reason: "incomplete" },
    { itemId: 3, reason: "invalid" },
    { itemId: 4, reason: "invalid" },
  ]);
});

Deno.test("NFR-1: unblind() refuses another key, a key changed afterwards and another configuration", () => {
  const run = madeRun("r", items);
  const swapped = {
    ...run.key,
    items: run.key.items.map((item) => ({ ...item, systems: item.systems.toReversed() })),
  };
  assert.throws(
    () => unblind({ ...run, key: swapped }),
    /the key was changed since, or is another one/,
  );
  const ofOther = { ...run.key, runId: "another" };
  assert.throws(
    () => unblind({ ...run, key: ofOther }),
    /the key is of run another, the workbook of run 5f0c/,
  );
  const config = { ...run.config, daMax: 1000 };
  assert.throws(
    () => unblind({ ...run, config }, { partial: true }),
    /made under another configuration/,
  );
});

Deno.test("NFR-1: unblind() notices items that were taken out of the workbook or put into it", () => {
  const run = madeRun("r", items);
  const fewer = { ...run.workbook, items: run.workbook.items.slice(1) };
  assert.throws(() => unblind({ ...run, workbook: fewer }), /the workbook lacks item 1/);
  const key = { ...run.key, items: run.key.items.slice(0, 2) };
  assert.throws(() => unblind({ ...run, key }), /the key lacks item 3/);
});
